/* A part of the build: xb_source_hashes LIST OUTPUT writes the table of the hashes of sources that show/languages.h
 * declares. LIST has lines "language CODE", "flag FLAG" and "file PATH"; the flags behind a language are those of its
 * files. */
#include "source/fingerprint.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FLAGS = 256, LINE = 512 };

/* The word behind `kind` in the line; NULL: the line is of another kind. */
static const char *word_of(const char *line, const char *kind)
{
  const size_t length = strlen(kind);
  return !strncmp(line, kind, length) && line[length] == ' ' ? line + length + 1 : NULL;
}

static int write_rows(FILE *list, FILE *out, xb_arena *arena)
{
  const char *flags[MOST_FLAGS + 1] = {0}, *word;
  char line[LINE], language[LINE] = "";
  size_t count = 0;
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    if ((word = word_of(line, "language"))) {
      strcpy(language, word);
      memset(flags, 0, sizeof flags);
      count = 0;
    } else if ((word = word_of(line, "flag")) && count < MOST_FLAGS) {
      flags[count++] = xb_arena_text(arena, "%s", word);
    } else if ((word = word_of(line, "file"))) {
      const xb_source_options options = {.flags = flags, .keeps_missing = true};
      const uint64_t hash = xb_source_fingerprint(word, &options);
      if (!hash)
        return fprintf(stderr, "%s: cannot be read\n", word);
      fprintf(out, "    {\"%s\", \"%s\", 0x%016" PRIx64 "},\n", language, word, hash);
    } else {
      return fprintf(stderr, "cannot read the line '%s'\n", line);
    }
  }
  return 0;
}

int main(int argc, char **argv)
{
  xb_arena arena = {0};
  FILE *list = argc == 3 ? fopen(argv[1], "r") : NULL, *out = list ? fopen(argv[2], "w") : NULL;
  if (!out) {
    fprintf(stderr, "usage: xb_source_hashes LIST OUTPUT\n");
    return 1;
  }
  fprintf(out, "#include \"show/languages.h\"\n\nconst xb_source_hash_row xb_source_hash_rows[] = {\n");
  bool failed = write_rows(list, out, &arena);
  fprintf(out, "    {0},\n};\n");
  fclose(list);
  failed |= ferror(out);
  failed |= fclose(out);
  xb_arena_free(&arena);
  if (failed)
    remove(argv[2]);
  return failed;
}
