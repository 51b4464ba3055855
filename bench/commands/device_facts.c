/* One line a fact. */
#include "commands/device_facts.h"

#include "base/value_text.h"
#include "judge/judge.h"
#include "measure/occupancy.h"
#include "sheet/sheet.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers: 0 is unknown for most facts, and no number of others -------------------------------------------------
 */

XB_COLUMN_TEXT(small)
{
  const uint32_t value = *(const uint32_t *)xb_sheet_member(c, row);
  if (value)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu32, value);
}

XB_COLUMN_TEXT(small_bytes)
{
  const uint32_t value = *(const uint32_t *)xb_sheet_member(c, row);
  if (value)
    xb_format_bytes(value, out, XB_SHEET_TEXT);
}

XB_COLUMN_TEXT(bytes)
{
  const uint64_t value = *(const uint64_t *)xb_sheet_member(c, row);
  if (value)
    xb_format_bytes(value, out, XB_SHEET_TEXT);
}

XB_COLUMN_TEXT(flag)
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_yes_no(*(const bool *)xb_sheet_member(c, row)));
}

XB_COLUMN_TEXT(three)
{
  const uint32_t *values = xb_sheet_member(c, row);
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
  const xb_queue_info *queue = xb_sheet_member(c, row);
  snprintf(out, XB_SHEET_TEXT, queue->present ? "%u, family %u%s, %u timestamp bits" : "none", queue->count,
           queue->family, queue->graphics ? " with graphics" : "", queue->timestamp_bits);
}

/* A number that Linux tells of a device on the PCI bus; negative: it does not. */
static double linux_number(const char *pci, const char *fact)
{
  char path[96];
  double number = -1;
  const int end = snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", pci, fact);
  for (char *p = path; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  FILE *file = *pci && end < (int)sizeof path ? fopen(path, "r") : NULL;
  if (file && fscanf(file, "%lf", &number) != 1)
    number = -1;
  if (file)
    fclose(file);
  return number;
}

/* Of the processor that the device is attached to. No API tells it. */
XB_COLUMN_TEXT(numa_node)
{
  const double node = linux_number(xb_sheet_member(c, row), "numa_node");
  if (node >= 0)
    snprintf(out, XB_SHEET_TEXT, "%.0f", node);
}

/* As it is now: a GPU that idles may have slowed it down. */
XB_COLUMN_TEXT(bus)
{
  const double rate = linux_number(xb_sheet_member(c, row), "current_link_speed");
  const double lanes = linux_number(xb_sheet_member(c, row), "current_link_width");
  if (rate > 0 && lanes > 0)
    snprintf(out, XB_SHEET_TEXT, "%g GT/s, %g lanes: at most %.3g GB/s each way", rate, lanes,
             xb_bus_gbps(rate, lanes));
}

/* What a multiprocessor gives out at a time, and grids at a time. No API tells them. */
XB_COLUMN_TEXT(steps)
{
  const xb_capability *k = xb_capability_of(((const xb_device_info *)row)->compute_capability);
  if (k)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu32 " registers a %s, %" PRIu32 " bytes of shared memory", k->has.register_step,
             k->has.registers_by_group ? "group" : "wave", k->has.shared_step);
}

XB_COLUMN_TEXT(grids)
{
  const xb_capability *k = xb_capability_of(((const xb_device_info *)row)->compute_capability);
  if (k)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu32, k->grids);
}

/* What is published of its compute capability, where the device tells something else. */
XB_COLUMN_TEXT(published)
{
  const xb_device_info *info = row;
  const xb_capability *k = xb_capability_of(info->compute_capability);
  if (!k)
    return;
  const struct {
    const char *name;
    uint64_t told, published;
  } list[] = {{"threads", info->threads_per_multiprocessor, k->has.threads},
              {"groups", info->groups_per_multiprocessor, k->has.groups},
              {"registers", info->registers_per_multiprocessor, k->has.registers},
              {"bytes of shared memory", info->shared_per_multiprocessor, k->has.shared_bytes},
              {"threads a group", info->max_group_threads, k->has.most_group},
              {"bytes of shared memory a group", info->shared_optin_bytes, k->most_shared_bytes}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].told && list[i].told != list[i].published) {
      char text[64];
      snprintf(text, sizeof text, "%" PRIu64 " %s", list[i].published, list[i].name);
      add(out, text);
    }
  if (!*out)
    add(out, "the same (xbench list capabilities)");
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
    {"published of its capability", .text = published},
    {"given out in steps of", .text = steps},
    {"kernels at a time", .text = grids},
    {"NUMA node", .text = numa_node, AT(pci)},
    {"bus", .text = bus, AT(pci)},
    FACT(calibrates),
    FACT(import_align),
    FACT(max_texels),
    FACT(storage_texels),
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

/* ---- What is published of all --------------------------------------------------------------------------------------
 */

XB_COLUMN_TEXT(version)
{
  const xb_capability *k = row;
  snprintf(out, XB_SHEET_TEXT, "%" PRIu32 ".%" PRIu32, k->number / 10, k->number % 10);
}

/* A member of 32 bits. */
XB_COLUMN_NUMBER(number)
{
  return *(const uint32_t *)xb_sheet_member(c, row);
}

XB_COLUMN_NUMBER(kib)
{
  return number(s, c, row) / 1024;
}

XB_COLUMN_TEXT(register_step)
{
  const xb_capability *k = row;
  snprintf(out, XB_SHEET_TEXT, "%" PRIu32 " a %s", k->has.register_step, k->has.registers_by_group ? "group" : "wave");
}

void xb_list_capabilities(void)
{
#undef OF
#define OF(name) .offset = offsetof(xb_capability, name)
  static const xb_column columns[] = {
      {"capability", 10, .text = version},
      {"", 9, .left = true, .text = xb_text_member, OF(name)},
      {"threads", 7, "%.0f", .number = number, OF(has.threads)},
      {"groups", 6, "%.0f", .number = number, OF(has.groups)},
      {"registers", 9, "%.0f", .number = number, OF(has.registers)},
      {"shared KiB", 10, "%.0f", .number = kib, OF(has.shared_bytes)},
      {"of a thread: registers", 22, "%.0f", .drop = 2, .number = number, OF(most_registers)},
      {"of a group: threads", 19, "%.0f", .drop = 3, .number = number, OF(has.most_group)},
      {"shared KiB", 10, "%.0f", .drop = 3, .number = kib, OF(most_shared_bytes)},
      {"kernels at a time", 17, "%.0f", .drop = 2, .number = number, OF(grids)},
      {"given in: registers", 19, .drop = 1, .text = register_step},
      {"waves", 5, "%.0f", .drop = 1, .number = number, OF(has.wave_step)},
      {"shared B", 8, "%.0f", .drop = 1, .number = number, OF(has.shared_step)},
      {"besides", 7, "%.0f", .drop = 1, .number = number, OF(has.shared_besides)},
  };
  static xb_sheet s = {XB_ROWS(xb_capabilities, 0)};
  while (xb_capabilities[s.rows].name)
    s.rows++;
  xb_sheet_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_sheet_fit(&s);
  printf(
      "what NVIDIA publishes of a multiprocessor, by compute capability; besides: shared bytes that each group takes "
      "in addition\n%s\n",
      s.left_out ? "some columns are left out; --wide shows all\n" : "");
  xb_sheet_print_heads(&s);
  xb_sheet_print_rows(&s);
}
