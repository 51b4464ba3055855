/* The sides of a pair: which of them can run, their code, what checks them, and what they do not use. */
#include "commands/pair_command.h"

#include <string.h>

/* Code whose API is not here may run where that is emulated. */
static void emulate_sides(xb_pair_command *c, const xb_gpu *gpu)
{
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const bool runs_here = xb_pair_device_of(c, gpu, &c->pair.sides[i]) && !c->in->options.checks;
    const xb_device_info *info = runs_here ? NULL : xb_pair_emulator_of(c, gpu, &c->pair.sides[i]);
    if (info)
      xb_pair_emulate(&c->pair.sides[i], info);
  }
}

/* True if the source can run on some API. */
static bool runs(xb_pair_command *c, const xb_gpu *gpu, uint32_t source)
{
  for (uint32_t i = 0; i < c->pair.side_count; i++)
    if (c->pair.sides[i].of == source && xb_pair_device_of(c, gpu, &c->pair.sides[i]))
      return true;
  return false;
}

int xb_pair_compile_sides(xb_pair_command *c, const xb_gpu *gpu)
{
  uint32_t kept = 0;
  xb_error error;
  xb_pair_add_d3d12(&c->pair);
  emulate_sides(c, gpu);
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const xb_device_info *info = xb_pair_device_of(c, gpu, &c->pair.sides[i]);
    const bool for_d3d12 = c->pair.sides[i].source.for_d3d12;
    if (!info && !for_d3d12 && !runs(c, gpu, c->pair.sides[i].of)) {
      xb_report_error(0, "%s: skipped: no chosen API runs it on %s", c->pair.sides[i].source.path, gpu->any->name);
      c->left_out = true;
    }
    if (!info)
      continue;
    if (xb_pair_is_for_shaders(info))
      c->pair.sides[i].source.checks = xb_checks_in_code();
    const xb_code code = xb_pair_compile_side(&c->pair, &c->pair.sides[i], info->compute_capability, &error);
    c->pair.sides[i].refused = code == XB_UNSUPPORTED ? error : (xb_error){0}; /* the run says so at its place */
    c->left_out |= code == XB_UNSUPPORTED;
    if (code && code != XB_UNSUPPORTED && !(for_d3d12 && kept))
      return xb_report_refusal(code, &error);
    if (code && code != XB_UNSUPPORTED)
      xb_report_error(0, "%s; skipped on Direct3D 12", error.message);
    else
      c->pair.sides[kept++] = c->pair.sides[i];
  }
  c->pair.side_count = kept;
  return kept ? -1 : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: none of the sources can run on %s", gpu->any->name);
}

static bool has_reference(xb_pair_command *c)
{
  bool files = c->pair.buffer_count;
  for (uint32_t i = 0; i < c->pair.buffer_count; i++)
    files &= c->pair.buffers[i].access == XB_PAIR_IN || c->pair.buffers[i].access == XB_PAIR_SCRATCH ||
             c->pair.buffers[i].expected.data;
  return files || (c->pair.reference && strchr(c->pair.reference, ':'));
}

int xb_pair_check_reference(xb_pair_command *c)
{
  xb_error error;
  c->pair.unchecked = c->unchecked;
  if (c->unchecked)
    return -1;
  if (c->pair.side_count < 2 && !has_reference(c))
    return xb_report_error(XB_EXIT_UNAVAILABLE,
                           "pair: only %s can run, and nothing checks its results: give --reference or --unchecked, or "
                           "name a Reference in the manifest",
                           c->pair.sides[0].source.path);
  const xb_code code = xb_pair_set_reference(&c->pair, c->manifest.folder, &error);
  return xb_report_refusal(code, &error);
}

/* True if kernel k of some side has the argument. */
static bool is_used(xb_pair_command *c, uint32_t k, const char *name)
{
  bool used = false;
  for (const xb_pair_side *side = c->pair.sides; side < c->pair.sides + c->pair.side_count; side++)
    for (uint32_t a = 0; k < side->kernel_count && a < side->kernels[k].argument_count; a++)
      used |= side->codes[k].arguments[a] && !strcmp(side->kernels[k].arguments[a].name, name);
  return used;
}

/* A name that no side knows is a mistake, unless a side that was left out may know it. */
static xb_code check_used(xb_pair_command *c, xb_error *err)
{
  char structs[240];
  for (const xb_pair_side *side = c->pair.sides; side < c->pair.sides + c->pair.side_count && !c->left_out; side++)
    for (uint32_t k = 0; k < side->kernel_count; k++)
      for (uint32_t a = 0; a < side->kernels[k].argument_count; a++)
        if (!is_used(c, k, side->kernels[k].arguments[a].name))
          return xb_fail(err, XB_INVALID, "pair", "no source has the argument %s%s", side->kernels[k].arguments[a].name,
                         xb_pair_structs(&c->pair, k, structs));
  return XB_OK;
}

/* Buffers that nothing uses may stand in a manifest: code under work leaves some out. */
static void report_unused_buffers(xb_pair_command *c)
{
  for (uint32_t b = 0; b < c->pair.buffer_count && !c->left_out; b++) {
    bool used = false;
    for (const xb_pair_side *side = c->pair.sides; side < c->pair.sides + c->pair.side_count; side++)
      for (uint32_t k = 0; k < side->kernel_count; k++)
        for (uint32_t i = 0; i < side->kernels[k].buffer_count; i++)
          used |= side->kernels[k].buffers[i] == b && (side->codes[k].buffers[i] || side->codes[k].has_address[i]);
    if (!used)
      xb_report_error(0, "pair: no source uses the buffer %s", c->pair.buffers[b].name);
  }
}

int xb_pair_take_manifest(xb_pair_command *c)
{
  xb_error error;
  xb_pair_complete(&c->pair, c->manifest.root, false);
  xb_code code = xb_pair_add_results(&c->given, c->manifest.root, &error);
  code = code ? code : xb_pair_read(&c->manifest, &c->pair, &error);
  code = code ? code : xb_pair_link_sides(&c->pair, &error);
  code = code ? code : check_used(c, &error);
  if (!code)
    report_unused_buffers(c);
  return code ? xb_report_refusal(code, &error) : xb_pair_save(&c->pair, &c->saves) ? -1 : XB_EXIT_USAGE;
}
