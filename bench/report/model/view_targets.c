/* Names, colours and limits of targets. */
#include "report/model/view.h"

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

/* True if the report also has such a device with another queue family. */
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

static void name_api(const xb_view *view, xb_view_target *t)
{
  const xb_result_device *d = t->device;
  const xb_backend *api = xb_backend_find(d->backend);
  const int over = runtime_length(d);
  if (xb_emulates_shaders(d))
    snprintf(t->api, sizeof t->api, "HLSL on %.16s, waves of %" PRIu64 ", emulated", d->backend, d->subgroup_size);
  else if (d->emulates)
    snprintf(t->api, sizeof t->api, "%.16s on %.16s, emulated", d->emulates, d->backend);
  else
    snprintf(t->api, sizeof t->api, "%s %s", d->backend, d->launch_mode ? d->launch_mode : "");
  t->slot = KNOWN;
  for (size_t k = 0; !d->emulates && api && api->about.title && k < sizeof modes / sizeof modes[0]; k++)
    if (xb_same_text(modes[k].launch_mode, d->launch_mode)) {
      t->slot = over ? KNOWN - 1 : modes[k].slot;
      snprintf(t->api, sizeof t->api, "%s%s%s%.*s", api->about.title, modes[k].name, over ? " " : "",
               over < 32 ? over : 32, over ? d->api_version : "");
    }
  const size_t length = strlen(t->api);
  if (!d->emulates && has_other_family(view, d))
    snprintf(t->api + length, sizeof t->api - length, ", family %" PRId64, d->queue_family);
}

/* "H100 80GB HBM3" of "NVIDIA H100 80GB HBM3", "llvmpipe" of "llvmpipe (LLVM 15.0.6, 256 bits)". */
static void name_model(const xb_view *view, xb_view_target *t)
{
  static const char *const vendors[] = {"NVIDIA ", "AMD ", "Intel(R) "};
  const char *model = t->device->name;
  bool several = false;
  for (const xb_view_target *other = view->targets; other && other < view->targets + view->target_count; other++)
    several |= !other->device->emulates && strcmp(other->device->name, t->device->name) != 0;
  for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
    if (!strncmp(model, vendors[i], strlen(vendors[i])))
      model += strlen(vendors[i]);
  const char *end = strstr(model, " (");
  if (several && !t->device->emulates)
    snprintf(t->model, sizeof t->model, "%.*s", end ? (int)(end - model) : (int)sizeof t->model - 1, model);
}

static bool same_gpu(const xb_view_target *a, const xb_view_target *b)
{
  return a->device->uuid ? xb_same_text(a->device->uuid, b->device->uuid) : a == b;
}

/* If the file has several GPUs through one API, each has a number, the same through all APIs (without UUIDs: its own
 * through each). It is a part of the name if another one is of the same model. */
static void number_device(xb_view_target *t)
{
  const xb_view_target *first = t->file->targets, *end = first + t->file->document->device_count;
  bool several = false, same_model = false;
  for (const xb_view_target *other = first; other < end; other++)
    if (!strcmp(other->api, t->api) && !same_gpu(t, other)) {
      several = true;
      same_model |= !strcmp(other->device->name, t->device->name);
    }
  for (const xb_view_target *gpu = first; several && !same_gpu(t, gpu); gpu++) {
    bool counts = t->device->uuid || !strcmp(gpu->api, t->api);
    for (const xb_view_target *before = first; before < gpu; before++)
      counts = counts && !same_gpu(gpu, before);
    t->nth += counts;
  }
  t->nth += several;
  snprintf(t->name, sizeof t->name, "%s%s%s", t->api, *t->model ? ", " : "", t->model);
  const size_t length = strlen(t->name);
  if (same_model)
    snprintf(t->name + length, sizeof t->name - length, ", device %zu", t->nth);
}

/* The first target before `t` with this slot or, if it is -1, with the slot that `t` is to have. */
static const xb_view_target *find_before(const xb_view *view, const xb_view_target *t, int slot)
{
  for (const xb_view_target *other = view->targets; other < t; other++)
    if (slot < 0 ? !strcmp(other->api, t->api) && other->nth == t->nth : other->slot == slot)
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
  xb_view_target *const end = view->targets + view->target_count;
  for (xb_view_target *t = view->targets; t < end; t++)
    name_api(view, t);
  for (xb_view_target *t = view->targets; t < end; t++) {
    name_model(view, t);
    number_device(t);
    find_limits(t);
    choose_slot(view, t);
  }
  return view->targets;
}
