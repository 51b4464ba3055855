/* Two modules of SPIR-V, compared by instruction: the functions that differ, as spirv-dis prints them, without the
 * names of ids. */
#include "suspects/suspects.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4000, LINE = 160 };

typedef struct listing {
  char (*lines)[LINE];
  size_t count;
} listing;

/* True if the text has the line "OpDecorate ID NoContraction". */
static bool is_fixed(const char *text, const char *id, size_t length)
{
  for (const char *p = text; (p = strstr(p, "OpDecorate ")); p += 11)
    if (!strncmp(p + 11, id, length) && !strncmp(p + 11 + length, " NoContraction", 14))
      return true;
  return false;
}

/* Copies a line without indentation, and of its ids only types and constants, which compilers name alike. */
static void copy_line(const char *text, const char *from, size_t length, char to[LINE])
{
  static const char *const kept[] = {"int",   "uint", "float", "bool", "void",  "true",
                                     "false", "v2",   "v3",    "v4",   "double"};
  size_t at = 0;
  const char *end = from + length, *id = from + strspn(from, " ");
  for (const char *p = id; p < end && at < LINE - 20; p++) {
    bool keep = *p != '%';
    to[at++] = *p;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !keep; i++)
      keep = !strncmp(p + 1, kept[i], strlen(kept[i]));
    if (!keep)
      p += strcspn(p + 1, " \n");
  }
  to[at] = 0;
  if (*id == '%' && is_fixed(text, id, strcspn(id, " ")))
    strcat(to, " NoContraction");
}

/* The lines inside of functions. False: out of memory. */
static bool read_listing(const char *text, listing *l)
{
  bool inside = false;
  *l = (listing){.lines = malloc(MOST_LINES * sizeof *l->lines)};
  for (const char *p = text; l->lines && *p && l->count < MOST_LINES;) {
    const size_t length = strcspn(p, "\n");
    const char *op = strstr(p, "OpFunction ");
    inside |= op && op < p + length;
    const size_t blanks = strspn(p, " ");
    if (inside && strncmp(p + blanks, "OpLine", 6) != 0 && strncmp(p + blanks, "OpNoLine", 8) != 0)
      copy_line(text, p, length, l->lines[l->count++]);
    p += length + (p[length] == '\n');
  }
  return l->lines;
}

/* Prints what differs, with a line before it. Returns the number of lines that do. */
static size_t print_changes(const listing *a, const listing *b, const uint16_t *longest, FILE *out)
{
  size_t i = 0, k = 0, differ = 0;
  const size_t width = b->count + 1;
  const char *function = NULL, *before = NULL;
  while (i < a->count || k < b->count) {
    if (i < a->count && k < b->count && !strcmp(a->lines[i], b->lines[k])) {
      function = strstr(a->lines[i], "OpFunction ") ? a->lines[i] : function;
      before = a->lines[i];
      i++, k++;
      continue;
    }
    if (function && function != before)
      fprintf(out, "@ %s\n", function);
    if (before)
      fprintf(out, "  %s\n", before);
    function = before = NULL;
    const bool left = i < a->count && (k == b->count || longest[(i + 1) * width + k] >= longest[i * width + k + 1]);
    fprintf(out, "%c %s\n", left ? '-' : '+', left ? a->lines[i] : b->lines[k]);
    *(left ? &i : &k) += 1;
    differ++;
  }
  return differ;
}

size_t xb_instructions_compare(const char *right, const char *wrong, FILE *out)
{
  listing a, b;
  size_t differ = 0;
  const bool first = read_listing(right, &a), read = read_listing(wrong, &b) && first;
  uint16_t *longest = read ? calloc((a.count + 1) * (b.count + 1), sizeof *longest) : NULL;
  const size_t width = b.count + 1;
  for (size_t i = a.count; longest && i-- > 0;)
    for (size_t k = b.count; k-- > 0;) {
      const uint16_t down = longest[(i + 1) * width + k], across = longest[i * width + k + 1];
      longest[i * width + k] = !strcmp(a.lines[i], b.lines[k]) ? (uint16_t)(longest[(i + 1) * width + k + 1] + 1)
                               : down > across                 ? down
                                                               : across;
    }
  if (longest)
    differ = print_changes(&a, &b, longest, out);
  free(longest);
  free(a.lines);
  free(b.lines);
  return differ;
}
