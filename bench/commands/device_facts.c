/* One line a fact. */
#include "commands/device_facts.h"

#include "base/value_text.h"
#include "sheet/sheet.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const void *member(const xb_column *c, const void *row)
{
  return (const char *)row + c->offset;
}

/* ---- Numbers: 0 is unknown for most facts, and no number of others -------------------------------------------------
 */

XB_COLUMN_TEXT(small)
{
  const uint32_t value = *(const uint32_t *)member(c, row);
  if (value)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu32, value);
}

XB_COLUMN_TEXT(small_bytes)
{
  const uint32_t value = *(const uint32_t *)member(c, row);
  if (value)
    xb_format_bytes(value, out, XB_SHEET_TEXT);
}

XB_COLUMN_TEXT(bytes)
{
  const uint64_t value = *(const uint64_t *)member(c, row);
  if (value)
    xb_format_bytes(value, out, XB_SHEET_TEXT);
}

XB_COLUMN_TEXT(flag)
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_yes_no(*(const bool *)member(c, row)));
}

XB_COLUMN_TEXT(three)
{
  const uint32_t *values = member(c, row);
  snprintf(out, XB_SHEET_TEXT, "%u x %u x %u", values[0], values[1], values[2]);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

static void add(char out[XB_SHEET_TEXT], const char *text)
{
  const size_t length = strlen(out);
  snprintf(out + length, XB_SHEET_TEXT - length, "%s%s", length ? ", " : "", text);
}

XB_COLUMN_TEXT(features)
{
  for (uint32_t bit = 1; xb_feature_name(bit); bit <<= 1)
    if (((const xb_device_info *)row)->features & bit)
      add(out, xb_feature_name(bit));
  if (!*out)
    add(out, "none");
}

XB_COLUMN_TEXT(launch_modes)
{
  for (uint32_t m = XB_LAUNCH_COMMAND_BUFFER; m <= XB_LAUNCH_HELD_STREAM; m++)
    if (((const xb_device_info *)row)->launch_modes >> m & 1)
      add(out, xb_launch_mode_name((xb_launch_mode)m));
}

XB_COLUMN_TEXT(queues)
{
  const xb_queue_info *queue = member(c, row);
  snprintf(out, XB_SHEET_TEXT, queue->present ? "%u, family %u%s, %u timestamp bits" : "none", queue->count,
           queue->family, queue->graphics ? " with graphics" : "", queue->timestamp_bits);
}

#define AT(field) .offset = offsetof(xb_device_info, field)
#define OF(field) ((xb_device_info *)0)->field
#define FACT(field)                                                                                                    \
  {                                                                                                                    \
#field, .text = _Generic(OF(field), uint32_t : small, uint64_t : xb_count_member, bool : flag), AT(field)          \
  }
#define SIZE(field)                                                                                                    \
  {                                                                                                                    \
#field, .text = _Generic(OF(field), uint32_t : small_bytes, uint64_t : bytes), AT(field)                           \
  }
static const xb_column facts[] = {
    SIZE(max_binding_bytes),
    SIZE(max_uniform_bytes),
    SIZE(max_buffer_bytes),
    SIZE(max_allocation_bytes),
    FACT(binding_align),
    FACT(uniform_align),
    {"max_groups", .text = three, AT(max_groups)},
    FACT(max_group_threads),
    {"max_group_size", .text = three, AT(max_group_size)},
    SIZE(shared_bytes),
    SIZE(shared_optin_bytes),
    FACT(max_arg_bytes),
    FACT(has_robust_access),
    {"features", .text = features},
    FACT(subgroup_size),
    FACT(subgroup_min),
    FACT(subgroup_max),
    SIZE(memory_bytes),
    {"compute queues", .text = queues, AT(queues[XB_QUEUE_COMPUTE])},
    {"copy queues", .text = queues, AT(queues[XB_QUEUE_COPY])},
    {"launch modes", .text = launch_modes},
    FACT(multiprocessors),
    FACT(threads_per_multiprocessor),
    FACT(groups_per_multiprocessor),
    FACT(registers_per_multiprocessor),
    SIZE(shared_per_multiprocessor),
    SIZE(shared_per_group),
    SIZE(cache_bytes),
    FACT(clock_khz),
    FACT(memory_clock_khz),
    FACT(memory_bus_bits),
    FACT(compute_capability),
    FACT(calibrates),
    FACT(import_align),
    FACT(exports),
    FACT(imports),
};

void xb_list_facts(const xb_device_info *info)
{
  static xb_sheet s; /* too large for a stack */
  xb_sheet_of_facts(&s, facts, sizeof facts / sizeof *facts);
  s.indent = 7;
  s.columns[0].width = 30;
  xb_sheet_add_thing(&s, info->backend, info);
  xb_sheet_fit(&s);
  xb_sheet_print_rows(&s);
}
