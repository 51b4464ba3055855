/* What no description can bind, and types that are not translated: refused, each by its name. An array of one buffer is
 * none of these. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader_run.h"

enum { TYPE_FLOAT = 22, TYPE_IMAGE = 25, DIM = 3, LAYERS = 5, SAMPLES = 6, CUBE = 3 };

TEST(test_arrays_of_buffers)
{
  uint32_t words[] = {1, 2, 3, 4};
  run_shader(
      &(shader_run){.name = "arrays", .group = 4, .groups = 1, .buffers = {{{0, 0, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(words[i], 3 * (i + 1) + 4);
}

TEST(test_array_of_two)
{
  xb_error err;
  size_t bytes;
  xb_kernel *kernel = NULL;
  void *code = read_shader("arrays", &bytes);
  xb_device *device = open_waves(32);
  const xb_specialization two = {.id = 0, .value = 2};
  const xb_kernel_desc desc = {.label = "arrays",
                               .code = code,
                               .code_bytes = bytes,
                               .entry = "main",
                               .group_size = {4, 1, 1},
                               .binding_count = 1,
                               .specializations = &two,
                               .specialization_count = 1};
  assert_int_equal(xb_kernel_create(device, &desc, &kernel, &err), XB_INVALID);
  assert_non_null(strstr(err.message, "the code has an array of 2 buffers at set 0, binding 0, the description has 1"));
  xb_device_close(device, NULL);
  free(code);
}

/* The instruction of this kind, from the module's first word on. */
static uint32_t *find(uint32_t *words, size_t count, uint32_t op)
{
  for (size_t at = 5; at < count; at += words[at] >> 16)
    if ((words[at] & 0xffff) == op)
      return &words[at];
  fail_msg("the module has no instruction %u", op);
  return NULL;
}

/* Module `images` with one word of its first image's type changed. */
static void image_is_refused(uint32_t word, uint32_t value, const char *text)
{
  xb_error err;
  size_t bytes;
  uint32_t *words = read_shader("images", &bytes);
  find(words, bytes / 4, TYPE_IMAGE)[word] = value;
  assert_int_equal(load_shader(words, bytes, "main", 16, 4, &err), XB_UNSUPPORTED);
  if (!strstr(err.message, text))
    fail_msg("'%s' does not say '%s'", err.message, text);
  free(words);
}

TEST(test_images_of_other_shapes)
{
  image_is_refused(LAYERS, 1, "an image of the kind '2D, layers' is not translated");
  image_is_refused(SAMPLES, 1, "an image of the kind '2D, samples' is not translated");
  image_is_refused(DIM, CUBE, "an image of the kind 'cube' is not translated");
}

/* Module `floats` with an encoding behind the width of its first type of floats. */
static void encoding_is_refused(uint32_t width, uint32_t encoding, const char *name)
{
  xb_error err;
  char text[64];
  size_t bytes;
  uint32_t *words = read_shader("floats", &bytes);
  uint32_t *longer = malloc(bytes + 4);
  assert_non_null(longer);
  const size_t end = (size_t)(find(words, bytes / 4, TYPE_FLOAT) - words) + 3;
  memcpy(longer, words, 4 * end);
  memcpy(longer + end + 1, words + end, bytes - 4 * end);
  longer[end - 3] = 4 << 16 | TYPE_FLOAT;
  longer[end - 1] = width;
  longer[end] = encoding;
  assert_int_equal(load_shader(longer, bytes + 4, "main", 64, 2, &err), XB_UNSUPPORTED);
  snprintf(text, sizeof text, "is not translated: its encoding is %s", name);
  if (!strstr(err.message, text))
    fail_msg("'%s' does not say '%s'", err.message, text);
  free(longer);
  free(words);
}

TEST(test_encodings)
{
  encoding_is_refused(16, 0, "bfloat16");
  encoding_is_refused(8, 4214, "float8 E4M3");
  encoding_is_refused(8, 4215, "float8 E5M2");
  encoding_is_refused(16, 77, "77");
}
