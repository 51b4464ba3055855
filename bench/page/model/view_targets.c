/* Names, colours and limits of targets. */
#include "page/model/view.h"

#include "judge/judge.h"
#include "xb/backend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KNOWN = 4 }; /* slots of known launch modes; rare ones share the last */
static const struct {
  const char *launch_mode, *name;
  int slot;
} modes[] = {{"graph", " graph", 0},
             {"stream", " stream as launched", 1},
             {"command_buffer", "", 2},
             {"held_stream", " held stream", 3}};

/* True if the page also has such a device with another queue family. */
static bool has_other_family(const xb_view *view, const xb_result_device *device)
{
  for (size_t i = 0; i < view->target_count && device->queue_family >= 0; i++) {
    const xb_result_device *d = view->targets[i].device;
    if (d->queue_family >= 0 && d->queue_family != device->queue_family && !strcmp(d->backend, device->backend) &&
        !strcmp(d->name, device->name))
      return true;
  }
  return false;
}

/* "through vkd3d", of "through vkd3d 2.1 over Vulkan 1.4.305": an API that runs over another one is named with it. */
static int runtime_length(const xb_result_device *d)
{
  const char *p = d->api_version && !strncmp(d->api_version, "through ", 8) ? strchr(d->api_version, ' ') : NULL;
  return p ? (int)(p + 1 + strcspn(p + 1, " ") - d->api_version) : 0;
}

static void name_target(const xb_view *view, xb_view_target *t)
{
  const xb_result_device *d = t->device;
  const xb_backend *api = xb_backend_find(d->backend);
  const int over = runtime_length(d);
  if (xb_emulates_shaders(d))
    snprintf(t->name, sizeof t->name, "HLSL on %.16s, waves of %" PRIu64 ", emulated", d->backend, d->subgroup_size);
  else if (d->emulates)
    snprintf(t->name, sizeof t->name, "%.16s on %.16s, emulated", d->emulates, d->backend);
  else
    snprintf(t->name, sizeof t->name, "%s %s", d->backend, d->launch_mode ? d->launch_mode : "");
  t->slot = KNOWN;
  for (size_t k = 0; !d->emulates && api && api->about.title && k < sizeof modes / sizeof modes[0]; k++)
    if (xb_same_text(modes[k].launch_mode, d->launch_mode)) {
      t->slot = over ? KNOWN - 1 : modes[k].slot;
      snprintf(t->name, sizeof t->name, "%s%s%s%.*s", api->about.title, modes[k].name, over ? " " : "",
               over < 32 ? over : 32, over ? d->api_version : "");
    }
  size_t length = strlen(t->name);
  if (!d->emulates && has_other_family(view, d))
    snprintf(t->name + length, sizeof t->name - length, ", family %" PRId64, d->queue_family);
  length = strlen(t->name);
  for (const xb_view_target *other = t->file->targets; other < t; other++)
    if (!strcmp(other->name, t->name))
      snprintf(t->name + length, sizeof t->name - length, ", device %td", t - t->file->targets + 1);
}

/* The first target before `t` with this slot or, if it is -1, with the name of `t`. */
static const xb_view_target *find_before(const xb_view *view, const xb_view_target *t, int slot)
{
  for (const xb_view_target *other = view->targets; other < t; other++)
    if (slot < 0 ? !strcmp(other->name, t->name) : other->slot == slot)
      return other;
  return NULL;
}

/* Each known launch mode has a slot. Unknown APIs, other families, and a second device of an API take the next free
 * one.
 */
static void choose_slot(const xb_view *view, xb_view_target *t)
{
  const xb_view_target *same = find_before(view, t, -1);
  if (same)
    t->slot = same->slot;
  else if (t->slot == KNOWN || find_before(view, t, t->slot))
    for (t->slot = KNOWN; t->slot < XB_VIEW_SLOTS - 1 && find_before(view, t, t->slot); t->slot++)
      ;
}

/* If one API does not report a limit, another API may report it for the same device. */
static void find_limits(xb_view_target *t)
{
  const xb_document *document = t->file->document;
  t->peak = t->cache = NAN;
  for (size_t i = 0; i < document->device_count; i++) {
    const xb_result_device *d = &document->devices[i];
    if (d != t->device && (!d->uuid || !xb_same_text(d->uuid, t->device->uuid)))
      continue;
    if (d->memory_clock_khz && d->memory_bus_bits)
      t->peak = xb_peak_gbps(d->memory_clock_khz, d->memory_bus_bits);
    if (d->cache_bytes)
      t->cache = (double)d->cache_bytes;
  }
}

bool xb_view_find_targets(xb_view *view)
{
  size_t count = 0;
  for (size_t f = 0; f < view->file_count; f++)
    count += view->files[f].document->device_count;
  view->targets = xb_arena_take(&view->arena, count, sizeof *view->targets);
  for (size_t f = 0; f < view->file_count && view->targets; f++) {
    xb_view_file *file = &view->files[f];
    file->targets = view->targets + view->target_count;
    for (size_t i = 0; i < file->document->device_count; i++)
      view->targets[view->target_count++] = (xb_view_target){.file = file, .device = &file->document->devices[i]};
  }
  for (xb_view_target *t = view->targets; t < view->targets + view->target_count; t++) {
    name_target(view, t);
    find_limits(t);
    choose_slot(view, t);
  }
  return view->targets;
}
