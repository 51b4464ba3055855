/* The functions of a module of SPIR-V, so that those of two compilers can be compared line by line: without the names
 * of ids. */
#include "suspects/suspects.h"

#include <string.h>

/* True if the text has the line "OpDecorate ID NoContraction". */
static bool is_fixed(const char *text, const char *id, size_t length)
{
  for (const char *p = text; (p = strstr(p, "OpDecorate ")); p += 11)
    if (!strncmp(p + 11, id, length) && !strncmp(p + 11 + length, " NoContraction", 14))
      return true;
  return false;
}

/* Only types and constants keep their names, which compilers give alike. */
static bool keeps_name(const char *id)
{
  static const char *const kept[] = {"int",   "uint", "float", "bool", "void",  "true",
                                     "false", "v2",   "v3",    "v4",   "double"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (!strncmp(id, kept[i], strlen(kept[i])))
      return true;
  return false;
}

void xb_instructions_write(const char *text, FILE *out)
{
  bool inside = false;
  for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
    line += strspn(line, " ");
    end = line + strcspn(line, "\n");
    const char *op = strstr(line, "OpFunction ");
    inside |= op && op < end;
    if (!inside || !strncmp(line, "OpLine", 6) || !strncmp(line, "OpNoLine", 8))
      continue;
    fputc(' ', out);
    for (const char *p = line; p < end; p++) {
      fputc(*p, out);
      if (*p == '%' && !keeps_name(p + 1))
        p += strcspn(p + 1, " \n");
    }
    fprintf(out, *line == '%' && is_fixed(text, line, strcspn(line, " ")) ? " NoContraction\n" : "\n");
  }
}
