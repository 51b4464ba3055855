/* Lists the rows and the traps of the porting guide for the words of a user's source. */
#include "base/safe_text.h"
#include "guide/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 1000, SHOWN_LINES = 5, MAX_ROWS = 500 };

typedef struct found_word {
  const char *text;
  size_t length, times, lines[SHOWN_LINES];
} found_word;

typedef struct scan {
  found_word words[MAX_WORDS];
  size_t word_count, lines;
} scan;

static void note_word(scan *s, const char *text, size_t length)
{
  size_t i = 0;
  if (isdigit((unsigned char)*text) && text[length > 1] != 'x')
    return;
  while (i < s->word_count && (s->words[i].length != length || memcmp(s->words[i].text, text, length) != 0))
    i++;
  if (i == MAX_WORDS)
    return;
  found_word *word = &s->words[i];
  if (i == s->word_count) {
    *word = (found_word){.text = text, .length = length};
    s->word_count++;
  }
  if (word->times < SHOWN_LINES && (!word->times || word->lines[word->times - 1] != s->lines))
    word->lines[word->times++] = s->lines;
}

/* The end of a comment, a text or a character that begins at `at`; `at` itself if none does. */
static const char *skip(const char *at)
{
  const char *end = at;
  if (!strncmp(at, "//", 2))
    end = at + strcspn(at, "\n");
  else if (!strncmp(at, "/*", 2))
    end = strstr(at, "*/") ? strstr(at, "*/") + 2 : at + strlen(at);
  else if (*at == '"' || *at == '\'') {
    end = at + 1 + strcspn(at + 1, *at == '"' ? "\"\\\n" : "'\\\n");
    while (*end == '\\' && end[1])
      end += 2 + strcspn(end + 2, *at == '"' ? "\"\\\n" : "'\\\n");
    end += *end == *at;
  }
  return end;
}

/* Names, also with `::` inside and their parts, numbers in hexadecimal, and operators. */
static void find_words(scan *s, const char *at)
{
  const char *const text = at;
  for (s->lines = 1; *at;) {
    const char *begin = at, *end = skip(at);
    const size_t operators = strspn(at, "<>&|%");
    if (end > at) {
      for (; at < end; at++)
        s->lines += *at == '\n';
    } else if (isalnum((unsigned char)*at) || *at == '_' || *at == '#') {
      for (at++; isalnum((unsigned char)*at) || *at == '_'; at++)
        ;
      note_word(s, begin, (size_t)(at - begin));
      while (!strncmp(at, "::", 2) && (isalpha((unsigned char)at[2]) || at[2] == '_')) {
        const char *part = at += 2;
        while (isalnum((unsigned char)*at) || *at == '_')
          at++;
        note_word(s, part, (size_t)(at - part));
        note_word(s, begin, (size_t)(at - begin));
      }
    } else if (operators) {
      note_word(s, at, operators);
      at += operators;
    } else {
      s->lines += *at++ == '\n';
    }
  }
  s->lines -= at == text || at[-1] == '\n'; /* nothing follows the last one */
}

static void print_lines(const found_word *word)
{
  for (size_t i = 0; i < word->times; i++)
    printf("%s%zu", i ? ", " : word->times == 1 ? "line " : "lines ", word->lines[i]);
  printf("%s", word->times == SHOWN_LINES ? " ..." : "");
}

static void print_summary(const char *path, const scan *s, const xb_guide_row *rows, const bool *listed, size_t count)
{
  char safe[512];
  static const char *const statuses[] = {"exact", "weaker", "emulate", "none"};
  size_t of[4] = {0}, traps = 0;
  for (size_t r = 0; r < count; r++) {
    traps += listed[r] && rows[r].field[XB_ROW_WRONG];
    for (size_t k = 0; k < 4; k++)
      of[k] += listed[r] && rows[r].field[XB_ROW_STATUS] && !strcmp(rows[r].field[XB_ROW_STATUS], statuses[k]);
  }
  printf("%s, %zu lines: %zu rows (%zu exact, %zu weaker, %zu emulate, %zu none), %zu traps. 'xbench guide ROW' shows "
         "a row.\n",
         xb_safe_text(path, safe, sizeof safe), s->lines, of[0] + of[1] + of[2] + of[3], of[0], of[1], of[2], of[3],
         traps);
}

static void print_scan(const char *path, const scan *s, const xb_guide_row *rows, size_t count)
{
  static bool listed[MAX_ROWS];
  memset(listed, 0, sizeof listed);
  for (size_t w = 0; w < s->word_count; w++) {
    const found_word *word = &s->words[w];
    bool named = false;
    for (size_t r = 0; r < count && r < MAX_ROWS; r++) {
      if (!xb_guide_row_lists(&rows[r], word->text, word->length))
        continue;
      const bool before = listed[r];
      listed[r] = true;
      if (rows[r].field[XB_ROW_WRONG] || before)
        continue;
      if (!named) {
        printf("%.*s (", (int)word->length, word->text);
        print_lines(word);
        printf(")\n");
      }
      named = true;
      printf("  %-8s %s: ", rows[r].field[XB_ROW_STATUS], rows[r].id);
      xb_guide_print_plain(rows[r].field[rows[r].field[XB_ROW_HLSL] ? XB_ROW_HLSL : XB_ROW_VULKAN]);
      printf("\n");
    }
  }
  printf("\nTraps to look for:\n");
  for (size_t r = 0; r < count && r < MAX_ROWS; r++) {
    if (!listed[r] || !rows[r].field[XB_ROW_WRONG])
      continue;
    printf("  %s: ", rows[r].id);
    xb_guide_print_plain(rows[r].field[XB_ROW_WRONG]);
    printf(". ");
    xb_guide_print_plain(rows[r].field[XB_ROW_DOES]);
    printf("\n");
  }
  printf("\n");
  print_summary(path, s, rows, listed, count);
}

/* The whole file as text, or NULL with errno. */
static char *read_source(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t bytes = 0, capacity = 0, got = 1;
  while (file && got) {
    char *more = bytes + 1 >= capacity ? realloc(text, capacity = 2 * capacity + 65536) : text;
    if (!more)
      break;
    text = more;
    bytes += got = fread(text + bytes, 1, capacity - bytes - 1, file);
    text[bytes] = 0;
  }
  const int error = !file || ferror(file) || got ? errno : 0;
  if (file)
    fclose(file);
  if (error) {
    free(text);
    text = NULL;
  }
  errno = error;
  return text;
}

bool xb_guide_scan(const char *path)
{
  static scan s;
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  char *text = rows ? read_source(path) : NULL;
  if (!text)
    return false;
  s = (scan){0};
  find_words(&s, text);
  print_scan(path, &s, rows, count);
  free(text);
  return true;
}
