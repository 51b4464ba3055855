#include "report/format.h"

#include "safe_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void xb_format_uuid(const xb_device_info *info, char out[40])
{
  *out = 0;
  for (int i = 0, at = 0; info->has_uuid && i < XB_UUID_BYTES; i++)
    at +=
        snprintf(out + at, 40 - (size_t)at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", info->uuid[i]);
}

const char *xb_device_type_name(xb_device_type type)
{
  static const char *const names[] = {[XB_DEVICE_OTHER] = "other",
                                      [XB_DEVICE_CPU] = "cpu",
                                      [XB_DEVICE_INTEGRATED] = "integrated",
                                      [XB_DEVICE_DISCRETE] = "discrete"};
  return names[type];
}

const char *xb_launch_mode_name(xb_launch_mode mode)
{
  static const char *const names[] = {[XB_LAUNCH_DEFAULT] = "default",
                                      [XB_LAUNCH_COMMAND_BUFFER] = "command_buffer",
                                      [XB_LAUNCH_GRAPH] = "graph",
                                      [XB_LAUNCH_STREAM] = "stream"};
  return names[mode];
}

void xb_format_size(uint64_t n, char *out, size_t out_bytes)
{
  int exponent = 0;
  while (n >> exponent > 1)
    exponent++;
  if (n == 1ull << exponent && exponent >= 10)
    snprintf(out, out_bytes, "%" PRIu64 " (2^%d)", n, exponent);
  else
    snprintf(out, out_bytes, "%" PRIu64, n);
}

void xb_format_shape(bool matrix, uint64_t rows, uint64_t columns, char *out, size_t out_bytes)
{
  if (matrix)
    snprintf(out, out_bytes, "%" PRIu64 "x%" PRIu64, rows, columns);
  else
    snprintf(out, out_bytes, "%" PRIu64, columns);
}

void xb_format_bytes(uint64_t bytes, char *out, size_t out_bytes)
{
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  int unit = 0;
  while (unit < 4 && value >= 1024) {
    value /= 1024;
    unit++;
  }
  snprintf(out, out_bytes, "%.4g %s", value, units[unit]);
}

const char *xb_format_time(double ns, char *out, size_t out_bytes)
{
  static const char *const units[] = {"ns", "us", "ms", "s"};
  int unit = 0;
  while (unit < 3 && ns >= 999.95) {
    ns /= 1000;
    unit++;
  }
  const int decimals = ns <= 0 ? 0 : ns >= 99.995 ? 1 : ns >= 9.9995 ? 2 : 3; /* four digits, also 4.650 */
  snprintf(out, out_bytes, "%.*f %s", decimals, ns, units[unit]);
  return out;
}

void xb_format_family(int64_t family, bool graphics, char out[64])
{
  *out = 0;
  if (family >= 0)
    snprintf(out, 64, ", queue family %" PRId64 "%s", family, graphics ? " (with graphics)" : "");
}

const char *xb_format_target(const xb_result_device *on, char out[32])
{
  if (on->queue_family_chosen == 1)
    snprintf(out, 32, "%.12s, family %u", on->backend, (unsigned)on->queue_family);
  else if (!on->launch_mode || !strcmp(on->launch_mode, "command_buffer"))
    snprintf(out, 32, "%.31s", on->backend);
  else
    snprintf(out, 32, "%.12s, %.14s", on->backend, on->launch_mode);
  return out;
}

void xb_print_target(const xb_result_device *on)
{
  char target[32], family[64], name[256], driver[256];
  xb_format_family(on->queue_family, on->queue_family_graphics == 1, family);
  printf("%s %s on %s, %s%s, subgroups of %" PRIu64 "\n", xb_format_target(on, target), on->api_version,
         xb_safe_text(on->name, name, sizeof name), xb_safe_text(on->driver, driver, sizeof driver), family,
         on->subgroup_size);
}

size_t xb_group_targets(const xb_group *group, const xb_result_device *targets[XB_MOST_COLUMNS])
{
  size_t count = 0;
  for (size_t i = 0; i < group->count; i++) {
    const xb_result_device *on = group->results[i].on;
    if ((!count || targets[count - 1] != on) && count < XB_MOST_COLUMNS)
      targets[count++] = on;
  }
  return count;
}

void xb_print_question(const xb_table *table, const xb_group *group)
{
  const xb_result *r = &group->results[0];
  char size[48];
  printf("\n%s: %s; %s cache", group->benchmark->name, group->benchmark->title, r->cache);
  if (table->sweep)
    return;
  if (r->rows)
    xb_format_shape(true, r->rows, r->columns, size, sizeof size);
  else
    xb_format_size(r->size, size, sizeof size);
  printf("; %s, %s%s", r->dtype, r->rows ? "" : "n = ", size);
}

const char *xb_format_result_shape(const xb_result *r, char *out, size_t out_bytes)
{
  xb_format_shape(r->rows != 0, r->rows, r->rows ? r->columns : r->size, out, out_bytes);
  return out;
}

void xb_print_shape(const xb_table *table, const xb_result *r)
{
  char shape[48];
  if (table->sweep)
    printf("%11s %-7s ", xb_format_result_shape(r, shape, sizeof shape), r->dtype);
}

const char *xb_format_side(const xb_result *r, char out[XB_SIDE_TEXT])
{
  char target[32], at[XB_AT_TEXT];
  xb_result_at(r, at);
  snprintf(out, XB_SIDE_TEXT, "%s%s%s %s", r->variant, *at ? " " : "", at, xb_format_target(r->on, target));
  return out;
}

double xb_half_interval(const xb_result *r)
{
  return 50 * (r->ci95_ns.high - r->ci95_ns.low) / r->median_ns;
}

void xb_print_throttle(const xb_result *r)
{
  for (size_t i = 0; i < r->throttle.count; i++)
    printf("%s%s", i ? ", " : "", r->throttle.values[i]);
}
