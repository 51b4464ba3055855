/* Cells held against each other, and the geometric means over them. */
#include "report/format.h"
#include "report/json.h"

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

static void add_target(json_t *side, const xb_device_info *info)
{
  json_object_set_new(side, "backend", json_string(info->backend));
  json_object_set_new(side, "device", xb_json_uuid(info));
  json_object_set_new(side, "launch_mode", json_string(xb_launch_mode_name(info->launch_mode)));
  json_object_set_new(side, "queue_family",
                      xb_has_families(info) ? json_integer(info->queues[XB_QUEUE_COMPUTE].family) : json_null());
}

static json_t *pair_side(const xb_group *group, const xb_cell *cell, size_t first_result)
{
  if (!cell)
    return json_null();
  json_t *side = json_object();
  json_object_set_new(side, "variant", xb_json_variant(cell->c.variant));
  add_target(side, cell->c.device);
  json_object_set_new(side, "result", json_integer((json_int_t)(first_result + (size_t)(cell - group->cells))));
  return side;
}

static void add_ratio(json_t *p, const char *name, const char *interval_name, bool known, double ratio,
                      xb_interval interval)
{
  json_object_set_new(p, name, known ? xb_json_number(ratio) : json_null());
  json_object_set_new(p, interval_name, known ? xb_json_interval(interval.low, interval.high) : json_null());
}

static size_t rounds(const xb_pair *pair)
{
  const size_t a = pair->subject->sample_count, b = pair->base->sample_count;
  return a < b ? a : b;
}

json_t *xb_json_pair(const xb_group *group, const xb_pair *pair, size_t first_result)
{
  const xb_cell *subject = pair->subject;
  const bool compared = pair->compared;
  json_t *p = json_object();
  json_object_set_new(p, "benchmark", json_string(subject->c.variant->benchmark->name));
  json_object_set_new(p, "dtype", json_string(xb_dtype_name(subject->c.dtype)));
  json_object_set_new(p, "size", json_integer((json_int_t)subject->c.n));
  json_object_set_new(p, "subject", pair_side(group, subject, first_result));
  json_object_set_new(p, "base", pair_side(group, pair->base, first_result));
  add_ratio(p, "ratio", "ci95_ratio", compared, pair->ratio, pair->interval);
  add_ratio(p, "ratio_less_floors", "ci95_ratio_less_floors", compared && pair->ratio_less_floors > 0,
            pair->ratio_less_floors, pair->interval_less_floors);
  json_object_set_new(p, "margin", xb_json_number(pair->margin));
  json_object_set_new(p, "verdict", compared ? json_string(xb_verdict_name(pair->verdict)) : json_null());
  json_object_set_new(p, "reason", xb_json_text(pair->reason));
  json_object_set_new(p, "rounds", compared ? json_integer((json_int_t)rounds(pair)) : json_null());
  json_object_set_new(p, "resamples", compared ? json_integer(XB_RESAMPLES) : json_null());
  return p;
}

/* ---- Means ------------------------------------------------------------------------------------------------------ */

static json_t *mean_side(const xb_device_info *info, const xb_variant *variant)
{
  json_t *side = json_object();
  json_object_set_new(side, "variant", variant ? xb_json_variant(variant) : json_null());
  add_target(side, info);
  return side;
}

json_t *xb_json_mean(const xb_mean *mean)
{
  const bool known = mean->compared > 0;
  const xb_interval interval = known ? xb_mean_interval(mean) : (xb_interval){0};
  json_t *m = json_object();
  json_object_set_new(m, "benchmark", json_string(mean->benchmark->name));
  json_object_set_new(m, "subject", mean_side(mean->subject, NULL));
  json_object_set_new(m, "base", mean_side(mean->base, mean->base_variant));
  add_ratio(m, "ratio", "ci95_ratio", known, known ? xb_mean_ratio(mean) : 0, interval);
  json_object_set_new(m, "margin", xb_json_number(mean->margin));
  json_object_set_new(m, "verdict",
                      known ? json_string(xb_verdict_name(xb_judge(interval, mean->margin))) : json_null());
  json_object_set_new(m, "compared", json_integer((json_int_t)mean->compared));
  json_object_set_new(m, "of", json_integer((json_int_t)mean->of));
  return m;
}
