/* Runs shaders that are watched. Each line of stdin is "FILE WAVE GROUPS WORDS ORDER": SPIR-V with the entry point
 * `main` and groups of 64 threads, words of the buffer at binding 1, and whether other orders run, too. The answer is a
 * line: what was found, "order N" if seed N gave another result, else "right". planted.py says what the bindings are.
 */
#include "xb/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first bindings are buffers; images have 16 x 8 texels, a volume 4 x 4 x 4. The last ones are an array of two
 * buffers. */
enum { BUFFERS = 5, MANY = 11, BINDINGS = 13, WORDS = 8192, ORDERS = 8, GROUP = 64, CHECKS = 3 };
enum { IMAGE_WIDTH = 16, IMAGE_HEIGHT = 8, VOLUME_SIDE = 4 };
static const uint64_t LIMIT_NS = 600000000000u;

typedef struct job {
  void *code;
  size_t bytes;
  uint32_t wave, groups, words;
  uint32_t unused; /* bindings */
  uint32_t results[BUFFERS][WORDS];
} job;

/* What the bindings behind the buffers are. */
typedef struct shape {
  xb_binding_kind kind;
  xb_access access;
  xb_texel format;
  uint32_t width, height, depth; /* height 0: a texel buffer */
} shape;

static const shape shapes[MANY - BUFFERS] = {
    {XB_BINDING_STORAGE_IMAGE, XB_READ_WRITE, XB_TEXEL_UINT32, IMAGE_WIDTH, IMAGE_HEIGHT, 0},
    {XB_BINDING_IMAGE, XB_READ, XB_TEXEL_FLOAT32, IMAGE_WIDTH, IMAGE_HEIGHT, 0},
    {XB_BINDING_STORAGE_TEXELS, XB_READ_WRITE, XB_TEXEL_UINT32, 2 * GROUP, 0, 0},
    {XB_BINDING_STORAGE_IMAGE, XB_WRITE, XB_TEXEL_UINT32, IMAGE_WIDTH, IMAGE_HEIGHT, 0},
    {XB_BINDING_IMAGE, XB_READ, XB_TEXEL_FLOAT32, VOLUME_SIDE, VOLUME_SIDE, VOLUME_SIDE},
    {XB_BINDING_TEXELS, XB_READ, XB_TEXEL_UINT32, 2 * GROUP, 0, 0},
};

typedef struct objects {
  xb_buffer *buffers[BINDINGS]; /* behind the others: texel buffers, and what images are filled from */
  xb_image *images[BINDINGS];
} objects;

static uint32_t words_of(const job *j, uint32_t binding)
{
  return binding == 1 ? j->words : WORDS;
}

/* Which bindings the code uses is found by asking. */
static xb_code create(xb_device *device, job *j, xb_kernel **kernel, xb_error *err)
{
  xb_location at[BINDINGS] = {[BINDINGS - 1] = {0, MANY, 1}};
  for (uint32_t i = 0; i <= MANY; i++)
    at[i].binding = i;
  for (;;) {
    const xb_kernel_desc desc = {.label = "main",
                                 .code = j->code,
                                 .code_bytes = j->bytes,
                                 .entry = "main",
                                 .group_size = {GROUP, 1, 1},
                                 .binding_count = BINDINGS,
                                 .locations = at,
                                 .unused_bindings = j->unused};
    const xb_code code = xb_kernel_create(device, &desc, kernel, err);
    const char *unused = code ? strstr(err->message, "does not use binding ") : NULL;
    if (!unused)
      return code;
    j->unused |= 1u << strtoul(unused + strlen("does not use binding "), NULL, 10);
  }
}

/* A texel buffer, or an image and the buffer that it is filled from. */
static xb_code create_shape(xb_device *device, uint32_t i, objects *o, xb_binding *binding, xb_error *err)
{
  const shape *s = &shapes[i - BUFFERS];
  const bool image = s->height;
  const uint32_t rows = s->height ? s->height : 1, planes = s->depth ? s->depth : 1;
  const xb_buffer_desc from = {.mem = XB_MEM_DEVICE, .bytes = (uint64_t)s->width * rows * planes * sizeof(uint32_t)};
  const xb_image_desc desc = {.label = "image",
                              .format = s->format,
                              .width = s->width,
                              .height = s->height,
                              .depth = s->depth,
                              .channels = 1,
                              .storage = s->kind == XB_BINDING_STORAGE_IMAGE};
  static const uint32_t first[WORDS];
  xb_code code = xb_buffer_create(device, &from, &o->buffers[i], err);
  code = code ? code : xb_upload(o->buffers[i], 0, first, from.bytes, err);
  if (!code && image)
    code = xb_image_create(device, &desc, &o->images[i], err);
  *binding = (xb_binding){.kind = s->kind,
                          .buffer = image ? NULL : o->buffers[i],
                          .image = o->images[i],
                          .access = s->access,
                          .format = s->format,
                          .channels = 1,
                          .sampler = {.filter = XB_FILTER_LINEAR, .normalized = true}};
  return code;
}

/* An element of the array. */
static xb_code create_element(xb_device *device, uint32_t i, xb_buffer **buffer, xb_binding *binding, xb_error *err)
{
  static const uint32_t first[WORDS];
  char label[16];
  snprintf(label, sizeof label, "many[%u]", i - MANY);
  const xb_buffer_desc desc = {.mem = XB_MEM_DEVICE, .bytes = sizeof first, .label = label};
  xb_code code = xb_buffer_create(device, &desc, buffer, err);
  code = code ? code : xb_upload(*buffer, 0, first, sizeof first, err);
  *binding = (xb_binding){.buffer = *buffer, .access = i > MANY ? XB_WRITE : XB_READ_WRITE};
  return code;
}

static xb_code run_on(xb_device *device, job *j, objects *o, xb_error *err)
{
  xb_buffer **buffers = o->buffers;
  static const xb_access access[BUFFERS] = {XB_READ_WRITE, XB_READ, XB_READ_WRITE, XB_WRITE, XB_READ_WRITE};
  static const char *const labels[BUFFERS] = {"data", "src", "b", "out_", "more"};
  static uint32_t first[WORDS];
  xb_binding bindings[BINDINGS];
  xb_kernel *kernel = NULL;
  xb_commands *commands = NULL;
  xb_point done;
  xb_code code = create(device, j, &kernel, err);
  for (uint32_t i = BUFFERS; i < MANY && !code; i++)
    code = create_shape(device, i, o, &bindings[i], err);
  for (uint32_t i = MANY; i < BINDINGS && !code; i++)
    code = create_element(device, i, &buffers[i], &bindings[i], err);
  for (uint32_t i = 0; i < BUFFERS && !code; i++) {
    const xb_buffer_desc desc = {.mem = XB_MEM_DEVICE, .bytes = words_of(j, i) * sizeof(uint32_t), .label = labels[i]};
    for (uint32_t k = 0; k < WORDS; k++)
      first[k] = i == 1 ? k * 37 % 101 : 0;
    code = xb_buffer_create(device, &desc, &buffers[i], err);
    code = code ? code : xb_upload(buffers[i], 0, first, desc.bytes, err);
    bindings[i] = (xb_binding){.buffer = buffers[i], .access = access[i]};
  }
  code = code ? code : xb_commands_create(device, &(xb_commands_desc){0}, &commands, err);
  if (!code) {
    for (uint32_t i = BUFFERS; i < MANY; i++)
      if (o->images[i])
        xb_cmd_copy_to_image(commands, o->images[i], buffers[i], 0);
    xb_cmd_barrier(commands);
    xb_cmd_dispatch(
        commands,
        &(xb_dispatch){.kernel = kernel, .bindings = bindings, .binding_count = BINDINGS, .groups = {j->groups, 1, 1}});
    code = xb_commands_finish(commands, err);
  }
  code = code ? code : xb_submit(device, &(xb_submission){.commands = commands}, &done, err);
  code = code ? code : xb_wait(device, done, LIMIT_NS, err);
  for (uint32_t i = 0; i < BUFFERS && !code; i++)
    code = xb_download(buffers[i], 0, j->results[i], words_of(j, i) * sizeof(uint32_t), err);
  xb_commands_destroy(commands);
  xb_kernel_destroy(kernel);
  return code;
}

static xb_code run(job *j, xb_error *err)
{
  const xb_device_desc desc = {.backend = xb_backend_find("cpu"), .wave = j->wave, .checks = CHECKS};
  objects o = {0};
  xb_device *device;
  xb_error ignored;
  xb_code code = xb_device_open(&desc, &device, err);
  if (code)
    return code;
  code = run_on(device, j, &o, err);
  for (uint32_t i = 0; i < BINDINGS; i++) {
    xb_buffer_destroy(o.buffers[i]);
    xb_image_destroy(o.images[i]);
  }
  xb_device_close(device, &ignored);
  return code;
}

static bool run_in_order(job *j, uint32_t seed, xb_error *err)
{
  char text[16];
  snprintf(text, sizeof text, "%u", seed);
  setenv("XB_ORDER", text, 1);
  const xb_code code = run(j, err);
  if (code)
    printf("order %u: %s\n", seed, err->message);
  return !code;
}

static void answer(job *j, bool orders)
{
  xb_error err;
  static uint32_t usual[BUFFERS][WORDS];
  unsetenv("XB_ORDER");
  if (run(j, &err)) {
    printf("%s\n", err.message);
    return;
  }
  memcpy(usual, j->results, sizeof usual);
  for (uint32_t seed = 1; orders && seed <= ORDERS; seed++) {
    if (!run_in_order(j, seed, &err))
      return;
    if (memcmp(usual, j->results, sizeof usual) != 0) {
      printf("order %u\n", seed);
      return;
    }
  }
  printf("right\n");
}

static bool read_code(const char *path, job *j)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  fseek(file, 0, SEEK_END);
  j->bytes = (size_t)ftell(file);
  rewind(file);
  j->code = malloc(j->bytes + 1);
  const bool read = j->code && fread(j->code, 1, j->bytes, file) == j->bytes;
  fclose(file);
  return read;
}

int main(void)
{
  static job j;
  char path[512];
  unsigned orders;
  while (scanf("%511s %u %u %u %u", path, &j.wave, &j.groups, &j.words, &orders) == 5) {
    j.unused = 0;
    if (!read_code(path, &j) || j.words > WORDS)
      return 1;
    answer(&j, orders != 0);
    fflush(stdout);
    free(j.code);
  }
  return 0;
}
