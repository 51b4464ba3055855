/* Compares what the code declares with the description. DXIL is a container of parts. PSV0 has the group size and the
 * registers that the code uses; PRIV has what the build adds (cmake/dxil/seal.c): their bindings, and sizes. */
#include "dx.h"

#include "cmake/dxil/places.h"
#include "core/location.h"

#include <string.h>

typedef struct part {
  const unsigned char *data; /* NULL if it is missing */
  uint32_t bytes;
} part;

enum {
  HEADER_BYTES = 32, /* "DXBC", checksum, version, size, number of parts */
  COMPUTE = 5,
  /* Bytes of PSV0's first record, behind its size. */
  AT_STAGE = 24,
  AT_THREADS = 36,
  AT_ENTRY = 48,
  INFO_BYTES = 52,
  CONSTANTS = 2,
  READ_TYPED,
  READ_RAW,
  READ_STRUCTURED,
  WRITE_TYPED,
  WRITE_RAW,
  WRITE_STRUCTURED,
  WRITE_COUNTED,
  /* Of a resource: what it is, and one of its values. */
  AT_KIND = 16,
  TYPED_BUFFER = 10,
};

static uint32_t word(const unsigned char *at)
{
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static part find_part(const xb_kernel_desc *desc, const char *name)
{
  const unsigned char *code = desc->code;
  const uint64_t count = word(code + 28), all = desc->code_bytes;
  for (uint64_t i = 0; i < count && HEADER_BYTES + 4 * i + 4 <= all; i++) {
    const uint64_t at = word(code + HEADER_BYTES + 4 * i);
    if (at + 8 > all || at + 8 + word(code + at + 4) > all)
      break;
    if (!memcmp(code + at, name, 4))
      return (part){code + at + 8, word(code + at + 4)};
  }
  return (part){0};
}

typedef struct reading {
  const xb_kernel_desc *desc;
  const char *label;
  part psv, places;
  dx_reflection *found;
  uint32_t used_bindings;
  xb_error *err;
} reading;

/* The bytes of PSV0 from `at`, where a word says how many follow; `at` moves behind them. NULL: they are cut off. */
static const unsigned char *take(const reading *r, uint32_t *at, uint32_t bytes)
{
  if (!r->psv.data || *at > r->psv.bytes || bytes > r->psv.bytes - *at)
    return NULL;
  *at += bytes;
  return r->psv.data + *at - bytes;
}

static xb_code damaged(const reading *r, const char *what)
{
  return xb_fail(r->err, XB_INVALID, r->label, "the code is not a DXIL container of a compute shader: %s", what);
}

static xb_code check_entry(const reading *r, const unsigned char *info, const char *names, uint32_t bytes)
{
  const uint32_t at = word(info + AT_ENTRY);
  const char *const entry = at < bytes && memchr(names + at, 0, bytes - at) ? names + at : "";
  if (strcmp(entry, r->desc->entry) != 0)
    return xb_fail(r->err, XB_INVALID, r->label, "the code has no entry point '%s', it has '%.64s'", r->desc->entry,
                   entry);
  const uint32_t *asked = r->desc->group_size, x = word(info + AT_THREADS), y = word(info + AT_THREADS + 4),
                 z = word(info + AT_THREADS + 8);
  if (x == asked[0] && y == asked[1] && z == asked[2])
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->label,
                 "the code has groups of %u x %u x %u threads, the description has %u x %u x %u", x, y, z, asked[0],
                 asked[1], asked[2]);
}

/* Where the build says that a register is. Without its word, space and number are set and binding. */
static dxil_place place_of(const reading *r, const dx_register *at)
{
  dxil_place place = {.class = at->class,
                      .space = at->space,
                      .number = at->number,
                      .set = at->space,
                      .binding = at->number,
                      .bytes = 0};
  for (uint32_t i = 0; i + sizeof place <= r->places.bytes; i += sizeof place) {
    dxil_place read;
    memcpy(&read, r->places.data + i, sizeof read);
    if (read.class == place.class && read.space == place.space && read.number == place.number)
      return read;
  }
  return place;
}

static xb_code find_binding(const reading *r, const dxil_place *place, uint32_t *binding)
{
  *binding = xb_binding_at(r->desc, (xb_location){.set = place->set, .binding = place->binding});
  if (*binding < r->desc->binding_count)
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->label,
                 "the code uses set %u, binding %u (register %c%u, space %u), where the description has no binding",
                 place->set, place->binding, "btu"[place->class], place -> number, place -> space);
}

static xb_code check_arguments(reading *r, uint32_t bytes)
{
  r->found->has_arguments = true;
  if (bytes == r->desc->arg_bytes || (!bytes && r->desc->arg_bytes))
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->label, "the code has %u bytes of arguments, the description has %u", bytes,
                 r->desc->arg_bytes);
}

static xb_code check_resource(reading *r, const unsigned char *resource, uint32_t bytes)
{
  const bool typed = bytes > AT_KIND + 3 && word(resource + AT_KIND) == TYPED_BUFFER;
  const uint32_t type = word(resource), number = word(resource + 8), last = word(resource + 12);
  dx_register at = {.space = word(resource + 4), .number = number, .typed = typed};
  if (type == CONSTANTS)
    at.class = DX_CBV;
  else if (type == READ_RAW || type == READ_STRUCTURED)
    at.class = DX_SRV;
  else if (type == WRITE_RAW || type == WRITE_STRUCTURED)
    at.class = DX_UAV;
  else if (typed && (type == READ_TYPED || type == WRITE_TYPED))
    at.class = type == READ_TYPED ? DX_SRV : DX_UAV;
  else
    return xb_fail(r->err, XB_INVALID, r->label,
                   "the code has a texture or a sampler at register %u, space %u: only buffers and constants are "
                   "allowed",
                   number, at.space);
  const dxil_place place = place_of(r, &at);
  if (at.class == DX_CBV && !at.space && !number)
    return check_arguments(r, place.bytes);
  const xb_code code = find_binding(r, &place, &at.binding);
  if (code)
    return code;
  const uint32_t bit = 1u << at.binding;
  if (last != number)
    return xb_fail(r->err, XB_UNSUPPORTED, r->label,
                   "the code has an array of buffers at binding %u, but the root signature of this backend has single "
                   "addresses: declare each buffer separately",
                   at.binding);
  if (r->used_bindings & bit)
    return xb_fail(r->err, XB_INVALID, r->label, "the code has two buffers at binding %u", at.binding);
  if (r->desc->unused_bindings & bit)
    return xb_fail(r->err, XB_INVALID, r->label, "the description says that binding %u is unused, but the code uses it",
                   at.binding);
  r->used_bindings |= bit;
  r->found->texel_bindings |= typed && at.class == DX_SRV ? bit : 0;
  r->found->storage_texel_bindings |= typed && at.class == DX_UAV ? bit : 0;
  r->found->read_only_bindings |= at.class == DX_UAV ? 0 : bit;
  r->found->uniform_bindings |= at.class == DX_CBV ? bit : 0;
  r->found->uniform_bytes[at.binding] = at.class == DX_CBV ? place.bytes : 0;
  r->found->registers[r->found->count++] = at;
  return XB_OK;
}

/* What the description has, and the code does not use. */
static xb_code check_unused(const reading *r)
{
  const uint32_t accounted = r->used_bindings | r->desc->unused_bindings;
  for (uint32_t i = 0; i < r->desc->binding_count; i++)
    if (!(accounted >> i & 1))
      return xb_fail(
          r->err, XB_INVALID, r->label,
          "the description has %u bindings, but the code does not use binding %u: leave it out, or mark it as unused",
          r->desc->binding_count, i);
  if (!r->found->has_arguments && r->desc->arg_bytes && !r->desc->args_unused)
    return xb_fail(
        r->err, XB_INVALID, r->label,
        "%u bytes of arguments are described, but the code uses none: leave them out, or mark them as unused",
        r->desc->arg_bytes);
  return XB_OK;
}

/* PSV0: a record, then the resources, then names; each with its size before it. */
static xb_code read_psv(reading *r)
{
  uint32_t at = 0, count = 0, stride = 0;
  const unsigned char *p = take(r, &at, 4), *resources = NULL;
  const uint32_t info_bytes = p ? word(p) : 0;
  const unsigned char *const info = take(r, &at, info_bytes);
  if (!info || info_bytes < INFO_BYTES || info[AT_STAGE] != COMPUTE)
    return damaged(r, "its part PSV0 is missing, older than DXC 1.8 or of another stage");
  p = take(r, &at, 4);
  count = p ? word(p) : 0;
  p = count ? take(r, &at, 4) : NULL;
  stride = p ? word(p) : 0;
  if (count > XB_MAX_BINDINGS + 1 ||
      (count && (stride < 16 || stride > 64 || !(resources = take(r, &at, count * stride)))))
    return damaged(r, "its part PSV0 is cut off");
  p = take(r, &at, 4);
  const uint32_t name_bytes = p ? word(p) : 0;
  const unsigned char *const names = take(r, &at, name_bytes);
  if (!names)
    return damaged(r, "its part PSV0 is cut off");
  xb_code code = check_entry(r, info, (const char *)names, name_bytes);
  for (uint32_t i = 0; i < count && !code; i++)
    code = check_resource(r, resources + i * stride, stride);
  return code;
}

xb_code dx_reflect(const xb_kernel_desc *desc, dx_reflection *found, xb_error *err)
{
  *found = (dx_reflection){0};
  reading r = {.desc = desc, .label = dx_kernel_label(desc), .found = found, .err = err};
  const unsigned char *code = desc->code;
  if (desc->code_bytes < HEADER_BYTES || memcmp(code, "DXBC", 4) != 0 || word(code + 24) != desc->code_bytes)
    return damaged(&r, "its header is missing, or the file is cut off");
  r.psv = find_part(desc, "PSV0");
  r.places = find_part(desc, "PRIV");
  const xb_code checked = read_psv(&r);
  return checked ? checked : check_unused(&r);
}
