#include "os/child.h"
#include "patience.h"
#include "suite.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4096 };

/* Adds 1 to every word of `buffer`, through `other`. */
static xb_commands *add_one(xb_buffer *buffer, xb_buffer *other)
{
  xb_kernel *step = kernel_of("step");
  const struct step_args args = {.count = BYTES / 4, .mul = 1, .add = 1};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, step, "step", (xb_binding[]){bound(buffer, XB_READ), bound(other, XB_WRITE)}, &args, 16, 1, 1);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, buffer, 0, other, 0, BYTES);
  return c;
}

static void holds(xb_buffer *buffer, uint32_t word)
{
  uint32_t got[BYTES / 4];
  read_buffer(buffer, 0, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], word);
}

CASE(a_hundred_times)
{
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *c = add_one(a, b);
  fill_buffer(a, 0);
  for (int i = 0; i < 50; i++)
    run(c);
  holds(a, 50);
  xb_point point = {0};
  for (int i = 0; i < 50; i++) /* without waiting in between */
    point = submit(c);
  wait_for(point);
  holds(a, 100);
}

/* Points may be waited for in any order. */
CASE(two_in_flight)
{
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_buffer *x = buffer_of(XB_MEM_DEVICE, BYTES), *y = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *first = add_one(a, b), *second = add_one(x, y);
  fill_buffer(a, 10);
  fill_buffer(x, 20);
  xb_point p = submit(first), q = submit(second);
  wait_for(q);
  wait_for(p);
  holds(a, 11);
  holds(x, 21);
  p = submit(first), q = submit(second);
  wait_for(p);
  wait_for(q);
  holds(a, 12);
  holds(x, 22);
}

CASE(an_empty_list)
{
  run(list_of(XB_QUEUE_COMPUTE, 0));
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_barrier(c);
  xb_cmd_barrier(c);
  run(c);
}

CASE(polling)
{
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  fill_buffer(a, 1);
  xb_commands *c = add_one(a, b);
  const xb_point point = submit(c);
  const double start = now_s();
  bool reached = false;
  xb_error err;
  while (!reached && now_s() - start < patience_s())
    CHECK(xb_poll(suite_device, point, &reached, &err), &err);
  assert_true(reached);
  CHECK(xb_wait(suite_device, point, 0, &err), &err);
  holds(a, 2);
}

/* The work completes even if its owner destroys the objects while it runs. */
CASE(destroyed_in_flight)
{
  xb_buffer *down = buffer_of(XB_MEM_READBACK, BYTES);
  memset(xb_buffer_host(down), 0, BYTES);
  xb_point point = {0};
  for (uint32_t round = 0; round < 10; round++) {
    xb_buffer *a, *b;
    xb_kernel *step;
    xb_commands *c;
    xb_error err;
    const xb_kernel_desc desc = desc_of("step");
    const struct step_args args = {.count = BYTES / 4, .mul = 2, .add = round};
    CHECK(xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = BYTES}, &a, &err), &err);
    CHECK(xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = BYTES}, &b, &err), &err);
    CHECK(xb_kernel_create(suite_device, &desc, &step, &err), &err);
    CHECK(xb_commands_create(suite_device, &(xb_commands_desc){0}, &c, &err), &err);
    xb_cmd_fill(c, a, 0, BYTES, 1000 + round);
    xb_cmd_barrier(c);
    dispatch(c, step, "step", (xb_binding[]){bound(a, XB_READ), bound(b, XB_WRITE)}, &args, 16, 1, 1);
    xb_cmd_barrier(c);
    xb_cmd_copy(c, down, 0, b, 0, BYTES);
    CHECK(xb_submit(suite_device, &(xb_submission){.commands = c}, &point, &err), &err);
    xb_buffer_destroy(a);
    xb_buffer_destroy(b);
    xb_kernel_destroy(step);
    xb_commands_destroy(c);
  }
  wait_for(point);
  for (uint32_t i = 0; i < BYTES / 4; i++)
    SAME_WORD(i, ((uint32_t *)xb_buffer_host(down))[i], 1009 * 2 + 9);
}

static void need_copy_queue(void)
{
  if (suite_info->queues[XB_QUEUE_COPY].present)
    return;
  print_message("'%s' has no copy queue\n", suite_info->name);
  skip();
}

/* Upload on the copy queue, work on the compute queue, download on the copy queue, repeatedly. */
CASE(points_in_both_directions)
{
  need_copy_queue();
  xb_buffer *up = buffer_of(XB_MEM_UPLOAD, BYTES), *down = buffer_of(XB_MEM_READBACK, BYTES);
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *in = list_of(XB_QUEUE_COPY, 0), *out = list_of(XB_QUEUE_COPY, 0), *work = add_one(a, b);
  xb_cmd_copy(in, a, 0, up, 0, BYTES);
  xb_cmd_copy(out, down, 0, a, 0, BYTES);
  xb_error err;
  for (uint32_t round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < BYTES / 4; i++)
      ((uint32_t *)xb_buffer_host(up))[i] = i * 3 + round;
    xb_point p, q, r;
    CHECK(xb_submit(suite_device, &(xb_submission){.commands = in}, &p, &err), &err);
    CHECK(xb_submit(suite_device, &(xb_submission){.commands = work, .after = &p, .after_count = 1}, &q, &err), &err);
    CHECK(xb_submit(suite_device, &(xb_submission){.commands = out, .after = &q, .after_count = 1}, &r, &err), &err);
    wait_for(r);
    for (uint32_t i = 0; i < BYTES / 4; i++)
      SAME_WORD(i, ((uint32_t *)xb_buffer_host(down))[i], i * 3 + round + 1);
  }
}

CASE(copy_queue_takes_no_dispatches)
{
  need_copy_queue();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, 256);
  xb_commands *c = list_of(XB_QUEUE_COPY, 0);
  const struct count_args args = {0};
  xb_error err;
  dispatch(c, kernel_of("count"), "count", (xb_binding[]){bound(a, XB_ATOMIC)}, &args, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "copy queue");
}

CASE(copy_queue_fills)
{
  need_copy_queue();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *c = list_of(XB_QUEUE_COPY, 0);
  xb_cmd_fill(c, a, 0, BYTES, 0x0c0ffee0);
  run(c);
  holds(a, 0x0c0ffee0);
}

typedef struct seen {
  int calls;
  xb_native native;
} seen;

static xb_code note(const xb_native *native, void *user, xb_error *err)
{
  (void)err;
  seen *s = user;
  s->calls++;
  s->native = *native;
  return XB_OK;
}

/* A library is called while the list is recorded; in a stream at each submission. */
CASE(native_is_called)
{
  const bool stream = suite_info->launch_mode == XB_LAUNCH_STREAM || suite_info->launch_mode == XB_LAUNCH_HELD_STREAM;
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  seen s = {0};
  xb_cmd_fill(c, a, 0, BYTES, 3);
  xb_cmd_barrier(c);
  xb_cmd_native(c, note, &s, (xb_binding[]){bound(a, XB_READ_WRITE)}, 1);
  assert_int_equal(s.calls, stream ? 0 : 1);
  run(c);
  run(c);
  assert_int_equal(s.calls, stream ? 2 : 1);
  assert_string_equal(s.native.backend, xb_backend_name(suite_backend));
  assert_non_null(s.native.device);
  assert_non_null(s.native.commands);
  holds(a, 3);
}

/* A limit of 0 waits for nothing. Work that was handed over a moment ago, or runs, does not hold up the end. */
CASE(wait_without_a_limit)
{
  if (!suite_info->emulates)
    skip(); /* elsewhere the process leaves with _exit() */
  for (int round = 0; round < 40; round++) {
    xb_error err;
    xb_device *device;
    xb_buffer *buffer;
    xb_commands *c;
    xb_point point;
    CHECK(xb_device_open(&(xb_device_desc){.backend = suite_backend, .wave = suite_wave}, &device, &err), &err);
    CHECK(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 1 << 20}, &buffer, &err), &err);
    CHECK(xb_commands_create(device, &(xb_commands_desc){.label = "fill"}, &c, &err), &err);
    xb_cmd_fill(c, buffer, 0, 1 << 20, 1);
    CHECK(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), &err);
    const xb_code code = xb_wait(device, point, 0, &err);
    if (code != XB_TIMEOUT)
      CHECK(code, &err);
    assert_int_equal(xb_device_status(device), code);
    xb_commands_destroy(c);
    xb_buffer_destroy(buffer);
    xb_device_close(device, NULL);
  }
}

/* Everything that a forked child may try. Returns how far it came; 0: each call was refused. */
static int use_in_child(xb_buffer *buffer, xb_kernel *kernel, xb_commands *recorded, xb_point point)
{
  int step = 0;
  bool reached;
  xb_error err = {0};
  xb_buffer *b;
  xb_commands *c;
  xb_kernel *k;
  uint32_t word = 0;
  const xb_kernel_desc desc = desc_of("step");
  const xb_code codes[] = {
      xb_submit(suite_device, &(xb_submission){.commands = recorded}, NULL, &err),
      xb_wait(suite_device, point, patience_ns(), NULL),
      xb_poll(suite_device, point, &reached, NULL),
      xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = 64}, &b, NULL),
      xb_commands_create(suite_device, &(xb_commands_desc){0}, &c, NULL),
      xb_kernel_create(suite_device, &desc, &k, NULL),
      xb_upload(buffer, 0, &word, sizeof word, NULL),
      xb_download(buffer, 0, &word, sizeof word, NULL),
      xb_device_status(suite_device),
  };
  xb_commands_destroy(recorded);
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(buffer);
  for (size_t i = 0; i < COUNT(codes) && !step; i++)
    step = codes[i] == XB_INVALID ? 0 : (int)i + 1;
  if (!step && xb_device_close(suite_device, NULL) != XB_INVALID)
    step = 90;
  return step || strstr(err.message, "a forked process opens devices of its own") ? step : 91;
}

CASE(forked)
{
  if (!XB_HAS_FORK)
    skip();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, BYTES), *b = buffer_of(XB_MEM_DEVICE, BYTES);
  xb_commands *c = add_one(a, b);
  xb_kernel *kernel = kernel_of("step");
  int status = -1;
  fill_buffer(a, 3);
  const xb_point point = submit(c);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    alarm((unsigned)patience_s());
    _exit(use_in_child(a, kernel, c, point));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    fail_msg("the child ended with %d, signal %d", WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  wait_for(point);
  holds(a, 4);
}

TEST_SOURCE(SUITE);
