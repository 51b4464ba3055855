/* Images and their samplers, beside a texel buffer of the same contents. */
#include "suite.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 5, HEIGHT = 3, TEXELS = WIDTH * HEIGHT, PLACES = 64 };
static const uint32_t GUARD = 0x7fc01234;

static const char *const names[XB_TEXELS] = {"none", "float32", "float16", "unorm8", "uint8", "int32", "uint32"};

/* Texel (x, y) of a pattern, as a kernel sees it. */
static float texel(xb_texel format, uint32_t pattern, int x, int y)
{
  const uint32_t value = ((uint32_t)x * 3 + (uint32_t)y * 5 + pattern) % 8;
  return (float)value / (format == XB_TEXEL_UNORM8 ? 255.f : 8.f);
}

static void write_texels(xb_texel format, uint32_t pattern, unsigned char *out)
{
  static const uint16_t halves[8] = {0, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3A00, 0x3B00};
  for (int i = 0; i < TEXELS; i++) {
    const uint32_t value = ((uint32_t)(i % WIDTH) * 3 + (uint32_t)(i / WIDTH) * 5 + pattern) % 8;
    const float number = texel(format, pattern, i % WIDTH, i / WIDTH);
    if (format == XB_TEXEL_FLOAT32)
      memcpy(out + 4 * i, &number, 4);
    else if (format == XB_TEXEL_FLOAT16)
      memcpy(out + 2 * i, &halves[value], 2);
    else
      out[i] = (unsigned char)value;
  }
}

static xb_buffer *texels_of(xb_texel format, uint32_t pattern)
{
  unsigned char bytes[TEXELS * 4 + 4] = {0};
  write_texels(format, pattern, bytes);
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof bytes);
  write_buffer(buffer, 0, bytes, sizeof bytes);
  return buffer;
}

static xb_image *image_of(xb_texel format)
{
  xb_image *image;
  xb_error err;
  const xb_image_desc desc = {.label = names[format], .format = format, .width = WIDTH, .height = HEIGHT};
  CHECK(xb_image_create(suite_device, &desc, &image, &err), &err);
  return image;
}

static bool has_images(void)
{
  return suite_info->max_image_size[0];
}

/* ---- A sampler of the host --------------------------------------------------------------------------------------- */

static float fetch(xb_texel format, uint32_t pattern, xb_address address, int x, int y)
{
  const bool outside = x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT;
  if (address == XB_ADDRESS_BORDER && outside)
    return 0;
  if (address == XB_ADDRESS_WRAP)
    return texel(format, pattern, (x % WIDTH + WIDTH) % WIDTH, (y % HEIGHT + HEIGHT) % HEIGHT);
  x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
  y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
  return texel(format, pattern, x, y);
}

/* `u` and `v` in texels. */
static float sample(xb_texel format, uint32_t pattern, xb_sample_mode s, float u, float v)
{
  if (s.filter == XB_FILTER_POINT)
    return fetch(format, pattern, s.address, (int)floorf(u), (int)floorf(v));
  const int x = (int)floorf(u - .5f), y = (int)floorf(v - .5f);
  const float a = u - .5f - (float)x, b = v - .5f - (float)y;
  const float top = (1 - a) * fetch(format, pattern, s.address, x, y) + a * fetch(format, pattern, s.address, x + 1, y);
  const float low =
      (1 - a) * fetch(format, pattern, s.address, x, y + 1) + a * fetch(format, pattern, s.address, x + 1, y + 1);
  return (1 - b) * top + b * low;
}

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

/* Quarters of a texel, off the edges between two: in it, and beyond all four sides. */
static void place(int i, float *u, float *v)
{
  *u = (float)(i % 8) * 1.25f - 1.875f;
  *v = (float)(i / 8) * .75f - 1.625f;
}

static void record(xb_commands *c, xb_image *image, xb_sample_mode sampler, xb_buffer *places, xb_buffer *texels,
                   xb_texel format, xb_buffer *output)
{
  const struct texels_args args = {.count = PLACES, .texels = TEXELS};
  dispatch(c, kernel_of("texels"), "texels",
           (xb_binding[]){{.kind = XB_BINDING_IMAGE, .image = image, .sampler = sampler, .access = XB_READ},
                          {.kind = XB_BINDING_TEXELS,
                           .buffer = texels,
                           .size = (uint64_t)TEXELS * xb_texel_bytes(format),
                           .format = format,
                           .access = XB_READ},
                          bound(places, XB_READ),
                          bound(output, XB_WRITE)},
           &args, 1, 1, 1);
}

static xb_buffer *places_of(bool normalized)
{
  float places[PLACES * 2];
  for (int i = 0; i < PLACES; i++) {
    place(i, &places[2 * i], &places[2 * i + 1]);
    places[2 * i] /= normalized ? WIDTH : 1;
    places[2 * i + 1] /= normalized ? HEIGHT : 1;
  }
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof places);
  write_buffer(buffer, 0, places, sizeof places);
  return buffer;
}

static void same_samples(xb_buffer *output, xb_texel format, uint32_t pattern, xb_sample_mode s)
{
  float got[PLACES + TEXELS + 1];
  uint32_t behind;
  read_buffer(output, 0, got, sizeof got);
  memcpy(&behind, &got[PLACES + TEXELS], sizeof behind);
  SAME_WORD(PLACES + TEXELS, behind, GUARD);
  for (int i = 0; i < PLACES; i++) {
    float u, v;
    place(i, &u, &v);
    const float expected = sample(format, pattern, s, u, v);
    const float allowed = s.filter == XB_FILTER_LINEAR ? 2 * ldexpf(1, -(int)suite_info->filter_bits) : 1e-6f;
    if (!(fabsf(got[i] - expected) <= allowed))
      fail_msg("%s, %s, address mode %d, %snormalized, at (%g, %g): %g, expected %g", names[format],
               s.filter ? "linear" : "point", (int)s.address, s.normalized ? "" : "not ", (double)u, (double)v,
               (double)got[i], (double)expected);
  }
  for (int i = 0; i < TEXELS; i++)
    if (!(fabsf(got[PLACES + i] - texel(format, pattern, i % WIDTH, i / WIDTH)) <= 1e-6f))
      fail_msg("%s: texel %d of the texel buffer is %g", names[format], i, (double)got[PLACES + i]);
}

/* Each format, filter, address mode and kind of coordinate. */
CASE(samplers)
{
  if (!has_images())
    skip();
  for (int k = 0; k < 2 * 2 * 3 * 3; k++) {
    const xb_texel format = (xb_texel)(1 + k % 3);
    const xb_sample_mode s = {
        .filter = (xb_filter)(k / 3 % 2), .address = (xb_address)(k / 6 % 3), .normalized = k / 18};
    if ((s.address == XB_ADDRESS_WRAP && !s.normalized) ||
        (s.filter == XB_FILTER_LINEAR && !(suite_info->linear_formats >> format & 1)))
      continue;
    xb_buffer *texels = texels_of(format, 1), *output = buffer_of(XB_MEM_DEVICE, (PLACES + TEXELS + 1) * 4);
    xb_image *image = image_of(format);
    fill_buffer(output, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy_to_image(c, image, texels, 0);
    xb_cmd_barrier(c);
    record(c, image, s, places_of(s.normalized), texels, format, output);
    xb_image_destroy(image); /* the list holds it */
    run(c);
    same_samples(output, format, 1, s);
    suite_end_case(NULL);
  }
}

/* Copied to by one list, read by another, copied to again, from pinned memory and at an offset, and read with two
 * samplers. */
CASE(contents_change)
{
  static const xb_sample_mode point = {.normalized = true}, border = {.address = XB_ADDRESS_BORDER, .normalized = true};
  const xb_texel format = XB_TEXEL_UNORM8;
  const uint64_t bytes = (PLACES + TEXELS + 1) * 4;
  if (!has_images())
    skip();
  xb_image *image = image_of(format);
  xb_buffer *first = texels_of(format, 2), *texels = texels_of(format, 3), *up = buffer_of(XB_MEM_UPLOAD, 64);
  xb_buffer *places = places_of(true), *a = buffer_of(XB_MEM_DEVICE, bytes), *b = buffer_of(XB_MEM_DEVICE, bytes);
  xb_commands *fill = list_of(XB_QUEUE_COMPUTE, 0), *read = list_of(XB_QUEUE_COMPUTE, 0);
  write_texels(format, 3, (unsigned char *)xb_buffer_host(up) + 8);
  fill_buffer(a, GUARD);
  fill_buffer(b, GUARD);
  xb_cmd_copy_to_image(fill, image, first, 0);
  run(fill);
  record(read, image, point, places, first, format, a);
  xb_cmd_barrier(read);
  xb_cmd_copy_to_image(read, image, up, 8);
  xb_cmd_barrier(read);
  record(read, image, border, places, texels, format, b);
  for (int round = 0; round < 2; round++) {
    run(fill);
    run(read);
    same_samples(a, format, 2, point);
    same_samples(b, format, 3, border);
  }
  wait_for(submit(read)); /* in flight when it is destroyed */
  xb_image_destroy(image);
}

/* Every format comes back as it was, with nothing written behind it. */
CASE(copies_back)
{
  enum { MOST = TEXELS * 16, BEFORE = 16 };
  if (!has_images())
    skip();
  for (int k = 0; k < 2 * 3 * (XB_TEXELS - 1); k++) {
    const xb_image_desc desc = {.format = (xb_texel)(1 + k / 6),
                                .width = WIDTH,
                                .height = HEIGHT,
                                .channels = 1u << k % 3,
                                .storage = k / 3 % 2};
    const uint32_t bytes = TEXELS * desc.channels * xb_texel_bytes(desc.format);
    unsigned char contents[MOST + BEFORE], got[MOST + 2 * BEFORE];
    xb_image *image;
    xb_error err;
    if (xb_image_create(suite_device, &desc, &image, &err)) {
      assert_int_equal(err.code, XB_UNSUPPORTED);
      continue;
    }
    for (int i = 0; i < MOST + BEFORE; i++)
      contents[i] = (unsigned char)(i * 37 + k);
    xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof contents), *to = buffer_of(XB_MEM_DEVICE, sizeof got);
    write_buffer(from, 0, contents, sizeof contents);
    fill_buffer(to, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy_to_image(c, image, from, BEFORE);
    xb_cmd_barrier(c);
    xb_cmd_copy_from_image(c, to, BEFORE, image);
    run(c);
    read_buffer(to, 0, got, sizeof got);
    assert_memory_equal(got + BEFORE, contents + BEFORE, bytes);
    for (uint32_t i = 0; i < sizeof got; i += i == BEFORE - 1 ? 1 + bytes : 1)
      assert_int_equal(got[i], ((const unsigned char *)&GUARD)[i % 4]);
    c = list_of(XB_QUEUE_COMPUTE, 0); /* of the contents that an earlier list wrote, into pinned memory */
    xb_buffer *down = buffer_of(XB_MEM_READBACK, sizeof got);
    xb_cmd_copy_from_image(c, down, 0, image);
    xb_image_destroy(image);
    run(c);
    assert_memory_equal(xb_buffer_host(down), contents + BEFORE, bytes);
    suite_end_case(NULL);
  }
}

CASE(images_refused)
{
  xb_error err;
  xb_image *image;
  const uint32_t most = suite_info->max_image_size[0];
  static const struct {
    xb_image_desc desc;
    const char *text;
  } rows[] = {
      {{.format = XB_TEXEL_NONE, .width = 4, .height = 4}, "format 0 does not exist"},
      {{.format = XB_TEXELS, .width = 4, .height = 4}, "format 7 does not exist"},
      {{.format = XB_TEXEL_FLOAT32, .width = 0, .height = 4}, "0 x 4 x 0 texels"},
      {{.format = XB_TEXEL_FLOAT32, .width = 4, .height = 4, .channels = 3}, "3 channels: a texel has 1, 2 or 4"},
      {{.format = XB_TEXEL_FLOAT32, .width = 4, .height = 4, .channels = 5}, "5 channels"},
      {{.format = XB_TEXEL_FLOAT32, .width = 4, .depth = 4}, "4 x 0 x 4 texels"},
      {{.format = XB_TEXEL_FLOAT32, .width = 4, .storage = true}, "4 x 0 x 0 texels: a storage image has two"},
  };
  const xb_image_desc small = {.format = XB_TEXEL_FLOAT32, .width = 4, .height = 4};
  const xb_image_desc large = {.format = XB_TEXEL_UNORM8, .width = most + 1, .height = 1};
  REFUSED(xb_image_create(suite_device, &large, &image, &err), &err, XB_UNSUPPORTED,
          most ? "x 1 x 0 texels, this device allows" : "has no images here");
  assert_null(image);
  const xb_image_desc line = {.format = XB_TEXEL_UNORM8, .width = suite_info->max_line + 1};
  const xb_image_desc deep = {.format = XB_TEXEL_UNORM8, .width = 1, .height = 1, .depth = suite_info->max_volume + 1};
  REFUSED(xb_image_create(suite_device, &line, &image, &err), &err, XB_UNSUPPORTED,
          most ? "x 0 x 0 texels, this device allows" : "has no images here");
  REFUSED(xb_image_create(suite_device, &deep, &image, &err), &err, XB_UNSUPPORTED,
          most ? "1 x 1 x" : "has no images here");
  REFUSED(xb_image_create(suite_device, NULL, &image, &err), &err, XB_INVALID,
          "the description or the result pointer is NULL");
  REFUSED(xb_image_create(NULL, &small, &image, &err), &err, XB_INVALID,
          "the device, the description or the result pointer is NULL");
  for (size_t i = 0; i < COUNT(rows) && most; i++)
    REFUSED(xb_image_create(suite_device, &rows[i].desc, &image, &err), &err, XB_INVALID, rows[i].text);
  xb_image_destroy(NULL);
}

/* An image of another number of dimensions than the code's, and a volume by the numbers of its texels. */
static void refuse_shapes(void)
{
  const xb_image_desc descs[] = {{.label = "line", .format = XB_TEXEL_UNORM8, .width = 8},
                                 {.label = "deep", .format = XB_TEXEL_UNORM8, .width = 2, .height = 2, .depth = 2}};
  const bool known = xb_kernel_get_info(kernel_of("texels"))->access_known;
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 4096), *output = buffer_of(XB_MEM_DEVICE, 4096);
  xb_error err;
  for (size_t i = 0; i < COUNT(descs); i++)
    for (int normalized = known ? 0 : 1; normalized < 2; normalized++) {
      xb_image *image;
      CHECK(xb_image_create(suite_device, &descs[i], &image, &err), &err);
      xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
      record(c, image, (xb_sample_mode){.normalized = normalized}, buffer, buffer, XB_TEXEL_FLOAT32, output);
      xb_image_destroy(image);
      if (descs[i].depth && !normalized)
        REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "coordinates of an image with a depth are normalized");
      else if (known)
        REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID,
                i ? "'deep' has 3 dimensions, the code's image has 2" : "'line' has 1 dimensions");
    }
}

CASE(bindings_refused)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 4096);
  const xb_binding texels = {.kind = XB_BINDING_TEXELS, .buffer = buffer, .format = XB_TEXEL_FLOAT32};
  refuse_binding((xb_binding){.kind = XB_BINDING_IMAGE}, XB_INVALID, "binding 0 has no image of this device");
  if (!has_images())
    return;
  xb_image *image = image_of(XB_TEXEL_FLOAT32);
  xb_binding b = {.kind = XB_BINDING_IMAGE, .image = image};
  b.sampler = (xb_sample_mode){.address = XB_ADDRESS_WRAP};
  refuse_binding(b, XB_INVALID, "only normalized coordinates wrap");
  b.sampler = (xb_sample_mode){.address = XB_ADDRESS_BORDER + 1};
  refuse_binding(b, XB_INVALID, "address mode 3 does not exist");
  b.sampler = (xb_sample_mode){0};
  b.access = XB_READ_WRITE;
  refuse_binding(b, XB_INVALID, "an image can only be read");
  b.access = XB_READ;
  b.kind = XB_BINDING_STORAGE_IMAGE;
  refuse_binding(b, XB_INVALID, "image 'float32' was not created as a storage image");
  if (xb_kernel_get_info(kernel_of("step"))->access_known)
    refuse_binding((xb_binding){.kind = XB_BINDING_SAMPLER}, XB_INVALID,
                   "binding 0 is bound as a sampler, the code has a storage buffer");
  b.kind = XB_BINDING_IMAGE;
  if (xb_kernel_get_info(kernel_of("step"))->access_known) {
    refuse_binding(b, XB_INVALID, "binding 0 is bound as an image, the code has a storage buffer");
    refuse_binding(texels, XB_INVALID, "binding 0 is bound as a texel buffer, the code has a storage buffer");
  }
  xb_image_destroy(image);
  refuse_shapes();
}

CASE(copies_refused)
{
  if (!has_images())
    skip();
  xb_error err;
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 64), *small = buffer_of(XB_MEM_DEVICE, 56);
  xb_buffer *output = buffer_of(XB_MEM_DEVICE, 4096), *places = places_of(false);
  xb_image *image = image_of(XB_TEXEL_FLOAT32);
  const struct {
    xb_image *image;
    xb_buffer *buffer;
    uint64_t offset;
    const char *text;
  } rows[] = {
      {NULL, buffer, 0, "no image of this device"},
      {image, NULL, 0, "source has no buffer"},
      {image, buffer, 2, "offset 2 is not a multiple of 4"},
      {image, buffer, 8, "offset 8, 60 bytes go past the end"},
      {image, small, 0, "offset 0, 60 bytes go past the end"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy_to_image(c, rows[i].image, rows[i].buffer, rows[i].offset);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, rows[i].text);
  }
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  record(c, image, (xb_sample_mode){0}, places, buffer, XB_TEXEL_FLOAT32, output);
  REFUSED(xb_submit(suite_device, &(xb_submission){.commands = c}, NULL, &err), &err, XB_INVALID,
          "'list' reads image 'float32', which nothing was copied to");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy_to_image(c, image, buffer, 0);
  record(c, image, (xb_sample_mode){0}, places, buffer, XB_TEXEL_FLOAT32, output);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "'float32', which 'xb_cmd_copy_to_image' writes since the");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy_to_image(c, image, buffer, 0);
  xb_cmd_copy_to_image(c, image, buffer, 0);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "since the last barrier");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy_from_image(c, buffer, 0, image);
  REFUSED(xb_submit(suite_device, &(xb_submission){.commands = c}, NULL, &err), &err, XB_INVALID,
          "'list' reads image 'float32', which nothing was copied to");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy_to_image(c, image, buffer, 0);
  xb_cmd_copy_from_image(c, output, 0, image);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "which 'xb_cmd_copy_to_image' writes since the");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_image *wide;
  const xb_image_desc four = {.format = XB_TEXEL_FLOAT32, .width = 1, .height = 1, .channels = 4};
  CHECK(xb_image_create(suite_device, &four, &wide, &err), &err);
  xb_cmd_copy_to_image(c, wide, buffer, 8);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "offset 8 is not a multiple of 16");
  xb_image_destroy(wide);
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy_from_image(c, small, 0, image);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "destination: offset 0, 60 bytes go past the end");
  if (suite_info->queues[XB_QUEUE_COPY].present) {
    c = list_of(XB_QUEUE_COPY, 0);
    xb_cmd_copy_to_image(c, image, buffer, 0);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "a copy queue does not support images");
  }
  xb_image_destroy(image);
}

TEST_SOURCE(SUITE);
