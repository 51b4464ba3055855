/* The kernels of a choice, without duplicates. */
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 256, MOST_SEEN = 8192 };

typedef struct seen {
  const void *code;
  uint32_t subgroup_size;
  char entry[96];
} seen;

typedef struct visit {
  const xb_isa_choice *choice;
  xb_isa_fn *fn;
  void *user;
  seen *seen;
  size_t seen_count;
} visit;

/* Rows and places on axes often run the same code with other arguments. */
static bool is_new(visit *v, const xb_kernel_desc *desc)
{
  if (desc->specialization_count || v->seen_count == MOST_SEEN)
    return true;
  for (size_t i = 0; i < v->seen_count; i++)
    if (v->seen[i].code == desc->code && v->seen[i].subgroup_size == desc->subgroup_size &&
        !strcmp(v->seen[i].entry, desc->entry))
      return false;
  seen *s = &v->seen[v->seen_count++];
  s->code = desc->code;
  s->subgroup_size = desc->subgroup_size;
  snprintf(s->entry, sizeof s->entry, "%s", desc->entry);
  return true;
}

static uint32_t default_block(const xb_case *c)
{
  const xb_benchmark *b = c->variant->benchmark;
  return xb_default_block(c->variant, c->device, b->default_n * (b->matrix ? b->default_n : 1));
}

/* The places on axes are the first ones that run this code. */
static json_t *name_row(const xb_case *c, const xb_plan_kernel *kernel)
{
  const xb_benchmark *b = c->variant->benchmark;
  char variant[XB_VARIANT_NAME], name[160], at[128] = "";
  snprintf(name, sizeof name, "%s/%s", b->name, xb_variant_name(c->variant, variant));
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:i, s:b}", "kernel", name, "part", kernel->name ? kernel->name : "", "dtype",
                xb_dtype_name(c->dtype), "group", (int)c->block, "default", c->block == default_block(c));
  for (size_t i = 0, end = 0; i < b->axis_count && end < sizeof at; i++)
    end += (size_t)snprintf(at + end, sizeof at - end, "%s%s=%u", end ? " " : "", b->axes[i].name, c->at[i]);
  json_object_set_new(row, "at", json_string(at));
  return row;
}

static void visit_kernel(visit *v, const xb_case *c, const xb_plan_kernel *kernel)
{
  xb_error error;
  xb_isa_case k = {.c = c,
                   .desc = {.group_size = {c->block, 1, 1},
                            .binding_count = kernel->binding_count,
                            .arg_bytes = kernel->arg_bytes,
                            .keep_text = v->choice->text}};
  if (xb_find_code(c, kernel, &k.desc, &error)) {
    if (!k.desc.code && error.code != XB_INVALID)
      return; /* there is no such code: of this type, of this API */
    k.why = error.message;
  }
  if (k.desc.code && !is_new(v, &k.desc))
    return;
  k.row = name_row(c, kernel);
  v->fn(&k, v->user);
}

static void visit_case(visit *v, xb_case *c)
{
  const xb_benchmark *b = c->variant->benchmark;
  for (size_t p = 0, places = xb_axis_point_count(v->choice->what, b); p < places; p++) {
    xb_plan plan = {0};
    xb_error error;
    xb_set_axis_point(v->choice->what, b, p, c->at);
    const xb_code code = xb_plan_make(c, &plan, &error);
    if (code) {
      xb_isa_case k = {.c = c, .why = error.message};
      if (v->choice->own && code == XB_INVALID && (k.row = name_row(c, &(xb_plan_kernel){0})))
        v->fn(&k, v->user);
      continue;
    }
    for (uint32_t k = 0; k < plan.kernel_count; k++)
      visit_kernel(v, c, &plan.kernels[k]);
    xb_plan_free(&plan);
  }
}

static bool is_usual(const xb_case *c)
{
  xb_dtype first = 0;
  while (!xb_has_dtype(c->variant->benchmark, first))
    first++;
  return c->dtype == first && c->block == default_block(c);
}

static void visit_variant(visit *v, const xb_variant *variant, const xb_device_info *info)
{
  const xb_benchmark *b = variant->benchmark;
  const xb_size side = {b->matrix ? SIDE : 1, b->matrix ? SIDE : SIDE * SIDE, b->product ? SIDE : 0};
  const xb_size size = v->choice->what->size_count ? xb_size_for(v->choice->what, b, 0, 0) : side;
  uint32_t block;
  for (xb_dtype d = 0; d < XB_ALL_DTYPES; d++)
    for (size_t i = 0; xb_has_dtype(b, d) && (block = xb_block_at(b, i)); i++) {
      xb_case c = {.variant = variant,
                   .dtype = d,
                   .n = size.rows * size.columns,
                   .rows = size.rows,
                   .columns = size.columns,
                   .inner = size.inner,
                   .block = block,
                   .seed = 1,
                   .window_bytes = UINT64_MAX,
                   .device = info};
      if (block <= info->max_group_threads && xb_takes_block(variant, block) &&
          (!v->choice->block || v->choice->block == block) && (!v->choice->usual || is_usual(&c)) &&
          (!v->choice->dtype || !strcmp(v->choice->dtype, xb_dtype_name(d))))
        visit_case(v, &c);
    }
}

void xb_isa_each(const xb_isa_choice *choice, const xb_device_info *info, xb_isa_fn *fn, void *user)
{
  visit v = {.choice = choice, .fn = fn, .user = user, .seen = calloc(MOST_SEEN, sizeof(seen))};
  for (size_t i = 0; v.seen && i < choice->what->selected_count; i++)
    if (xb_has_kernel(choice->what->selected[i].variant))
      visit_variant(&v, choice->what->selected[i].variant, info);
  free(v.seen);
}
