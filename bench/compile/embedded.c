/* GLSL that host code has as text: R"(#version 450 ... )". */
#include "compile/compile.h"

#include <string.h>

const char *xb_embedded_shader(const char *text, xb_arena *arena)
{
  for (const char *p = strstr(text, "R\""); p; p = strstr(p + 1, "R\"")) {
    const char *open = strchr(p, '(');
    if (!open || open - p > 20)
      continue;
    const char *version = open + 1 + strspn(open + 1, " \t\r\n");
    const char *end = xb_arena_text(arena, ")%.*s\"", (int)(open - p - 2), p + 2);
    end = end ? strstr(open, end) : NULL;
    if (end && !strncmp(version, "#version", 8))
      return xb_arena_text(arena, "%.*s", (int)(end - version), version);
  }
  return NULL;
}
