#include "commands/device_facts.h"

#include "base/value_text.h"
#include "measure/capabilities.h"
#include "sheet/sheet.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

/* ---- One line a fact -------------------------------------------------------------------------------------------- */

static void put(const char *name, const char *value)
{
  printf("       %-30s %s\n", name, value);
}

/* 0 is unknown for most facts, and no number of others. */
static void put_number(const char *name, uint64_t value)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  put(name, value ? text : "-");
}

static void put_size(const char *name, uint64_t bytes)
{
  char text[32];
  xb_format_bytes(bytes, text, sizeof text);
  put(name, bytes ? text : "-");
}

static void put_flag(const char *name, bool value)
{
  put(name, xb_yes_no(value));
}

static void put_three(const char *name, const uint32_t values[3])
{
  char text[48];
  snprintf(text, sizeof text, "%u x %u x %u", values[0], values[1], values[2]);
  put(name, text);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

static void put_features(uint32_t features)
{
  char text[512] = "";
  for (uint32_t bit = 1, at = 0; xb_feature_name(bit) && at < sizeof text; bit <<= 1)
    if (features & bit)
      at += (uint32_t)snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "", xb_feature_name(bit));
  put("features", *text ? text : "none");
}

static void put_launch_modes(uint32_t modes)
{
  char text[128] = "";
  for (uint32_t m = XB_LAUNCH_COMMAND_BUFFER, at = 0; m <= XB_LAUNCH_HELD_STREAM && at < sizeof text; m++)
    if (modes >> m & 1)
      at += (uint32_t)snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "",
                               xb_launch_mode_name((xb_launch_mode)m));
  put("launch modes", text);
}

static void put_queues(const char *name, const xb_queue_info *queue)
{
  char text[128];
  snprintf(text, sizeof text, "%u, family %u%s, %u timestamp bits", queue->count, queue->family,
           queue->graphics ? " with graphics" : "", queue->timestamp_bits);
  put(name, queue->present ? text : "none");
}

/* Linux: of the processor that the device is attached to. No API tells it. */
static void put_numa_node(const char *pci)
{
  char path[96], text[16] = "-";
  int node = -1;
  const int end = snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", pci);
  for (char *p = path; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  FILE *file = *pci && end < (int)sizeof path ? fopen(path, "r") : NULL;
  if (file && fscanf(file, "%d", &node) == 1 && node >= 0)
    snprintf(text, sizeof text, "%d", node);
  if (file)
    fclose(file);
  put("NUMA node", text);
}

/* What is published of its compute capability, where the device tells something else. */
static void put_published(const xb_device_info *info)
{
  const xb_capability *c = xb_capability_of(info->compute_capability);
  char text[256] = "";
  if (!c)
    return;
  const struct {
    const char *name;
    uint64_t told, published;
  } facts[] = {{"threads", info->threads_per_multiprocessor, c->has.threads},
               {"groups", info->groups_per_multiprocessor, c->has.groups},
               {"registers", info->registers_per_multiprocessor, c->has.registers},
               {"bytes of shared memory", info->shared_per_multiprocessor, c->has.shared_bytes},
               {"threads a group", info->max_group_threads, c->has.most_group},
               {"bytes of shared memory a group", info->shared_optin_bytes, c->most_shared_bytes}};
  for (size_t i = 0, at = 0; i < sizeof facts / sizeof *facts && at < sizeof text; i++)
    if (facts[i].told && facts[i].told != facts[i].published)
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64 " %s", at ? ", " : "", facts[i].published,
                             facts[i].name);
  put("published of its capability", *text ? text : "the same (xbench list capabilities)");
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

XB_COLUMN_TEXT(version)
{
  const xb_capability *k = row;
  snprintf(out, XB_SHEET_TEXT, "%" PRIu32 ".%" PRIu32, k->number / 10, k->number % 10);
}

/* A member of 32 bits. */
XB_COLUMN_NUMBER(member)
{
  return *(const uint32_t *)(const void *)((const char *)row + c->offset);
}

XB_COLUMN_NUMBER(kib)
{
  return member(s, c, row) / 1024;
}

XB_COLUMN_TEXT(register_step)
{
  const xb_capability *k = row;
  snprintf(out, XB_SHEET_TEXT, "%" PRIu32 " a %s", k->has.register_step, k->has.registers_by_group ? "group" : "wave");
}

static const void *capability_at(const xb_sheet *s, size_t i)
{
  (void)s;
  return &xb_capabilities[i];
}

void xb_list_capabilities(void)
{
#define OF(name) .offset = offsetof(xb_capability, name)
  static const xb_column columns[] = {
      {"capability", 10, .text = version},
      {"", 9, .left = true, .text = xb_text_member, OF(name)},
      {"threads", 7, "%.0f", .number = member, OF(has.threads)},
      {"groups", 6, "%.0f", .number = member, OF(has.groups)},
      {"registers", 9, "%.0f", .number = member, OF(has.registers)},
      {"shared KiB", 10, "%.0f", .number = kib, OF(has.shared_bytes)},
      {"of a thread: registers", 22, "%.0f", .drop = 2, .number = member, OF(most_registers)},
      {"of a group: threads", 19, "%.0f", .drop = 3, .number = member, OF(has.most_group)},
      {"shared KiB", 10, "%.0f", .drop = 3, .number = kib, OF(most_shared_bytes)},
      {"given in: registers", 19, .drop = 1, .text = register_step},
      {"waves", 5, "%.0f", .drop = 1, .number = member, OF(has.wave_step)},
      {"shared B", 8, "%.0f", .drop = 1, .number = member, OF(has.shared_step)},
      {"besides", 7, "%.0f", .drop = 1, .number = member, OF(has.shared_besides)},
  };
  static xb_sheet s = {.row = capability_at};
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

/* ---- A device --------------------------------------------------------------------------------------------------- */

void xb_list_facts(const xb_device_info *info)
{
#define NUMBER(field) put_number(#field, info->field)
#define SIZE(field) put_size(#field, info->field)
#define FLAG(field) put_flag(#field, info->field)
  SIZE(max_binding_bytes);
  SIZE(max_uniform_bytes);
  SIZE(max_buffer_bytes);
  SIZE(max_allocation_bytes);
  NUMBER(binding_align);
  NUMBER(uniform_align);
  put_three("max_groups", info->max_groups);
  NUMBER(max_group_threads);
  put_three("max_group_size", info->max_group_size);
  SIZE(shared_bytes);
  SIZE(shared_optin_bytes);
  NUMBER(max_arg_bytes);
  FLAG(has_robust_access);
  put_features(info->features);
  NUMBER(subgroup_size);
  NUMBER(subgroup_min);
  NUMBER(subgroup_max);
  SIZE(memory_bytes);
  put_queues("compute queues", &info->queues[XB_QUEUE_COMPUTE]);
  put_queues("copy queues", &info->queues[XB_QUEUE_COPY]);
  put_launch_modes(info->launch_modes);
  NUMBER(multiprocessors);
  NUMBER(threads_per_multiprocessor);
  NUMBER(groups_per_multiprocessor);
  NUMBER(registers_per_multiprocessor);
  SIZE(shared_per_multiprocessor);
  SIZE(shared_per_group);
  SIZE(cache_bytes);
  NUMBER(clock_khz);
  NUMBER(memory_clock_khz);
  NUMBER(memory_bus_bits);
  NUMBER(compute_capability);
  put_published(info);
  put_numa_node(info->pci);
  FLAG(calibrates);
  NUMBER(import_align);
  FLAG(exports);
  FLAG(imports);
}
