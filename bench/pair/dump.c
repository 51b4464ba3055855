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

/* What is asked for, and what was begun. */
struct xb_pair_files {
  const char *folder;
  const xb_text_list *saved;
  stream dumped, kept;
  bool failed;
  /* Outputs of sides that were seen at a size. */
  struct {
    const xb_pair_side *side;
    uint64_t n, rows;
    uint32_t buffer;
  } seen[1024];
  size_t seen_count;
};

static xb_pair_files *unfinished; /* for atexit() */

/* Of the pair, made at the first call; NULL: out of host memory, which was reported. */
static xb_pair_files *files_of(xb_pair *pair)
{
  if (!pair->files && !(pair->files = xb_arena_take(&pair->arena, 1, sizeof *pair->files)))
    xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  return pair->files;
}

bool xb_pair_dump_failed(const xb_pair *pair)
{
  return pair->files && pair->files->failed;
}

bool xb_pair_dump_into(xb_pair *pair, const char *name)
{
  struct stat status;
  xb_pair_files *d = files_of(pair);
  if (!d)
    return false;
  if (mkdir(name, 0777) && (errno != EEXIST || stat(name, &status) || !S_ISDIR(status.st_mode))) {
    xb_report_error(XB_EXIT_USAGE, "--dump-outputs: %s: cannot be made a folder: %s", name, strerror(errno));
    return false;
  }
  d->folder = name;
  return true;
}

/* "y=out.npy": of this buffer; NULL: it is not asked for. */
static const char *file_for(xb_pair_files *d, const char *buffer)
{
  const size_t length = strlen(buffer);
  for (size_t i = 0; d->saved && i < d->saved->count; i++)
    if (!strncmp(d->saved->texts[i], buffer, length) && d->saved->texts[i][length] == '=')
      return d->saved->texts[i] + length + 1;
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

bool xb_pair_save(xb_pair *pair, const xb_text_list *words)
{
  xb_pair_files *d = words->count ? files_of(pair) : NULL;
  if (!d)
    return !words->count;
  d->saved = words;
  for (size_t i = 0; i < words->count; i++) {
    const char *equals = strchr(words->texts[i], '=');
    bool known = false;
    for (uint32_t b = 0; equals && b < pair->buffer_count; b++)
      known |= file_for(d, pair->buffers[b].name) == equals + 1 && pair->buffers[b].access != XB_PAIR_SCRATCH;
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

static void path_of(xb_pair_files *d, const xb_case *c, const char *buffer, const char *of, char path[4096])
{
  snprintf(path, 4096, "%s/%s.%s.%llu.npy", d->folder ? d->folder : "", buffer, of, (unsigned long long)c->n);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static void drop_unfinished(void)
{
  xb_written_end(&unfinished->dumped.file, false);
  xb_written_end(&unfinished->kept.file, false);
}

static void report(xb_pair_files *d, const char *path, int why)
{
  d->failed = xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s", path, strerror(why));
}

static void begin(xb_pair_files *d, stream *to, const char *path, const xb_element *element, const xb_array *shape)
{
  xb_written_end(&to->file, false);
  snprintf(to->path, sizeof to->path, "%s", path);
  FILE *file = xb_written_begin(&to->file, to->path);
  if (!file)
    report(d, path, errno);
  else if (!xb_npy_header(element, shape, file))
    report(d, path, xb_written_end(&to->file, false));
}

static void append(xb_pair_files *d, stream *to, const void *data, uint32_t bytes, uint64_t count, bool last)
{
  if (!to->file.stream)
    return;
  const bool good = fwrite(data, bytes, count, to->file.stream) == count;
  const int why = good && !last ? 0 : xb_written_end(&to->file, good);
  if (why)
    report(d, to->path, why);
}

static void write_inputs(xb_pair_files *d, const xb_case *c)
{
  const xb_pair *pair = xb_pair_of(c);
  char path[4096];
  for (uint32_t i = 0; i < pair->buffer_count; i++) {
    const xb_pair_buffer *b = &pair->buffers[i];
    const xb_array shape = xb_pair_shape(c, i);
    const char *own = b->access == XB_PAIR_IN ? file_for(d, b->name) : NULL;
    const bool dumps = d->folder && (b->access == XB_PAIR_IN || b->access == XB_PAIR_INOUT);
    void *data = dumps || own ? calloc(shape.length, b->element.bytes) : NULL;
    path_of(d, c, b->name, "input", path);
    if (!data && (dumps || own))
      report(d, dumps ? path : own, ENOMEM);
    if (!data)
      continue;
    xb_fill_generate(&b->fill, c->seed, 0, shape.length, data);
    const char *const paths[] = {dumps ? path : NULL, own};
    for (int k = 0; k < 2; k++) {
      stream whole = {0};
      if (paths[k])
        begin(d, &whole, paths[k], &b->element, &shape);
      append(d, &whole, data, b->element.bytes, shape.length, true);
    }
    free(data);
  }
}

/* True if this is the first time that this output of this side is seen at this size. */
static bool is_new(xb_pair_files *d, const xb_case *c, const xb_pair_side *side, uint32_t buffer)
{
  for (size_t i = 0; i < d->seen_count; i++)
    if (d->seen[i].side == side && d->seen[i].n == c->n && d->seen[i].rows == c->rows && d->seen[i].buffer == buffer)
      return false;
  if (d->seen_count < sizeof d->seen / sizeof *d->seen) {
    d->seen[d->seen_count].side = side;
    d->seen[d->seen_count].n = c->n;
    d->seen[d->seen_count].rows = c->rows;
    d->seen[d->seen_count++].buffer = buffer;
  }
  return true;
}

void xb_pair_dump(const xb_case *c, uint32_t buffer, uint64_t first, uint64_t count, const void *data)
{
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[buffer];
  const xb_pair_side *side = xb_pair_side_of(c);
  xb_pair_files *d = xb_pair_of(c)->files;
  if (!d)
    return;
  const xb_array shape = xb_pair_shape(c, buffer);
  if (!first && is_new(d, c, side, buffer)) {
    const char *own = side == xb_pair_of(c)->sides ? file_for(d, b->name) : NULL;
    char path[4096];
    if (!unfinished && !atexit(drop_unfinished))
      unfinished = d;
    write_inputs(d, c);
    path_of(d, c, b->name, side->label, path);
    if (d->folder)
      begin(d, &d->dumped, path, &b->element, &shape);
    if (own)
      begin(d, &d->kept, own, &b->element, &shape);
  }
  append(d, &d->dumped, data, b->element.bytes, count, first + count == shape.length);
  append(d, &d->kept, data, b->element.bytes, count, first + count == shape.length);
}
