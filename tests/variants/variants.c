/* variants BACKEND [large|quick|brief|waves] [BENCHMARK[/VARIANT]|PART/PARTS]: runs and checks all variants, the named
 * ones, or those of each PARTSth benchmark, at odd sizes: with the largest, with small ones only, or with one of each
 * kind; `waves`: with one of each kind, one element type, and only variants whose SPIR-V uses waves. Each size is a
 * test. In it, each variant runs with each of its group sizes (quick, brief: with some, see is_run), twice on the
 * same buffers (a counter that is not reset fails the second time); at the largest sizes, once with one group size. All
 * this is repeated for several values of a benchmark's axes. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/reduce/reduce_args.h"
#include "kept.h"
#include "measure/cell.h"
#include "patience.h"
#include "show/twins.h"
#include "size_case.h"
#include "test.h"

xb_device *device;
static const char *only_benchmark;     /* NULL: all */
static const xb_variant *only_variant; /* NULL: all */
static size_t part, parts = 1;         /* 1/3: benchmarks 0, 3, 6 ...; their number is their place in the registry */
static bool only_waves, quick, brief;
static bool thorough; /* quick, with all group sizes of the first element type */
static size_t runs;

static bool is_selected(const xb_variant *v)
{
  return (!only_variant || v == only_variant) && (!only_benchmark || !strcmp(v->benchmark->name, only_benchmark));
}

/* Rung 9 of the reduction. */
static bool is_single_pass(const xb_variant *v)
{
  return v == xb_variant_find("reduce", "single_pass");
}

static const struct xb_reduce_args *reduce_args(const xb_step *step)
{
  return (const struct xb_reduce_args *)step->args;
}

/* True if the module declares GroupNonUniform or one of its kinds. Capabilities are its first instructions. */
static bool declares_waves(const uint32_t *words, size_t bytes)
{
  enum { HEADER = 5, OP_CAPABILITY = 2 << 16 | 17, GROUP_NON_UNIFORM = 61, GROUP_NON_UNIFORM_QUAD = 68 };
  for (size_t i = HEADER; i + 1 < bytes / sizeof *words && words[i] == OP_CAPABILITY; i += 2)
    if (words[i + 1] >= GROUP_NON_UNIFORM && words[i + 1] <= GROUP_NON_UNIFORM_QUAD)
      return true;
  return false;
}

static bool uses_waves(const xb_case *c)
{
  xb_plan plan;
  xb_error error;
  bool uses = false;
  if (xb_plan_make(c, &plan, &error))
    return false;
  for (uint32_t k = 0; k < plan.kernel_count; k++) {
    xb_kernel_desc desc = {0};
    uses |= !xb_find_code(c, &plan.kernels[k], &desc, &error) && declares_waves(desc.code, desc.code_bytes);
  }
  xb_plan_free(&plan);
  return uses;
}

/* Checks that each binding is inside its slot, has a valid alignment, and is not larger than the device's limit. */
static void check_bindings(const xb_cell *cell)
{
  for (uint32_t i = 0; i < cell->plan.step_count; i++) {
    const xb_step *step = &cell->plan.steps[i];
    for (uint32_t k = 0; step->kind == XB_STEP_DISPATCH && k < step->binding_count; k++) {
      const xb_plan_binding *b = &step->bindings[k];
      assert_true(b->size && b->size <= cell->c.window_bytes);
      assert_true(b->offset % cell->c.device->binding_align == 0);
      assert_true(b->offset + b->size <= cell->plan.slots[b->slot].bytes);
    }
  }
}

/* Only CUDA and HLSL have a kernel for each row. */
static bool has_source(const xb_variant *v, const xb_device_info *info)
{
  xb_twins pair;
  xb_twins_of_variant(v, &pair);
  return !xb_twins_keep(&pair, info->backend) || *pair.path[0];
}

/* What vkd3d 2.1 makes wrong code of, or refuses: docs/internals/driver-surprises.md. Such a cell may fail, and the
 * others may not. */
static bool is_vkd3d_mistake(const xb_variant *v, const size_case *s, const xb_device_info *info)
{
  static const struct {
    const char *benchmark;
    uint32_t number;   /* 0: all */
    uint32_t least_at; /* of the first axis */
  } MISTAKES[] = {
      {"atomics", 6, 4},  {"atomics", 7, 4},       {"atomics", 8, 4},
      {"atomics", 12, 4}, {"shared_layout", 0, 0}, {"sort", 3, 0},
  };
  for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES && !strcmp(info->backend, "d3d12"); i++)
    if (!strcmp(v->benchmark->name, MISTAKES[i].benchmark) &&
        (!MISTAKES[i].number || MISTAKES[i].number == v->number) && s->at[0] >= MISTAKES[i].least_at)
      return true;
  return false;
}

/* What the device lacks, and core refuses by name: calibrated timestamps, features that a kernel needs, and on d3d12
 * specialization constants. */
static bool is_lacking(const xb_cell *cell)
{
  const char *const name = cell->c.variant->benchmark->name;
  const xb_device_info *info = cell->c.device;
  if ((!strcmp(name, "timers") && !info->calibrates) ||
      (!strcmp(name, "instructions") && !strcmp(info->backend, "d3d12")))
    return true;
  for (uint32_t k = 0; k < cell->plan.kernel_count; k++) {
    xb_kernel_desc desc = {0};
    xb_error error;
    if (!xb_find_code(&cell->c, &cell->plan.kernels[k], &desc, &error) && (desc.features & ~info->features))
      return true;
  }
  return false;
}

static uint64_t largest_buffer(const xb_plan *plan)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < plan->slot_count; i++)
    bytes = plan->slots[i].bytes > bytes ? plan->slots[i].bytes : bytes;
  return bytes;
}

/* A variant that is wrong on purpose must be found where 32 threads do not run in step; a GPU may give the right sum.
 */
static bool must_be_found(const size_case *s, const xb_device_info *info)
{
  return s->n >= 63 && (info->emulates || info->subgroup_max < 32);
}

static int run_variant(const xb_variant *v, const xb_workload *w, const size_case *s, uint32_t block,
                       const xb_device_info *info)
{
  xb_cell cell;
  set_cell(&cell, v, w, s, block, info);
  if (only_waves && !uses_waves(&cell.c))
    return 0;
  runs++;
  xb_cell_create(&cell);
  const bool may_lack = v->source == LIBRARY || v->may_refuse || is_lacking(&cell) || v->queue == XB_QUEUE_COPY ||
                        is_past_the_last(v->benchmark, s->at) || (xb_has_kernel(v) && !has_source(v, info));
  if (cell.verdict.outcome == XB_CELL_PENDING)
    check_bindings(&cell);
  bool good = cell.verdict.outcome == XB_CELL_PENDING && xb_cell_verify(&cell) && (s->large || xb_cell_verify(&cell));
  if (cell.verdict.outcome == XB_CELL_NO_COUNTERPART || (cell.verdict.outcome == XB_CELL_UNSUPPORTED && may_lack)) {
    xb_cell_destroy(&cell);
    return 0;
  }
  if (!good && cell.verdict.error.code == XB_NOMEM && s->large && largest_buffer(&cell.plan) > info->max_buffer_bytes) {
    print_message("%s/%u at %u, n = %llu: not run, a buffer of it is larger than the device's largest\n",
                  v->benchmark->name, v->number, s->at[0], (unsigned long long)s->n);
    xb_cell_destroy(&cell);
    return 0;
  }
  const bool found = v->wrong && cell.verdict.outcome == XB_CELL_WRONG,
             missed = v->wrong && good && must_be_found(s, info);
  if (found)
    good = true;
  if (missed)
    print_error("%s/%u_%s: wrong on purpose, and not found at n = %llu\n", v->benchmark->name, v->number, v->name,
                (unsigned long long)s->n);
  if (!good)
    print_error("%s/%u_%s at %u, %s, n = %llu, groups of %u: %s\n", v->benchmark->name, v->number, v->name, s->at[0],
                xb_dtype_name(s->dtype), (unsigned long long)s->n, block, cell.verdict.error.message);
  if (good && s->window_bytes && s->window_bytes < largest_buffer(&cell.plan) && xb_has_kernel(v) && cell.plan.bytes)
    assert_true(cell.plan.windows > 1); /* else this size does not test windows */
  for (uint32_t i = 0; good && s->queued && is_single_pass(v) && i < cell.plan.step_count; i++) {
    const uint32_t dealt4 = reduce_args(&cell.plan.steps[i])->dealt4, n4 = reduce_args(&cell.plan.steps[i])->n / 4;
    assert_true(i < QUEUES ? dealt4 < n4 : dealt4 == n4);
  }
  xb_cell_destroy(&cell);
  return missed || (!good && !is_vkd3d_mistake(v, s, info));
}

static bool takes_block(const xb_variant *v, uint32_t block, const size_case *s, const xb_device_info *info)
{
  return block <= info->max_group_threads && (!v->most_block || block <= v->most_block) &&
         (!s->block || block == s->block);
}

/* How many element types the benchmark has before this one. */
static size_t types_before(const xb_benchmark *benchmark, int dtype)
{
  size_t count = 0;
  while (dtype-- > 0)
    count += xb_has_dtype(benchmark, (xb_dtype)dtype);
  return count;
}

/* The i-th group size of a variant in turns: the usual one, another one, the usual one, a third one. Which these are
 * differs from row to row. */
static uint32_t block_in_turn(const xb_variant *v, size_t i, const size_case *s, const xb_device_info *info)
{
  const uint32_t own = xb_default_block(v, info, s->n);
  uint32_t others[16], count = 0, block;
  for (size_t b = 0; (block = xb_block_at(v->benchmark, b)) && count < 16; b++)
    if (block != own && takes_block(v, block, s, info))
      others[count++] = block;
  return i % 2 && count ? others[(v->number + i / 2) % count] : own;
}

static bool has_one_value(const xb_benchmark *benchmark, const size_case *s)
{
  size_case second = *s;
  return !set_axes(benchmark, 1, &second) || is_past_the_last(benchmark, second.at);
}

/* `i` is the place of the values of the axes. Nearly all of the time goes into compiling kernels, so quick runs of more
 * than a row do not try each group size with each element type and each value: the second type has another group size
 * and each second value, and of a benchmark with one type each second pair of sizes has another group size. Plain sizes
 * have each second value, and so does `waves` altogether. */
static bool is_run(const xb_variant *v, uint32_t block, size_t i, const size_case *s, const xb_device_info *info)
{
  const size_t types = types_before(v->benchmark, XB_DTYPES), type = types_before(v->benchmark, s->dtype);
  const bool usual = block == xb_default_block(v, info, s->n);
  const bool plain = !brief && !s->window_bytes && !s->max_groups_x;
  if (!takes_block(v, block, s, info) || (s->default_block_only && !usual))
    return false;
  if (!quick || thorough || s->block)
    return usual || !quick || !type;
  if ((plain || type || only_waves) && !has_one_value(v->benchmark, s) &&
      (i + v->number + (type || brief ? type : s->number)) % 2)
    return false;
  return block == block_in_turn(v, types == 1 ? s->number / 2 + i : type + i / 2, s, info);
}

/* The runs of one benchmark. */
static int run_benchmark(const xb_benchmark *benchmark, const size_case *s, const xb_device_info *info)
{
  xb_workload w = {
      .device = device, .of = benchmark, .dtype = s->dtype, .n = s->n, .seed = SEED, .wait_limit_ns = patience_ns()};
  xb_error error;
  xb_cell cell;
  int bad = 0;
  size_case at = *s;
  for (const xb_variant *v = benchmark->variants; v < benchmark->variants + benchmark->variant_count; v++)
    for (size_t i = 0; set_axes(benchmark, i, &at); i++) {
      set_cell(&cell, v, &w, &at, benchmark->default_block, info);
      if (xb_workload_need(&w, &cell.c, &error))
        fail_msg("%s", error.message);
    }
  if (xb_workload_create(&w, &error))
    fail_msg("%s", error.message);
  for (const xb_variant *v = benchmark->variants; v < benchmark->variants + benchmark->variant_count; v++) {
    uint32_t block;
    if (!is_selected(v) || (s->single_pass_only && !is_single_pass(v)))
      continue;
    for (size_t b = 0; (block = xb_block_at(benchmark, b)); b++)
      for (size_t i = 0; set_axes(benchmark, i, &at); i++)
        if (is_run(v, block, i, s, info))
          bad += run_variant(v, &w, &at, block, info);
  }
  xb_workload_destroy(&w);
  return bad;
}

static void test_size(void **state)
{
  const size_case *s = *state;
  xb_device_info info = *xb_device_get_info(device);
  const xb_benchmark *benchmark;
  int bad = 0;
  if (s->max_groups_x)
    info.max_groups[0] = s->max_groups_x;
  if (s->multiprocessors)
    info.multiprocessors = s->multiprocessors;
  for (size_t i = 0; (benchmark = xb_benchmark_at(i)); i++)
    if (i % parts == part && fits(s, benchmark) && xb_has_dtype(benchmark, s->dtype) &&
        (benchmark->axis_count || !s->axes_only) && (!only_benchmark || !strcmp(benchmark->name, only_benchmark)))
      bad += run_benchmark(benchmark, s, &info);
  assert_int_equal(bad, 0);
}

/* ---- Main ------------------------------------------------------------------------------------------------------- */

/* "reduce", "reduce/9" */
static bool select_only(const char *text)
{
  static char benchmark[64];
  unsigned long first, last;
  if (sscanf(text, "%lu/%lu", &first, &last) == 2 && first && first <= last) {
    part = first - 1;
    parts = last;
    return true;
  }
  snprintf(benchmark, sizeof benchmark, "%.*s", (int)strcspn(text, "/"), text);
  if (!xb_benchmark_find(benchmark))
    return false;
  only_benchmark = benchmark;
  if (!strchr(text, '/'))
    return true;
  only_variant = xb_variant_find(benchmark, strchr(text, '/') + 1);
  return only_variant != NULL;
}

/* True if the case applies to the selected variants. */
static bool concerns(const size_case *c)
{
  const xb_benchmark *benchmark = xb_benchmark_find(only_benchmark);
  return fits(c, benchmark) && xb_has_dtype(benchmark, c->dtype) && (benchmark->axis_count || !c->axes_only) &&
         (!c->queued || !strcmp(only_benchmark, "reduce")) &&
         (!c->single_pass_only || !only_variant || is_single_pass(only_variant));
}

int main(int argc, char **argv)
{
  const xb_backend *backend = argc >= 2 ? xb_backend_find(argv[1]) : NULL;
  const char *mode = argc >= 3 ? argv[2] : "";
  only_waves = !strcmp(mode, "waves");
  brief = only_waves || !strcmp(mode, "brief");
  quick = brief || !strcmp(mode, "quick");
  const bool large = !strcmp(mode, "large");
  const int words = 2 + (quick || large);
  const char *name = argc == words + 1 ? argv[words] : NULL;
  xb_error error;
  if (!backend || argc != words + (name != NULL) || (name && !select_only(name))) {
    fprintf(stderr, "usage: variants BACKEND [large|quick|brief|waves] [BENCHMARK[/VARIANT]|PART/PARTS]\n");
    return 2;
  }
  thorough = only_variant || getenv("XB_ALL_TESTS");
  const char *launch = getenv("XB_LAUNCH"); /* CUDA: streams instead of graphs */
  const xb_device_desc desc = {
      .backend = backend_that_keeps_kernels(backend),
      .launch_mode = launch && !strcmp(launch, "stream") ? XB_LAUNCH_STREAM : XB_LAUNCH_DEFAULT,
      .compute_queues = XB_ALL_QUEUES,
      .copy_queues = XB_ALL_QUEUES,
  };
  if (xb_device_open(&desc, &device, &error))
    return test_unavailable(argv[1], error.message);
  const uint64_t binding = xb_device_get_info(device)->max_binding_bytes / sizeof(uint32_t);
  const bool big = large && binding <= 1u << 26; /* a few hundred MiB exceed the largest binding */
  const size_case sizes[] = {
      {.n = 1},
      {.n = 2},
      {.n = 3},
      {.n = 5},
      {.n = 63},
      {.n = 64},
      {.n = 127},
      {.n = 128},
      {.n = 129},
      {.n = 511},
      {.n = 513},
      {.n = 1025},
      {.n = 2047},
      {.n = 8191},
      {.n = 65537},
      {.n = 1000003},
      {.n = (1u << 20) + 3},
      {.n = 300007, .max_groups_x = 61},
      {.n = 9973, .max_groups_x = 7, .window_bytes = 8704, .axes_only = true},
      {.n = (3u << 20) - 7, .multiprocessors = 8, .max_groups_x = 3, .block = 1024, .queued = true},
      {.n = (2u << 20) - 5, .multiprocessors = 12, .block = 1024, .queued = true, .window_bytes = 4u << 20},
      {.n = ((QUEUES + 2) << 20) - 3,
       .multiprocessors = 1,
       .block = 1024,
       .queued = true,
       .single_pass_only = true,
       .window_bytes = 4u << 20},
      {.n = (3u << 20) + 17, .window_bytes = 4u << 20, .default_block_only = true},
      {.n = (9u << 20) - 1, .window_bytes = 13u << 20, .max_groups_x = 1009, .default_block_only = true},
      {.n = big ? binding + 3 : (1u << 22) + 1, .default_block_only = true, .large = big},
      {.rows = 1, .columns = 1},
      {.rows = 1, .columns = 1009},
      {.rows = 1009, .columns = 1},
      {.rows = 3, .columns = 4},
      {.rows = 31, .columns = 33},
      {.rows = 32, .columns = 32},
      {.rows = 63, .columns = 65},
      {.rows = 64, .columns = 128},
      {.rows = 68, .columns = 63},
      {.rows = 63, .columns = 68},
      {.rows = 127, .columns = 131, .repeats = 3},
      {.rows = 92, .columns = 132, .repeats = 2},
      {.rows = 257, .columns = 129},
      {.rows = 1000, .columns = 1024},
      {.rows = 7, .columns = 65537},
      {.rows = 1009, .columns = 997, .max_groups_x = 61},
      {.rows = 1025, .columns = 3, .max_groups_x = 7},
      {.rows = 1024, .columns = 1536, .window_bytes = 4u << 20, .default_block_only = true},
      {.rows = 1009, .columns = 3001, .window_bytes = 3u << 20, .max_groups_x = 101, .default_block_only = true},
      {.rows = 3, .columns = 5000, .window_bytes = 8192, .default_block_only = true},
      {.rows = 5000, .columns = 3, .window_bytes = 8192, .default_block_only = true},
      {.rows = big ? 5801 : 2003, .columns = big ? 5807 : 2011, .default_block_only = true, .large = big},
      {.rows = 1, .columns = 1, .inner = 1},
      {.rows = 1, .columns = 1009, .inner = 3},
      {.rows = 67, .columns = 1, .inner = 1009},
      {.rows = 31, .columns = 33, .inner = 32},
      {.rows = 64, .columns = 128, .inner = 40},
      {.rows = 96, .columns = 64, .inner = 64, .max_groups_x = 5},
      {.rows = 128, .columns = 256, .inner = 64},
      {.rows = 131, .columns = 127, .inner = 37, .max_groups_x = 3},
      {.rows = 257, .columns = 260, .inner = 68, .default_block_only = true},
      {.rows = 1009, .columns = 63, .inner = 20, .window_bytes = 128u << 10, .default_block_only = true},
      {.rows = 1000, .columns = 1003, .inner = 37, .default_block_only = true, .large = true},
  };
  /* A million elements for the error that is hard to find, fewer for the checks that must fail. */
  const size_case lost = {.n = (1u << 20) + 3}, checked = {.n = (1u << 16) + 3};
  enum {
    QUICK_MOST = 10000,
    QUICK_QUEUED = 4 << 20,
    SIZES = sizeof sizes / sizeof sizes[0],
    TESTS = XB_DTYPES * (SIZES + 2)
  };
  static size_case cases[TESTS];
  static char names[TESTS][96];
  struct CMUnitTest tests[TESTS];
  size_t count = 0;
  for (int d = 0; d < XB_DTYPES; d++)
    for (size_t i = 0; i < SIZES + 2; i++) {
      size_case *c = &cases[count];
      *c = i < SIZES ? sizes[i] : i == SIZES ? checked : lost;
      c->dtype = (xb_dtype)d;
      c->number = (uint32_t)i;
      if (c->rows)
        c->n = c->rows * c->columns;
      if (c->large && d)
        continue;
      if (quick && (i >= SIZES || c->n > (c->queued ? QUICK_QUEUED : QUICK_MOST) || (c->n % 2 == 0 && !c->rows)))
        continue;
      if (only_waves && d)
        continue;
      if (brief && i % 5 != 0 && !c->window_bytes && !c->max_groups_x && !c->repeats)
        continue;
      c->single_pass_only |= quick && c->queued; /* the others use no queues, and are slow under sanitizers */
      if (only_benchmark && (i >= SIZES || !concerns(c)))
        continue;
      const char *what = i < SIZES ? "every variant" : i == SIZES ? "checks fail when they should" : "a lost element";
      int at = snprintf(names[count], sizeof names[count], "%s, %s, n = %llu", only_benchmark ? name : what,
                        xb_dtype_name(c->dtype), (unsigned long long)c->n);
      if (c->rows)
        at += snprintf(names[count] + at, sizeof names[count] - (size_t)at, " = %llu x %llu",
                       (unsigned long long)c->rows, (unsigned long long)c->columns);
      if (c->inner)
        at += snprintf(names[count] + at, sizeof names[count] - (size_t)at, " x %llu", (unsigned long long)c->inner);
      snprintf(names[count] + at, sizeof names[count] - (size_t)at, "%s%s%s", c->repeats ? ", repeated" : "",
               c->window_bytes ? ", windows" : "", c->max_groups_x ? ", folded grid" : "");
      if (c->queued)
        strncat(names[count], ", queue", sizeof names[count] - strlen(names[count]) - 1);
      tests[count] = (struct CMUnitTest){
          .name = names[count],
          .test_func = i < SIZES    ? test_size
                       : i == SIZES ? test_checks_fail
                                    : test_lost_element,
          .initial_state = c,
      };
      count++;
    }
  const int failed = _cmocka_run_group_tests("variants", tests, count, NULL, NULL);
  if (!runs) {
    printf("no variant was selected\n");
    return 1;
  }
  xb_benchmarks_close();
  if (xb_device_close(device, &error)) {
    printf("%s\n", error.message);
    return 1;
  }
  return failed;
}
