#include "commands/devices.h"

#include "commands/nearest.h"
#include "exit_codes.h"
#include "value_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- Inventory -------------------------------------------------------------------------------------------------- */

static bool same_device(const xb_device_info *a, const xb_device_info *b)
{
  return a->has_uuid && b->has_uuid && !memcmp(a->uuid, b->uuid, sizeof a->uuid);
}

static xb_gpu *find_gpu(xb_inventory *inventory, const xb_device_info *info)
{
  for (size_t i = 0; i < inventory->gpu_count; i++)
    if (same_device(inventory->gpus[i].any, info))
      return &inventory->gpus[i];
  inventory->gpus[inventory->gpu_count] = (xb_gpu){.any = info};
  return &inventory->gpus[inventory->gpu_count++];
}

void xb_complete_info(xb_device_info *info, const xb_device_info *other)
{
#define TAKE(field) info->field = info->field ? info->field : other->field
  TAKE(multiprocessors);
  TAKE(threads_per_multiprocessor);
  TAKE(cache_bytes);
  TAKE(clock_khz);
  TAKE(memory_clock_khz);
  TAKE(memory_bus_bits);
  TAKE(groups_per_multiprocessor);
  TAKE(registers_per_multiprocessor);
  TAKE(shared_per_multiprocessor);
  TAKE(shared_per_group);
#undef TAKE
  if (!*info->pci)
    memcpy(info->pci, other->pci, sizeof info->pci);
}

void xb_take_inventory(xb_inventory *inventory)
{
  static const xb_error none[XB_MAX_BACKENDS];
  xb_take_inventory_without(none, inventory);
}

void xb_take_inventory_without(const xb_error skipped[XB_MAX_BACKENDS], xb_inventory *inventory)
{
  *inventory = (xb_inventory){0};
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++) {
    uint32_t count = 0;
    inventory->backend_count++;
    inventory->error[b] = skipped[b];
    inventory->code[b] = skipped[b].code ? skipped[b].code
                                         : xb_enumerate(xb_backend_at(b), inventory->infos[b], XB_MAX_DEVICES, &count,
                                                        &inventory->error[b]);
    inventory->left_out[b] = count > XB_MAX_DEVICES ? count - XB_MAX_DEVICES : 0;
    for (uint32_t i = 0; i < count - inventory->left_out[b] && !inventory->code[b]; i++)
      find_gpu(inventory, &inventory->infos[b][i])->by_backend[b] = &inventory->infos[b][i];
  }
  for (size_t g = 0; g < inventory->gpu_count; g++)
    for (size_t b = 0; b < inventory->backend_count; b++)
      for (size_t other = 0; other < inventory->backend_count; other++) {
        const xb_gpu *gpu = &inventory->gpus[g];
        if (gpu->by_backend[b] && gpu->by_backend[other])
          xb_complete_info(&inventory->infos[b][gpu->by_backend[b] - inventory->infos[b]], gpu->by_backend[other]);
      }
}

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

static bool contains_ignoring_case(const char *text, const char *part)
{
  const size_t n = strlen(part);
  for (; *text; text++)
    if (!strncasecmp(text, part, n))
      return true;
  return false;
}

/* Keeps hex digits only, so that dashes and the vendor's "GPU-" do not matter. */
static void hex_digits(const char *text, char *out, size_t out_bytes)
{
  size_t at = 0;
  if (!strncasecmp(text, "GPU-", 4))
    text += 4;
  for (; *text && at + 1 < out_bytes; text++)
    if (*text != '-')
      out[at++] = (char)tolower((unsigned char)*text);
  out[at] = 0;
}

static bool matches(const xb_device_info *info, size_t index, const char *selector)
{
  if (*selector && strlen(selector) < 4 && strspn(selector, "0123456789") == strlen(selector))
    return index == (size_t)atoi(selector);
  char uuid[40], hex[40], typed[40];
  xb_format_uuid(info, uuid);
  hex_digits(uuid, hex, sizeof hex);
  hex_digits(selector, typed, sizeof typed);
  if (strlen(typed) >= 8 && strspn(typed, "0123456789abcdef") == strlen(typed) && !strncmp(hex, typed, strlen(typed)))
    return true;
  return *selector && contains_ignoring_case(info->name, selector);
}

bool xb_backend_wanted(const xb_options *o, const xb_backend *backend)
{
  const char *name = xb_backend_name(backend);
  const size_t length = strlen(name);
  for (const char *p = o->backend ? o->backend : "all"; *p; p += strcspn(p, ","), p += *p == ',')
    if (!strcmp(p, "all") || (strcspn(p, ",") == length && !strncmp(p, name, length)))
      return true;
  return false;
}

bool xb_gpu_wanted(const xb_options *o, const xb_gpu *gpu)
{
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++)
    if (gpu->by_backend[b] && xb_backend_wanted(o, xb_backend_at(b)))
      return true;
  return false;
}

static int complain_of_device(const xb_inventory *inventory, const xb_options *o, size_t found)
{
  const char *names[XB_MAX_BACKENDS * XB_MAX_DEVICES] = {0};
  const char *option = o->device == o->against_device ? "--against" : "--device";
  char all[512];
  size_t count = 0;
  for (size_t i = 0; i < inventory->gpu_count; i++)
    if (xb_gpu_wanted(o, &inventory->gpus[i]))
      names[count++] = inventory->gpus[i].any->name;
  xb_join(names, count, all, sizeof all);
  if (found)
    return xb_report_error(XB_EXIT_USAGE,
                           "%s: '%s' matches %zu devices; name one by its index or UUID from 'xbench list devices': %s",
                           option, o->device, found, all);
  const char *near = xb_nearest(o->device, names, count);
  return xb_report_error(XB_EXIT_UNAVAILABLE, "%s: there is no '%s'%s%s%s; there %s %s ('xbench list devices')", option,
                         o->device, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "",
                         count == 1 ? "is" : "are", all);
}

/* There is no device: reports the reason of each requested backend. */
static int complain_of_backends(const xb_inventory *inventory, const xb_options *o)
{
  char reasons[1024] = "";
  size_t at = 0;
  xb_code code = XB_UNAVAILABLE;
  for (size_t b = 0; b < inventory->backend_count; b++) {
    if (!inventory->code[b] || !xb_backend_wanted(o, xb_backend_at(b)))
      continue;
    code = inventory->code[b];
    const int n = snprintf(reasons + at, sizeof reasons - at, "%s%s", at ? "; " : "", inventory->error[b].message);
    at = n > 0 && at + (size_t)n < sizeof reasons ? at + (size_t)n : sizeof reasons - 1;
  }
  return xb_report_error(xb_exit_code(code), "%s", *reasons ? reasons : "no device found");
}

int xb_choose_gpu(const xb_inventory *inventory, const xb_options *o, const xb_gpu **chosen)
{
  /* Without a selector, choose the fastest type: discrete, integrated, other, CPU. */
  static const int rank[] = {
      [XB_DEVICE_CPU] = 0, [XB_DEVICE_OTHER] = 1, [XB_DEVICE_INTEGRATED] = 2, [XB_DEVICE_DISCRETE] = 3};
  size_t found = 0, reachable = 0;
  *chosen = NULL;
  for (size_t i = 0; i < inventory->gpu_count; i++) {
    const xb_gpu *gpu = &inventory->gpus[i];
    if (!xb_gpu_wanted(o, gpu))
      continue;
    reachable++;
    const bool better = !o->device && (!*chosen || rank[gpu->any->type] > rank[(*chosen)->any->type]);
    if (better || (o->device && matches(gpu->any, i, o->device))) {
      *chosen = gpu;
      found++;
    }
  }
  if (!reachable)
    return complain_of_backends(inventory, o);
  return found == 1 || (found && !o->device) ? -1 : complain_of_device(inventory, o, found);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* One monitor per GPU: some of its counters can be read only once. */
static xb_monitor *find_monitor(const xb_target *first, const xb_target *target)
{
  for (const xb_target *t = first; t < target; t++)
    if (same_device(&t->info, &target->info))
      return t->monitor;
  return NULL;
}

static int open_target(const xb_device_desc *desc, const xb_device_info *info, xb_target *first, xb_target *target)
{
  xb_error error;
  const xb_code code = xb_device_open(desc, &target->device, &error);
  if (code)
    return xb_report_error(xb_exit_code(code), "%s", error.message);
  target->info = *xb_device_get_info(target->device);
  xb_complete_info(&target->info, info);
  target->monitor = find_monitor(first, target);
  if (!target->monitor)
    target->monitor = xb_monitor_open(&target->info);
  const char *driver = xb_monitor_driver(target->monitor);
  if (*driver && !strstr(target->info.driver, driver)) { /* CUDA itself reports only the API version */
    const size_t used = strlen(target->info.driver);
    snprintf(target->info.driver + used, sizeof target->info.driver - used, ", driver %s", driver);
  }
  return -1;
}

enum { MAX_WAYS = XB_MAX_LAUNCH_MODES + XB_MAX_QUEUE_FAMILIES }; /* an API supports at most one of the two choices */

/* The requested ways to run that the API supports. If there are none, its default. */
static size_t choose_ways(const xb_options *o, const xb_backend *backend, const xb_device_info *info,
                          xb_device_desc ways[MAX_WAYS])
{
  const xb_device_desc own = {.backend = backend, .index = info->index};
  size_t count = 0;
  for (size_t i = 0; i < o->launch_mode_count; i++)
    if (info->launch_modes >> o->launch_modes[i] & 1) {
      ways[count] = own;
      ways[count++].launch_mode = o->launch_modes[i];
    }
  uint32_t families[XB_MAX_QUEUE_FAMILIES] = {info->queues[XB_QUEUE_COMPUTE].family};
  size_t family_count = o->all_queue_families;
  for (uint32_t i = 0; i < 32 && o->all_queue_families && family_count < XB_MAX_QUEUE_FAMILIES; i++)
    if (info->compute_families >> i & 1 && i != families[0])
      families[family_count++] = i;
  for (size_t i = 0; i < o->queue_family_count; i++)
    families[family_count++] = o->queue_families[i];
  for (size_t i = 0; i < family_count && info->compute_families; i++) {
    ways[count] = own;
    ways[count].choose_queue_family = true;
    ways[count++].queue_family = families[i];
  }
  if (!count)
    ways[count++] = own;
  return count;
}

/* A benchmark that uses several queues gets all that the device has. */
static void want_queues(const xb_options *o, xb_device_desc *desc)
{
  for (size_t i = 0; i < o->selected_count; i++)
    if (o->selected[i].variant->benchmark->all_queues)
      desc->compute_queues = desc->copy_queues = XB_ALL_QUEUES;
}

static int open_gpu(const xb_inventory *inventory, const xb_options *o, const xb_gpu *gpu, xb_target *targets,
                    size_t *count)
{
  int code = -1;
  for (size_t b = 0; b < inventory->backend_count && code < 0; b++) {
    const xb_backend *backend = xb_backend_at(b);
    if (!gpu->by_backend[b] || !xb_backend_wanted(o, backend))
      continue;
    xb_device_desc ways[MAX_WAYS];
    const size_t way_count = choose_ways(o, backend, gpu->by_backend[b], ways);
    for (size_t w = 0; w < way_count && code < 0; w++) {
      want_queues(o, &ways[w]);
      if (*count == XB_MAX_TARGETS)
        return xb_report_error(XB_EXIT_USAGE, "more than %d columns: choose fewer values of --launch or --queue-family",
                               XB_MAX_TARGETS);
      code = open_target(&ways[w], gpu->by_backend[b], targets, &targets[*count]);
      *count += code < 0;
    }
  }
  return code;
}

/* Reports an option that no API of the run supports. */
static int check_choices(const xb_options *o, const xb_target *targets, size_t count)
{
  bool has_mode = !o->launch_mode_count, has_family = !o->queue_family_count && !o->all_queue_families;
  for (size_t t = 0; t < count; t++) {
    for (size_t m = 0; m < o->launch_mode_count; m++)
      has_mode |= targets[t].info.launch_mode == o->launch_modes[m];
    has_family |= targets[t].info.queue_family_chosen;
  }
  if (has_mode && has_family)
    return -1;
  return xb_report_error(XB_EXIT_UNAVAILABLE, "%s: no API of this run supports this option; %s does",
                         has_mode ? "--queue-family" : "--launch", has_mode ? "Vulkan" : "CUDA");
}

/* Marks the baseline of a comparison of targets: all targets of the other device, or the first API. */
static int mark_base(const xb_options *o, xb_target *targets, size_t count, size_t base_count)
{
  for (size_t t = 0; t < base_count; t++)
    targets[t].base = true;
  if (o->command != XB_COMMAND_COMPARE || o->against_variant || base_count)
    return -1;
  targets[0].base = true;
  if (count > 1)
    return -1;
  return xb_report_error(
      XB_EXIT_UNAVAILABLE,
      "compare: only %s reaches %s in this run: name what to compare with, such as --against reduce/9 or "
      "--against DEVICE",
      targets[0].info.backend, targets[0].info.name);
}

/* The other device of a comparison. */
static int choose_against(const xb_inventory *inventory, const xb_options *o, const xb_gpu *gpu, const xb_gpu **other)
{
  xb_options against = *o;
  against.device = o->against_device;
  const int code = xb_choose_gpu(inventory, &against, other);
  if (code >= 0 || *other != gpu)
    return code;
  return xb_report_error(XB_EXIT_USAGE,
                         "--against: '%s' is the device itself; to compare with a variant on this device, use "
                         "--against BENCHMARK/VARIANT",
                         o->against_device);
}

int xb_open_targets(const xb_options *o, xb_target targets[XB_MAX_TARGETS], size_t *count)
{
  static xb_inventory inventory;
  const xb_gpu *gpu, *other = NULL;
  *count = 0;
  xb_take_inventory(&inventory);
  int code = xb_choose_gpu(&inventory, o, &gpu);
  if (code < 0 && o->against_device)
    code = choose_against(&inventory, o, gpu, &other);
  if (code < 0 && other)
    code = open_gpu(&inventory, o, other, targets, count);
  const size_t base_count = *count;
  if (code < 0)
    code = open_gpu(&inventory, o, gpu, targets, count);
  if (code < 0)
    code = check_choices(o, targets, *count);
  if (code < 0)
    code = mark_base(o, targets, *count, base_count);
  if (code >= 0) {
    xb_close_targets(targets, *count);
    *count = 0;
  }
  return code;
}

bool xb_close_targets(xb_target *targets, size_t count)
{
  bool silent = true;
  for (size_t i = 0; i < count; i++) {
    xb_error error;
    if (!find_monitor(targets, &targets[i]))
      xb_monitor_close(targets[i].monitor);
    if (!xb_device_close(targets[i].device, &error))
      continue;
    xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
    silent = false;
  }
  return silent;
}

bool xb_leave_targets(xb_target *targets, size_t count, int exit_code)
{
  for (size_t i = 0; i < count; i++)
    if (xb_device_status(targets[i].device)) {
      const int code = xb_finish_stdout(exit_code);
      fflush(NULL);
      _exit(code);
    }
  return xb_close_targets(targets, count);
}
