/* DXIL tells its parameters as text: what `dxc -dumpbin` prints. Names, types and registers are in it. */
#include "pair/cuda_source.h"
#include "pair/numbers.h"

#include "cmake/dxil/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without [[vk::binding]]: as the options of the compilers of SPIR-V have it. */
enum { SHIFT = 32 };

/* "float3 v;", "uint k[2];", "float $Element;", which has no name. HLSL's numbers are called as CUDA's, but a bool has
 * four bytes. `spaced`: items of an array begin every 16 bytes, as in a constant buffer. */
static bool read_member(const char *text, bool spaced, xb_arena *arena, xb_member *member)
{
  const size_t type = strcspn(text, " ");
  const char *name = text + type + strspn(text + type, " ");
  const size_t length = strcspn(name, "[;\n");
  const unsigned elements = name[length] == '[' ? (unsigned)strtoul(name + length + 1, NULL, 10) : 1;
  const bool known = xb_cuda_type(text, type, member);
  const uint32_t width = member->count;
  if (!strncmp(text, "bool", 4))
    member->dtype = XB_UINT32;
  member->count = elements * width;
  member->name = *name == '$' ? NULL : xb_arena_text(arena, "%.*s", (int)length, name);
  if (known && spaced && elements > 1 && width * xb_dtype_bytes(member->dtype) < 16) {
    member->row = width;
    member->stride = 16;
  }
  return known && member->count && member->count <= 1024 && (width == 1 || elements == 1 || spaced);
}

typedef struct member_line {
  const char *text; /* the type */
  uint32_t offset, bytes, depth;
} member_line;

/* The next line that declares something at an offset, before the section ends. `depth` counts structs. */
static bool next_member(const char **at, member_line *line, uint32_t *depth)
{
  for (const char *p = *at; *p && strncmp(p, "; Resource", 10) != 0 && strncmp(p, "; cbuffer", 9) != 0;) {
    const char *end = p + strcspn(p, "\n"), *text = p + strspn(p, "; "), *offset = strstr(p, "; Offset:");
    *at = p = *end ? end + 1 : end;
    *depth += !strncmp(text, "struct ", 7);
    *depth -= *text == '}' && *depth;
    if (!offset || offset > end)
      continue;
    const char *size = strstr(offset, "Size:");
    *line = (member_line){.text = text,
                          .offset = (uint32_t)strtoul(offset + 9, NULL, 10),
                          .bytes = size && size < end ? (uint32_t)strtoul(size + 5, NULL, 10) : 0,
                          .depth = *depth};
    return true;
  }
  return false;
}

/* What stands behind the heading "; Resource bind info for x" or "; cbuffer x". */
static const char *section_of(const char *listing, const dxil_resource *r)
{
  char heading[DXIL_NAME_BYTES + 32];
  snprintf(heading, sizeof heading, "; %s%s\n", r->place.class == 0 ? "cbuffer " : "Resource bind info for ", r->name);
  const char *p = strstr(listing, heading);
  return p ? p + strlen(heading) : "";
}

/* An element that is a struct of structs stays unknown, as in SPIR-V. */
static void read_element(const char *at, xb_arena *arena, xb_element *element)
{
  member_line line;
  uint32_t depth = 0, count = 0;
  bool known = true;
  while (next_member(&at, &line, &depth)) {
    element->bytes = line.bytes ? line.bytes : element->bytes;
    if (*line.text == '}')
      continue;
    known &=
        line.depth < 2 && count < XB_MOST_MEMBERS && read_member(line.text, false, arena, &element->members[count]);
    if (known)
      element->members[count++].offset = line.offset;
  }
  element->member_count = known ? count : 0;
}

static void add_values(const char *at, const dxil_resource *resource, xb_arena *arena, xb_reflection *r)
{
  member_line line;
  uint32_t depth = 0;
  while (r->count < XB_MAX_ARG_BYTES && next_member(&at, &line, &depth)) {
    if (*line.text == '}')
      continue;
    xb_code_parameter *p = &r->parameters[r->count++];
    const dxil_place *place = &resource->place;
    *p = (xb_code_parameter){.set = place->set, .binding = place->binding, .offset = line.offset};
    p->is_uniform = place->number || place->space; /* register b0 has the arguments of a dispatch */
    p->element.member_count = read_member(line.text, true, arena, &p->element.members[0]);
    p->name = p->element.members[0].name;
    p->element.members[0].name = NULL;
    p->element.bytes = xb_member_bytes(&p->element.members[0]);
    r->value_bytes = place->bytes;
  }
}

_Static_assert(DXIL_MOST_RESOURCES <= XB_MOST_REFLECTED - XB_MAX_ARG_BYTES, "there is room for all resources");

static xb_code add_resource(const char *where, const char *listing, const dxil_resource *resource, xb_arena *arena,
                            xb_reflection *r, xb_error *err)
{
  const dxil_place *place = &resource->place;
  if (place->class == 0) {
    add_values(section_of(listing, resource), resource, arena, r);
    return XB_OK;
  }
  const bool typed = !strcmp(resource->dimension, "buf");
  if (!typed && strncmp(resource->dimension, "r/", 2) != 0)
    return xb_fail(err, XB_UNSUPPORTED, where, "%s is not a buffer: Direct3D 12 supports only buffers here",
                   resource->name);
  if (resource->is_array)
    return xb_fail(err, XB_UNSUPPORTED, where,
                   "%s is an array of buffers, which xbench does not bind through Direct3D 12: declare each buffer by "
                   "itself",
                   resource->name);
  xb_code_parameter *p = &r->parameters[r->count++];
  *p = (xb_code_parameter){.name = xb_arena_text(arena, "%s", resource->name),
                           .is_buffer = true,
                           .read_only = place->class == 1,
                           .texels = typed,
                           .storage = typed && place->class == 2,
                           .set = place->set,
                           .binding = place->binding};
  if (!typed)
    read_element(section_of(listing, resource), arena, &p->element);
  else
    p->element.members[0].dtype = *resource->format == 'i'   ? XB_INT32
                                  : *resource->format == 'u' ? XB_UINT32
                                                             : XB_FLOAT32;
  return XB_OK;
}

/* "NumThreads=(64,1,1)", "define void @saxpy() {" */
static xb_code find_entry(const char *where, const char *listing, const char *entry, xb_arena *arena, xb_reflection *r,
                          xb_error *err)
{
  const char *threads = strstr(listing, "NumThreads=("), *name = strstr(listing, "\ndefine void @");
  if (!threads || !name || sscanf(threads, "NumThreads=(%u,%u,%u)", &r->group[0], &r->group[1], &r->group[2]) != 3)
    return xb_fail(err, XB_INVALID, where, "is not a compute shader in DXIL");
  name += strlen("\ndefine void @");
  r->entry = xb_arena_text(arena, "%.*s", (int)strcspn(name, "("), name);
  if (!r->entry)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  if (entry && strcmp(entry, r->entry) != 0)
    return xb_pair_no_entry(where, entry, r->entry, err);
  return XB_OK;
}

int xb_by_binding(const void *a, const void *b)
{
  const xb_code_parameter *x = a, *y = b;
  const uint32_t keys[][2] = {{!x->is_buffer, !y->is_buffer},
                              {x->set, y->set},
                              {x->binding, y->binding},
                              {x->array_element, y->array_element},
                              {x->offset, y->offset}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

xb_code xb_reflect_dxil(const char *where, const char *listing, const char *source, const char *entry, xb_arena *arena,
                        xb_pair_binary *binary, xb_reflection *reflection, xb_error *err)
{
  dxil_resource resources[DXIL_MOST_RESOURCES];
  xb_code code = xb_reflection_begin(where, arena, reflection, err);
  reflection->asks_length = strstr(listing, "@dx.op.getDimensions");
  if (code)
    return code;
  if (!dxil_is_container(binary->data, binary->bytes))
    return xb_fail(err, XB_INVALID, where, "is not a DXIL container");
  if (reflection->asks_length)
    return xb_fail(err, XB_UNSUPPORTED, where,
                   "it uses GetDimensions: on Direct3D 12 pass the length of a buffer as an argument");
  code = find_entry(where, listing, entry, arena, reflection, err);
  const uint32_t count = dxil_read_resources(source, listing, resources);
  for (uint32_t i = 0; i < count && !code; i++) {
    dxil_place *place = &resources[i].place;
    if (!resources[i].bound)
      place->binding += SHIFT * (place->class + 2) % (3 * SHIFT);
    code = add_resource(where, listing, &resources[i], arena, reflection, err);
  }
  qsort(reflection->parameters, reflection->count, sizeof *reflection->parameters, xb_by_binding);
  void *sealed = code ? NULL : dxil_seal(binary->data, &binary->bytes, resources, count);
  char *kept = sealed ? xb_arena_take(arena, binary->bytes + 1, 1) : NULL;
  if (kept)
    memcpy(kept, sealed, binary->bytes);
  free(sealed);
  binary->data = kept;
  return code || kept ? code : xb_fail(err, XB_NOMEM, where, "out of host memory");
}
