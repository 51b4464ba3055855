/* Work that needs barriers, and work that needs none. */
#include "suite.h"

#include <stdlib.h>

enum { GROUP = 64, GROUPS = 64, WORDS = GROUP * GROUPS };

CASE(chain_of_dependent_dispatches)
{
  enum { LINKS = 100 };
  uint32_t expected[WORDS], got[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    expected[i] = i * 2654435761u;
  xb_buffer *buffers[2] = {buffer_of(XB_MEM_DEVICE, sizeof got), buffer_of(XB_MEM_DEVICE, sizeof got)};
  write_buffer(buffers[0], 0, expected, sizeof expected);
  xb_kernel *step = kernel_of("step");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t k = 0; k < LINKS; k++) {
    const struct step_args args = {.count = WORDS, .mul = 2 * k + 3, .add = k};
    const xb_binding bindings[] = {bound(buffers[k % 2], XB_READ), bound(buffers[(k + 1) % 2], XB_WRITE)};
    dispatch(c, step, "step", bindings, &args, GROUPS, 1, 1);
    xb_cmd_barrier(c);
    for (uint32_t i = 0; i < WORDS; i++)
      expected[i] = expected[i] * args.mul + args.add;
  }
  run(c);
  read_buffer(buffers[LINKS % 2], 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], expected[i]);
}

/* A barrier orders copies, fills and dispatches. */
CASE(barriers_between_all_kinds)
{
  uint32_t got[WORDS];
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, sizeof got), *b = buffer_of(XB_MEM_DEVICE, sizeof got);
  xb_kernel *step = kernel_of("step");
  const struct step_args args = {.count = WORDS, .mul = 1, .add = 1};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t round = 0; round < 20; round++) {
    xb_cmd_fill(c, a, 0, sizeof got, round);
    xb_cmd_barrier(c);
    dispatch(c, step, "step", (xb_binding[]){bound(a, XB_READ), bound(b, XB_WRITE)}, &args, GROUPS, 1, 1);
    xb_cmd_barrier(c);
    xb_cmd_copy(c, a, 0, b, 0, sizeof got);
    xb_cmd_barrier(c);
    dispatch(c, step, "step", (xb_binding[]){bound(a, XB_READ), bound(b, XB_WRITE)}, &args, GROUPS, 1, 1);
    xb_cmd_barrier(c);
  }
  run(c);
  read_buffer(b, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], 19 + 2);
}

/* A submission begins with a full barrier against earlier ones on its queue. */
CASE(submissions_in_order)
{
  uint32_t got[WORDS];
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, sizeof got), *b = buffer_of(XB_MEM_DEVICE, sizeof got);
  fill_buffer(a, 5);
  xb_kernel *step = kernel_of("step");
  const struct step_args args = {.count = WORDS, .mul = 1, .add = 1};
  xb_commands *there = list_of(XB_QUEUE_COMPUTE, 0), *back = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(there, step, "step", (xb_binding[]){bound(a, XB_READ), bound(b, XB_WRITE)}, &args, GROUPS, 1, 1);
  dispatch(back, step, "step", (xb_binding[]){bound(b, XB_READ), bound(a, XB_WRITE)}, &args, GROUPS, 1, 1);
  xb_point point = {0};
  for (int i = 0; i < 25; i++) {
    submit(there);
    point = submit(back);
  }
  wait_for(point);
  read_buffer(a, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], 5 + 50);
}

CASE(no_barrier_between_atomics)
{
  xb_buffer *counters = buffer_of(XB_MEM_DEVICE, 64);
  fill_buffer(counters, 0);
  xb_kernel *kernel = kernel_of("count");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t i = 0; i < 32; i++) {
    const struct count_args args = {.slot = i % 4};
    dispatch(c, kernel, "count", (xb_binding[]){bound(counters, XB_ATOMIC)}, &args, GROUPS - i, 1, 1);
  }
  run(c);
  uint32_t got[16];
  read_buffer(counters, 0, got, sizeof got);
  for (uint32_t slot = 0; slot < 16; slot++) {
    uint32_t expected = 0;
    for (uint32_t i = slot; slot < 4 && i < 32; i += 4)
      expected += (GROUPS - i) * GROUP;
    SAME_WORD(slot, got[slot], expected);
  }
}

CASE(no_barrier_between_disjoint_writes)
{
  enum { PARTS = 50 };
  uint32_t got[PARTS * GROUP];
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof got);
  xb_kernel *kernel = kernel_of("index");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t p = 0; p < PARTS; p++) {
    const struct index_args args = {.first = p * GROUP, .count = GROUP, .grid_x = 1, .mul = 1, .add = p << 16};
    dispatch(c, kernel, "index", (xb_binding[]){bound(buffer, XB_DISJOINT_WRITE)}, &args, 1, 1, 1);
  }
  run(c);
  read_buffer(buffer, 0, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i % GROUP + (i / GROUP << 16));
}

CASE(a_missing_barrier_is_refused)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, GROUP * 4), *down = buffer_of(XB_MEM_READBACK, GROUP * 4);
  const struct index_args args = {.count = GROUP, .grid_x = 1, .mul = 1};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_error err;
  dispatch(c, kernel_of("index"), "index", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, 1, 1, 1);
  xb_cmd_copy(c, down, 0, buffer, 0, GROUP * 4);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "copy: reads 'data', which 'index' writes");
  REFUSED(xb_submit(suite_device, &(xb_submission){.commands = c}, NULL, &err), &err, XB_INVALID, "xb_cmd_barrier");
}

CASE(shared_memory_and_group_barrier)
{
  uint32_t in[WORDS], got[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = i * 40503u + 9;
  xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof in), *to = buffer_of(XB_MEM_DEVICE, sizeof in);
  write_buffer(from, 0, in, sizeof in);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("shared"), "shared", (xb_binding[]){bound(from, XB_READ), bound(to, XB_WRITE)}, NULL, GROUPS, 1,
           1);
  run(c);
  read_buffer(to, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t first = i / GROUP * GROUP, t = i % GROUP;
    SAME_WORD(i, got[i], in[first + 63 - t] * 3 + in[first + t * 7 % 64]);
  }
}

CASE(the_last_group_sees_all_others)
{
  uint32_t in[WORDS], sum = 0, got[2 + GROUPS];
  for (uint32_t i = 0; i < WORDS; i++)
    sum += in[i] = i * 2246822519u + 1;
  xb_buffer *from = buffer_of(XB_MEM_DEVICE, sizeof in), *exchange = buffer_of(XB_MEM_DEVICE, sizeof got);
  write_buffer(from, 0, in, sizeof in);
  xb_kernel *kernel = kernel_of("last");
  const struct last_args args = {.groups = GROUPS};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, exchange, 0, sizeof got, 0);
  xb_cmd_barrier(c);
  dispatch(c, kernel, "last", (xb_binding[]){bound(from, XB_READ), bound(exchange, XB_ATOMIC)}, &args, GROUPS, 1, 1);
  for (int round = 0; round < 50; round++) {
    run(c);
    if (round % 10 == 0) {
      read_buffer(exchange, 0, got, sizeof got);
      SAME_WORD(0, got[0], GROUPS);
      SAME_WORD(1, got[1], sum);
    }
  }
}

TEST_SOURCE(SUITE);
