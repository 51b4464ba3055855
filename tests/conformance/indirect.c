/* Dispatches whose group counts the device reads from a buffer. */
#include "suite.h"

#include <string.h>

enum { GUARD = 0x6a6a6a6a, THREADS = 24 };

static bool has_indirect(void)
{
  return suite_info->features & XB_FEATURE_INDIRECT;
}

static xb_dispatch where_dispatch(xb_kernel *kernel, const xb_binding *output, const struct where_args *args)
{
  return (xb_dispatch){
      .kernel = kernel, .bindings = output, .binding_count = 1, .args = args, .arg_bytes = sizeof *args};
}

/* All groups of x times y times z ran, and no other. */
static void expect_groups(xb_buffer *output, const uint32_t n[3])
{
  uint32_t got[65 * THREADS];
  read_buffer(output, 0, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++) {
    const uint32_t g = i / THREADS, t = i % THREADS;
    SAME_WORD(i, got[i],
              g >= n[0] * n[1] * n[2] ? GUARD
                                      : g % n[0] | (g / n[0] % n[1]) << 6 | (g / n[0] / n[1]) << 12 | (t % 4) << 18 |
                                            (t / 4 % 2) << 22 | (t / 8) << 26);
  }
}

/* A kernel of the same list writes the counts: 2, 3, 4. */
CASE(counts_of_a_kernel)
{
  if (!has_indirect())
    skip();
  const struct index_args make_counts = {.first = 5, .count = 3, .grid_x = 1, .mul = 1, .add = 2};
  const struct where_args args = {.groups_x = 2, .groups_y = 3};
  xb_buffer *counts = buffer_of(XB_MEM_DEVICE, 64), *output = buffer_of(XB_MEM_DEVICE, 65 * THREADS * 4);
  const xb_binding written = bound(output, XB_WRITE);
  const xb_dispatch indirect = where_dispatch(kernel_of("where"), &written, &args);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, counts, 0, 64, 1);
  xb_cmd_fill(c, output, 0, xb_buffer_bytes(output), GUARD);
  xb_cmd_barrier(c);
  dispatch(c, kernel_of("index"), "index", (xb_binding[]){bound(counts, XB_WRITE)}, &make_counts, 1, 1, 1);
  xb_cmd_barrier(c);
  xb_cmd_dispatch_indirect(c, &indirect, counts, 5 * 4);
  for (int round = 0; round < 2; round++) {
    run(c);
    expect_groups(output, (uint32_t[]){2, 3, 4});
  }
}

/* Counts that change between two dispatches, and counts of 0. */
CASE(counts_of_copies)
{
  if (!has_indirect())
    skip();
  static const uint32_t sent[3][3] = {{2, 2, 2}, {3, 5, 0}, {3, 1, 2}};
  xb_buffer *source = buffer_of(XB_MEM_UPLOAD, sizeof sent), *counts = buffer_of(XB_MEM_DEVICE, 12);
  xb_kernel *kernel = kernel_of("where");
  xb_buffer *outputs[3];
  memcpy(xb_buffer_host(source), sent, sizeof sent);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t k = 0; k < 3; k++) {
    const struct where_args args = {.groups_x = sent[k][0], .groups_y = sent[k][1]};
    outputs[k] = buffer_of(XB_MEM_DEVICE, 65 * THREADS * 4);
    const xb_binding written = bound(outputs[k], XB_WRITE);
    const xb_dispatch indirect = where_dispatch(kernel, &written, &args);
    xb_cmd_fill(c, outputs[k], 0, xb_buffer_bytes(outputs[k]), GUARD);
    xb_cmd_copy(c, counts, 0, source, k * 12, 12);
    xb_cmd_barrier(c);
    xb_cmd_dispatch_indirect(c, &indirect, counts, 0);
    xb_cmd_barrier(c);
  }
  run(c);
  for (uint32_t k = 0; k < 3; k++)
    expect_groups(outputs[k], sent[k]);
}

/* The host writes the counts, between submissions. */
CASE(counts_of_the_host)
{
  if (!has_indirect())
    skip();
  const struct where_args args = {.groups_x = 4, .groups_y = 2};
  xb_buffer *counts = buffer_of(XB_MEM_UPLOAD, 12), *output = buffer_of(XB_MEM_DEVICE, 65 * THREADS * 4);
  const xb_binding written = bound(output, XB_WRITE);
  const xb_dispatch indirect = where_dispatch(kernel_of("where"), &written, &args);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_dispatch_indirect(c, &indirect, counts, 0);
  for (uint32_t z = 0; z < 3; z++) {
    const uint32_t n[3] = {4, 2, z};
    memcpy(xb_buffer_host(counts), n, sizeof n);
    fill_buffer(output, GUARD);
    run(c);
    expect_groups(output, n);
  }
}

CASE(refusals)
{
  const struct where_args args = {.groups_x = 1, .groups_y = 1};
  xb_buffer *counts = buffer_of(XB_MEM_DEVICE, 16), *output = buffer_of(XB_MEM_DEVICE, 65 * THREADS * 4);
  const xb_binding written = bound(output, XB_WRITE);
  const xb_dispatch indirect = where_dispatch(kernel_of("where"), &written, &args);
  xb_error err;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  if (!has_indirect()) {
    xb_cmd_dispatch_indirect(c, &indirect, counts, 0);
    REFUSED(xb_commands_finish(c, &err), &err, XB_UNSUPPORTED, "has no indirect dispatch");
    return;
  }
  static const struct {
    bool counts, written, described;
    uint64_t offset;
    const char *text;
  } rows[] = {
      {false, false, true, 0, "where: group counts has no buffer"},
      {true, false, true, 2, "group counts: offset 2, 12 bytes: both must be multiples of 4"},
      {true, false, true, 8, "group counts: offset 8, 12 bytes go past the end of buffer 'data' of 16 bytes"},
      {true, false, false, 0, "no kernel of this device given"},
      {true, true, true, 0, "where: reads 'data', which 'fill' writes since the last barrier"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    c = list_of(XB_QUEUE_COMPUTE, 0);
    if (rows[i].written)
      xb_cmd_fill(c, counts, 8, 4, 1);
    xb_cmd_dispatch_indirect(c, rows[i].described ? &indirect : NULL, rows[i].counts ? counts : NULL, rows[i].offset);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, rows[i].text);
  }
  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_dispatch_indirect(c, &indirect, counts, 0);
  xb_cmd_fill(c, counts, 0, 4, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "fill: writes 'data', which 'where' reads since the last");
}

TEST_SOURCE(SUITE);
