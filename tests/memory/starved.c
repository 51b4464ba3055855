/* memory_starved: xbench on the host backend, with one benchmark of its own, whose memory runs out when asked:
 *   XB_FAIL=K   the K-th allocation fails, XB_FAIL=K+ all from there on;
 *   XB_LOST=K   the K-th call of the backend reports a lost device;
 *   XB_COUNT=FILE   writes the number of allocations there at the end, and that of calls.
 * malloc of the whole process is replaced, so the libraries' allocations and those inside libc count, too. */
#include "base/exit_codes.h"
#include "commands/subcommands.h"
#include "copying.h"
#include "host/host.h"

#include "benchmarks/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static _Atomic unsigned long calls;
static unsigned long first = 0, last = 0; /* the calls that fail; 0: none */

static int starved(void)
{
  const unsigned long call = ++calls;
  if (!first || call < first || call > last)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t bytes)
{
  return starved() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
  return starved() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
  return starved() ? NULL : __libc_realloc(old, bytes);
}

/* Counts from here: what libraries allocate before main is not the program's. */
static void start(void)
{
  const char *fail = getenv("XB_FAIL"), *lost = getenv("XB_LOST");
  char *end = NULL;
  calls = 0;
  first = fail ? strtoul(fail, &end, 10) : 0;
  host_fail_call(lost ? strtoul(lost, NULL, 10) : 0, XB_LOST);
  last = end && *end == '+' ? (unsigned long)-1 : first;
}

static void write_count(void)
{
  const char *path = getenv("XB_COUNT");
  char text[48];
  const int length = snprintf(text, sizeof text, "%lu %lu", calls, (unsigned long)host_calls());
  const int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (fd < 0)
    return;
  if (write(fd, text, (size_t)length) != length)
    _exit(99);
  close(fd);
}

/* ---- A benchmark ------------------------------------------------------------------------------------------------- */

const xb_backend *const xb_builtin_backends[] = {&xb_backend_host, NULL};

static void copy_words(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                       const void *args)
{
  (void)group, (void)groups, (void)sizes;
  memcpy(bindings[1], bindings[0], *(const uint32_t *)args * sizeof(uint32_t));
}

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  (void)err;
  return copying_plan(c, made, NULL, 1, XB_READ, &(uint32_t){(uint32_t)c->n}, sizeof(uint32_t));
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  (void)kernel, (void)err;
  host_code code = {.entry = "main",
                    .run = copy_words,
                    .group_size = {c->block, 1, 1},
                    .used_bindings = 3,
                    .read_only_bindings = 1,
                    .arg_bytes = 4};
  host_describe(code, desc);
  return XB_OK;
}

static size_t measure(const xb_case *c, const xb_plan *made, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)c;
  metrics[0] = (xb_metric){"bandwidth", "GB/s", (double)made->bytes / ns, true};
  return 1;
}

static const xb_methods methods = {.plan = plan, .check = copying_check, .metrics = measure, .find_code = find_code};
static const xb_benchmark moved;
static const xb_variant variants[] = {
    {.benchmark = &moved, .number = 1, .name = "all", .source = KERNEL, .title = "all words by one group"},
    {.benchmark = &moved, .number = 2, .name = "again", .source = KERNEL, .title = "the same, as a second rung"},
};
static const xb_benchmark moved = {.name = "moved",
                                   .title = "words that are moved",
                                   .dtypes = "float32",
                                   .blocks = "4",
                                   .default_block = 4,
                                   .default_n = 256,
                                   .bandwidth = true,
                                   .variants = variants,
                                   .variant_count = 2,
                                   .methods = &methods};

int main(int argc, char **argv)
{
  static xb_invocation in;
  xb_error error;
  host_set_mode(HOST_IMMEDIATE);
  if (xb_benchmark_add(&moved, &error))
    return xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  atexit(write_count); /* popt ends the program after --help */
  start();
  const int code = xb_parse_command(&in, argc, (const char **)argv);
  return xb_finish_stdout(code < 0 ? xb_run_command(&in) : code);
}
