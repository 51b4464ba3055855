/* Tiles of a matrix: the driver gets a tensor map in the place of an address, in each launch mode. What it could not
 * map is refused before. */
#include "support.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "patience.h"

enum { BYTES = 4096, OFFSET = 256, MAP_BYTES = 128, COLUMNS = 40, ROWS = 8, PITCH = 96 };

static const xb_tiles right = {
    .dimensions = 2, .element_bytes = 2, .size = {COLUMNS, ROWS}, .pitch = {PITCH}, .tile = {16, 4}};

static fake_control *fake;
static xb_device *device;
static xb_buffer *buffer;
static xb_kernel *kernel;

static void check(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s: %s", xb_code_name(code), err->message);
}

static xb_code make(uint32_t tile_bindings, const char *entry, xb_error *err)
{
  xb_kernel_desc desc = {
      .label = "tiled", .entry = entry, .group_size = {64, 1, 1}, .binding_count = 2, .tile_bindings = tile_bindings};
  void *code = make_fatbin(FATBIN_ELF, 90, "good", &desc.code_bytes);
  desc.code = code;
  const xb_code result = xb_kernel_create(device, &desc, &kernel, err);
  free(code);
  return result;
}

static void begin(xb_launch_mode mode)
{
  xb_error err;
  check(xb_device_open(&(xb_device_desc){.backend = &xb_backend_cuda, .launch_mode = mode}, &device, &err), &err);
  fake = find_fake();
  check(xb_buffer_create(device, &(xb_buffer_desc){.bytes = BYTES}, &buffer, &err), &err);
  check(make(1, "128,p", &err), &err);
}

static void end(void)
{
  xb_error err;
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(buffer);
  check(xb_device_close(device, &err), &err);
  if (fake->broken)
    fail_msg("%s", fake->broken);
}

/* Records one dispatch whose first binding has these tiles. */
static xb_code record(xb_commands *c, const xb_binding *first, xb_error *err)
{
  const xb_binding bindings[] = {*first, {.buffer = buffer, .offset = BYTES / 2, .access = XB_WRITE}};
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = kernel, .bindings = bindings, .binding_count = 2, .groups = {1, 1, 1}});
  return xb_commands_finish(c, err);
}

static xb_binding binding_of(const xb_tiles *tiles)
{
  return (xb_binding){.kind = XB_BINDING_TILES, .buffer = buffer, .offset = OFFSET, .size = 1024, .tiles = *tiles};
}

TEST(a_map_in_each_launch_mode)
{
  const xb_launch_mode modes[] = {XB_LAUNCH_GRAPH, XB_LAUNCH_STREAM, XB_LAUNCH_HELD_STREAM};
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
    xb_commands *c;
    xb_point done;
    xb_error err;
    begin(modes[m]);
    const xb_binding first = binding_of(&right);
    check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
    check(record(c, &first, &err), &err);
    for (int again = 0; again < 2; again++) {
      check(xb_submit(device, &(xb_submission){.commands = c}, &done, &err), &err);
      check(xb_wait(device, done, patience_ns(), &err), &err);
      const uint64_t base = xb_buffer_native(buffer);
      const uint64_t map[16] = {base + OFFSET, 1, 2, 3, COLUMNS, 0, 16, ROWS, PITCH, 4, [15] = 2};
      const uint64_t second = base + BYTES / 2;
      assert_int_equal(fake->parameter_bytes, MAP_BYTES + 8);
      assert_memory_equal(fake->parameters, map, MAP_BYTES);
      assert_memory_equal(fake->parameters + MAP_BYTES, &second, 8);
    }
    xb_commands_destroy(c);
    end();
  }
}

/* Layers of a box, elements of one byte. */
TEST(three_dimensions)
{
  const xb_tiles tiles = {
      .dimensions = 3, .element_bytes = 1, .size = {128, 4, 2}, .pitch = {256, 128}, .tile = {128, 4, 2}};
  xb_commands *c;
  xb_point done;
  xb_error err;
  begin(XB_LAUNCH_GRAPH);
  const xb_binding first = binding_of(&tiles);
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  check(record(c, &first, &err), &err);
  check(xb_submit(device, &(xb_submission){.commands = c}, &done, &err), &err);
  check(xb_wait(device, done, patience_ns(), &err), &err);
  const uint64_t map[16] = {xb_buffer_native(buffer) + OFFSET, 0, 3, 3, 128, 0, 128, 4, 256, 4, 2, 128, 2, [15] = 2};
  assert_memory_equal(fake->parameters, map, MAP_BYTES);
  xb_commands_destroy(c);
  end();
}

TEST(refused)
{
  static const char shape[] = "tiled: binding 0: tiles have 2 or 3 dimensions of 1 to 256 elements of 1, 2 or 4 bytes, "
                              "at most 128 bytes in the first; rows and layers begin at multiples of 16 bytes";
  static const struct {
    xb_tiles tiles;
    const char *text;
  } rows[] = {
      {{.dimensions = 1, .element_bytes = 2, .size = {40}, .tile = {16}}, shape},
      {{.dimensions = 2, .element_bytes = 8, .size = {40, 8}, .pitch = {96}, .tile = {16, 4}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 8}, .pitch = {96}, .tile = {65, 4}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 8}, .pitch = {96}, .tile = {16, 257}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 8}, .pitch = {96}, .tile = {16, 0}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 8}, .pitch = {88}, .tile = {16, 4}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {0, 8}, .pitch = {96}, .tile = {16, 4}}, shape},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 11}, .pitch = {96}, .tile = {16, 4}},
       "tiled: binding 0: the matrix of tiles ends after 1040 bytes, the binding has 1024"},
      {{.dimensions = 2, .element_bytes = 2, .size = {40, 8}, .tile = {16, 4}}, shape}, /* all rows are one */
      {{.dimensions = 3, .element_bytes = 2, .size = {1, 17, 17}, .pitch = {1ull << 60, 1ull << 60}, .tile = {1, 1, 1}},
       "tiled: binding 0: the matrix of tiles ends after 18446744073709551615 bytes, the binding has 1024"},
  };
  xb_error err;
  begin(XB_LAUNCH_GRAPH);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    xb_commands *c;
    const xb_binding first = binding_of(&rows[i].tiles);
    check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
    assert_int_equal(record(c, &first, &err), XB_INVALID);
    assert_string_equal(err.message, rows[i].text);
    xb_commands_destroy(c);
  }
  end();
}

TEST(read_only_and_as_the_kernel_says)
{
  xb_binding first;
  xb_commands *c;
  xb_error err;
  begin(XB_LAUNCH_GRAPH);
  first = binding_of(&right);
  first.access = XB_WRITE;
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  assert_int_equal(record(c, &first, &err), XB_INVALID);
  assert_string_equal(err.message, "tiled: binding 0: a matrix of tiles can only be read");
  xb_commands_destroy(c);

  first = (xb_binding){.buffer = buffer, .size = 1024};
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  assert_int_equal(record(c, &first, &err), XB_INVALID);
  assert_string_equal(err.message, "tiled: binding 0 has no tiles, but bit 0 of the kernel's tile_bindings is set");
  xb_commands_destroy(c);
  xb_kernel_destroy(kernel);

  assert_int_equal(make(4, "128,p", &err), XB_INVALID);
  assert_string_equal(err.message, "tiled: tile_bindings has a bit beyond the 2 bindings");
  assert_int_equal(make(1, "p,p", &err), XB_INVALID);
  assert_string_equal(err.message, "tiled: parameter 0 has 8 bytes in the code, 128 in the description (a tensor map)");
  check(make(0, "p,p", &err), &err);
  first = binding_of(&right);
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  assert_int_equal(record(c, &first, &err), XB_INVALID);
  assert_string_equal(err.message, "tiled: binding 0 has tiles, but bit 0 of the kernel's tile_bindings is not set");
  xb_commands_destroy(c);
  end();
}

/* The driver fails at each call in turn: nothing leaks, and the list says it. */
TEST(each_call_fails)
{
  for (uint64_t k = 1, made = 0; !made; k++) {
    xb_commands *c = NULL;
    xb_error err;
    begin(XB_LAUNCH_STREAM);
    const xb_binding first = binding_of(&right);
    check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
    fake->fail_call = k;
    fake->fail_with = 2; /* out of memory */
    made = !record(c, &first, &err);
    fake->fail_call = 0;
    xb_commands_destroy(c);
    end();
    assert_true(k < 100);
  }
}
