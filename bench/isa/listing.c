/* Machine code beside its source: what nvdisasm prints, with the lines of the source that it names. */
#include "isa/isa.h"

#include "base/program.h"
#include "base/whole_file.h"
#include "blob.h"
#include "os/temporary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text of a file that the build compiled, which this program carries, or of one of the user's; NULL: neither. */
static const char *text_of(const char *path, xb_arena *arena)
{
  char *text;
  size_t bytes;
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    const size_t length = strlen(b->name), all = strlen(path);
    if (all > length && path[all - length - 1] == '/' && !strcmp(path + all - length, b->name))
      return xb_arena_text(arena, "%.*s", (int)b->bytes, (const char *)b->data);
  }
  return xb_read_whole_file(path, arena, &text, &bytes, NULL) ? NULL : text;
}

/* nvdisasm's `//## File "a.cu", line 12`: writes the line itself. False: the mark is none, or its file is not here. */
static bool write_source(const char *mark, FILE *out, xb_arena *arena)
{
  static const char begin[] = "//## File \"";
  const char *name = strstr(mark, begin), *end = name ? strstr(name, "\", line ") : NULL;
  if (!end || end > mark + strcspn(mark, "\n"))
    return false;
  name += sizeof begin - 1;
  const char *path = xb_arena_text(arena, "%.*s", (int)(end - name), name), *text = text_of(path, arena);
  const unsigned long line = strtoul(end + strlen("\", line "), NULL, 10);
  for (unsigned long i = 1; text && i < line && (text = strchr(text, '\n')); i++)
    text++;
  if (!text)
    return false;
  text += strspn(text, " \t");
  fprintf(out, "%s:%lu: %.*s\n", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, line, (int)strcspn(text, "\n"),
          text);
  return true;
}

static char *write_listing(const char *listing, xb_arena *arena)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  const char *last = ""; /* the mark before: several instructions of one line need it once */
  for (const char *at = listing; out && *at; at += *at == '\n') {
    const size_t length = strcspn(at, "\n");
    const char *mark = strstr(at, "//##");
    if (!mark || mark >= at + length)
      fprintf(out, "  %.*s\n", (int)length, at);
    else if (strncmp(last, mark, (size_t)(at + length - mark)) != 0 && write_source(mark, out, arena))
      last = mark;
    at += length;
  }
  if (out)
    fclose(out);
  return text;
}

/* nvdisasm prints all kernels of the file; this one's part is kept. */
void xb_isa_list_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row)
{
  xb_arena arena = {0};
  xb_error error;
  char path[XB_TEMPORARY_BYTES], *listing, head[160];
  const char *tool = xb_find_program("nvdisasm", &arena);
  tool = tool ? tool : xb_find_program("/usr/local/cuda/bin/nvdisasm", &arena);
  const int fd = tool ? xb_temporary_file(path, "") : -1;
  if (tool && fd < 0)
    json_object_set_new(row, "text", json_string(xb_temporary_why()));
  if (fd >= 0) {
    close(fd);
    const char *const argv[] = {tool, "-c", "-g", path, NULL};
    snprintf(head, sizeof head, ".text.%s:", entry);
    if (xb_write_whole_file(path, elf, bytes) && !xb_run_program(argv, &arena, &listing, &error)) {
      char *begin = strstr(listing, head), *end = begin ? strstr(begin, "\n//---") : NULL;
      if (end)
        *end = 0;
      char *text = write_listing(begin ? begin : listing, &arena);
      json_object_set_new(row, "text", json_string(text));
      free(text);
    }
    xb_temporary_remove(path);
  }
  xb_arena_free(&arena);
}
