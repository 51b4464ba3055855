#include "commands/devices.h"

#include "commands/names.h"
#include "exit_codes.h"
#include "report/format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool contains_ignoring_case(const char *text, const char *part)
{
  const size_t n = strlen(part);
  for (; *text; text++)
    if (!strncasecmp(text, part, n))
      return true;
  return false;
}

/* Hex digits alone, so that dashes and the vendor's "GPU-" do not matter. */
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

static bool is_index(const char *selector)
{
  return *selector && strlen(selector) < 4 && strspn(selector, "0123456789") == strlen(selector);
}

static bool matches(const xb_device_info *info, const char *selector)
{
  if (is_index(selector))
    return info->index == (uint32_t)atoi(selector);
  char uuid[40], hex[40], typed[40];
  xb_format_uuid(info, uuid);
  hex_digits(uuid, hex, sizeof hex);
  hex_digits(selector, typed, sizeof typed);
  if (strlen(typed) >= 8 && strspn(typed, "0123456789abcdef") == strlen(typed) && !strncmp(hex, typed, strlen(typed)))
    return true;
  return contains_ignoring_case(info->name, selector);
}

static int complain_of_device(const char *selector, const xb_device_info *infos, uint32_t count, size_t found)
{
  const char *names[XB_MAX_DEVICES];
  char all[512];
  for (uint32_t i = 0; i < count; i++)
    names[i] = infos[i].name;
  xb_join(names, count, all, sizeof all);
  if (found)
    return xb_complain(XB_EXIT_USAGE, "--device: '%s' means %zu devices; name one by its index or UUID: %s", selector,
                       found, all);
  const char *near = xb_nearest(selector, names, count);
  return xb_complain(XB_EXIT_UNAVAILABLE, "--device: there is no '%s'%s%s%s; there %s %s (indices from 0)", selector,
                     near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "", count == 1 ? "is" : "are",
                     all);
}

static int choose(const char *selector, const xb_device_info *infos, uint32_t count, uint32_t *chosen)
{
  size_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    /* With no selector, the fastest kind: discrete, integrated, anything, CPU. */
    static const int rank[] = {
        [XB_DEVICE_CPU] = 0, [XB_DEVICE_OTHER] = 1, [XB_DEVICE_INTEGRATED] = 2, [XB_DEVICE_DISCRETE] = 3};
    const bool better = !selector && (!found || rank[infos[i].type] > rank[infos[*chosen].type]);
    if (better || (selector && matches(&infos[i], selector))) {
      *chosen = i;
      found++;
    }
  }
  return found == 1 || (found && !selector) ? -1 : complain_of_device(selector, infos, count, found);
}

static int open_target(const xb_options *o, const xb_backend *backend, xb_target *target)
{
  static xb_device_info infos[XB_MAX_DEVICES];
  uint32_t count = 0, chosen = 0;
  xb_error error;
  xb_code code = xb_enumerate(backend, infos, XB_MAX_DEVICES, &count, &error);
  if (code)
    return xb_complain(xb_exit_code(code), "%s", error.message);
  if (count > XB_MAX_DEVICES)
    count = XB_MAX_DEVICES;
  const int exit_code = choose(o->device, infos, count, &chosen);
  if (exit_code >= 0)
    return exit_code;
  code = xb_device_open(&(xb_device_desc){.backend = backend, .index = infos[chosen].index}, &target->device, &error);
  return code ? xb_complain(xb_exit_code(code), "%s", error.message) : -1;
}

int xb_open_targets(const xb_options *o, xb_target targets[XB_MAX_TARGETS], size_t *count)
{
  const bool all = !o->backend || !strcmp(o->backend, "all");
  *count = 0;
  for (size_t i = 0; xb_backend_at(i) && *count < XB_MAX_TARGETS; i++) {
    const xb_backend *backend = xb_backend_at(i);
    if (!all && strcmp(o->backend, xb_backend_name(backend)) != 0)
      continue;
    const int code = open_target(o, backend, &targets[*count]);
    if (code >= 0)
      return code;
    (*count)++;
  }
  return -1;
}

bool xb_close_targets(xb_target *targets, size_t count)
{
  bool silent = true;
  for (size_t i = 0; i < count; i++) {
    xb_error error;
    if (!xb_device_close(targets[i].device, &error))
      continue;
    xb_complain(XB_EXIT_DEVICE, "%s", error.message);
    silent = false;
  }
  return silent;
}
