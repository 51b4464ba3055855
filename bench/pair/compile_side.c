/* Compiles the kernels of a side, and reads their parameters. */
#include "pair/cuda_source.h"
#include "pair/pair.h"

#include "base/fnv.h"
#include "base/whole_file.h"
#include "source/fingerprint.h"

#include <string.h>

xb_code xb_reflection_begin(const char *where, xb_arena *arena, xb_reflection *r, xb_error *err)
{
  *r = (xb_reflection){.parameters = xb_arena_take(arena, XB_MOST_REFLECTED, sizeof *r->parameters)};
  return r->parameters ? XB_OK : xb_fail(err, XB_NOMEM, where, "out of host memory");
}

/* A binary of CUDA does not tell its parameters; the manifest lists them. */
static xb_code reflect_binary(xb_pair *pair, const xb_pair_kernel *k, const char *entry, xb_reflection *r,
                              xb_error *err)
{
  const xb_code failed = xb_reflection_begin(k->path, &pair->arena, r, err);
  r->entry = entry;
  return failed || entry ? failed : xb_fail(err, XB_INVALID, k->path, "name its entry point: it is a binary");
}

static xb_code reflect_dxil(xb_pair *pair, const xb_pair_kernel *k, const char *entry, xb_pair_code *code,
                            xb_error *err)
{
  const char *listing;
  char *source = "";
  size_t bytes;
  xb_code failed = xb_pair_list_dxil(k->path, &code->binary, &pair->arena, &listing, err);
  if (!failed && code->binary.compiler)
    failed = xb_read_whole_file(k->path, &pair->arena, &source, &bytes, err);
  return failed ? failed
                : xb_reflect_dxil(k->path, listing, source, entry, &pair->arena, &code->binary, &code->reflection, err);
}

static xb_code reflect(xb_pair *pair, xb_pair_side *side, uint32_t kernel, const char *entry, xb_error *err)
{
  const xb_pair_kernel *k = &side->kernels[kernel];
  xb_pair_code *code = &side->codes[kernel];
  const xb_pair_binary *b = &code->binary;
  xb_code failed;
  if (!strcmp(side->format, "spv"))
    return xb_reflect_spirv(k->path, b->data, b->bytes, entry, (xb_constants){k->constants, k->constant_count},
                            &pair->arena, &code->reflection, err);
  if (!strcmp(side->format, "dxil"))
    return reflect_dxil(pair, k, entry, code, err);
  if (side->source.for_cpu)
    failed = xb_reflect_module(k->path, b->data, b->bytes, &pair->arena, &code->reflection, err);
  else if (!strstr(b->data, ".version") && !b->compiler)
    return reflect_binary(pair, k, entry, &code->reflection, err);
  else
    failed = xb_reflect_ptx(k->path, b->data, entry, &pair->arena, &code->reflection, err);
  if (!failed && b->compiler)
    xb_reflect_cuda_source(k->path, side->source.flags,
                           entry ? entry : xb_demangle(code->reflection.entry, &pair->arena), &pair->arena,
                           &code->reflection);
  return failed;
}

void xb_pair_add_d3d12(xb_pair *pair)
{
  const uint32_t count = pair->side_count;
  for (uint32_t i = 0; i < count && pair->side_count < XB_PAIR_SIDES; i++) {
    const xb_pair_side *from = &pair->sides[i];
    const char *dot = strrchr(from->name, '.');
    if (!dot || strcmp(dot, ".hlsl") != 0 || (from->source.compiler && strcmp(from->source.compiler, "dxc") != 0))
      continue;
    xb_pair_side *side = &pair->sides[pair->side_count++];
    const char *label = xb_arena_text(&pair->arena, "%s.dxil", from->name);
    *side = *from;
    side->source.for_d3d12 = true;
    side->format = "dxil";
    side->label = label ? label : from->name;
  }
}

static uint64_t hash_source(const xb_pair_side *side)
{
  const xb_source_options options = {.flags = side->source.flags, .keeps_missing = true};
  uint64_t hash = xb_source_fingerprint(side->source.path, &options);
  for (uint32_t k = 0; k < side->kernel_count; k++) {
    const char *own = side->kernels[k].path;
    const uint64_t more = strcmp(own, side->source.path) ? xb_source_fingerprint(own, &options) : 0;
    hash = more ? xb_fnv1a(hash, (const char *)&more, sizeof more) : hash;
  }
  for (const char *const *flag = side->source.flags; flag && *flag; flag++)
    hash = xb_fnv1a(hash, *flag, strlen(*flag) + 1);
  for (uint32_t k = 0; k < side->kernel_count; k++)
    if (side->kernels[k].entry)
      hash = xb_fnv1a(hash, side->kernels[k].entry, strlen(side->kernels[k].entry) + 1);
  return hash;
}

void xb_pair_emulate(xb_pair_side *side, const xb_device_info *device)
{
  side->source.for_cpu = true;
  side->source.checks = xb_checks_in_code();
  side->format = device->code;
}

const char *xb_pair_entry_of(xb_pair *pair, const xb_pair_side *side, uint32_t kernel)
{
  const char *prescribed = xb_pair_prescribed_entry(side->kernels[kernel].path);
  const char *entry = prescribed ? prescribed : side->kernels[kernel].entry;
  const bool names_instance = !strcmp(side->format, "fatbin") || side->source.for_cpu; /* which is CUDA's */
  return entry && !names_instance ? xb_cuda_base_name(entry, &pair->arena) : entry;
}

xb_code xb_pair_compile_side(xb_pair *pair, xb_pair_side *side, uint32_t capability, xb_error *err)
{
  xb_code failed = XB_OK;
  side->source_hash = hash_source(side);
  for (uint32_t i = 0; i < side->kernel_count && !failed; i++) {
    xb_pair_code *code = &side->codes[i];
    xb_pair_source source = side->source;
    source.path = side->kernels[i].path;
    const char *entry = xb_pair_entry_of(pair, side, i);
    *code = (xb_pair_code){0};
    if (side->compiled)
      code->binary = side->compiled[i];
    else
      failed = xb_pair_compile(&source, entry, capability, &pair->arena, &code->binary, err);
    if (!failed)
      failed = reflect(pair, side, i, entry, err);
    const uint32_t open = failed || pair->marks ? 0 : code->reflection.open_group;
    if (open)
      failed = xb_fail(err, XB_INVALID, source.path,
                       "the group size is specialization constant %u: give its value in a manifest, as in "
                       "\"SpecializationConstants\": {\"%u\": 64}",
                       open - 1, open - 1);
  }
  return failed;
}
