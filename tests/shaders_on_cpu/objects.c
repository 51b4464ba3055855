/* What shaders reach otherwise than by a buffer at a binding: images, texel buffers, addresses; parts of a wave; one of
 * several entry points. */
#include <math.h>
#include <string.h>

#include "shader_run.h"

static void check(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s", err->message);
}

TEST(test_entry_points)
{
  uint32_t a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40};
  run_shader(&(shader_run){
      .name = "entries", .entry = "first", .group = 1, .groups = 1, .buffers = {{{0, 0, 0}, a, sizeof a, false}}});
  run_shader(&(shader_run){
      .name = "entries", .entry = "second", .group = 4, .groups = 1, .buffers = {{{0, 1, 0}, b, sizeof b, false}}});
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(a[i], i ? i + 1 : 7);
    assert_int_equal(b[i], 10 * (i + 1) + i);
  }
}

TEST(test_parts_of_waves)
{
  enum { GROUP = 64 };
  for (uint32_t wave = 4; wave <= GROUP; wave *= 2) {
    uint32_t values[GROUP], out[4 * GROUP + 3 * GROUP] = {0};
    for (uint32_t i = 0; i < GROUP; i++)
      values[i] = i * 2654435761u >> 20;
    run_shader(
        &(shader_run){.name = "parts",
                      .wave = wave,
                      .group = GROUP,
                      .groups = 1,
                      .buffers = {{{0, 0, 0}, values, sizeof values, false}, {{0, 1, 0}, out, sizeof out, false}}});
    for (uint32_t i = 0; i < GROUP; i++) {
      const uint32_t first = i / wave * wave;
      uint32_t lanes[4] = {0}, sum = 0, most = 0, odd = 0;
      for (uint32_t l = first; l < first + wave; l++) {
        if (values[l] % 5 != values[i] % 5)
          continue;
        lanes[(l - first) / 32] |= 1u << (l - first) % 32;
        sum += values[l];
        most = l <= i && values[l] > most ? values[l] : most;
        odd ^= l < i ? values[l] : 0;
      }
      for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(out[4 * i + k], lanes[k]);
      const uint32_t *words = out + 4 * GROUP + 3 * i;
      assert_int_equal(words[0], sum);
      assert_int_equal(words[1], most);
      assert_int_equal(words[2], odd);
    }
  }
}

/* A kernel of this test, with what it is bound to. */
typedef struct bound {
  xb_device *device;
  xb_kernel *kernel;
  void *code;
} bound;

static bound bind_checked(const char *name, uint32_t group, uint32_t bindings, uint32_t arg_bytes, uint32_t checks)
{
  xb_error err;
  size_t bytes;
  bound b = {.code = read_shader(name, &bytes)};
  const xb_device_desc device = {.backend = xb_backend_find("cpu"), .wave = 32, .checks = checks};
  check(xb_device_open(&device, &b.device, &err), &err);
  const xb_kernel_desc desc = {.label = name,
                               .code = b.code,
                               .code_bytes = bytes,
                               .entry = "main",
                               .group_size = {group, 1, 1},
                               .binding_count = bindings,
                               .arg_bytes = arg_bytes};
  check(xb_kernel_create(b.device, &desc, &b.kernel, &err), &err);
  return b;
}

static bound bind(const char *name, uint32_t group, uint32_t bindings, uint32_t arg_bytes)
{
  return bind_checked(name, group, bindings, arg_bytes, 0);
}

static xb_buffer *buffer_of(bound *b, const void *data, size_t bytes)
{
  xb_error err;
  xb_buffer *buffer;
  check(xb_buffer_create(b->device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE, .bytes = bytes}, &buffer, &err), &err);
  check(xb_upload(buffer, 0, data, bytes, &err), &err);
  return buffer;
}

static void submit(bound *b, xb_commands *commands)
{
  const uint64_t limit_ns = 600000000000u;
  xb_error err;
  xb_point done;
  check(xb_commands_finish(commands, &err), &err);
  check(xb_submit(b->device, &(xb_submission){.commands = commands}, &done, &err), &err);
  check(xb_wait(b->device, done, limit_ns, &err), &err);
  xb_commands_destroy(commands);
}

static void unbind(bound *b)
{
  xb_error err;
  xb_kernel_destroy(b->kernel);
  check(xb_device_close(b->device, &err), &err);
  free(b->code);
}

TEST(test_addresses)
{
  enum { NODES = 8 };
  typedef struct node {
    uint64_t next;
    uint32_t value, unused;
  } node;
  xb_error err;
  node nodes[NODES] = {{0}};
  uint32_t words[NODES] = {0};
  bound b = bind("addresses", NODES, 1, sizeof(uint64_t));
  xb_buffer *list = buffer_of(&b, nodes, sizeof nodes), *out = buffer_of(&b, words, sizeof words);
  const uint64_t first = xb_buffer_native(list);
  for (uint32_t i = 0; i < NODES; i++)
    nodes[i] = (node){first + (i + 3) % NODES * sizeof(node), 10 + i, 0};
  check(xb_upload(list, 0, nodes, sizeof nodes, &err), &err);
  xb_commands *commands;
  check(xb_commands_create(b.device, &(xb_commands_desc){0}, &commands, &err), &err);
  xb_cmd_dispatch(commands, &(xb_dispatch){.kernel = b.kernel,
                                           .bindings = &(xb_binding){.buffer = out, .access = XB_READ_WRITE},
                                           .binding_count = 1,
                                           .args = &first,
                                           .arg_bytes = sizeof first,
                                           .groups = {1, 1, 1}});
  submit(&b, commands);
  check(xb_download(out, 0, words, sizeof words, &err), &err);
  check(xb_download(list, 0, nodes, sizeof nodes, &err), &err);
  for (uint32_t i = 0; i < NODES; i++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < i; k++)
      sum = sum * 3 + 10 + 3 * k % NODES;
    assert_int_equal(words[i], sum);
    assert_int_equal(nodes[i].unused, sum + 1);
  }
  xb_buffer_destroy(list);
  xb_buffer_destroy(out);
  unbind(&b);
}

/* A buffer that a dispatch uses by its address is named for it, else the check of accesses refuses the access. */
TEST(test_buffers_that_are_not_named)
{
  enum { NODES = 8, BYTES = 16 * NODES, MEMORY = 2 };
  static const uint32_t zeros[NODES];
  xb_error err;
  bound b = bind_checked("addresses", NODES, 1, sizeof(uint64_t), MEMORY);
  const xb_buffer_desc desc = {.label = "list", .mem = XB_MEM_DEVICE, .bytes = BYTES, .addressable = true};
  xb_buffer *list, *out = buffer_of(&b, zeros, sizeof zeros);
  check(xb_buffer_create(b.device, &desc, &list, &err), &err);
  uint64_t first = xb_buffer_address(list), ring[2 * NODES] = {0}; /* each node is followed by the first one */
  for (uint32_t i = 0; i < NODES; i++)
    ring[2 * i] = first;
  check(xb_upload(list, 0, ring, sizeof ring, &err), &err);
  for (int named = 0; named < 2; named++) {
    xb_commands *commands;
    xb_point done;
    check(xb_commands_create(b.device, &(xb_commands_desc){0}, &commands, &err), &err);
    if (named)
      xb_cmd_use(commands, &(xb_binding){.buffer = list, .access = XB_READ_WRITE}, 1);
    xb_cmd_dispatch(commands, &(xb_dispatch){.kernel = b.kernel,
                                             .bindings = &(xb_binding){.buffer = out, .access = XB_READ_WRITE},
                                             .binding_count = 1,
                                             .args = &first,
                                             .arg_bytes = sizeof first,
                                             .groups = {1, 1, 1}});
    check(xb_commands_finish(commands, &err), &err);
    check(xb_submit(b.device, &(xb_submission){.commands = commands}, &done, &err), &err);
    const xb_code code = xb_wait(b.device, done, 600000000000u, &err);
    assert_int_equal(code, named ? XB_OK : XB_INTERNAL);
    if (!named &&
        (!strstr(err.message, "of a buffer that is neither bound nor named with xb_cmd_use, at ") ||
         !strstr(err.message, "addresses.comp:17: word 3 ") || !strstr(err.message, "of 'list', which has 32")))
      fail_msg("%s", err.message);
    xb_commands_destroy(commands);
  }
  xb_buffer_destroy(list);
  xb_buffer_destroy(out);
  unbind(&b);
}

TEST(test_images)
{
  enum { SIDE = 4, TEXELS = SIDE * SIDE, RESULTS = 8 };
  xb_error err;
  float texels[TEXELS], line[64], words[TEXELS * RESULTS] = {0}, nothing[TEXELS] = {0}, left[TEXELS];
  for (uint32_t i = 0; i < TEXELS; i++)
    texels[i] = (float)(i * i);
  for (uint32_t i = 0; i < 64; i++)
    line[i] = 0.5f * (float)i;
  bound b = bind("images", TEXELS, 4, 0);
  xb_image *picture, *stored;
  const xb_image_desc shape = {.format = XB_TEXEL_FLOAT32, .width = SIDE, .height = SIDE};
  xb_image_desc written = shape;
  written.storage = true;
  check(xb_image_create(b.device, &shape, &picture, &err), &err);
  check(xb_image_create(b.device, &written, &stored, &err), &err);
  xb_buffer *from = buffer_of(&b, texels, sizeof texels), *to = buffer_of(&b, nothing, sizeof nothing),
            *texel_buffer = buffer_of(&b, line, sizeof line), *out = buffer_of(&b, words, sizeof words);
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_IMAGE,
       .image = picture,
       .access = XB_READ,
       .sampler = {.filter = XB_FILTER_LINEAR, .normalized = true}},
      {.kind = XB_BINDING_TEXELS, .buffer = texel_buffer, .access = XB_READ, .format = XB_TEXEL_FLOAT32, .channels = 1},
      {.kind = XB_BINDING_STORAGE_IMAGE, .image = stored, .access = XB_READ_WRITE},
      {.buffer = out, .access = XB_READ_WRITE},
  };
  xb_commands *commands;
  check(xb_commands_create(b.device, &(xb_commands_desc){0}, &commands, &err), &err);
  xb_cmd_copy_to_image(commands, picture, from, 0);
  xb_cmd_copy_to_image(commands, stored, to, 0);
  xb_cmd_barrier(commands);
  xb_cmd_dispatch(commands,
                  &(xb_dispatch){.kernel = b.kernel, .bindings = bindings, .binding_count = 4, .groups = {1, 1, 1}});
  xb_cmd_barrier(commands);
  xb_cmd_copy_from_image(commands, to, 0, stored);
  submit(&b, commands);
  check(xb_download(out, 0, words, sizeof words, &err), &err);
  check(xb_download(to, 0, left, sizeof left, &err), &err);
  for (uint32_t i = 0; i < TEXELS; i++) {
    const uint32_t x = i % SIDE, y = i / SIDE, right = x + 1 < SIDE ? x + 1 : x, down = y + 1 < SIDE ? y + 1 : y;
    const float *w = words + RESULTS * i, mean = (texels[y * SIDE + x] + texels[y * SIDE + right] +
                                                  texels[down * SIDE + x] + texels[down * SIDE + right]) /
                                                 4;
    assert_true(left[i] == (float)(2 * i));
    assert_true(w[0] == texels[i] && w[1] == texels[i] && w[2] == mean);
    assert_true(w[3] == line[i] && w[4] == SIDE * 100 + 64);
    assert_true(w[5] == texels[y * SIDE + right]); /* the third: above right */
    assert_true(w[6] == (float)(2 * i + SIDE) && w[7] == 0);
  }
  xb_image_destroy(picture);
  xb_image_destroy(stored);
  xb_buffer *const all[] = {from, to, texel_buffer, out};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    xb_buffer_destroy(all[i]);
  unbind(&b);
}

TEST(test_pictures)
{
  enum { SIDE = 4, TEXELS = SIDE * SIDE, RESULTS = 8 };
  static const int32_t around[4][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}};
  xb_error err;
  float texels[TEXELS], words[TEXELS * RESULTS] = {0};
  uint32_t counted[TEXELS];
  for (uint32_t i = 0; i < TEXELS; i++) {
    texels[i] = (float)(i * i);
    counted[i] = 10 - i % 8;
  }
  bound b = bind("pictures", TEXELS, 3, 0);
  xb_image *picture, *counts;
  const xb_image_desc shape = {.format = XB_TEXEL_FLOAT32, .width = SIDE, .height = SIDE},
                      integers = {.format = XB_TEXEL_UINT32, .width = SIDE, .height = SIDE, .storage = true};
  check(xb_image_create(b.device, &shape, &picture, &err), &err);
  check(xb_image_create(b.device, &integers, &counts, &err), &err);
  xb_buffer *from = buffer_of(&b, texels, sizeof texels), *to = buffer_of(&b, counted, sizeof counted),
            *out = buffer_of(&b, words, sizeof words);
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_IMAGE,
       .image = picture,
       .access = XB_READ,
       .sampler = {.filter = XB_FILTER_LINEAR, .normalized = true}},
      {.kind = XB_BINDING_STORAGE_IMAGE, .image = counts, .access = XB_READ_WRITE},
      {.buffer = out, .access = XB_READ_WRITE},
  };
  xb_commands *commands;
  check(xb_commands_create(b.device, &(xb_commands_desc){0}, &commands, &err), &err);
  xb_cmd_copy_to_image(commands, picture, from, 0);
  xb_cmd_copy_to_image(commands, counts, to, 0);
  xb_cmd_barrier(commands);
  xb_cmd_dispatch(commands,
                  &(xb_dispatch){.kernel = b.kernel, .bindings = bindings, .binding_count = 3, .groups = {1, 1, 1}});
  xb_cmd_barrier(commands);
  xb_cmd_copy_from_image(commands, to, 0, counts);
  submit(&b, commands);
  check(xb_download(out, 0, words, sizeof words, &err), &err);
  check(xb_download(to, 0, counted, sizeof counted, &err), &err);
  for (uint32_t i = 0; i < TEXELS; i++) {
    const float *w = words + RESULTS * i;
    const uint32_t before = 10 - i % 8, added = before + 3;
    assert_true(w[0] == texels[i] && w[1] == 2 * texels[i] && w[2] == 1);
    assert_true(w[3] == (float)(before + added));
    assert_int_equal(counted[i], added > i ? added : i);
    for (int k = 0; k < 4; k++) {
      const int32_t x = (int32_t)(i % SIDE) + around[k][0], y = (int32_t)(i / SIDE) + around[k][1];
      const int32_t column = x < 0 ? 0 : x < SIDE ? x : SIDE - 1, row = y < SIDE ? y : SIDE - 1;
      assert_true(w[4 + k] == texels[row * SIDE + column]);
    }
  }
  xb_image_destroy(picture);
  xb_image_destroy(counts);
  xb_buffer *const all[] = {from, to, out};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    xb_buffer_destroy(all[i]);
  unbind(&b);
}
