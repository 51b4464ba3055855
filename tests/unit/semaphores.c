/* Semaphores that two devices know: what is refused, when they are released, and a wait for one that nobody sets. */
#include "support.h"

#include <unistd.h>

typedef struct two {
  xb_device *devices[2]; /* of the same index */
  xb_semaphore *semaphores[2];
  xb_buffer *buffers[2];
  xb_commands *lists[2];
} two;

static int open_two(void **state)
{
  static two t;
  xb_error err;
  int fd;
  host_reset();
  for (int i = 0; i < 2; i++) {
    t.devices[i] = unit_open(0);
    t.buffers[i] = unit_buffer(t.devices[i], XB_MEM_DEVICE, 64);
    t.lists[i] = unit_commands(t.devices[i], XB_QUEUE_COMPUTE, 0);
    xb_cmd_fill(t.lists[i], t.buffers[i], 0, 64, 1);
  }
  if (xb_semaphore_create(t.devices[0], &t.semaphores[0], &err) || xb_semaphore_export(t.semaphores[0], &fd, &err) ||
      xb_semaphore_import(t.devices[1], fd, &t.semaphores[1], &err))
    return -1;
  *state = &t;
  return 0;
}

static int close_two(void **state)
{
  two *t = *state;
  for (int i = 0; i < 2; i++) {
    xb_semaphore_destroy(t->semaphores[i]);
    xb_commands_destroy(t->lists[i]);
    xb_buffer_destroy(t->buffers[i]);
    unit_close(t->devices[i]);
  }
  unit_clean(__FILE__, __LINE__);
  return 0;
}

static xb_code submit(const two *t, int i, uint64_t wait, uint64_t signal, xb_point *done, xb_error *err)
{
  const xb_submission s = {.commands = t->lists[i],
                           .wait = wait ? t->semaphores[i] : NULL,
                           .wait_value = wait,
                           .signal = signal ? t->semaphores[i] : NULL,
                           .signal_value = signal};
  return xb_submit(t->devices[i], &s, done, err);
}

TEST_WITH(refused, open_two, close_two)
{
  const two *t = *state;
  xb_error err;
  xb_semaphore *s;
  int fd;
  REFUSED(xb_semaphore_export(t->semaphores[1], &fd, &err), &err, XB_INVALID, "on the device that made it");
  REFUSED(xb_semaphore_import(t->devices[0], -1, &s, &err), &err, XB_INVALID, "pass the result of xb_semaphore_export");
  REFUSED(xb_submit(t->devices[0], &(xb_submission){.commands = t->lists[0], .wait = t->semaphores[1]}, NULL, &err),
          &err, XB_INVALID, "import it with xb_semaphore_import");
  REFUSED(xb_submit(t->devices[0], &(xb_submission){.commands = t->lists[0], .signal = t->semaphores[0]}, NULL, &err),
          &err, XB_INVALID, "a value must grow");
  xb_point done;
  assert_int_equal(submit(t, 0, 0, 5, &done, &err), XB_OK);
  REFUSED(submit(t, 0, 0, 5, NULL, &err), &err, XB_INVALID, "new value 5 is not above its last value 5");
  unit_wait(t->devices[0], done);

  xb_device *lesser = unit_open(1);
  REFUSED(xb_semaphore_create(lesser, &s, &err), &err, XB_UNSUPPORTED, "cannot export semaphores through host");
  REFUSED(xb_semaphore_import(lesser, 0, &s, &err), &err, XB_UNSUPPORTED, "cannot import semaphores through host");
  assert_null(s);
  unit_close(lesser);
}

/* Destroyed in flight, and the device is closed only when they are gone. */
TEST_WITH(released_late, open_two, close_two)
{
  two *t = *state;
  xb_error err;
  xb_point first, second;
  host_set_mode(HOST_WAITED);
  assert_int_equal(submit(t, 0, 0, 1, &first, &err), XB_OK);
  assert_int_equal(submit(t, 1, 1, 0, &second, &err), XB_OK);
  REFUSED(xb_device_close(t->devices[1], &err), &err, XB_INVALID, "still exist");
  for (int i = 0; i < 2; i++) {
    xb_semaphore_destroy(t->semaphores[i]);
    t->semaphores[i] = NULL;
  }
  assert_int_equal(host_alive().semaphores, 2);
  unit_wait(t->devices[0], first);
  assert_int_equal(host_alive().semaphores, 1);
  unit_wait(t->devices[1], second);
  assert_int_equal(host_alive().semaphores, 0);
}

/* The exporter is gone: the value is still there. */
TEST_WITH(outlives_the_exporter, open_two, close_two)
{
  two *t = *state;
  xb_error err;
  xb_point done;
  assert_int_equal(submit(t, 0, 0, 3, &done, &err), XB_OK);
  unit_wait(t->devices[0], done);
  xb_semaphore_destroy(t->semaphores[0]);
  t->semaphores[0] = NULL;
  assert_int_equal(submit(t, 1, 3, 4, &done, &err), XB_OK);
  unit_wait(t->devices[1], done);
}

/* It runs into its limit; the other device is unharmed. */
TEST_WITH(never_set, open_two, close_two)
{
  const two *t = *state;
  xb_error err;
  xb_point done;
  assert_int_equal(submit(t, 1, 1, 0, &done, &err), XB_OK);
  REFUSED(xb_wait(t->devices[1], done, 1000000, &err), &err, XB_TIMEOUT, "did not finish");
  assert_int_equal(xb_device_status(t->devices[0]), XB_OK);
  assert_int_equal(submit(t, 0, 0, 1, &done, &err), XB_OK);
  unit_wait(t->devices[0], done);
}
