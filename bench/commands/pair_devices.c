/* On which devices the sides of a pair run. Where CUDA is emulated, shaders run, too: with waves of several widths
 * (--wave), each on a device of its own. */
#include "commands/pair_command.h"
#include "show/languages.h"

#include <stdio.h>
#include <string.h>

/* The same device of CUDA's emulation, opened for shaders, with the first of the waves that are asked for; NULL: it
 * cannot be. It is opened once; later calls give what is known of it. */
static const xb_device_info *shaders_on(xb_pair_command *c, const xb_device_info *listed)
{
  const uint32_t waves = c->in->options.devices.waves, usual = 32;
  const xb_device_desc desc = {
      .backend = xb_backend_find(listed->backend), .index = listed->index, .wave = waves ? waves & (0 - waves) : usual};
  xb_device *device;
  if (c->shaders.shader_waves == desc.wave)
    return &c->shaders;
  if (xb_device_open(&desc, &device, NULL))
    return NULL;
  c->shaders = *xb_device_get_info(device);
  xb_device_close(device, NULL);
  return &c->shaders;
}

bool xb_pair_is_for_shaders(const xb_device_info *info)
{
  return info->emulates && info->shader_waves == info->subgroup_size;
}

/* The device that emulates one for the side's shaders; NULL: there is none. */
static const xb_device_info *shader_device_of(xb_pair_command *c, const xb_gpu *gpu, const xb_pair_side *side)
{
  for (size_t i = 0; i < XB_MAX_BACKENDS; i++) {
    const xb_device_info *listed = gpu->by_backend[i];
    const bool runs =
        listed && listed->shader_waves && xb_backend_wanted(&c->in->options.devices, xb_backend_find(listed->backend));
    const xb_device_info *info = runs ? shaders_on(c, listed) : NULL;
    if (info && !strcmp(info->code, side->format))
      return info;
  }
  return NULL;
}

/* What is checked runs where it can be watched. */
const xb_device_info *xb_pair_device_of(xb_pair_command *c, const xb_gpu *gpu, const xb_pair_side *side)
{
  const xb_device_info *watched = c->in->options.checks ? shader_device_of(c, gpu, side) : NULL;
  for (size_t i = 0; i < XB_MAX_BACKENDS && !watched; i++) {
    const xb_device_info *info = gpu->by_backend[i];
    if (info && !strcmp(info->code, side->format) &&
        xb_backend_wanted(&c->in->options.devices, xb_backend_find(info->backend)))
      return info;
  }
  return watched ? watched : shader_device_of(c, gpu, side);
}

/* The device that emulates the API which runs this side's code; NULL if there is none, or if it is no source. */
const xb_device_info *xb_pair_emulator_of(xb_pair_command *c, const xb_gpu *gpu, const xb_pair_side *side)
{
  const xb_language *l = xb_languages;
  while (l->backend && strcmp(l->code, side->format) != 0)
    l++;
  for (size_t i = 0; i < XB_MAX_BACKENDS && l->backend; i++) {
    const xb_device_info *info = gpu->by_backend[i];
    if (info && info->emulates && !strcmp(info->emulates, l->backend) && xb_pair_is_source(side->source.path) &&
        xb_backend_wanted(&c->in->options.devices, xb_backend_find(info->backend)))
      return info;
  }
  return NULL;
}

/* Sides that run where shaders are emulated get columns of their own there, and CUDA's only one if it has a side. */
void xb_pair_choose_waves(xb_pair_command *c, const xb_gpu *gpu, xb_device_choice *on)
{
  bool cuda = false;
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const xb_device_info *info = xb_pair_device_of(c, gpu, &c->pair.sides[i]);
    on->waves |= xb_pair_is_for_shaders(info) && !on->waves ? info->subgroup_size : 0;
    cuda |= info->emulates && !xb_pair_is_for_shaders(info);
  }
  on->shaders_only = !cuda;
}

/* The kernels of a benchmark that is measured beside the pair. */
static void compile_beside(const xb_variant *v, xb_dtype dtype, xb_device *device)
{
  const xb_device_info *info = xb_device_get_info(device);
  xb_case cell = {.variant = v,
                  .dtype = dtype,
                  .n = v->benchmark->default_n,
                  .rows = 1,
                  .columns = v->benchmark->default_n,
                  .window_bytes = info->max_binding_bytes,
                  .device = info};
  cell.block = xb_default_block(v, info, cell.n);
  xb_plan plan;
  xb_error ignored;
  if (!xb_has_dtype(v->benchmark, dtype) || xb_plan_make(&cell, &plan, &ignored))
    return;
  for (uint32_t k = 0; k < plan.kernel_count; k++) {
    xb_kernel *kernel = NULL;
    xb_create_embedded(&cell, &plan.kernels[k], device, &kernel, &ignored);
    xb_kernel_destroy(kernel);
  }
  xb_plan_free(&plan);
}

/* A device that compiles by itself does so before this process may start no other program. */
void xb_pair_compile_devices(xb_pair_command *c, const xb_gpu *gpu)
{
  const xb_benchmark *b;
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const xb_device_info *info = xb_pair_device_of(c, gpu, &c->pair.sides[i]);
    const xb_device_desc desc = {.backend = xb_backend_find(info->backend),
                                 .wave = info->subgroup_size,
                                 .checks = c->in->options.devices.checks};
    xb_device *device;
    if (!xb_pair_is_for_shaders(info) || xb_device_open(&desc, &device, NULL))
      continue;
    xb_pair_compile_ahead(&c->pair.sides[i], device);
    for (size_t k = 0; (b = xb_benchmark_at(k)); k++)
      for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
        for (xb_dtype dtype = 0; (v->floor || v->ceiling) && dtype < XB_DTYPES; dtype++)
          if (v->ceiling || dtype == XB_FLOAT32)
            compile_beside(v, dtype, device);
    xb_device_close(device, NULL);
  }
}

/* "vulkan,d3d12": those that a side runs on. */
const char *xb_pair_backends(xb_pair_command *c, const xb_gpu *gpu)
{
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const char *name = xb_pair_device_of(c, gpu, &c->pair.sides[i])->backend;
    const size_t at = strlen(c->backends);
    if (!strstr(c->backends, name))
      snprintf(c->backends + at, sizeof c->backends - at, "%s%s", at ? "," : "", name);
  }
  return c->backends;
}
