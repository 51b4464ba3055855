/* Texel buffers that kernels write, beside those that they read. */
#include "suite.h"

#include <string.h>

static const uint32_t GUARD = 0x7fc01234;

/* Texels of one and of four numbers, read and written; and sums by atomics. Nothing behind them is written. */
CASE(texels_written)
{
  enum { COUNT_TEXELS = 61, NUMBERS = 4 * COUNT_TEXELS };
  float numbers[NUMBERS], got[NUMBERS + 1];
  uint32_t sums[4], expected[4] = {0}, behind;
  if (!suite_info->storage_texels)
    skip();
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = (float)((i + i / 4) % 7);
  xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof numbers), *to = buffer_of(XB_MEM_DEVICE, sizeof got),
            *counts = buffer_of(XB_MEM_DEVICE, sizeof sums);
  write_buffer(from, 0, numbers, sizeof numbers);
  fill_buffer(to, GUARD);
  fill_buffer(counts, 0);
  const xb_binding read = {.kind = XB_BINDING_TEXELS, .buffer = from, .format = XB_TEXEL_FLOAT32};
  xb_binding vectors = read, written = read, words = read;
  vectors.channels = written.channels = 4;
  written.kind = words.kind = XB_BINDING_STORAGE_TEXELS;
  written.buffer = to;
  written.size = sizeof numbers;
  written.access = XB_WRITE;
  words.buffer = counts;
  words.format = XB_TEXEL_UINT32;
  words.access = XB_READ_WRITE;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("typed"), "typed", (xb_binding[]){vectors, read, written, words},
           &(struct count_args){.slot = COUNT_TEXELS}, 1, 1, 1);
  run(c);
  read_buffer(to, 0, got, sizeof got);
  read_buffer(counts, 0, sums, sizeof sums);
  for (int i = 0; i < NUMBERS; i++)
    assert_true(got[i] == 2 * numbers[i] + numbers[i / 4]);
  memcpy(&behind, &got[NUMBERS], sizeof behind);
  SAME_WORD(NUMBERS, behind, GUARD);
  for (uint32_t i = 0; i < COUNT_TEXELS; i++)
    expected[i % 4] += i;
  assert_memory_equal(sums, expected, sizeof sums);
}

/* More views than a backend keeps together: each dispatch has parts of its own. */
CASE(many_texels)
{
  enum { DISPATCHES = 150, PART = 512, FLOATS = PART / 4 };
  static float numbers[DISPATCHES * FLOATS], got[DISPATCHES * FLOATS];
  uint32_t sums[4];
  if (!suite_info->storage_texels)
    skip();
  for (int i = 0; i < DISPATCHES * FLOATS; i++)
    numbers[i] = (float)(i % 1001);
  xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof numbers), *to = buffer_of(XB_MEM_DEVICE, sizeof got),
            *counts = buffer_of(XB_MEM_DEVICE, sizeof sums);
  write_buffer(from, 0, numbers, sizeof numbers);
  fill_buffer(counts, 0);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_kernel *kernel = kernel_of("typed");
  const xb_binding words = {
      .kind = XB_BINDING_STORAGE_TEXELS, .buffer = counts, .format = XB_TEXEL_UINT32, .access = XB_ATOMIC};
  for (uint64_t i = 0; i < DISPATCHES; i++) {
    const xb_binding read = {
        .kind = XB_BINDING_TEXELS, .buffer = from, .offset = i * PART, .size = PART, .format = XB_TEXEL_FLOAT32};
    xb_binding vectors = read, written = read;
    vectors.channels = written.channels = 4;
    written.kind = XB_BINDING_STORAGE_TEXELS;
    written.buffer = to;
    written.access = XB_WRITE;
    dispatch(c, kernel, "typed", (xb_binding[]){vectors, read, written, words}, &(struct count_args){.slot = PART / 16},
             1, 1, 1);
  }
  run(c);
  read_buffer(to, 0, got, sizeof got);
  read_buffer(counts, 0, sums, sizeof sums);
  for (int i = 0; i < DISPATCHES * FLOATS; i++)
    assert_true(got[i] == 2 * numbers[i] + numbers[i / FLOATS * FLOATS + i % FLOATS / 4]);
  for (uint32_t i = 0; i < 4; i++) /* i + (i + 4) + ... + (i + 28) */
    assert_int_equal(sums[i], DISPATCHES * (8 * i + 112));
}

CASE(texels_refused)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 4096);
  const xb_binding texels = {.kind = XB_BINDING_TEXELS, .buffer = buffer, .format = XB_TEXEL_FLOAT32};
  xb_binding b = texels;
  b.access = XB_WRITE;
  refuse_binding(b, XB_INVALID, "a texel buffer can only be read");
  xb_binding typed = texels;
  typed.kind = XB_BINDING_STORAGE_TEXELS;
  if (!suite_info->max_texels) {
    refuse_binding(texels, XB_UNSUPPORTED, "has no texel buffers here");
    refuse_binding(typed, XB_UNSUPPORTED, "has no storage texel buffers here");
    return;
  }
  if (suite_info->storage_texels)
    refuse_binding(typed, XB_INVALID, "bound as a storage texel buffer, the code has a storage buffer");
  else
    refuse_binding(typed, XB_UNSUPPORTED, "has no storage texel buffers here");
  if (suite_info->emulates && !suite_wave) { /* its description says what is a pointer */
    xb_error err;
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_kernel *pointer = kernel_of("inline_constants");
    dispatch(c, pointer, "inline_constants", &texels, NULL, 1, 1, 1);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID,
            "binding 0 is bound as a texel buffer, the code has a pointer");
  }
  b = texels;
  b.format = XB_TEXEL_NONE;
  refuse_binding(b, XB_INVALID, "of format 0");
  b = texels;
  b.channels = 3;
  refuse_binding(b, XB_INVALID, "of format 1, channels 3");
  b = texels;
  b.size = 6;
  refuse_binding(b, XB_INVALID, "6 bytes at 0 of format 1");
  b.size = 8;
  b.offset = 1;
  refuse_binding(b, XB_INVALID, "begin at a multiple of");
}

TEST_SOURCE(SUITE);
