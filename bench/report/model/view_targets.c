/* Names, colours and limits of targets. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/grow.h"
#include "judge/judge.h"
#include "report/model/view.h"
#include "xb/backend.h"

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

/* Ratios: the file's comparisons or, if it has none, ratios between the APIs, computed from the file's samples. */

static const xb_view_target *find_target(const xb_view_file *file, const xb_side *t)
{
  for (size_t i = 0; i < file->document->device_count; i++) {
    const xb_result_device *d = &file->document->devices[i];
    if (xb_same_text(d->uuid, t->device) && !strcmp(d->backend, t->backend) &&
        (!d->launch_mode || xb_same_text(d->launch_mode, t->launch_mode)) &&
        (!d->one_of_families || t->queue_family < 0 || t->queue_family == d->queue_family))
      return &file->targets[i];
  }
  return NULL;
}

/* The variant that all of the mean's ratios have on that side; NULL if they differ. */
static const char *common_variant(const xb_view_mean *mean, bool base)
{
  const xb_view_file *file = mean->subject->file;
  const char *common = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!xb_ratio_of_mean(r, mean))
      continue;
    const char *variant = base ? r->base->variant : r->subject->variant;
    if (common && strcmp(common, variant) != 0)
      return NULL;
    common = variant;
  }
  return common;
}

bool xb_ratio_of_mean(const xb_comparison *ratio, const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  return ratio->base && !strcmp(ratio->subject->benchmark, mean->of->benchmark) &&
         xb_view_target_of(file, ratio->subject) == mean->subject && xb_view_target_of(file, ratio->base) == mean->base;
}

static bool take_means(xb_view *view, const xb_view_file *file, const xb_mean *means, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    xb_view_mean mean = {&means[i], find_target(file, &means[i].subject), find_target(file, &means[i].base), NULL,
                         NULL};
    if (!mean.subject || !mean.base || !(means[i].ratio > 0))
      continue;
    mean.subject_variant = common_variant(&mean, false);
    mean.base_variant = common_variant(&mean, true);
    if (!xb_grow(&view->means, &view->mean_capacity, view->mean_count, sizeof mean))
      return false;
    view->means[view->mean_count++] = mean;
  }
  return true;
}

/* ---- From samples ----------------------------------------------------------------------------------------------- */

static bool same_but_target(const xb_result *a, const xb_result *b)
{
  return xb_same_size(a, b) && !xb_compare_at(a, b) && !strcmp(a->variant, b->variant) &&
         xb_same_text(a->conditions.clock, b->conditions.clock) && a->work.block == b->work.block &&
         xb_same_text(a->conditions.loop, b->conditions.loop);
}

/* Copies the cells that match cells[i] on other targets. The first target that has a time is the base. */
static size_t gather(const xb_view_file *file, size_t i, bool *taken, xb_result *group)
{
  const xb_result_device *base = NULL;
  size_t count = 0;
  for (size_t k = i; k < file->cell_count && xb_same_size(file->cells[i], file->cells[k]); k++) {
    const xb_result *r = file->cells[k];
    if (taken[k] || !same_but_target(file->cells[i], r))
      continue;
    taken[k] = true;
    if (r->outcome != XB_CELL_OK || r->check.counterpart)
      continue;
    base = base ? base : r->on;
    group[count] = *r;
    group[count++].is_base = r->on == base;
  }
  return count;
}

/* Computes the ratio of each cell to the same cell on the first target that has it. */
static bool compute_ratios(xb_view *view, xb_view_file *file)
{
  const int64_t seed = file->document->sampling.seed;
  bool *taken = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *taken);
  xb_result *group = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *group);
  xb_comparison *ratios = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *ratios);
  bool good = taken && group && ratios;
  for (size_t i = 0, count, compared; i < file->cell_count && good; i++, group += count) {
    const xb_comparison *found = NULL;
    xb_error error;
    count = gather(file, i, taken, group);
    good = !xb_compare_results(group, count, 0, -1, seed > 0 ? (uint64_t)seed : 1, &file->arena, &found, &compared,
                               &file->computed_means, &error);
    for (size_t k = 0; k < compared && good; k++)
      if (found[k].verdict)
        ratios[file->ratio_count++] = found[k];
  }
  file->ratios = ratios;
  xb_means_finish(&file->computed_means);
  return good && take_means(view, file, file->computed_means.means, file->computed_means.count);
}

bool xb_view_find_ratios(xb_view *view, xb_view_file *file)
{
  const xb_document *document = file->document;
  file->computed = !document->comparison_count;
  if (file->computed)
    return compute_ratios(view, file);
  file->ratios = document->comparisons;
  file->ratio_count = document->comparison_count;
  return take_means(view, file, document->means, document->mean_count);
}
