/* Runs one command. */
#include "cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *at(const xb_be_binding *b)
{
  return b->buffer->data + b->offset;
}

/* ---- Textures --------------------------------------------------------------------------------------------------- */

static void set_format(xb_cpu_texture *texture, xb_texel format)
{
  texture->channels = 1;
  texture->bits = 8 * xb_texel_bytes(format);
  texture->format = format == XB_TEXEL_UNORM8  ? XB_CPU_UNORM
                    : format == XB_TEXEL_INT32 ? XB_CPU_SINT
                    : format > XB_TEXEL_UNORM8 ? XB_CPU_UINT
                                               : XB_CPU_FLOAT;
}

static void set_sampler(xb_cpu_texture *texture, xb_sample_mode mode)
{
  static const xb_cpu_address address[] = {
      [XB_ADDRESS_CLAMP] = XB_CPU_CLAMP, [XB_ADDRESS_WRAP] = XB_CPU_WRAP, [XB_ADDRESS_BORDER] = XB_CPU_BORDER};
  texture->address[0] = texture->address[1] = texture->address[2] = address[mode.address];
  texture->linear = mode.filter == XB_FILTER_LINEAR;
  texture->normalized = mode.normalized;
}

/* What a texture or surface object is: the memory, its shape, and how it is read. */
static xb_cpu_texture texture_of(const xb_be_binding *b)
{
  xb_cpu_texture texture = {0};
  if (b->kind == XB_BINDING_SAMPLER) {
    set_sampler(&texture, b->sampler);
    return texture;
  }
  if (b->kind == XB_BINDING_TEXELS || b->kind == XB_BINDING_STORAGE_TEXELS) {
    set_format(&texture, b->format);
    texture.data = at(b);
    texture.channels = b->channels;
    texture.width = (uint32_t)(b->size / (xb_texel_bytes(b->format) * b->channels));
    return texture;
  }
  const xb_be_image *image = b->image;
  set_format(&texture, image->format);
  texture.data = image->texels;
  texture.width = image->width;
  texture.height = image->height;
  texture.depth = image->depth;
  texture.channels = image->channels;
  texture.pitch = (uint64_t)image->width * image->channels * xb_texel_bytes(image->format);
  set_sampler(&texture, b->sampler);
  return texture;
}

/* ---- Dispatches ------------------------------------------------------------------------------------------------- */

/* Bindings, buffers by their addresses, and as many that the dispatch was not given. */
enum { MOST_REGIONS = 2 * XB_MAX_BINDINGS + 64 };

/* The parameters of a kernel, in its own order. */
typedef struct call {
  void *addresses[XB_MAX_BINDINGS];       /* of the bindings, or of their textures */
  xb_cpu_buffer buffers[XB_MAX_BINDINGS]; /* a shader's */
  xb_cpu_texture textures[XB_MAX_BINDINGS];
  void *parameters[XB_MAX_PARAMETERS];
  _Alignas(16) uint8_t values[XB_MAX_PARAMETERS][XB_MAX_ARG_BYTES]; /* aligned, as the kernel's types may need */
} call;

static bool is_texture(const xb_be_binding *b)
{
  return b->kind == XB_BINDING_TEXELS || b->kind == XB_BINDING_STORAGE_TEXELS || b->kind == XB_BINDING_SAMPLER ||
         b->image;
}

/* A shader's parameter: a buffer with its length, or a texture. */
static void *resource_of(call *c, const cpu_op *op, uint32_t i)
{
  return is_texture(&op->bindings[i]) ? (void *)&c->textures[i] : (void *)&c->buffers[op->kernel->places[i]];
}

/* [dispatch] Each parameter is an address or a value. */
static void prepare(call *c, const cpu_op *op)
{
  for (uint32_t i = 0; i < op->binding_count; i++) {
    const xb_be_binding *b = &op->bindings[i];
    const bool texture = is_texture(b);
    if (texture)
      c->textures[i] = texture_of(b);
    if (b->buffer && op->kernel->wave)
      c->buffers[op->kernel->places[i]] = (xb_cpu_buffer){at(b), b->size};
    c->addresses[i] = texture ? (void *)&c->textures[i] : b->buffer ? at(b) : NULL;
  }
  for (uint32_t i = 0; i < op->kernel->parameter_count; i++) {
    const xb_parameter p = op->kernel->parameters[i];
    c->parameters[i] = p.bytes            ? memcpy(c->values[i], op->args + p.offset, p.bytes)
                       : op->kernel->wave ? resource_of(c, op, p.binding)
                                          : &c->addresses[p.binding];
  }
}

/* "g_odata", or the number of the binding. */
static void name_binding(const cpu_op *op, uint32_t i, char name[CPU_LABEL + 16])
{
  const char *label = op->bindings[i].buffer ? op->bindings[i].buffer->label : "";
  snprintf(name, CPU_LABEL + 16, *label ? "binding %u, '%s'" : "binding %u", i, label);
}

/* "word 1025 of binding 0, 'src', which has 1024 words": a word has 4 bytes. */
static void name_place(const cpu_op *op, uint32_t i, int64_t offset, char *text, size_t bytes)
{
  const uint64_t size = op->bindings[i].size;
  const int64_t unit = offset % 4 == 0 && size % 4 == 0 ? 4 : 1;
  char name[CPU_LABEL + 16];
  name_binding(op, i, name);
  snprintf(text, bytes, "%s %" PRId64 " of %s, which has %" PRIu64 " %ss", unit == 4 ? "word" : "byte", offset / unit,
           name, size / (uint64_t)unit, unit == 4 ? "word" : "byte");
}

/* Behind what the runtime says of a bad access: the buffer in whose pages it is, else the nearest one, and the place in
 * it. */
static void say_where(const cpu_op *op, const xb_cpu_fault *fault, char message[CPU_MESSAGE])
{
  enum { NEAR_GIB = 16 }; /* farther away, an address is none of a buffer with a wrong index */
  uint64_t least = (uint64_t)NEAR_GIB << 30;
  char text[CPU_LABEL + 96] = "";
  snprintf(message, CPU_MESSAGE, "%s", fault->what);
  for (uint32_t i = 0; i < op->binding_count && fault->kind == XB_CPU_BAD_ACCESS; i++) {
    const xb_be_binding *b = &op->bindings[i];
    if (!b->buffer)
      continue;
    const int64_t offset = (int64_t)((uintptr_t)fault->address - (uintptr_t)at(b)), end = (int64_t)b->size;
    const bool mine = cpu_buffer_near(b->buffer, fault->address);
    const uint64_t away = mine ? 0 : (uint64_t)(offset < 0 ? -offset : offset - end + 1);
    if (away >= least)
      continue;
    least = away;
    name_place(op, i, offset, text, sizeof text);
  }
  if (*text) {
    const size_t used = strlen(message);
    snprintf(message + used, CPU_MESSAGE - used, ": %s%s", least ? "the nearest buffer: " : "", text);
  }
}

/* What wrote beside a buffer without leaving its pages. */
static void check_patterns(const cpu_op *op, char message[CPU_MESSAGE])
{
  for (uint32_t i = 0; i < op->binding_count && !*message; i++) {
    const xb_be_binding *b = &op->bindings[i];
    int64_t offset;
    char text[CPU_LABEL + 96];
    if (!b->buffer || cpu_buffer_intact(b->buffer, &offset))
      continue;
    name_place(op, i, offset - (int64_t)b->offset, text, sizeof text);
    snprintf(message, CPU_MESSAGE, "kernel %s wrote outside of a buffer: to %s", op->kernel->entry->name, text);
  }
}

/* A buffer that is used by its address. */
static xb_cpu_region region_by_address(const xb_be_buffer *b)
{
  xb_cpu_region r = {.from = b->data, .bytes = b->bytes, .around = b->mapped, .around_bytes = b->mapped_bytes};
  snprintf(r.name, sizeof r.name, *b->label ? "'%s'" : "a buffer", b->label);
  return r;
}

static bool is_given(const cpu_op *op, const xb_be_buffer *buffer)
{
  bool given = false;
  for (uint32_t i = 0; i < op->binding_count; i++)
    given |= op->bindings[i].buffer == buffer;
  for (uint32_t i = 0; i < op->use_count; i++)
    given |= op->uses[i].buffer == buffer;
  return given;
}

/* The device's addressable buffers that the dispatch was not given: an access to them is a mistake. Others may destroy
 * them meanwhile, so all that is needed of them is copied. Returns how many; up to `most` are written. */
static uint32_t add_unnamed(xb_be_device *device, const cpu_op *op, xb_cpu_region *regions, uint32_t most)
{
  uint32_t count = 0;
  pthread_mutex_lock(&device->lock);
  for (const xb_be_buffer *b = device->addressable; b; b = b->next) {
    if (is_given(op, b) || count++ >= most)
      continue;
    regions[count - 1] = region_by_address(b);
    regions[count - 1].unnamed = true;
  }
  pthread_mutex_unlock(&device->lock);
  return count < most ? count : most;
}

/* What the kernel may access. Returns how many. A shader's images are named by their texels. */
static uint32_t regions_of(xb_be_device *device, const cpu_op *op, const call *c, xb_cpu_region regions[MOST_REGIONS])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->binding_count; i++) {
    const xb_be_binding *b = &op->bindings[i];
    if (!b->buffer && !b->image)
      continue;
    const void *from = b->image ? b->image->texels : at(b);
    const uint64_t bytes = b->image ? b->image->bytes : b->size;
    xb_cpu_region *r = &regions[count++];
    *r = (xb_cpu_region){.from = from,
                         .bytes = bytes,
                         .around = from,
                         .around_bytes = bytes,
                         .fresh = b->access == XB_WRITE,
                         .image = is_texture(b) && op->kernel->wave ? &c->textures[i] : NULL};
    if (b->buffer && b->buffer->mapped) {
      r->around = b->buffer->mapped;
      r->around_bytes = b->buffer->mapped_bytes;
    }
    name_binding(op, i, r->name);
  }
  for (uint32_t i = 0; i < op->use_count; i++) {
    regions[count] = region_by_address(op->uses[i].buffer);
    regions[count].fresh = op->uses[i].access == XB_WRITE;
    regions[count].from = at(&op->uses[i]);
    regions[count++].bytes = op->uses[i].size;
  }
  return count + add_unnamed(device, op, regions + count, MOST_REGIONS - count);
}

/* What was found, the first one with its text; instead of a fault that came of it. */
static void say_findings(const xb_be_kernel *k, char message[CPU_MESSAGE])
{
  uint32_t count = 0;
  while (xb_cpu_watch_finding(k->watch, count))
    count++;
  if (!count)
    return;
  const char *first = xb_cpu_watch_finding(k->watch, 0);
  if (count > 1)
    snprintf(message, CPU_MESSAGE, "%.420s (1 of %u)", first, count);
  else
    snprintf(message, CPU_MESSAGE, "%.440s", first);
  xb_cpu_watch_forget(k->watch);
}

/* The order of threads and blocks: XB_ORDER is its seed. */
static uint32_t seed_of_order(void)
{
  const char *seed = getenv("XB_ORDER");
  return seed ? (uint32_t)strtoul(seed, NULL, 10) : 0;
}

/* With other orders of a shader come other choices that an implementation has: which thread is which lane, and which
 * lanes go on together. A kernel that needs full waves of a size gets no partial ones. */
static uint32_t lanes_of_order(const xb_be_kernel *k, uint32_t seed)
{
  static const uint32_t choices[] = {
      0, 0, XB_CPU_LOWEST_FIRST, 0, XB_CPU_REVERSED, XB_CPU_LOWEST_FIRST | XB_CPU_REVERSED, XB_CPU_PARTIAL};
  const uint32_t choice = k->wave ? choices[seed % (sizeof choices / sizeof *choices)] : 0;
  return k->full_waves ? choice & ~(uint32_t)XB_CPU_PARTIAL : choice;
}

/* ---- Bindings that are declared as read -------------------------------------------------------------------------- */

/* True if the kernel may not change the binding: nothing else that it writes lies there. A shader's code says so. */
static bool is_only_read(const cpu_op *op, uint32_t i)
{
  const xb_be_binding *b = &op->bindings[i];
  bool only = b->buffer && b->access == XB_READ && !op->kernel->wave;
  for (uint32_t k = 0; k < op->binding_count && only; k++) {
    const xb_be_binding *other = &op->bindings[k];
    only = other->access == XB_READ || other->buffer != b->buffer || other->offset >= b->offset + b->size ||
           b->offset >= other->offset + other->size;
  }
  return only;
}

static uint64_t sum_of(const xb_be_binding *b)
{
  const uint8_t *p = at(b);
  uint64_t sum = 0, word;
  for (uint64_t i = 0; i + sizeof word <= b->size; i += sizeof word) {
    memcpy(&word, p + i, sizeof word);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
  }
  for (uint64_t i = b->size / sizeof word * sizeof word; i < b->size; i++)
    sum = (sum ^ p[i]) * 0x9e3779b97f4a7c15;
  return sum;
}

static void sum_inputs(const cpu_op *op, uint64_t sums[XB_MAX_BINDINGS])
{
  for (uint32_t i = 0; i < op->binding_count; i++)
    sums[i] = is_only_read(op, i) ? sum_of(&op->bindings[i]) : 0;
}

static void check_inputs(const cpu_op *op, const uint64_t before[XB_MAX_BINDINGS], char message[CPU_MESSAGE])
{
  for (uint32_t i = 0; i < op->binding_count && !*message; i++) {
    char name[CPU_LABEL + 16];
    if (!is_only_read(op, i) || sum_of(&op->bindings[i]) == before[i])
      continue;
    name_binding(op, i, name);
    snprintf(message, CPU_MESSAGE, "kernel %s wrote to %s, which is declared as read", op->kernel->entry->name, name);
  }
}

static xb_code dispatch(xb_be_device *device, const cpu_op *op, xb_cpu_team **team, char message[CPU_MESSAGE])
{
  call c;
  uint32_t groups[3];
  memcpy(groups, op->counts.buffer ? (const void *)at(&op->counts) : op->groups, sizeof groups);
  if (!groups[0] || !groups[1] || !groups[2])
    return XB_OK;
  if (!*team)
    *team = xb_cpu_team_create(0);
  if (!*team) {
    snprintf(message, CPU_MESSAGE, "no memory or threads to run kernels with");
    return XB_INTERNAL;
  }
  prepare(&c, op);
  const xb_be_kernel *k = op->kernel;
  xb_cpu_region regions[MOST_REGIONS];
  const uint32_t region_count = k->watch ? regions_of(device, op, &c, regions) : 0, seed = seed_of_order();
  const xb_cpu_launch launch = {
      .team = *team,
      .module = k->module,
      .entry = k->entry,
      .groups = {groups[0], groups[1], groups[2]},
      .threads = {k->group_size[0], k->group_size[1], k->group_size[2]},
      .dynamic_shared_bytes = k->dynamic_shared_bytes,
      .params = c.parameters,
      .seed = seed,
      .shuffle_blocks = seed != 0,
      .watch = k->watch,
      .regions = regions,
      .region_count = region_count,
      .wave = k->wave,
      .lanes = lanes_of_order(k, seed),
  };
  xb_cpu_fault fault = {0};
  uint64_t sums[XB_MAX_BINDINGS];
  sum_inputs(op, sums);
  if (!xb_cpu_run(&launch, &fault))
    say_where(op, &fault, message);
  if (k->watch)
    say_findings(k, message);
  check_patterns(op, message);
  check_inputs(op, sums, message);
  return !*message ? XB_OK : fault.kind == XB_CPU_UNSUPPORTED ? XB_UNSUPPORTED : XB_INTERNAL;
}

/* ---- Others ----------------------------------------------------------------------------------------------------- */

static void fill(const xb_be_binding *dst, uint32_t word)
{
  uint8_t *to = at(dst);
  for (uint64_t i = 0; i < dst->size; i += sizeof word)
    memcpy(to + i, &word, sizeof word);
}

xb_code cpu_run(xb_be_device *device, const cpu_op *op, xb_cpu_team **team, char message[CPU_MESSAGE])
{
  const xb_be_binding *b = op->bindings;
  switch (op->kind) {
  case CPU_DISPATCH: return dispatch(device, op, team, message);
  case CPU_COPY: memcpy(at(&b[0]), at(&b[1]), b[0].size); break;
  case CPU_FILL: fill(b, op->word); break;
  case CPU_IMAGE: memcpy(op->image->texels, at(b), b->size); break;
  case CPU_FROM_IMAGE: memcpy(at(b), op->image->texels, b->size); break;
  case CPU_STAMP: break; /* the queue's */
  }
  return XB_OK;
}
