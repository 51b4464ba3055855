#include "pair/dump.h"

#include "base/exit_codes.h"
#include "pair/expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *folder;
static FILE *file; /* the one that grows */

bool xb_pair_dump_into(const char *name)
{
  struct stat status;
  if (mkdir(name, 0777) && (errno != EEXIST || stat(name, &status) || !S_ISDIR(status.st_mode))) {
    xb_report_error(XB_EXIT_USAGE, "--dump-outputs: %s: cannot be made a folder: %s", name, strerror(errno));
    return false;
  }
  folder = name;
  return true;
}

static void path_of(const xb_case *c, const char *buffer, const char *of, char path[4096])
{
  snprintf(path, 4096, "%s/%s.%s.%llu.npy", folder, buffer, of, (unsigned long long)c->n);
}

static void dump_inputs(const xb_case *c)
{
  const xb_pair_variant *v = c->variant->parameters;
  char path[4096];
  for (uint32_t i = 0; i < v->pair->buffer_count; i++) {
    const xb_pair_buffer *b = &v->pair->buffers[i];
    const xb_array array = {NULL, xb_pair_length(c, i)};
    void *data = b->access == XB_PAIR_IN || b->access == XB_PAIR_INOUT ? calloc(array.length, b->element.bytes) : NULL;
    if (!data)
      continue;
    xb_fill_generate(&b->fill, c->seed, 0, array.length, data);
    path_of(c, b->name, "input", path);
    if (!xb_npy_write(path, &b->element, &(xb_array){data, array.length}))
      xb_report_error(XB_EXIT_USAGE, "--dump-outputs: %s: cannot be written: %s", path, strerror(errno));
    free(data);
  }
}

/* True if this is the first time that this output of this side is seen at this size. */
static bool is_new(const xb_case *c, const xb_pair_side *side, uint32_t buffer)
{
  static struct {
    const xb_pair_side *side;
    uint64_t n, rows;
    uint32_t buffer;
  } seen[1024];
  static size_t count;
  for (size_t i = 0; i < count; i++)
    if (seen[i].side == side && seen[i].n == c->n && seen[i].rows == c->rows && seen[i].buffer == buffer)
      return false;
  if (count < sizeof seen / sizeof *seen) {
    seen[count].side = side;
    seen[count].n = c->n;
    seen[count].rows = c->rows;
    seen[count++].buffer = buffer;
  }
  return true;
}

void xb_pair_dump(const xb_case *c, uint32_t buffer, uint64_t first, uint64_t count, const void *data)
{
  const xb_pair_variant *v = c->variant->parameters;
  const xb_pair_buffer *b = &v->pair->buffers[buffer];
  const xb_pair_side *side = xb_pair_side_of(c);
  const uint64_t length = folder ? xb_pair_length(c, buffer) : 0;
  char path[4096];
  if (!folder || (!first && !is_new(c, side, buffer)) || (first && !file))
    return;
  path_of(c, b->name, side->label, path);
  if (!first) {
    dump_inputs(c);
    file = xb_npy_begin(path, &b->element, length);
  }
  const bool good = file && fwrite(data, b->element.bytes, count, file) == count;
  const bool ends = first + count == length || !good;
  if ((file && ends && fclose(file)) || !good)
    xb_report_error(XB_EXIT_USAGE, "--dump-outputs: %s: cannot be written: %s", path, strerror(errno));
  if (ends)
    file = NULL;
}
