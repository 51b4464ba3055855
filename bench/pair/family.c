/* The benchmark that a pair becomes. */
#include "pair/family.h"

#include "base/word_list.h"
#include "benchmarks/registry.h"

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

static uint64_t source_hash(const xb_case *c)
{
  const xb_pair_side *side = xb_pair_side_of(c);
  return side ? side->source_hash : 0;
}

/* Each side may have its own. */
static uint32_t group_of(const xb_variant *v, const xb_device_info *device)
{
  const xb_pair_side *side = xb_pair_side_of(&(xb_case){.variant = v, .device = device});
  const uint32_t *group = side ? side->kernels[0].group : NULL;
  return group ? group[0] * group[1] * group[2] : v->benchmark->default_block;
}

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

static const xb_methods usual = {.plan = xb_pair_plan,
                                 .check = xb_pair_check,
                                 .explain = xb_pair_explain,
                                 .confirm = xb_pair_confirm,
                                 .find_code = xb_pair_find_code,
                                 .source_hash = source_hash,
                                 .untrusted = true,
                                 .block = group_of,
                                 .remark = xb_pair_remark,
                                 .metrics = measure};
/* In the pair's arena. */
typedef struct family {
  xb_methods methods;
  xb_benchmark benchmark;
  xb_variant variants[XB_PAIR_SIDES];
  xb_pair_variant parameters[XB_PAIR_SIDES];
  char block[16], names[XB_PAIR_SIDES][48];
} family;

static size_t stem_of(const xb_pair_side *side)
{
  return (size_t)(strrchr(side->name, '.') - side->name);
}

/* "saxpy.hlsl" becomes "saxpy"; "saxpy_hlsl" if another side has the stem, too. */
static void name_variant(const xb_pair *pair, const xb_pair_side *side, bool several, char name[48])
{
  const char *compiler = several && side->source.compiler ? side->source.compiler : "";
  size_t length = stem_of(side);
  for (const xb_pair_side *other = pair->sides; several && other < pair->sides + pair->side_count; other++)
    if (strcmp(other->name, side->name) != 0 && stem_of(other) == stem_of(side) &&
        !strncmp(other->name, side->name, stem_of(side)))
      length = strlen(side->name);
  snprintf(name, 48, "%.*s%s%s%s", (int)(length < 24 ? length : 24), side->name, *compiler ? "_" : "", compiler,
           pair->unchecked ? "_not_checked" : "");
  for (char *p = name; *p; p++)
    *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
}

/* With the compilers, as other compilers make other code: "y = a x + y (nvrtc, glslc)". */
static const char *title_of(xb_pair *pair, const xb_pair_side *side, bool one)
{
  const char *what = pair->unchecked ? "not checked" : one ? (pair->title ? pair->title : pair->name) : side->name;
  char compilers[64] = "";
  for (uint32_t i = 0; i < pair->side_count; i++) {
    const char *compiler = pair->sides[i].codes[0].binary.compiler;
    if (compiler && (one || pair->sides[i].of == side->of))
      xb_add_listed(compilers, sizeof compilers, compiler);
  }
  const char *title =
      xb_arena_text(&pair->arena, "%s%s%s%s", what, *compilers ? " (" : "", compilers, *compilers ? ")" : "");
  return title ? title : what;
}

/* One variant if all sides are for different APIs, else one for each source. Returns their number. */
static uint32_t count_variants(xb_pair *pair, bool one)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < pair->side_count; i++) {
    xb_pair_side *side = &pair->sides[i];
    uint32_t same = 0;
    while (same < i && !one && pair->sides[same].of != side->of)
      same++;
    side->variant = one ? 0 : same < i ? pair->sides[same].variant : count;
    count = side->variant == count ? count + 1 : count;
  }
  return count;
}

static bool formats_differ(const xb_pair *pair)
{
  for (uint32_t i = 0; i < pair->side_count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (!strcmp(pair->sides[i].format, pair->sides[k].format))
        return false;
  return true;
}

/* "x: mixed (-1 to 1, 19 % zeros, 24 % repeated); p.flag: x.npy (0 to 1, 3 % zeros, 94 % repeated)" */
static const char *inputs_of(xb_pair *pair)
{
  const char *text = NULL;
  char like[96];
  for (const xb_pair_buffer *b = pair->buffers; b < pair->buffers + pair->buffer_count; b++) {
    const char *fill = b->fill_text                                               ? b->fill_text
                       : b->access == XB_PAIR_OUT || b->access == XB_PAIR_SCRATCH ? NULL
                                                                                  : "mixed";
    if (!fill)
      continue;
    for (const xb_member *m = b->element.members; m < b->element.members + b->element.member_count; m++)
      text = xb_arena_text(&pair->arena, "%s%s%s%s%s: %s%s", text ? text : "", text ? "; " : "", b->name,
                           m->name ? "." : "", m->name ? m->name : "", fill, xb_fill_describe(&b->fill, m, like));
  }
  return text;
}

xb_code xb_pair_add(xb_pair *pair, xb_error *err)
{
  const bool one = formats_differ(pair);
  family *f = xb_arena_take(&pair->arena, 1, sizeof *f);
  if (!f)
    return xb_fail(err, XB_NOMEM, "pair", "out of host memory");
  f->methods = usual;
  f->benchmark.methods = &f->methods;
  f->benchmark.variant_count = count_variants(pair, one);
  for (uint32_t i = 0; i < pair->side_count; i++) {
    const uint32_t v = pair->sides[i].variant;
    xb_pair_side **slot = f->parameters[v].sides;
    while (*slot)
      slot++;
    *slot = &pair->sides[i];
    if (slot > f->parameters[v].sides) /* the first side has the name */
      continue;
    f->parameters[v].pair = pair;
    name_variant(pair, &pair->sides[i], !one, f->names[v]);
    f->variants[v] = (xb_variant){.benchmark = &f->benchmark,
                                  .number = v + 1,
                                  .name = one && !pair->unchecked ? pair->name : f->names[v],
                                  .source = KERNEL,
                                  .title = title_of(pair, &pair->sides[i], one),
                                  .parameters = &f->parameters[v]};
  }
  const uint32_t *group = pair->sides[0].kernels[0].group;
  xb_dtype dtype = XB_FLOAT32;
  for (uint32_t i = pair->buffer_count; i-- > 0;)
    if (pair->buffers[i].access == XB_PAIR_OUT || pair->buffers[i].access == XB_PAIR_INOUT)
      dtype = pair->buffers[i].element.members[0].dtype;
  f->benchmark.default_block = group[0] * group[1] * group[2];
  snprintf(f->block, sizeof f->block, "%u", f->benchmark.default_block);
  f->benchmark.blocks = f->block;
  f->benchmark.name = pair->name;
  f->benchmark.title = pair->title ? pair->title : "a pair of your own";
  f->benchmark.dtypes = xb_dtype_name(dtype);
  f->benchmark.bandwidth = dtype < XB_DTYPES;
  f->benchmark.variants = f->variants;
  f->methods.inputs = inputs_of(pair);
  f->benchmark.matrix = pair->matrix;
  f->benchmark.default_n = pair->matrix ? 1024 : 1 << 20; /* rows and columns, or elements */
  for (uint32_t i = 0; i < pair->buffer_count; i++)
    f->methods.same_inputs |= pair->buffers[i].expected.data != NULL; /* a file has one result */
  if (pair->unchecked)                                                /* the only side is its own reference */
    f->methods.unverified = true;
  return xb_benchmark_add(&f->benchmark, err);
}
