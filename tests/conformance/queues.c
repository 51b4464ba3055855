/* Several queues of one device, on a device of the cases' own, and their common clock. Copies and fills need no compute
 * queue; what has a kernel runs on compute queues. */
#include "suite.h"

#include <string.h>

enum { WORDS = 1 << 16, BYTES = WORDS * 4, MOST = XB_MAX_QUEUES };

static xb_queue all[MOST]; /* the queues of the device */
static uint32_t count, listed_queues[2];

/* All the queues that the device has. */
static int open_all(void **state)
{
  (void)state;
  static xb_device_info infos[16];
  uint32_t listed;
  xb_error err = {0};
  if (xb_enumerate(suite_backend, infos, 16, &listed, &err))
    return -1;
  const xb_queue_info *queues = infos[suite_device_index()].queues;
  listed_queues[0] = queues[XB_QUEUE_COMPUTE].count;
  listed_queues[1] = queues[XB_QUEUE_COPY].count;
  suite_wanted_queues[0] = suite_wanted_queues[1] = XB_ALL_QUEUES;
  const int code = suite_open(state);
  count = 0;
  for (int q = 0; q < MOST && !code; q++)
    if (suite_info->queues[q].present)
      all[count++] = (xb_queue)q;
  return code;
}

static int close_all(void **state)
{
  memset(suite_wanted_queues, 0, sizeof suite_wanted_queues);
  return suite_close(state);
}

static void need_several(void)
{
  if (count > 1)
    return;
  print_message("'%s' has one queue\n", suite_info->name);
  skip();
}

CASE(as_many_as_listed)
{
  assert_int_equal(count, listed_queues[0] + listed_queues[1]);
  for (uint32_t i = 0; i < count; i++)
    run(list_of(all[i], 0));
}

CASE(no_more_than_listed)
{
  xb_device *device;
  xb_error err;
  for (int kind = 0; kind < 2; kind++) {
    xb_device_desc desc = suite_desc();
    *(kind ? &desc.copy_queues : &desc.compute_queues) = (int32_t)listed_queues[kind] + 1;
    REFUSED(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, kind ? "copy queue" : "compute queue");
    assert_null(device);
  }
}

static xb_point submit_after(xb_commands *c, const xb_point *after, uint32_t after_count)
{
  xb_point point;
  xb_error err;
  CHECK(xb_submit(suite_device, &(xb_submission){.commands = c, .after = after, .after_count = after_count}, &point,
                  &err),
        &err);
  return point;
}

/* A list on each queue fills its own part; then one list waits for all of them, and copies the whole. */
CASE(all_at_once)
{
  xb_buffer *parts = buffer_of(XB_MEM_DEVICE, MOST * BYTES), *whole = buffer_of(XB_MEM_DEVICE, MOST * BYTES);
  static uint32_t got[MOST * WORDS];
  for (uint32_t round = 0; round < 5; round++) {
    xb_point points[MOST];
    fill_buffer(parts, 0);
    for (uint32_t i = 0; i < count; i++) {
      xb_commands *c = list_of(all[i], 0);
      xb_cmd_fill(c, parts, (uint64_t)i * BYTES, BYTES, 100 * round + i + 1);
      points[i] = submit_after(c, NULL, 0);
    }
    xb_commands *c = list_of(all[round % count], 0);
    xb_cmd_copy(c, whole, 0, parts, 0, MOST * BYTES);
    wait_for(submit_after(c, points, count));
    read_buffer(whole, 0, got, sizeof got);
    for (uint32_t i = 0; i < MOST * WORDS; i++)
      SAME_WORD(i, got[i], i / WORDS < count ? 100 * round + i / WORDS + 1 : 0);
  }
}

/* The same words pass through all queues, many times: each list moves them on by one buffer. */
CASE(in_a_ring)
{
  enum { STEPS = 50 };
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  static uint32_t words[WORDS], got[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i * 2654435761u;
  write_buffer(a, 0, words, BYTES);
  xb_point last = {0};
  for (uint32_t i = 0; i < STEPS; i++) {
    xb_commands *c = list_of(all[i % count], 0);
    xb_cmd_copy(c, i % 2 ? a : b, 4, i % 2 ? b : a, 0, BYTES - 4);
    xb_cmd_fill(c, i % 2 ? a : b, 0, 4, i);
    last = submit_after(c, &last, i ? 1 : 0);
  }
  wait_for(last);
  read_buffer(STEPS % 2 ? b : a, 0, got, BYTES);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i < STEPS ? STEPS - 1 - i : words[i - STEPS]);
}

CASE(a_missing_point)
{
  need_several();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *first = list_of(all[0], 0), *second = list_of(all[count - 1], 0);
  xb_cmd_fill(first, a, 0, BYTES, 1);
  xb_cmd_copy(second, b, 0, a, 0, BYTES);
  xb_error err;
  const xb_point filled = submit(first);
  REFUSED(xb_submit(suite_device, &(xb_submission){.commands = second}, NULL, &err), &err, XB_INVALID,
          "add the point of 'list' to xb_submission.after");
  wait_for(submit_after(second, &filled, 1));
  run(second); /* the host has waited */
}

/* ---- One clock -------------------------------------------------------------------------------------------------- */

static void need_clock(void)
{
  double deviation_ns;
  xb_error err;
  if (suite_info->calibrates)
    return;
  REFUSED(xb_device_calibrate(suite_device, &deviation_ns, &err), &err, XB_UNSUPPORTED, "calibrated");
  print_message("'%s' has no calibrated timestamps\n", suite_info->name);
  skip();
}

/* Each list begins after the one before has ended, and all of them while the host waited. */
CASE(times_of_all_queues)
{
  need_clock();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES);
  for (int round = 0; round < 3; round++) {
    double deviation_ns = -1;
    xb_error err;
    const double begin = now_s() * 1e9;
    CHECK(xb_device_calibrate(suite_device, &deviation_ns, &err), &err);
    assert_true(deviation_ns >= 0 && deviation_ns < 1e7 + now_s() * 1e9 - begin);
    const double slack = 1000 + deviation_ns, before = now_s() * 1e9 - slack;
    xb_commands *lists[MOST];
    xb_point points[MOST];
    for (uint32_t i = 0; i < count; i++) {
      lists[i] = list_of(all[i], suite_info->queues[all[i]].timestamp_bits ? 2 : 0);
      if (suite_info->queues[all[i]].timestamp_bits)
        xb_cmd_timestamp(lists[i], 0);
      xb_cmd_fill(lists[i], a, 0, BYTES, i);
      if (suite_info->queues[all[i]].timestamp_bits)
        xb_cmd_timestamp(lists[i], 1);
      points[i] = submit_after(lists[i], i ? &points[i - 1] : NULL, i ? 1 : 0);
    }
    for (uint32_t i = 0; i < count; i++)
      wait_for(points[i]);
    double ended = before, times[2];
    for (uint32_t i = 0; i < count; i++) {
      if (!suite_info->queues[all[i]].timestamp_bits)
        continue;
      CHECK(xb_commands_times(lists[i], times, 2, &err), &err);
      /* Timestamps of queues may have steps of a microsecond. */
      if (times[0] < ended - 1100 || times[1] < times[0] || times[1] > now_s() * 1e9 + slack)
        fail_msg("queue %d: from %.0f to %.0f ns after the one before", (int)all[i], times[0] - ended,
                 times[1] - ended);
      ended = times[1];
    }
  }
}

TEST_SOURCE(.group_setup = open_all, .group_teardown = close_all);
