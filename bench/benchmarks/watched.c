/* Code of the program's own kernels that is compiled while it runs: so that races and wrong accesses are found, for
 * GPUs that the build has no code for, and for all of NVIDIA's where the build had no nvcc. */
#include "benchmarks/registry.h"
#include "blob.h"
#include "compile/compile.h"
#include "os/written_file.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* The code that was compiled lasts as long as the process. */
static struct {
  pthread_mutex_t lock; /* `scale` has threads */
  xb_arena arena;
  struct made {
    const char *name;
    const void *code;
    size_t bytes;
    struct made *next;
  } * all; /* for GPUs: several rows and cells have the same */
} compiled = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* One element type and one size of groups: kernels/entry.cuh makes the entries of them. */
static const char *write_entries(const xb_case *c, const char *folder)
{
  const char *dtype = xb_dtype_name(c->dtype);
  const char *entries = xb_arena_text(&compiled.arena, "%s/entries-%s-%u", folder, dtype, c->block);
  const char *text =
      xb_arena_text(&compiled.arena, "#define XB_ENTRY_TABLE(X, ...) X(%s, %u, __VA_ARGS__)\n", dtype, c->block);
  if (!entries || !text)
    return NULL;
  mkdir(entries, 0700);
  const char *path = xb_arena_text(&compiled.arena, "%s/entries.h", entries);
  return path && xb_write_whole_file(path, text, strlen(text)) ? entries : NULL;
}

/* The folders of all arguments. */
static int add_includes(const char *folder, const char **flags, int count, int most)
{
  for (const xb_blob *b = xb_blobs; b->name && count < most; b++) {
    const char *slash = strrchr(b->name, '/'), *end = strstr(b->name, "_args.h");
    if (slash && end && end > slash && !end[strlen("_args.h")])
      flags[count++] = xb_arena_text(&compiled.arena, "-I%s/%.*s", folder, (int)(slash - b->name), b->name);
  }
  return count;
}

/* Compiles the source for the processor or, with a capability, for that GPU. */
static xb_code compile_source(const xb_case *c, const char *source, uint32_t capability, xb_kernel_desc *desc,
                              xb_error *err)
{
  enum { MOST = 64 };
  const char *flags[MOST + 1] = {NULL};
  const char *folder = xb_carried_kernels(&compiled.arena);
  const char *entries = !folder ? NULL : c ? write_entries(c, folder) : folder;
  if (!entries)
    return xb_fail(err, XB_UNAVAILABLE, source, "cannot be compiled: its source cannot be written to the cache");
  int count = 0;
  flags[count++] = xb_arena_text(&compiled.arena, "-I%s", entries);
  flags[count++] = xb_arena_text(&compiled.arena, "-I%s/core/include", folder);
  flags[count++] = xb_arena_text(&compiled.arena, "-I%s/kernels", folder);
  flags[count++] = xb_arena_text(&compiled.arena, "-I%s/bench/guide", folder);
  flags[count++] = xb_arena_text(&compiled.arena, "-I%s/kernels/%.*s", folder, (int)strcspn(source, "/"), source);
  count = add_includes(folder, flags, count, MOST);
  const xb_pair_source what = {.path = xb_arena_text(&compiled.arena, "%s/kernels/%s.cu", folder, source),
                               .flags = flags,
                               .for_cpu = !capability,
                               .lists_kernels = !capability,
                               .checks = capability ? 0 : xb_checks_in_code()};
  xb_pair_binary binary;
  const xb_code code = capability ? xb_first_run(source, &what, capability, &compiled.arena, &binary, err)
                                  : xb_pair_compile(&what, NULL, 0, &compiled.arena, &binary, err);
  if (code)
    return code;
  desc->code = binary.data;
  desc->code_bytes = binary.bytes;
  return XB_OK;
}

/* Code for a GPU, once a process. */
static xb_code compile_once(const xb_case *c, const char *source, uint32_t capability, xb_kernel_desc *desc,
                            xb_error *err)
{
  const char *name = xb_arena_text(&compiled.arena, "%s %s %u %u", source, c ? xb_dtype_name(c->dtype) : "",
                                   c ? c->block : 0, capability);
  struct made *m = compiled.all;
  while (m && name && strcmp(m->name, name) != 0)
    m = m->next;
  if (!m) {
    const xb_code code = compile_source(c, source, capability, desc, err);
    m = code ? NULL : xb_arena_take(&compiled.arena, 1, sizeof *m);
    if (!m || !name)
      return code;
    *m = (struct made){name, desc->code, desc->code_bytes, compiled.all};
    compiled.all = m;
  }
  desc->code = m->code;
  desc->code_bytes = m->bytes;
  return XB_OK;
}

xb_code xb_find_at_first_run(const xb_case *c, const char *source, uint32_t capability, xb_kernel_desc *desc,
                             xb_error *err)
{
  pthread_mutex_lock(&compiled.lock);
  const xb_code code =
      capability ? compile_once(c, source, capability, desc, err) : compile_source(c, source, capability, desc, err);
  pthread_mutex_unlock(&compiled.lock);
  return code;
}

xb_code xb_find_for_capability(const xb_case *c, uint32_t capability, xb_kernel_desc *desc, xb_error *err)
{
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    const char *end = b->data == desc->code ? strstr(b->name, ".fatbin") : NULL;
    if (end)
      return xb_find_at_first_run(c, xb_arena_text(&compiled.arena, "%.*s", (int)(end - b->name), b->name), capability,
                                  desc, err);
  }
  return xb_fail(err, XB_UNAVAILABLE, desc->entry, "this program does not contain its source");
}
