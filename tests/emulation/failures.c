/* emulation_failures MODULE: each call of the system that the backend cpu makes fails in turn: memory, files, threads,
 * the loader. The error must be right, nothing may crash or stay behind, and the next device works. */
#define _GNU_SOURCE
#include "xb/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "../patience.h"
#include "../shaders/args.h"

extern const xb_backend xb_backend_cpu;

/* ---- Calls that fail ----------------------------------------------------------------------------------------------
 */

static unsigned long calls, failing; /* the number of the call that fails; 0: none */
static const char *failed;
static long alive; /* allocations and mappings */

static bool fails(const char *name)
{
  if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != failing)
    return false;
  failed = name;
  return true;
}

void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_realloc(void *, size_t);
void *__real_malloc(size_t);
void *__wrap_malloc(size_t);
void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *, size_t, int, int, int, off_t);
int __real_mprotect(void *, size_t, int);
int __wrap_mprotect(void *, size_t, int);
int __real_munmap(void *, size_t);
int __wrap_munmap(void *, size_t);
int __real_memfd_create(const char *, unsigned);
int __wrap_memfd_create(const char *, unsigned);
ssize_t __real_write(int, const void *, size_t);
ssize_t __wrap_write(int, const void *, size_t);
void *__real_dlopen(const char *, int);
void *__wrap_dlopen(const char *, int);
int __real_pthread_create(void *, const void *, void *(*)(void *), void *);
int __wrap_pthread_create(void *, const void *, void *(*)(void *), void *);

void *__wrap_calloc(size_t n, size_t bytes)
{
  return fails("calloc") ? NULL : __real_calloc(n, bytes);
}
void *__wrap_malloc(size_t bytes)
{
  return fails("malloc") ? NULL : __real_malloc(bytes);
}
void *__wrap_realloc(void *p, size_t bytes)
{
  return fails("realloc") ? NULL : __real_realloc(p, bytes);
}
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
  if (fails("mmap"))
    return MAP_FAILED;
  void *p = __real_mmap(at, bytes, protection, flags, file, offset);
  if (p != MAP_FAILED)
    __atomic_add_fetch(&alive, (long)bytes, __ATOMIC_RELAXED);
  return p;
}
int __wrap_munmap(void *at, size_t bytes)
{
  __atomic_sub_fetch(&alive, (long)bytes, __ATOMIC_RELAXED);
  return __real_munmap(at, bytes);
}
int __wrap_mprotect(void *at, size_t bytes, int protection)
{
  return fails("mprotect") ? -1 : __real_mprotect(at, bytes, protection);
}
int __wrap_memfd_create(const char *name, unsigned flags)
{
  return fails("memfd_create") ? -1 : __real_memfd_create(name, flags);
}
ssize_t __wrap_write(int file, const void *data, size_t bytes)
{
  return fails("write") ? -1 : __real_write(file, data, bytes);
}
void *__wrap_dlopen(const char *path, int flags)
{
  return fails("dlopen") ? NULL : __real_dlopen(path, flags);
}
int __wrap_pthread_create(void *thread, const void *attributes, void *(*fn)(void *), void *user)
{
  return fails("pthread_create") ? 11 : __real_pthread_create(thread, attributes, fn, user);
}

/* ---- What a program does ------------------------------------------------------------------------------------------
 */

static char *module;
static size_t module_bytes;

typedef struct objects {
  xb_device *device;
  xb_buffer *buffer, *back;
  xb_image *image;
  xb_semaphore *semaphore;
  xb_kernel *kernel;
  xb_commands *list;
} objects;

/* tests/kernels/index.cu: output[i] = 3 * i + 1. */
static bool is_right(const uint32_t *output, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (output[i] != 3 * i + 1)
      return false;
  return true;
}

static xb_code use(objects *o, bool *right, xb_error *err)
{
  enum { THREADS = 64, GROUPS = 4, BYTES = THREADS * GROUPS * 4 };
  const struct index_args args = {.count = THREADS * GROUPS, .grid_x = GROUPS, .mul = 3, .add = 1};
  xb_point point;
  xb_code code = xb_device_open(&(xb_device_desc){.backend = &xb_backend_cpu}, &o->device, err);
  code = code ? code : xb_buffer_create(o->device, &(xb_buffer_desc){.bytes = BYTES}, &o->buffer, err);
  code = code ? code
              : xb_buffer_create(o->device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = BYTES}, &o->back, err);
  code = code ? code
              : xb_image_create(o->device, &(xb_image_desc){.format = XB_TEXEL_FLOAT32, .width = 4, .height = 4},
                                &o->image, err);
  code = code ? code : xb_semaphore_create(o->device, &o->semaphore, err);
  const xb_kernel_desc desc = {.label = "index",
                               .code = module,
                               .code_bytes = module_bytes,
                               .entry = "test",
                               .group_size = {THREADS, 1, 1},
                               .binding_count = 1,
                               .arg_bytes = sizeof args};
  code = code ? code : xb_kernel_create(o->device, &desc, &o->kernel, err);
  code = code ? code : xb_commands_create(o->device, &(xb_commands_desc){0}, &o->list, err);
  if (code)
    return code;
  const xb_binding binding = {.buffer = o->buffer, .access = XB_WRITE};
  xb_cmd_fill(o->list, o->buffer, 0, BYTES, 0xABABABAB);
  xb_cmd_barrier(o->list);
  xb_cmd_dispatch(o->list, &(xb_dispatch){.kernel = o->kernel,
                                          .bindings = &binding,
                                          .binding_count = 1,
                                          .args = &args,
                                          .arg_bytes = sizeof args,
                                          .groups = {GROUPS, 1, 1}});
  xb_cmd_barrier(o->list);
  xb_cmd_copy(o->list, o->back, 0, o->buffer, 0, BYTES);
  code = xb_commands_finish(o->list, err);
  code = code ? code : xb_submit(o->device, &(xb_submission){.commands = o->list}, &point, err);
  code = code ? code : xb_wait(o->device, point, patience_ns(), err);
  *right = !code && is_right(xb_buffer_host(o->back), THREADS * GROUPS);
  return code;
}

static xb_code scenario(bool *right, xb_error *err)
{
  objects o = {0};
  const xb_code code = use(&o, right, err);
  xb_commands_destroy(o.list);
  xb_kernel_destroy(o.kernel);
  xb_semaphore_destroy(o.semaphore);
  xb_image_destroy(o.image);
  xb_buffer_destroy(o.back);
  xb_buffer_destroy(o.buffer);
  const xb_code closed = xb_device_close(o.device, NULL);
  return code ? code : o.device ? closed : XB_OK;
}

static int bad(const char *what, xb_code code, const xb_error *err)
{
  printf("FAILED: call %lu, %s: %s: %s %s\n", failing, failed ? failed : "none", what, xb_code_name(code),
         err->message);
  return 1;
}

static bool read_module(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END))
    return false;
  module_bytes = (size_t)ftell(file);
  rewind(file);
  module = __real_malloc(module_bytes);
  const bool good = module && fread(module, 1, module_bytes, file) == module_bytes;
  fclose(file);
  return good;
}

/* Protecting the pages between the stacks of 1024 threads is most of the calls: of the middle, every 97th fails. */
static unsigned long next_failing(unsigned long all)
{
  return failing < 100 || failing + 150 > all ? failing + 1 : failing + 97;
}

int main(int argc, char **argv)
{
  xb_error none = {0};
  bool works = false;
  if (argc != 2 || !read_module(argv[1]))
    return 2;
  if (scenario(&works, &none) || !works)
    return bad("without a failure", XB_OK, &none);
  const unsigned long all = calls;
  unsigned long injected = 0;
  for (failing = 1;; failing = next_failing(all)) {
    xb_error err = {0};
    bool right = false;
    calls = 0;
    failed = NULL;
    alive = 0;
    const xb_code code = scenario(&right, &err);
    if (alive)
      return bad("memory stays mapped", code, &err);
    if (!failed && code)
      return bad("without a failure", code, &err);
    if (!failed && !right)
      return bad("the result is wrong", code, &err);
    if (!failed)
      break;
    injected++;
    if (!code && right) /* a helper that did not come: others did its work */
      continue;
    /* Memory that ran out while a kernel was to run is reported with the work. */
    if (code != XB_NOMEM && code != XB_INTERNAL && !(code == XB_INVALID && !strcmp(failed, "dlopen")))
      return bad("expected XB_NOMEM", code, &err);
    if (!*err.message || strchr(err.message, '\n'))
      return bad("no message of one line", code, &err);
  }
  printf("%lu calls failed, one after another\n", injected);
  free(module);
  return injected > 60 ? 0 : 1;
}
