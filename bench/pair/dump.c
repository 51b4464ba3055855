#include "pair/family.h"

#include "base/exit_codes.h"
#include "os/written_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that grows. */
typedef struct stream {
  xb_written file;
  char path[4096];
} stream;

static const char *folder;
static const xb_text_list *saved;
static stream dumped, kept;
bool xb_pair_dump_failed;

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

/* "y=out.npy": of this buffer; NULL: it is not asked for. */
static const char *file_for(const char *buffer)
{
  const size_t length = strlen(buffer);
  for (size_t i = 0; saved && i < saved->count; i++)
    if (!strncmp(saved->texts[i], buffer, length) && saved->texts[i][length] == '=')
      return saved->texts[i] + length + 1;
  return NULL;
}

/* Why a run could not put the file there; NULL: it can. Nothing is created: a run may fail. */
static const char *why_not(const char *path)
{
  const char *slash = strrchr(path, '/');
  char in[4096];
  struct stat status;
  snprintf(in, sizeof in, "%.*s", slash ? (int)(slash - path) : 1, slash == path ? "/" : slash ? path : ".");
  if (!stat(path, &status) && S_ISDIR(status.st_mode))
    return "is a folder";
  return access(in, W_OK) ? strerror(errno) : NULL;
}

bool xb_pair_save(const xb_pair *pair, const xb_text_list *words)
{
  saved = words;
  for (size_t i = 0; i < words->count; i++) {
    const char *equals = strchr(words->texts[i], '=');
    bool known = false;
    for (uint32_t b = 0; equals && b < pair->buffer_count; b++)
      known |= file_for(pair->buffers[b].name) == equals + 1 && pair->buffers[b].access != XB_PAIR_SCRATCH;
    const char *reason = known && xb_is_npy(equals + 1)
                             ? why_not(equals + 1)
                             : "expected a buffer that is read or written, and a file: y=out.npy";
    if (reason) {
      xb_report_error(XB_EXIT_USAGE, "--save: '%s': %s", words->texts[i], reason);
      return false;
    }
  }
  return true;
}

static void path_of(const xb_case *c, const char *buffer, const char *of, char path[4096])
{
  snprintf(path, 4096, "%s/%s.%s.%llu.npy", folder ? folder : "", buffer, of, (unsigned long long)c->n);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static void drop_unfinished(void)
{
  xb_written_end(&dumped.file, false);
  xb_written_end(&kept.file, false);
}

static void report(const char *path, int why)
{
  xb_pair_dump_failed = xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s", path, strerror(why));
}

static void begin(stream *to, const char *path, const xb_element *element, const xb_array *shape)
{
  xb_written_end(&to->file, false);
  snprintf(to->path, sizeof to->path, "%s", path);
  FILE *file = xb_written_begin(&to->file, to->path);
  if (!file)
    report(path, errno);
  else if (!xb_npy_header(element, shape, file))
    report(path, xb_written_end(&to->file, false));
}

static void append(stream *to, const void *data, uint32_t bytes, uint64_t count, bool last)
{
  if (!to->file.stream)
    return;
  const bool good = fwrite(data, bytes, count, to->file.stream) == count;
  const int why = good && !last ? 0 : xb_written_end(&to->file, good);
  if (why)
    report(to->path, why);
}

static void write_inputs(const xb_case *c)
{
  const xb_pair *pair = xb_pair_of(c);
  char path[4096];
  for (uint32_t i = 0; i < pair->buffer_count; i++) {
    const xb_pair_buffer *b = &pair->buffers[i];
    const xb_array shape = xb_pair_shape(c, i);
    const char *own = b->access == XB_PAIR_IN ? file_for(b->name) : NULL;
    const bool dumps = folder && (b->access == XB_PAIR_IN || b->access == XB_PAIR_INOUT);
    void *data = dumps || own ? calloc(shape.length, b->element.bytes) : NULL;
    path_of(c, b->name, "input", path);
    if (!data && (dumps || own))
      report(dumps ? path : own, ENOMEM);
    if (!data)
      continue;
    xb_fill_generate(&b->fill, c->seed, 0, shape.length, data);
    const char *const paths[] = {dumps ? path : NULL, own};
    for (int k = 0; k < 2; k++) {
      stream whole = {0};
      if (paths[k])
        begin(&whole, paths[k], &b->element, &shape);
      append(&whole, data, b->element.bytes, shape.length, true);
    }
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
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[buffer];
  const xb_pair_side *side = xb_pair_side_of(c);
  if (!folder && (!saved || !saved->count))
    return;
  const xb_array shape = xb_pair_shape(c, buffer);
  if (!first && is_new(c, side, buffer)) {
    static bool prepared;
    const char *own = side == xb_pair_of(c)->sides ? file_for(b->name) : NULL;
    char path[4096];
    if (!prepared)
      prepared = !atexit(drop_unfinished);
    write_inputs(c);
    path_of(c, b->name, side->label, path);
    if (folder)
      begin(&dumped, path, &b->element, &shape);
    if (own)
      begin(&kept, own, &b->element, &shape);
  }
  append(&dumped, data, b->element.bytes, count, first + count == shape.length);
  append(&kept, data, b->element.bytes, count, first + count == shape.length);
}
