/* golden_fake WORDS...: the program with two APIs on one device that does not exist, a clock of its own, and one more
 * benchmark, `fake`. So what it prints is the same on each machine, number for number. Only the words differ:
 * `golden_fake scale-table` prints the tables of a scaling whose points are given. */
#include "base/fold.h"
#include "benchmarks/registry.h"
#include "copying.h"
#include "host/host.h"
#include "judge/stats.h"
#include "scale/scale.h"
#include "scripted/scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Two APIs, in the place of the build's ---------------------------------------------------------------------- */

static xb_backend alpha, beta;
const xb_backend *const xb_builtin_backends[];
const xb_backend *const xb_builtin_backends[] = {&alpha, &beta, NULL};

static double slower = 1; /* of the API whose list runs */

static void describe(xb_device_info *info, const char *backend)
{
  info->backend = backend;
  info->type = XB_DEVICE_DISCRETE;
  info->multiprocessors = 16;
  info->cache_bytes = 1 << 20;
  info->clock_khz = 1980000;
  info->memory_clock_khz = 500000;
  info->memory_bus_bits = 4000;
  snprintf(info->name, sizeof info->name, "Fake 9000");
  snprintf(info->driver, sizeof info->driver, "%s driver 1.2", backend);
}

static xb_code enumerate(const char *backend, xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const xb_code code = xb_backend_host.enumerate(infos, capacity, count, err);
  *count = *count > 1 ? 1 : *count;
  describe(infos, backend);
  return code;
}

static xb_code open_device(const char *backend, const xb_device_desc *desc, xb_be_device **device, xb_device_info *info,
                           xb_error *err)
{
  const xb_code code = scripted_backend()->device_open(desc, device, info, err);
  char kept[16];
  memcpy(kept, "host", 5);
  memcpy(info->uuid, kept, 5);
  memset(info->uuid + 5, 0, sizeof info->uuid - 5);
  describe(info, backend);
  return code;
}

#define API(api, factor)                                                                                               \
  static xb_code api##_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)             \
  {                                                                                                                    \
    return enumerate(#api, infos, capacity, count, err);                                                               \
  }                                                                                                                    \
  static xb_code api##_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)    \
  {                                                                                                                    \
    return open_device(#api, desc, device, info, err);                                                                 \
  }                                                                                                                    \
  static xb_code api##_submit(xb_be_device *device, xb_be_commands *c, uint64_t value, const xb_point *after,          \
                              uint32_t count, const xb_be_handover *handover, xb_error *err)                           \
  {                                                                                                                    \
    slower = factor;                                                                                                   \
    return scripted_backend()->submit(device, c, value, after, count, handover, err);                                  \
  }                                                                                                                    \
  static void api##_make(void)                                                                                         \
  {                                                                                                                    \
    api = *scripted_backend();                                                                                         \
    api.name = #api;                                                                                                   \
    api.enumerate = api##_enumerate;                                                                                   \
    api.device_open = api##_open;                                                                                      \
    api.submit = api##_submit;                                                                                         \
  }
API(alpha, 1)
API(beta, 1.25)

/* Within 1 %, and not by chance. Each variant is faster than the one before. */
static double run_ns(const scripted_list *list)
{
  static unsigned turn;
  turn = turn * 1103515245u + 12345u;
  return slower * 40e3 / (1 + list->kernel) * (1 + 1e-5 * (turn >> 16 & 0x3FF));
}

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

static void copy(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                 const void *args)
{
  const uint32_t *words = args;
  (void)group, (void)groups, (void)sizes;
  memcpy(bindings[1], bindings[0], *words * sizeof(uint32_t));
}

static void copy_wrongly(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                         const uint64_t *sizes, const void *args)
{
  copy(group, groups, bindings, sizes, args);
  memset(bindings[1], 0, 4);
}

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  const uint32_t words = (uint32_t)c->n;
  (void)err;
  return copying_plan(c, made, NULL, 1, XB_READ, &words, sizeof words);
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  if (c->variant->number == 5)
    return xb_fail(err, XB_UNSUPPORTED, "fake/5", "the device lacks what it needs");
  host_code code = {.run = c->variant->number == 6 ? copy_wrongly : copy,
                    .group_size = {c->block, 1, 1},
                    .used_bindings = 3,
                    .read_only_bindings = 1,
                    .arg_bytes = kernel->arg_bytes};
  snprintf(code.entry, sizeof code.entry, "%u", c->variant->number);
  host_describe(code, desc);
  return XB_OK;
}

static const xb_benchmark fake;
#define ROW(n, called, ...)                                                                                            \
  {                                                                                                                    \
    .benchmark = &fake, .number = n, .name = called, .source = KERNEL, __VA_ARGS__                                     \
  }
static const xb_variant variants[] = {
    ROW(1, "naive", .title = "word by word"),
    ROW(2, "vectors", .title = "four words at a time"),
    ROW(3, "nearest", .title = "as the other API says it", .counterparts = {{"beta", XB_APPROXIMATE, "it says less"}}),
    ROW(4, "alone", .title = "of one API alone", .counterparts = {{"beta", XB_NONE, "it has no such thing"}}),
    ROW(5, "lacking", .title = "of other devices"),
    ROW(6, "broken", .title = "with a mistake")};
static const xb_quoted quoted[] = {{2, NULL, 2.5, "GB/s", "another GPU", "2^10 words", "2.5 GB/s", "a paper, page 1"}};
static const xb_methods methods = {.plan = plan, .check = copying_check, .find_code = find_code};
static const xb_benchmark fake = {.name = "fake",
                                  .title = "copies of n words",
                                  .dtypes = "float32 int32",
                                  .blocks = "64 128",
                                  .default_block = 64,
                                  .default_n = 1024,
                                  .ladder = true,
                                  .bandwidth = true,
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof *variants,
                                  .quoted = quoted,
                                  .quoted_count = 1,
                                  .methods = &methods};

/* ---- Scaling ---------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 20, POINTS = 10 };

static xb_scaled point(bool weak, uint32_t members, double ns)
{
  static double samples[POINTS][SAMPLES];
  static int count;
  double scratch[SAMPLES];
  xb_scaled s = {.point = {.weak = weak, .members = members},
                 .samples_ns = samples[count++],
                 .count = SAMPLES,
                 .start_ns = 1500,
                 .combine_ns = 2500,
                 .slowest = members - 1,
                 .slowest_share = 0.75};
  for (int i = 0; i < SAMPLES; i++)
    s.samples_ns[i] = ns * (0.99 + 0.02 * (i * 7 % SAMPLES) / (SAMPLES - 1));
  s.stats = xb_statistics(s.samples_ns, SAMPLES, 1, scratch);
  return s;
}

static void print_scaling(bool over_groups, bool shared)
{
  xb_device_info info;
  uint32_t count;
  alpha.enumerate(&info, 1, &count, NULL);
  const xb_result_device on = {.backend = "alpha", .name = "Fake 9000"};
  xb_scaled points[] = {point(false, 1, 1e6), point(false, 2, 52e4), point(false, 4, 28e4),
                        point(true, 1, 1e6),  point(true, 2, 1.1e6), point(true, 4, 0)};
  points[5].code = XB_NOMEM;
  points[5].count = 0;
  xb_fail(&points[5].error, XB_NOMEM, "fake", "the device is full");
  const xb_scaling scaling = {.variant = &variants[0],
                              .like = {.variant = &variants[0],
                                       .dtype = XB_FLOAT32,
                                       .n = 1 << 16,
                                       .columns = 1 << 16,
                                       .rows = 1,
                                       .block = 64,
                                       .window_bytes = 1 << 20,
                                       .device = &info},
                              .over_groups = over_groups};
  const xb_scale_series series = {
      .scaling = &scaling, .on = &on, .points = points, .count = sizeof points / sizeof *points, .shared = shared};
  xb_scale_print(&series);
}

int xbench_main(int argc, char **argv);

int main(int argc, char **argv)
{
  static const scripted_rules rules = {
      .type = XB_DEVICE_DISCRETE, .memory_gbps = 500, .cache_bytes = 1 << 20, .submit_ns = 5e3, .run_ns = run_ns};
  xb_error error;
  alpha_make();
  beta_make();
  scripted_set(&rules);
  if (argc == 3 && !strcmp(argv[1], "scale-table")) {
    xb_fold_stdout();
    print_scaling(!strcmp(argv[2], "groups"), !strcmp(argv[2], "shared"));
    return 0;
  }
  return xb_benchmark_add(&fake, &error) ? 1 : xbench_main(argc, argv);
}
