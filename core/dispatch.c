/* Dispatches: what one takes must be what its kernel declares. */
#include "internal.h"

#include <inttypes.h>
#include <string.h>

static xb_code retain_kernel(xb_commands *c, xb_kernel *kernel)
{
  for (size_t i = 0; i < c->kernel_count; i++)
    if (c->kernels[i] == kernel)
      return XB_OK;
  if (!xb_grow(&c->kernels, &c->kernel_capacity, c->kernel_count, sizeof(xb_kernel *)))
    return xb_fail(&c->error, XB_NOMEM, c->label, "out of host memory");
  c->kernels[c->kernel_count++] = kernel;
  kernel->refs++;
  return XB_OK;
}

static xb_code check_texels(xb_commands *c, const char *by, uint32_t i, const xb_be_binding *be)
{
  const xb_device_info *info = &c->device->info;
  const bool storage = be->kind == XB_BINDING_STORAGE_TEXELS;
  const bool whole = be->channels == 1 || be->channels == 2 || be->channels == 4;
  const uint32_t texel = whole ? xb_texel_bytes(be->format) * be->channels : 0;
  if (!(storage ? info->storage_texels : info->max_texels))
    return xb_fail(&c->error, XB_UNSUPPORTED, by, "binding %u: %s has no %stexel buffers here: bind a storage buffer",
                   i, info->backend, storage ? "storage " : "");
  if (!texel || be->offset % info->texel_align || be->size % texel)
    return xb_fail(&c->error, XB_INVALID, by,
                   "binding %u: %" PRIu64 " bytes at %" PRIu64
                   " of format %d, channels %u: texels have 1, 2 or 4 numbers of 1, 2 or 4 bytes and begin at "
                   "a multiple of %" PRIu64,
                   i, be->size, be->offset, (int)be->format, be->channels, info->texel_align);
  if (be->size / texel > info->max_texels)
    return xb_fail(&c->error, XB_INVALID, by, "binding %u: %" PRIu64 " texels, this device allows %" PRIu64, i,
                   be->size / texel, info->max_texels);
  return XB_OK;
}

/* Limits of descriptors. Native commands use addresses, so these limits do not apply to them. */
static xb_code check_descriptors(xb_commands *c, const xb_dispatch *d, const xb_be_binding *be)
{
  const xb_device_info *info = &c->device->info;
  for (uint32_t i = 0; i < d->binding_count; i++) {
    const bool uniform = d->bindings[i].kind == XB_BINDING_UNIFORM;
    const uint64_t align = uniform ? info->uniform_align : info->binding_align;
    if (d->bindings[i].kind >= XB_BINDING_IMAGE)
      continue;
    if (d->bindings[i].kind == XB_BINDING_TEXELS || d->bindings[i].kind == XB_BINDING_STORAGE_TEXELS) {
      const xb_code code = check_texels(c, d->kernel->label, i, &be[i]);
      if (code)
        return code;
      continue;
    }
    const uint64_t most = uniform ? info->max_uniform_bytes : info->max_binding_bytes;
    if (align && be[i].offset % align)
      return xb_fail(&c->error, XB_INVALID, d->kernel->label,
                     "binding %u: offset %" PRIu64 " is not a multiple of %" PRIu64, i, be[i].offset, align);
    if (uniform && be[i].size < d->kernel->info.uniform_bytes[i])
      return xb_fail(&c->error, XB_INVALID, d->kernel->label,
                     "binding %u: %" PRIu64 " bytes, the code's uniform buffer has %u", i, be[i].size,
                     d->kernel->info.uniform_bytes[i]);
    if (be[i].size > most)
      return xb_fail(&c->error, XB_INVALID, d->kernel->label,
                     "binding %u: %" PRIu64 " bytes, this device allows %" PRIu64 " per %s", i, be[i].size, most,
                     uniform ? "uniform buffer" : "binding: split the work into windows");
  }
  return XB_OK;
}

static xb_binding_kind declared_kind(const xb_kernel_info *info, uint32_t i)
{
  return info->uniform_bindings >> i & 1         ? XB_BINDING_UNIFORM
         : info->texel_bindings >> i & 1         ? XB_BINDING_TEXELS
         : info->storage_texel_bindings >> i & 1 ? XB_BINDING_STORAGE_TEXELS
         : info->image_bindings >> i & 1         ? XB_BINDING_IMAGE
         : info->storage_image_bindings >> i & 1 ? XB_BINDING_STORAGE_IMAGE
         : info->sampler_bindings >> i & 1       ? XB_BINDING_SAMPLER
                                                 : XB_BINDING_BUFFER;
}

/* If the code declares what it has and can write, the bindings must agree: descriptors and hazard tracking rely on
 * them. */
static xb_code check_access(xb_commands *c, const xb_kernel *k, const xb_dispatch *d)
{
  static const char *const kinds[] = {
      "a storage buffer", "a uniform buffer", "a texel buffer", "a storage texel buffer",
      "an image",         "a storage image",  "a sampler",      "tiles"};
  for (uint32_t i = 0; k->info.access_known && i < d->binding_count; i++) {
    const bool read_only = k->info.read_only_bindings >> i & 1, unused = k->unused_bindings >> i & 1;
    const bool reads = d->bindings[i].access == XB_READ;
    const xb_binding_kind kind = d->bindings[i].kind, declared = declared_kind(&k->info, i);
    if (!unused && kind != declared)
      return xb_fail(&c->error, XB_INVALID, k->label, "binding %u is bound as %s, the code has %s", i, kinds[kind],
                     kinds[declared]);
    const uint32_t dimensions = k->info.line_bindings >> i & 1 ? 1 : k->info.volume_bindings >> i & 1 ? 3 : 2;
    const xb_image *image = d->bindings[i].image;
    if (!unused && kind == XB_BINDING_IMAGE && image && image->dimensions != dimensions)
      return xb_fail(&c->error, XB_INVALID, k->label, "binding %u: '%s' has %u dimensions, the code's image has %u", i,
                     image->label, image->dimensions, dimensions);
    if (unused || read_only == reads)
      continue;
    return xb_fail(&c->error, XB_INVALID, k->label,
                   reads ? "binding %u is declared as read, but the code can write it"
                         : "binding %u is declared as written, but the code can only read it",
                   i);
  }
  return XB_OK;
}

static xb_code check_dispatch(xb_commands *c, const xb_dispatch *d)
{
  const xb_kernel *k = d->kernel;
  if (c->queue >= XB_QUEUE_COPY)
    return xb_fail(&c->error, XB_INVALID, k->label, "a copy queue does not support dispatches");
  if (d->binding_count != k->binding_count)
    return xb_fail(&c->error, XB_INVALID, k->label, "%u bindings given, the kernel takes %u", d->binding_count,
                   k->binding_count);
  for (uint32_t i = 0; d->bindings && i < d->binding_count; i++)
    if ((d->bindings[i].kind == XB_BINDING_TILES) != (k->tile_bindings >> i & 1))
      return xb_fail(&c->error, XB_INVALID, k->label,
                     k->tile_bindings >> i & 1
                         ? "binding %u has no tiles, but bit %u of the kernel's tile_bindings is set"
                         : "binding %u has tiles, but bit %u of the kernel's tile_bindings is not set",
                     i, i);
  if (d->arg_bytes != k->arg_bytes || (d->arg_bytes && !d->args))
    return xb_fail(&c->error, XB_INVALID, k->label, "%u bytes of arguments given, the kernel takes %u",
                   d->args ? d->arg_bytes : 0, k->arg_bytes);
  return XB_OK;
}

static xb_code check_window(xb_commands *c, const xb_dispatch *d, const xb_be_binding *be)
{
  const xb_window *w = &d->window;
  if (!w->bytes)
    return XB_OK;
  if (w->bytes > c->device->info.window_bytes)
    return xb_fail(&c->error, XB_UNSUPPORTED, d->kernel->label,
                   "a window of %" PRIu64 " bytes: '%s' allows %" PRIu64 " through %s", w->bytes, c->device->info.name,
                   c->device->info.window_bytes, c->device->info.backend);
  if (w->binding >= d->binding_count || w->offset > be[w->binding].size || w->bytes > be[w->binding].size - w->offset)
    return xb_fail(&c->error, XB_INVALID, d->kernel->label, "the window is not inside a binding");
  if (!(w->hit_ratio >= 0 && w->hit_ratio <= 1))
    return xb_fail(&c->error, XB_INVALID, d->kernel->label, "the window's hit ratio is %g, expected 0 to 1",
                   (double)w->hit_ratio);
  return XB_OK;
}

static xb_code check_early(xb_commands *c, const xb_dispatch *d)
{
  if (!d->early || c->device->info.features & XB_FEATURE_EARLY_START)
    return XB_OK;
  return xb_fail(&c->error, XB_UNSUPPORTED, d->kernel->label,
                 "'%s' cannot start a dispatch before the previous one ends, through %s", c->device->info.name,
                 c->device->info.backend);
}

static xb_code check_groups(xb_commands *c, const xb_dispatch *d)
{
  for (int i = 0; i < 3; i++)
    if (!d->groups[i] || d->groups[i] > c->device->info.max_groups[i])
      return xb_fail(&c->error, XB_INVALID, d->kernel->label, "%u groups in dimension %d, this device allows 1 to %u",
                     d->groups[i], i, c->device->info.max_groups[i]);
  return XB_OK;
}

/* The group counts of an indirect dispatch. */
static xb_code check_indirect(xb_commands *c, const char *by, xb_buffer *groups, uint64_t offset, xb_be_binding *be,
                              xb_touch *touch)
{
  const uint64_t bytes = 3 * XB_WORD;
  if (!(c->device->info.features & XB_FEATURE_INDIRECT))
    return xb_fail(
        &c->error, XB_UNSUPPORTED, by,
        "%s has no indirect dispatch: read the counts back and dispatch as many groups, or dispatch the maximum "
        "and let the kernel read the counts",
        c->device->info.backend);
  const xb_code code = xb_check_range(c, by, "group counts", groups, offset, bytes, XB_WORD);
  if (code)
    return code;
  *be = (xb_be_binding){.buffer = groups->be, .offset = offset, .size = bytes};
  *touch = (xb_touch){
      .object = groups, .label = groups->label, .begin = offset, .end = offset + bytes, .access = XB_READ, .by = by};
  return xb_retain_buffer(c, groups);
}

/* The group counts are in the description or, if `indirect`, in `groups`. */
static void dispatch(xb_commands *c, const char *where, const xb_dispatch *d, bool indirect, xb_buffer *groups,
                     uint64_t offset)
{
  if (!xb_recording(c, where))
    return;
  if (!d || !d->kernel || d->kernel->device != c->device) {
    xb_fail(&c->error, XB_INVALID, where, "no kernel of this device given");
    return;
  }
  xb_be_binding be[XB_MAX_BINDINGS], counts;
  xb_touch touches[XB_MAX_BINDINGS + 1];
  if (check_dispatch(c, d) || (!indirect && check_groups(c, d)) ||
      (indirect && check_indirect(c, d->kernel->label, groups, offset, &counts, &touches[d->binding_count])) ||
      xb_check_bindings(c, d->kernel->label, d->bindings, d->binding_count, indirect, be, touches) ||
      check_descriptors(c, d, be) || check_window(c, d, be) || check_early(c, d) || check_access(c, d->kernel, d) ||
      retain_kernel(c, d->kernel))
    return;
  xb_be_dispatch full = {
      .kernel = d->kernel->be,
      .bindings = be,
      .binding_count = d->binding_count,
      .args = d->args,
      .arg_bytes = d->arg_bytes,
      .window = d->window,
      .uses = c->uses,
      .use_count = c->use_count,
      .early = d->early,
  };
  c->use_count = 0;
  const xb_backend *backend = c->device->backend;
  if (indirect) {
    xb_stick(c, backend->cmd_dispatch_indirect(c->be, &full, &counts, &c->error));
    return;
  }
  memcpy(full.groups, d->groups, sizeof full.groups);
  xb_stick(c, backend->cmd_dispatch(c->be, &full, &c->error));
}

void xb_cmd_dispatch(xb_commands *c, const xb_dispatch *d)
{
  dispatch(c, "xb_cmd_dispatch", d, false, NULL, 0);
}

void xb_cmd_dispatch_indirect(xb_commands *c, const xb_dispatch *d, xb_buffer *groups, uint64_t offset)
{
  dispatch(c, "xb_cmd_dispatch_indirect", d, true, groups, offset);
}
