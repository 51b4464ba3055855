#include "commands/commands.h"
#include "commands/devices.h"
#include "exit_codes.h"
#include "report/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void list_device(const xb_device_info *info)
{
  char uuid[40], memory[32], binding[32];
  const xb_queue_info *compute = &info->queues[XB_QUEUE_COMPUTE], *copy = &info->queues[XB_QUEUE_COPY];
  xb_format_uuid(info, uuid);
  xb_format_bytes(info->memory_bytes, memory, sizeof memory);
  xb_format_bytes(info->max_binding_bytes, binding, sizeof binding);
  printf("  %u  %s (%s)\n", info->index, info->name, xb_device_type_name(info->type));
  printf("     uuid %s%s%s, %s, %s %s\n", *uuid ? uuid : "unknown", *info->pci ? ", pci " : "", info->pci, info->driver,
         info->backend, info->api_version);
  printf("     memory %s, largest binding %s, groups of up to %u threads with %u KiB shared\n", memory, binding,
         info->max_group_threads, info->shared_bytes / 1024);
  printf("     subgroups of %u", info->subgroup_size);
  if (info->subgroup_min != info->subgroup_max)
    printf(" (%u to %u on request)", info->subgroup_min, info->subgroup_max);
  if (info->multiprocessors)
    printf(", %u multiprocessors", info->multiprocessors);
  printf("; compute on queue family %u%s, %s%s, timer step %g ns\n", compute->family,
         compute->graphics ? " (with graphics)" : " (without graphics)",
         copy->present ? "a copy queue" : "no copy queue", compute->timestamp_bits ? "" : ", no timestamps",
         info->timestamp_period_ns);
}

static int list_devices(const xb_options *o)
{
  static xb_device_info infos[XB_MAX_DEVICES];
  int worst = XB_EXIT_OK;
  for (size_t i = 0; xb_backend_at(i); i++) {
    const xb_backend *backend = xb_backend_at(i);
    if (o->backend && strcmp(o->backend, "all") != 0 && strcmp(o->backend, xb_backend_name(backend)) != 0)
      continue;
    uint32_t count = 0;
    xb_error error;
    const xb_code code = xb_enumerate(backend, infos, XB_MAX_DEVICES, &count, &error);
    if (code) {
      printf("%s: %s\n", xb_backend_name(backend), error.message);
      worst = xb_exit_code(code);
      continue;
    }
    printf("%s: %u %s\n", xb_backend_name(backend), count, count == 1 ? "device" : "devices");
    for (uint32_t k = 0; k < count && k < XB_MAX_DEVICES; k++)
      list_device(&infos[k]);
  }
  return worst;
}

static void list_benchmarks(void)
{
  for (size_t i = 0; i < xb_entry_count(); i++) {
    const xb_entry *entry = xb_entry_at(i);
    printf("%s: %s (", entry->benchmark->name, entry->title);
    for (int d = 0, shown = 0; d < XB_DTYPES; d++)
      if (entry->dtypes >> d & 1)
        printf("%s%s", shown++ ? ", " : "", xb_dtype_name((xb_dtype)d));
    printf(")\n");
    for (size_t k = 0; k < xb_variant_count(); k++) {
      const xb_variant *v = xb_variant_at(k);
      if (!strcmp(v->benchmark, entry->benchmark->name))
        printf("  %s/%-3u %-22s %s\n", v->benchmark, v->number, v->name, v->title);
    }
  }
}

int xb_command_list(const xb_options *o)
{
  int code = XB_EXIT_OK;
  if (strcmp(o->list, "benchmarks") != 0)
    code = list_devices(o);
  if (!*o->list)
    printf("\n");
  if (strcmp(o->list, "devices") != 0)
    list_benchmarks();
  return code;
}
