#include "commands/device_facts.h"

#include "base/value_text.h"

#include <inttypes.h>
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
  FLAG(calibrates);
  NUMBER(import_align);
  FLAG(exports);
  FLAG(imports);
}
