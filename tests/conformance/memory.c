#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t pattern(uint64_t i)
{
  return (uint32_t)(i * 2654435761u + 12345u);
}

CASE(up_and_down)
{
  static const uint64_t sizes[] = {4, 12, 252, 1028, 65540, (1 << 20) + 4};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    const uint64_t words = sizes[s] / 4;
    xb_buffer *up = buffer_of(XB_MEM_UPLOAD, sizes[s]), *device = buffer_of(XB_MEM_DEVICE, sizes[s]);
    xb_buffer *down = buffer_of(XB_MEM_READBACK, sizes[s]);
    assert_non_null(xb_buffer_host(up));
    assert_non_null(xb_buffer_host(down));
    assert_null(xb_buffer_host(device));
    assert_true(xb_buffer_native(device) != 0);
    uint32_t *in = xb_buffer_host(up);
    for (uint64_t i = 0; i < words; i++)
      in[i] = pattern(i + s);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy(c, device, 0, up, 0, sizes[s]);
    xb_cmd_barrier(c);
    xb_cmd_copy(c, down, 0, device, 0, sizes[s]);
    run(c);
    const uint32_t *out = xb_buffer_host(down);
    for (uint64_t i = 0; i < words; i++)
      SAME_WORD(i, out[i], pattern(i + s));
  }
}

/* The second submission of a list sees what the host wrote after the first one. */
CASE(host_writes_are_seen)
{
  xb_buffer *up = buffer_of(XB_MEM_UPLOAD, 4096), *down = buffer_of(XB_MEM_READBACK, 4096);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, down, 0, up, 0, 4096);
  for (uint32_t round = 0; round < 10; round++) {
    for (uint32_t i = 0; i < 1024; i++)
      ((uint32_t *)xb_buffer_host(up))[i] = pattern(i + round);
    run(c);
    for (uint32_t i = 0; i < 1024; i++)
      SAME_WORD(i, ((uint32_t *)xb_buffer_host(down))[i], pattern(i + round));
  }
}

CASE(copy_with_offsets)
{
  enum { WORDS = 256, GUARD = 0x5a5a5a5a };
  static const struct {
    uint32_t to, from, words;
  } cases[] = {{0, 1, 1}, {1, 0, 255}, {3, 7, 11}, {255, 255, 1}, {100, 200, 56}, {64, 0, 64}};
  uint32_t source[WORDS], got[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    source[i] = pattern(i);
  xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof source), *to = buffer_of(XB_MEM_DEVICE, sizeof source);
  write_buffer(from, 0, source, sizeof source);
  for (size_t k = 0; k < COUNT(cases); k++) {
    fill_buffer(to, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy(c, to, cases[k].to * 4, from, cases[k].from * 4, cases[k].words * 4);
    run(c);
    read_buffer(to, 0, got, sizeof got);
    for (uint32_t i = 0; i < WORDS; i++) {
      const bool inside = i >= cases[k].to && i < cases[k].to + cases[k].words;
      SAME_WORD(i, got[i], inside ? source[i - cases[k].to + cases[k].from] : GUARD);
    }
  }
}

CASE(fill_between_guards)
{
  enum { WORDS = 1024, GUARD = 0x77777777 };
  static const struct {
    uint32_t first, words, word;
  } cases[] = {{0, 1, 1}, {1, 1, 0xdeadbeef}, {5, 1000, 0x01020304}, {1023, 1, 0}, {0, 1024, 0xffffffff}};
  uint32_t got[WORDS];
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof got);
  for (size_t k = 0; k < COUNT(cases); k++) {
    fill_buffer(buffer, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_fill(c, buffer, cases[k].first * 4, cases[k].words * 4, cases[k].word);
    run(c);
    read_buffer(buffer, 0, got, sizeof got);
    for (uint32_t i = 0; i < WORDS; i++) {
      const bool inside = i >= cases[k].first && i < cases[k].first + cases[k].words;
      SAME_WORD(i, got[i], inside ? cases[k].word : GUARD);
    }
  }
}

/* Kernels reach every kind of memory. */
CASE(kernels_on_host_memory)
{
  enum { WORDS = 1000 };
  xb_buffer *up = buffer_of(XB_MEM_UPLOAD, WORDS * 4), *down = buffer_of(XB_MEM_READBACK, WORDS * 4);
  xb_kernel *step = kernel_of("step");
  for (uint32_t i = 0; i < WORDS; i++)
    ((uint32_t *)xb_buffer_host(up))[i] = pattern(i);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  const struct step_args args = {.count = WORDS, .mul = 3, .add = 1};
  dispatch(c, step, "step", (xb_binding[]){bound(up, XB_READ), bound(down, XB_WRITE)}, &args, 16, 1, 1);
  run(c);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, ((uint32_t *)xb_buffer_host(down))[i], pattern(i) * 3 + 1);
}

static void says_how_much(const xb_error *err, uint64_t bytes)
{
  char number[32];
  snprintf(number, sizeof number, "%" PRIu64, bytes);
  if (!strstr(err->message, number))
    fail_msg("'%s' does not say that %s bytes were asked", err->message, number);
}

static void works(void)
{
  uint32_t word;
  xb_buffer *small = buffer_of(XB_MEM_DEVICE, 4);
  fill_buffer(small, 0x600d);
  read_buffer(small, 0, &word, sizeof word);
  SAME_WORD(0, word, 0x600d);
}

/* A device that uses the host's memory may report more than exists: the test writes nothing, and allocates at most 1.5
 * times the reported size. */
CASE(memory_runs_out)
{
  uint64_t bytes = suite_info->memory_bytes / 4 & ~(uint64_t)255, taken = 0;
  if (suite_info->max_buffer_bytes && bytes > suite_info->max_buffer_bytes)
    bytes = suite_info->max_buffer_bytes & ~(uint64_t)255;
  xb_code code = XB_OK;
  xb_error err = {0};
  while (!code && taken < suite_info->memory_bytes / 2 * 3) {
    xb_buffer *buffer;
    code = xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = bytes}, &buffer, &err);
    if (!code)
      keep_buffer(buffer);
    taken += code ? 0 : bytes;
    if (code == XB_NOMEM && !taken && bytes > 1 << 20) { /* other programs have the host's memory */
      bytes = bytes / 2 & ~(uint64_t)255;
      code = XB_OK;
    }
  }
  if (code) {
    REFUSED(code, &err, XB_NOMEM, "");
    says_how_much(&err, bytes);
  }
  print_message("%" PRIu64 " of %" PRIu64 " bytes taken: %s\n", taken, suite_info->memory_bytes,
                code ? err.message : "no refusal");
  assert_true(taken >= bytes);
  suite_end_case(NULL);
  assert_int_equal(xb_device_status(suite_device), XB_OK);
  works();
  suite_end_case(NULL);
  buffer_of(XB_MEM_DEVICE, bytes); /* the memory is free again */
  suite_end_case(NULL);
}

/* More than one piece, where an API needs pieces for it. */
CASE(copy_inside_a_buffer)
{
  enum { HALF = (2 << 20) + 64 };
  xb_buffer *up = buffer_of(XB_MEM_UPLOAD, HALF), *device = buffer_of(XB_MEM_DEVICE, 2 * HALF),
            *down = buffer_of(XB_MEM_READBACK, 2 * HALF);
  uint32_t *in = xb_buffer_host(up);
  for (uint32_t i = 0; i < HALF / 4; i++)
    in[i] = 3 * i + 1;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, device, 0, up, 0, HALF);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, device, HALF, device, 0, HALF);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, down, 0, device, 0, 2 * HALF);
  run(c);
  for (int half = 0; half < 2; half++)
    assert_memory_equal((char *)xb_buffer_host(down) + half * HALF, in, HALF);
}

CASE(one_huge_request)
{
  static const xb_mem kinds[] = {XB_MEM_DEVICE, XB_MEM_UPLOAD, XB_MEM_READBACK};
  static const uint64_t sizes[] = {(uint64_t)1 << 46, (uint64_t)1 << 62, UINT64_MAX - 3};
  for (size_t k = 0; k < COUNT(kinds); k++)
    for (size_t s = 0; s < COUNT(sizes); s++) {
      xb_buffer *buffer = (xb_buffer *)&sizes;
      xb_error err;
      const xb_buffer_desc desc = {.mem = kinds[k], .bytes = sizes[s]};
      REFUSED(xb_buffer_create(suite_device, &desc, &buffer, &err), &err, XB_NOMEM, "");
      says_how_much(&err, sizes[s]);
      assert_null(buffer);
    }
  works();
}

TEST_SOURCE(SUITE);
