/* emulation_failures MODULE: each call of the system that the backend cpu makes fails in turn: memory, files, threads,
 * the loader. The error must be right, nothing may crash or stay behind, and the next device works. */
#define _GNU_SOURCE
#include "../scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

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

static xb_code make_step(xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_kernel_desc desc = {.label = "step",
                               .code = module,
                               .code_bytes = module_bytes,
                               .entry = "test",
                               .group_size = {64, 1, 1},
                               .binding_count = 2,
                               .arg_bytes = sizeof(struct step_args)};
  return xb_kernel_create(device, &desc, kernel, err);
}

static const scenario_backend BACKEND = {
    .open = {.backend = &xb_backend_cpu}, .step = make_step, .may_refuse = SCENARIO_COMBINED, .again = true};

static int bad(const char *what, const scenario_outcome *o)
{
  printf("FAILED: call %lu, %s: %s: %s: %s %s\n", failing, failed ? failed : "none", what, o->step,
         xb_code_name(o->code), o->error.message);
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
  scenario_outcome o;
  if (argc != 2 || !read_module(argv[1]))
    return 2;
  scenario_run(&BACKEND, &o);
  if (o.code)
    return bad("without a failure", &o);
  const unsigned long all = calls;
  unsigned long injected = 0;
  for (failing = 1;; failing = next_failing(all)) {
    calls = 0;
    failed = NULL;
    alive = 0;
    scenario_run(&BACKEND, &o);
    if (alive)
      return bad("memory stays mapped", &o);
    if (!failed && o.code)
      return bad("without a failure", &o);
    if (!strcmp(o.error.where, "scenario"))
      return bad("the result is wrong", &o);
    if (!failed)
      break;
    injected++;
    if (o.tried_again && o.again)
      return bad("the work repeated fails", &o);
    if (!o.code) /* a helper that did not come: others did its work */
      continue;
    /* Memory that ran out while a kernel was to run is reported with the work. */
    if (o.code != XB_NOMEM && o.code != XB_INTERNAL && !(o.code == XB_INVALID && !strcmp(failed, "dlopen")))
      return bad("expected XB_NOMEM", &o);
    if (!*o.error.message || strchr(o.error.message, '\n'))
      return bad("no message of one line", &o);
  }
  printf("%lu calls failed, one after another\n", injected);
  free(module);
  return injected > 60 ? 0 : 1;
}
