/* A manifest may come from anybody, and a compiler quotes a file that it does not understand: so what it reads lies in
 * the manifest's folder, in a folder of -I, or belongs to the compiler. */
#include "base/whole_file.h"
#include "compile/compile.h"
#include "os/temporary.h"
#include "os/trusted.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool may_read(const xb_pair_job *j, const char *path)
{
  char own[XB_TEMPORARY_BYTES];
  if (xb_is_temporary(path) || (!strncmp(path, "/usr/", 5) && !strstr(path, "..")))
    return true;
  char *tool = realpath(j->tool, NULL);
  const char *name = tool ? strrchr(tool, '/') : NULL;
  const int folder = name ? (int)(name - tool) : 0;
  const char *const roots[] = {xb_cache_folder(j->arena),
                               j->source->within,
                               "/usr",
                               "/opt",
                               xb_arena_text(j->arena, "%.*s/../include", folder, tool ? tool : ""),
                               xb_arena_text(j->arena, "%.*s/../lib", folder, tool ? tool : ""),
                               xb_nvrtc_headers(j->arena),
                               xb_private_folder(own) ? own : NULL};
  bool may = false;
  for (size_t i = 0; i < sizeof roots / sizeof *roots && !may; i++)
    may = xb_is_within(path, roots[i]);
  for (const char *const *flag = j->source->flags; flag && *flag && !may; flag++)
    may = !strncmp(*flag, "-I", 2) && xb_is_within(path, (*flag)[2] || !flag[1] ? *flag + 2 : flag[1]);
  free(tool);
  return may;
}

const char *xb_included_elsewhere(const xb_pair_job *j, const char *path, int depth)
{
  enum { MOST_DEPTH = 8 };
  const char *slash = strrchr(path, '/'), *found = NULL;
  char *text;
  size_t bytes;
  if (!j->source->within || depth > MOST_DEPTH || xb_read_whole_file(path, j->arena, &text, &bytes, NULL))
    return NULL;
  for (const char *p = text; !found && (p = strstr(p, "include")); p++) {
    const char *name = p + strcspn(p, "\"\n");
    const int folder = slash && name[*name != 0] != '/' ? (int)(slash + 1 - path) : 0;
    const char *file = *name == '"'
                           ? xb_arena_text(j->arena, "%.*s%.*s", folder, path, (int)strcspn(name + 1, "\"\n"), name + 1)
                           : NULL;
    found = !file ? NULL : may_read(j, file) ? xb_included_elsewhere(j, file, depth + 1) : file;
  }
  return found;
}

const char *xb_read_elsewhere(const xb_pair_job *j, const char *text, bool markers)
{
  for (const char *line = text; j->source->within && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const size_t length = strcspn(line, "\n"), mark = !strncmp(line, "# 1 \"", 5)       ? 5
                                                      : !strncmp(line, "#line 1 \"", 9) ? 9
                                                                                        : 0;
    size_t end = mark ? mark + strcspn(line + mark, "\"\n") : 0;
    while (!markers && end < length && !(strchr(":(", line[end]) && isdigit((unsigned char)line[end + 1])))
      end++;
    const char *path = end > mark && end < length && (mark || !markers)
                           ? xb_arena_text(j->arena, "%.*s", (int)(end - mark), line + mark)
                           : NULL;
    if (path && line[end - 1] != '/' && !may_read(j, path)) /* "/home/me//" is the current folder */
      return path;
  }
  return NULL;
}
