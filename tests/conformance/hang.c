/* A wait that times out. The program runs itself again with XB_TEST_HANG set, because the device is lost afterwards.
 * The work is long but ends by itself. */
#include "suite.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { GROUPS = 64, ITERATIONS = 60000, MOST = 20000 }; /* lavapipe ends loops after 65,535 iterations */

static int failed(const char *what, xb_code code, const xb_error *err)
{
  fprintf(stderr, "%s: %s %s\n", what, xb_code_name(code), err->message);
  fflush(NULL);
  _exit(1);
}

typedef struct child {
  xb_device *device;
  xb_buffer *buffers[2]; /* of each queue */
  xb_kernel *kernel;
} child;

static xb_commands *long_list_on(const child *c, xb_queue queue, uint32_t dispatches)
{
  xb_error err = {0};
  xb_commands *list;
  const struct long_args args = {.iterations = ITERATIONS};
  const xb_binding binding = {.buffer = c->buffers[queue], .access = XB_WRITE};
  xb_code code = xb_commands_create(c->device, &(xb_commands_desc){.queue = queue}, &list, &err);
  if (code)
    failed("a long list", code, &err);
  for (uint32_t i = 0; i < dispatches; i++) {
    xb_cmd_dispatch(list, &(xb_dispatch){.kernel = c->kernel,
                                         .bindings = &binding,
                                         .binding_count = 1,
                                         .args = &args,
                                         .arg_bytes = sizeof args,
                                         .groups = {GROUPS, 1, 1}});
    xb_cmd_barrier(list);
  }
  code = xb_commands_finish(list, &err);
  if (code)
    failed("a long list", code, &err);
  return list;
}

static xb_commands *long_list(const child *c, uint32_t dispatches)
{
  return long_list_on(c, XB_QUEUE_COMPUTE, dispatches);
}

/* How many dispatches take about `seconds` here. */
static uint32_t dispatches_for(const child *c, double seconds)
{
  for (uint32_t n = 1;; n *= 4) {
    xb_error err = {0};
    xb_point point;
    xb_commands *list = long_list(c, n);
    const double start = now_s();
    xb_code code = xb_submit(c->device, &(xb_submission){.commands = list}, &point, &err);
    if (!code)
      code = xb_wait(c->device, point, 60000000000, &err);
    const double took = now_s() - start;
    xb_commands_destroy(list);
    if (code)
      failed("measuring", code, &err);
    if (took > 0.05 || n * 4 > MOST) {
      const double wanted = seconds / took * n;
      return wanted < MOST ? (uint32_t)wanted + 1 : MOST;
    }
  }
}

static int leave(void)
{
  printf("%.9f\n", now_s());
  fflush(NULL);
  _exit(0);
}

/* A device that stops its work stays usable. */
static int stopped(child *c, xb_point point, bool two)
{
  xb_error err = {0};
  const double start = now_s();
  for (int q = 0; q < 1 + two; q++) {
    const xb_code code =
        xb_wait(c->device, (xb_point){.queue = (xb_queue)q, .value = q ? 1 : point.value}, 1000000, &err);
    if (code != XB_INTERNAL || !strstr(err.message, "stopped") || xb_device_status(c->device))
      return failed("stopping work after 1 ms", code, &err);
  }
  if (now_s() - start > 2)
    return failed("stopping work took over 2 s", XB_OK, &err);
  xb_commands *list = long_list(c, 1);
  xb_code code = xb_submit(c->device, &(xb_submission){.commands = list}, &point, &err);
  code = code ? code : xb_wait(c->device, point, 60000000000, &err);
  if (code)
    return failed("work after that which was stopped", code, &err);
  return leave();
}

int hang_child(void)
{
  xb_error err = {0};
  child c = {0};
  xb_kernel_desc desc;
  static xb_device_info infos[16];
  uint32_t listed;
  xb_device_desc where = {.backend = suite_backend, .index = suite_device_index()};
  test_kernel(xb_backend_name(suite_backend), "long", &desc);
  xb_code code = xb_enumerate(suite_backend, infos, 16, &listed, &err);
  const bool two = infos[where.index].queues[XB_QUEUE_COMPUTE].count > 1; /* work is in flight on both */
  where.compute_queues = two ? 2 : 1;
  if (!code)
    code = xb_device_open(&where, &c.device, &err);
  for (int i = 0; i < 2 && !code; i++)
    code = xb_buffer_create(c.device, &(xb_buffer_desc){.bytes = GROUPS * 64 * 4}, &c.buffers[i], &err);
  if (!code)
    code = xb_kernel_create(c.device, &desc, &c.kernel, &err);
  if (code)
    return failed("setting up", code, &err);

  const uint32_t dispatches = dispatches_for(&c, 8);
  xb_commands *list = long_list(&c, dispatches), *other = two ? long_list_on(&c, 1, dispatches) : NULL;
  xb_point point;
  code = xb_submit(c.device, &(xb_submission){.commands = list}, &point, &err);
  if (!code && two)
    code = xb_submit(c.device, &(xb_submission){.commands = other}, NULL, &err);
  if (code)
    return failed("submitting", code, &err);
  if (infos[where.index].emulates)
    return stopped(&c, point, two);
  double start = now_s();
  code = xb_wait(c.device, point, 1000000, &err);
  if (code != XB_TIMEOUT || xb_device_status(c.device) != XB_TIMEOUT)
    return failed("waiting 1 ms", code, &err);
  if (now_s() - start > 0.5)
    return failed("waiting 1 ms took over 0.5 s", code, &err);
  code = xb_submit(c.device, &(xb_submission){.commands = list}, &point, &err);
  if (code != XB_TIMEOUT)
    return failed("submitting to a dead device", code, &err);

  start = now_s(); /* most of the work has not run yet */
  xb_commands_destroy(list);
  xb_commands_destroy(other);
  xb_kernel_destroy(c.kernel);
  for (int i = 0; i < 2; i++)
    xb_buffer_destroy(c.buffers[i]);
  code = xb_device_close(c.device, &err);
  const double took = now_s() - start;
  if (code || took > 0.5)
    return failed("destroying everything", code, &err);
  return leave();
}

/* As this process was started: perhaps by a loader that was called with the program's name. */
static void own_arguments(char *line, size_t bytes, char **argv, size_t most)
{
  FILE *file = fopen("/proc/self/cmdline", "r");
  assert_non_null(file);
  const size_t got = fread(line, 1, bytes - 1, file);
  fclose(file);
  line[got] = '\0';
  size_t count = 0;
  for (size_t at = 0; at < got && count + 1 < most; at += strlen(line + at) + 1)
    argv[count++] = line + at;
  argv[count] = NULL;
}

TEST(a_wait_runs_out)
{
  int out[2];
  assert_int_equal(pipe(out), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, out[0]);
  posix_spawn_file_actions_addclose(&actions, out[1]);
  setenv("XB_TEST_HANG", "1", 1);
  char line[4096], *argv[16];
  own_arguments(line, sizeof line, argv, COUNT(argv));
  pid_t pid;
  const int spawned = posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ);
  unsetenv("XB_TEST_HANG");
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  assert_int_equal(spawned, 0);

  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  const double gone = now_s();
  char text[64] = {0};
  const ssize_t got = read(out[0], text, sizeof text - 1);
  close(out[0]);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_true(got > 0);
  const double leaving = gone - strtod(text, NULL);
  print_message("the process left in %.3f s\n", leaving);
  assert_true(leaving < 8.0); /* NVIDIA's Vulkan driver takes 2 to 4 s, whatever the work; others exit at once */
}
