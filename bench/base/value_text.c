#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>

void xb_format_uuid(const xb_device_info *info, char out[40])
{
  *out = 0;
  for (int i = 0, at = 0; info->has_uuid && i < XB_UUID_BYTES; i++)
    at +=
        snprintf(out + at, 40 - (size_t)at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", info->uuid[i]);
}

const char *xb_yes_no(int flag)
{
  return flag == 1 ? "yes" : flag == 0 ? "no" : "-";
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
                                      [XB_LAUNCH_STREAM] = "stream",
                                      [XB_LAUNCH_HELD_STREAM] = "held_stream"};
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

void xb_format_shape(uint64_t rows, uint64_t columns, uint64_t inner, char *out, size_t out_bytes)
{
  if (inner)
    snprintf(out, out_bytes, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, rows, columns, inner);
  else if (rows)
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

void xb_format_rate(double value, const char *unit, char *out, size_t out_bytes)
{
  if (value >= 1e4 && *unit == 'G')
    snprintf(out, out_bytes, "%.4g T%s", value / 1000, unit + 1);
  else
    snprintf(out, out_bytes, "%.4g %s", value, unit);
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
