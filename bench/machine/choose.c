#include "machine/choose.h"

#include "base/exit_codes.h"
#include "base/value_text.h"
#include "base/word_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

bool xb_backend_wanted(const xb_device_choice *on, const xb_backend *backend)
{
  const char *name = xb_backend_name(backend);
  const size_t length = strlen(name);
  for (const char *p = on->backend ? on->backend : "all"; *p; p += strcspn(p, ","), p += *p == ',')
    if (!strcmp(p, "all") || (strcspn(p, ",") == length && !strncmp(p, name, length)))
      return true;
  return false;
}

bool xb_gpu_wanted(const xb_device_choice *on, const xb_gpu *gpu)
{
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++)
    if (gpu->by_backend[b] && xb_backend_wanted(on, xb_backend_at(b)))
      return true;
  return false;
}

static int complain_of_device(const xb_inventory *inventory, const xb_device_choice *on, size_t found)
{
  const char *names[XB_MAX_BACKENDS * XB_MAX_DEVICES] = {0};
  const char *option = on->device == on->against_device ? "--against" : "--device";
  char all[512];
  size_t count = 0;
  for (size_t i = 0; i < inventory->gpu_count; i++)
    if (xb_gpu_wanted(on, &inventory->gpus[i]))
      names[count++] = inventory->gpus[i].any->name;
  xb_join(names, count, all, sizeof all);
  if (found)
    return xb_report_error(XB_EXIT_USAGE,
                           "%s: '%s' matches %zu devices; name one by its index or UUID from 'xbench list devices': %s",
                           option, on->device, found, all);
  const char *near = xb_nearest(on->device, names, count);
  return xb_report_error(XB_EXIT_UNAVAILABLE, "%s: unknown device '%s'%s%s%s; available %s %s ('xbench list devices')",
                         option, on->device, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "",
                         count == 1 ? "is" : "are", all);
}

/* There is no device: reports the reason of each requested backend. */
static int complain_of_backends(const xb_inventory *inventory, const xb_device_choice *on)
{
  char reasons[1024] = "";
  size_t at = 0;
  xb_code code = XB_UNAVAILABLE;
  for (size_t b = 0; b < inventory->backend_count; b++) {
    if (!inventory->code[b] || !xb_backend_wanted(on, xb_backend_at(b)))
      continue;
    code = inventory->code[b];
    const int n = snprintf(reasons + at, sizeof reasons - at, "%s%s", at ? "; " : "", inventory->error[b].message);
    at = n > 0 && at + (size_t)n < sizeof reasons ? at + (size_t)n : sizeof reasons - 1;
  }
  return xb_report_error(xb_exit_code(code), "%s", *reasons ? reasons : "no device found");
}

int xb_choose_gpu(const xb_inventory *inventory, const xb_device_choice *on, const xb_gpu **chosen)
{
  /* Without a selector, choose the fastest type: discrete, integrated, other, CPU. */
  static const int rank[] = {
      [XB_DEVICE_CPU] = 0, [XB_DEVICE_OTHER] = 1, [XB_DEVICE_INTEGRATED] = 2, [XB_DEVICE_DISCRETE] = 3};
  size_t found = 0, reachable = 0;
  *chosen = NULL;
  for (size_t i = 0; i < inventory->gpu_count; i++) {
    const xb_gpu *gpu = &inventory->gpus[i];
    if (!xb_gpu_wanted(on, gpu))
      continue;
    reachable++;
    const bool better = !on->device && (!*chosen || rank[gpu->any->type] > rank[(*chosen)->any->type]);
    if (better || (on->device && matches(gpu->any, i, on->device))) {
      *chosen = gpu;
      found++;
    }
  }
  if (!reachable)
    return complain_of_backends(inventory, on);
  return found == 1 || (found && !on->device) ? -1 : complain_of_device(inventory, on, found);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

enum { WAVES = 6 };
enum { MAX_WAYS = XB_MAX_LAUNCH_MODES + XB_MAX_QUEUE_FAMILIES + WAVES }; /* an API supports one of these choices */

/* The requested ways to run that the API supports. If there are none, its default. */
static size_t choose_ways(const xb_device_choice *on, const xb_backend *backend, const xb_device_info *info,
                          xb_device_desc ways[MAX_WAYS])
{
  const xb_device_desc own = {.backend = backend, .index = info->index, .checks = on->checks};
  size_t count = 0;
  for (size_t i = 0; i < on->launch_mode_count; i++)
    if (info->launch_modes >> on->launch_modes[i] & 1) {
      ways[count] = own;
      ways[count++].launch_mode = on->launch_modes[i];
    }
  uint32_t families[XB_MAX_QUEUE_FAMILIES] = {info->queues[XB_QUEUE_COMPUTE].family};
  size_t family_count = on->all_queue_families;
  for (uint32_t i = 0; i < 32 && on->all_queue_families && family_count < XB_MAX_QUEUE_FAMILIES; i++)
    if (info->compute_families >> i & 1 && i != families[0])
      families[family_count++] = i;
  for (size_t i = 0; i < on->queue_family_count; i++)
    families[family_count++] = on->queue_families[i];
  for (size_t i = 0; i < family_count && info->compute_families; i++) {
    ways[count] = own;
    ways[count].choose_queue_family = true;
    ways[count++].queue_family = families[i];
  }
  if (!count && !(info->shader_waves & on->waves && on->shaders_only))
    ways[count++] = own;
  for (uint32_t left = info->shader_waves & on->waves; left; left &= left - 1) {
    ways[count] = own;
    ways[count++].wave = left & (0 - left);
  }
  return count;
}

static int open_gpu(const xb_inventory *inventory, const xb_device_choice *on, const xb_gpu *gpu, xb_target *targets,
                    size_t *count)
{
  int code = -1;
  for (size_t b = 0; b < inventory->backend_count && code < 0; b++) {
    const xb_backend *backend = xb_backend_at(b);
    if (!gpu->by_backend[b] || !xb_backend_wanted(on, backend) || (on->emulated_only && !gpu->by_backend[b]->emulates))
      continue;
    xb_device_desc ways[MAX_WAYS];
    const size_t way_count = choose_ways(on, backend, gpu->by_backend[b], ways);
    for (size_t w = 0; w < way_count && code < 0; w++) {
      ways[w].compute_queues = ways[w].copy_queues = on->all_queues ? XB_ALL_QUEUES : 0;
      if (*count == XB_MAX_TARGETS)
        return xb_report_error(XB_EXIT_USAGE, "more than %d columns: choose fewer values of --launch or --queue-family",
                               XB_MAX_TARGETS);
      code = xb_open_target(&ways[w], gpu->by_backend[b], targets, &targets[*count]);
      *count += code < 0;
    }
  }
  return code;
}

/* Reports an option that no API of the run supports. */
static int check_choices(const xb_device_choice *on, const xb_target *targets, size_t count)
{
  if (!count && on->emulated_only)
    return xb_report_error(XB_EXIT_UNAVAILABLE,
                           "--check: none of the chosen APIs is emulated; it is for kernels in CUDA "
                           "C++ that run on the processor (--backend cpu)");
  bool has_wave = !on->waves, has_mode = !on->launch_mode_count,
       has_family = !on->queue_family_count && !on->all_queue_families;
  for (size_t t = 0; t < count; t++) {
    for (size_t m = 0; m < on->launch_mode_count; m++)
      has_mode |= targets[t].info.launch_mode == on->launch_modes[m];
    has_family |= targets[t].info.queue_family_chosen;
    has_wave |= targets[t].info.shader_waves != 0;
  }
  if (!has_wave)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "--wave: no API of this run emulates waves; --backend cpu does");
  if (has_mode && has_family)
    return -1;
  return xb_report_error(XB_EXIT_UNAVAILABLE, "%s: no API of this run supports this option; %s does",
                         has_mode ? "--queue-family" : "--launch", has_mode ? "Vulkan" : "CUDA");
}

/* Marks the baseline of a comparison of targets: all targets of the other device, or the first API. */
static int mark_base(const xb_device_choice *on, xb_target *targets, size_t count, size_t base_count)
{
  for (size_t t = 0; t < base_count; t++)
    targets[t].base = true;
  if (!on->first_is_base || base_count)
    return -1;
  targets[0].base = true;
  if (count > 1)
    return -1;
  return xb_report_error(XB_EXIT_UNAVAILABLE,
                         "compare: only %s reaches %s in this run: name a base, such as --against reduce/9 or "
                         "--against DEVICE",
                         targets[0].info.backend, targets[0].info.name);
}

/* The other device of a comparison. */
static int choose_against(const xb_inventory *inventory, const xb_device_choice *on, const xb_gpu *gpu,
                          const xb_gpu **other)
{
  xb_device_choice against = *on;
  against.device = on->against_device;
  const int code = xb_choose_gpu(inventory, &against, other);
  if (code >= 0 || *other != gpu)
    return code;
  return xb_report_error(XB_EXIT_USAGE,
                         "--against: '%s' is the device itself; to compare with a variant on this device, use "
                         "--against BENCHMARK/VARIANT",
                         on->against_device);
}

int xb_open_targets(const xb_device_choice *on, xb_target targets[XB_MAX_TARGETS], size_t *count)
{
  const xb_gpu *gpu, *other = NULL;
  xb_inventory *inventory = calloc(1, sizeof *inventory);
  *count = 0;
  if (!inventory)
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  xb_take_inventory(inventory);
  int code = xb_choose_gpu(inventory, on, &gpu);
  if (code < 0 && on->against_device)
    code = choose_against(inventory, on, gpu, &other);
  if (code < 0 && other)
    code = open_gpu(inventory, on, other, targets, count);
  const size_t base_count = *count;
  if (code < 0)
    code = open_gpu(inventory, on, gpu, targets, count);
  if (code < 0)
    code = check_choices(on, targets, *count);
  if (code < 0)
    code = mark_base(on, targets, *count, base_count);
  if (code >= 0) {
    xb_close_targets(targets, *count);
    *count = 0;
  }
  free(inventory);
  return code;
}
