/* The benchmark that a pair becomes. */
#include "pair/family.h"

#include "benchmarks/registry.h"
#include "pair/expect.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Per nanosecond is 10^9 per second. */
static size_t measure(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  size_t count = 0;
  (void)c;
  if (plan->bytes)
    metrics[count++] =
        (xb_metric){.name = "bandwidth", .unit = "GB/s", .value = (double)plan->bytes / ns, .more_is_better = true};
  if (plan->flops)
    metrics[count++] =
        (xb_metric){.name = "flops", .unit = "FLOP/s", .value = (double)plan->flops / ns * 1e9, .more_is_better = true};
  return count;
}

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

static xb_methods methods = {.plan = xb_pair_plan,
                             .check = xb_pair_check,
                             .confirm = xb_pair_confirm,
                             .find_code = xb_pair_find_code,
                             .metrics = measure};
static xb_benchmark benchmark = {.methods = &methods};
static xb_variant variants[XB_PAIR_SIDES];
static xb_pair_variant parameters[XB_PAIR_SIDES];
static char block[16], names[XB_PAIR_SIDES][48];

/* "saxpy.v2.hlsl" becomes "saxpy_v2". */
static void name_variant(const xb_pair_side *side, bool several, bool unchecked, char name[48])
{
  const char *compiler = several && side->source.compiler ? side->source.compiler : "";
  const char *dot = strrchr(side->name, '.');
  snprintf(name, 48, "%.*s%s%s%s", (int)(dot - side->name < 24 ? dot - side->name : 24), side->name,
           *compiler ? "_" : "", compiler, unchecked ? "_not_checked" : "");
  for (char *p = name; *p; p++)
    *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
}

static bool formats_differ(const xb_pair *pair)
{
  for (uint32_t i = 0; i < pair->side_count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (!strcmp(pair->sides[i].format, pair->sides[k].format))
        return false;
  return true;
}

xb_code xb_pair_add(xb_pair *pair, xb_error *err)
{
  const bool one = formats_differ(pair);
  benchmark.variant_count = one ? 1 : pair->side_count;
  for (uint32_t i = 0; i < pair->side_count; i++) {
    const uint32_t v = one ? 0 : i;
    parameters[v].pair = pair;
    parameters[v].sides[one ? i : 0] = &pair->sides[i];
    name_variant(&pair->sides[i], !one, pair->unchecked, names[v]);
    variants[v] = (xb_variant){.benchmark = &benchmark,
                               .number = v + 1,
                               .name = one && !pair->unchecked ? pair->name : names[v],
                               .source = KERNEL,
                               .title = pair->unchecked ? "not checked"
                                        : pair->title   ? pair->title
                                                        : pair->sides[i].name,
                               .parameters = &parameters[v]};
  }
  const uint32_t *group = pair->kernels[0].group;
  xb_dtype dtype = XB_FLOAT32;
  for (uint32_t i = pair->buffer_count; i-- > 0;)
    if (pair->buffers[i].access == XB_PAIR_OUT || pair->buffers[i].access == XB_PAIR_INOUT)
      dtype = pair->buffers[i].element.members[0].dtype;
  benchmark.default_block = group[0] * group[1] * group[2];
  snprintf(block, sizeof block, "%u", benchmark.default_block);
  benchmark.blocks = block;
  benchmark.name = pair->name;
  benchmark.title = pair->title ? pair->title : "a pair of your own";
  benchmark.dtypes = xb_dtype_name(dtype);
  benchmark.bandwidth = dtype < XB_DTYPES;
  benchmark.variants = variants;
  benchmark.matrix = pair->matrix;
  benchmark.default_n = pair->matrix ? 1024 : 1 << 20; /* rows and columns, or elements */
  for (uint32_t i = 0; i < pair->buffer_count; i++)
    methods.same_inputs |= pair->buffers[i].expected.data != NULL; /* a file has one result */
  if (pair->unchecked)                                             /* the only side is its own reference */
    methods.proves_nothing = true;
  return xb_benchmark_add(&benchmark, err);
}
