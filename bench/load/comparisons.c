#include "load/comparisons.h"

#define FIELD(kind, name)                                                                                              \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_comparison, name), false                                                 \
  }
static const xb_field comparison_fields[] = {
    FIELD(REAL, ratio),
    FIELD(REAL, ratio_less_floors),
    FIELD(REAL, margin),
    FIELD(INTERVAL, ci95_ratio),
    FIELD(INTERVAL, ci95_ratio_less_floors),
    FIELD(TEXT, verdict),
    FIELD(TEXT, reason),
    FIELD(KNOWN, rounds),
    FIELD(KNOWN, resamples),
};
#undef FIELD

#define FIELD(kind, name, needed)                                                                                      \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_mean, name), needed                                                      \
  }
static const xb_field mean_fields[] = {
    FIELD(TEXT, benchmark, true), FIELD(REAL, ratio, false),
    FIELD(REAL, margin, false),   FIELD(INTERVAL, ci95_ratio, false),
    FIELD(TEXT, verdict, false),  FIELD(COUNT, compared, false),
    FIELD(COUNT, of, false),
};
#undef FIELD

#define FIELD(kind, name, needed)                                                                                      \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_target, name), needed                                                    \
  }
static const xb_field target_fields[] = {
    FIELD(TEXT, variant, false),    FIELD(TEXT, backend, true),        FIELD(TEXT, device, false),
    FIELD(TEXT, launch_mode, true), FIELD(COUNT, queue_family, false),
};
#undef FIELD

/* ---- Comparisons ------------------------------------------------------------------------------------------------ */

static xb_code read_side(xb_reader *r, const json_t *object, const char *name, bool needed, const xb_document *document,
                         const xb_saved_result **result)
{
  const json_t *side;
  *result = NULL;
  const xb_code code = xb_read_object(r, object, name, needed, &side);
  if (code || !side)
    return code;
  const json_t *index = json_object_get(side, "result");
  if (!json_is_integer(index) || json_integer_value(index) < 0 ||
      (uint64_t)json_integer_value(index) >= document->result_count)
    return xb_refuse(r, name, "the index of one of the document's results");
  *result = &document->results[json_integer_value(index)];
  return XB_OK;
}

xb_code xb_read_comparisons(xb_reader *r, const json_t *array, xb_document *document)
{
  const size_t count = json_array_size(array);
  xb_saved_comparison *comparisons = xb_arena_take(r->arena, count, sizeof *comparisons);
  xb_code code = comparisons ? XB_OK : xb_reader_nomem(r);
  for (size_t i = 0; i < count && !code; i++) {
    const json_t *object;
    xb_saved_comparison *c = &comparisons[i];
    code = xb_read_element(r, array, "comparisons", i, &object);
    if (!code)
      code = xb_read_fields(r, object, comparison_fields, sizeof comparison_fields / sizeof comparison_fields[0], c);
    if (!code)
      code = read_side(r, object, "subject", true, document, &c->subject);
    if (!code)
      code = read_side(r, object, "base", false, document, &c->base);
    if (!code && c->verdict && (!c->base || !(c->ratio > 0)))
      code = xb_refuse(r, "verdict", "none without a base and a ratio");
  }
  document->comparisons = comparisons;
  document->comparison_count = count;
  return code;
}

/* ---- Means ------------------------------------------------------------------------------------------------------ */

static xb_code read_target(xb_reader *r, const json_t *object, const char *name, xb_saved_target *target)
{
  const json_t *side;
  const xb_code code = xb_read_object(r, object, name, true, &side);
  return code ? code : xb_read_fields(r, side, target_fields, sizeof target_fields / sizeof target_fields[0], target);
}

xb_code xb_read_means(xb_reader *r, const json_t *array, xb_document *document)
{
  const size_t count = json_array_size(array);
  xb_saved_mean *means = xb_arena_take(r->arena, count, sizeof *means);
  xb_code code = means ? XB_OK : xb_reader_nomem(r);
  for (size_t i = 0; i < count && !code; i++) {
    const json_t *object;
    code = xb_read_element(r, array, "geometric_means", i, &object);
    if (!code)
      code = xb_read_fields(r, object, mean_fields, sizeof mean_fields / sizeof mean_fields[0], &means[i]);
    if (!code)
      code = read_target(r, object, "subject", &means[i].subject);
    if (!code)
      code = read_target(r, object, "base", &means[i].base);
  }
  document->means = means;
  document->mean_count = count;
  return code;
}
