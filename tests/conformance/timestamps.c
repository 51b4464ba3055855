#include "patience.h"
#include "suite.h"

static void need_timestamps(void)
{
  if (suite_info->queues[XB_QUEUE_COMPUTE].timestamp_bits)
    return;
  print_message("the compute queue takes no timestamps\n");
  skip();
}

/* Three timestamps with work between them. */
static xb_commands *stamped_list(void)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 64 * 64 * 4);
  xb_kernel *kernel = kernel_of("long");
  const struct long_args args = {.iterations = 1000};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 3);
  for (uint32_t i = 0; i < 3; i++) {
    xb_cmd_timestamp(c, i);
    dispatch(c, kernel, "long", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, 64, 1, 1);
    xb_cmd_barrier(c);
  }
  return c;
}

static void read_ordered(xb_commands *c)
{
  double ns[3] = {1, 0, 0};
  xb_error err;
  CHECK(xb_commands_timestamps(c, ns, 3, &err), &err);
  if (ns[0] != 0 || ns[1] <= 0 || ns[2] <= ns[1] || ns[2] > 60e9)
    fail_msg("%g, %g, %g ns", ns[0], ns[1], ns[2]);
}

CASE(they_increase)
{
  need_timestamps();
  xb_commands *c = stamped_list();
  run(c);
  read_ordered(c);
}

/* The device's time for long work is about the host's time around it, and not longer. On a busy host that takes several
 * rounds. */
CASE(they_are_nanoseconds)
{
  need_timestamps();
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 64 * 64 * 4);
  xb_kernel *kernel = kernel_of("long");
  const struct long_args args = {.iterations = 20000};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 2);
  xb_cmd_timestamp(c, 0);
  for (int i = 0; i < 10; i++) {
    dispatch(c, kernel, "long", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, 64, 1, 1);
    xb_cmd_barrier(c);
  }
  xb_cmd_timestamp(c, 1);
  const double first = now_s();
  double host_ns = 0, ns[2] = {0};
  xb_error err;
  for (int round = 0; round < 2 || (ns[1] < host_ns * 0.1 && now_s() - first < patience_s());
       round++) { /* the first warms up */
    const double start = now_s();
    run(c);
    host_ns = (now_s() - start) * 1e9;
    CHECK(xb_commands_timestamps(c, ns, 2, &err), &err);
  }
  if (ns[1] < host_ns * 0.1 || ns[1] > host_ns * 1.02)
    fail_msg("%g ns on the device, %g ns around it", ns[1], host_ns);
}

CASE(again_after_reading)
{
  need_timestamps();
  xb_commands *c = stamped_list();
  xb_error err;
  run(c);
  REFUSED(xb_submit(suite_device, &(xb_submission){.commands = c}, NULL, &err), &err, XB_INVALID, "were not read");
  for (int i = 0; i < 100; i++) {
    read_ordered(c);
    run(c);
  }
  read_ordered(c);
}

/* Times are relative to index 0, wherever in the list it was written. */
CASE(before_index_0)
{
  need_timestamps();
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 1 << 20);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 3);
  static const uint32_t order[] = {2, 0, 1};
  for (uint32_t i = 0; i < COUNT(order); i++) {
    xb_cmd_timestamp(c, order[i]);
    xb_cmd_fill(c, buffer, 0, 1 << 20, i);
  }
  run(c);
  double ns[3];
  xb_error err;
  CHECK(xb_commands_timestamps(c, ns, 3, &err), &err);
  if (ns[2] >= 0 || ns[2] < -60e9 || ns[0] != 0 || ns[1] <= 0)
    fail_msg("%g, %g, %g ns", ns[2], ns[0], ns[1]);
}

/* Many timestamps: more than one word of bits. */
CASE(many)
{
  need_timestamps();
  enum { STAMPS = 200 };
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, STAMPS);
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 4096);
  for (uint32_t i = 0; i < STAMPS; i++) {
    xb_cmd_timestamp(c, i);
    xb_cmd_fill(c, buffer, 0, 4096, i);
  }
  run(c);
  double ns[STAMPS];
  xb_error err;
  CHECK(xb_commands_timestamps(c, ns, STAMPS, &err), &err);
  for (uint32_t i = 1; i < STAMPS; i++)
    if (ns[i] < ns[i - 1])
      fail_msg("stamp %u at %g ns comes after stamp %u at %g ns", i, ns[i], i - 1, ns[i - 1]);
}

CASE(too_many)
{
  need_timestamps();
  static const uint32_t counts[] = {XB_MAX_TIMESTAMPS + 1, 1u << 29, 1u << 30, 1u << 31, UINT32_MAX};
  xb_commands *c;
  xb_error err;
  for (size_t i = 0; i < COUNT(counts); i++)
    REFUSED(xb_commands_create(suite_device, &(xb_commands_desc){.timestamp_count = counts[i]}, &c, &err), &err,
            XB_INVALID, "timestamps, at most 65536");
  assert_null(c);
}

TEST_SOURCE(SUITE);
