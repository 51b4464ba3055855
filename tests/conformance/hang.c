/* A wait that times out. The program runs itself again with XB_TEST_HANG set, because the device is lost afterwards.
 * The work takes twice as long as the process may: what waits for it does not end. */
#include "patience.h"
#include "suite.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { GROUPS = 64, ITERATIONS = 60000, MOST = 20000, LIST_S = 8 }; /* lavapipe ends loops after 65,535 iterations */

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

static xb_commands *long_list(const child *c, xb_queue queue, uint32_t dispatches, uint32_t iterations)
{
  xb_error err = {0};
  xb_commands *list;
  const struct long_args args = {.iterations = iterations};
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

/* How many dispatches take about LIST_S here. */
static uint32_t dispatches_for_list(const child *c)
{
  for (uint32_t n = 1;; n *= 4) {
    xb_error err = {0};
    xb_point point;
    xb_commands *list = long_list(c, XB_QUEUE_COMPUTE, n, ITERATIONS);
    const double start = now_s();
    xb_code code = xb_submit(c->device, &(xb_submission){.commands = list}, &point, &err);
    if (!code)
      code = xb_wait(c->device, point, patience_ns(), &err);
    const double took = now_s() - start;
    xb_commands_destroy(list);
    if (code)
      failed("measuring", code, &err);
    if (took > 0.05 || n * 4 > MOST) {
      const double wanted = LIST_S / took * n;
      return wanted < MOST ? (uint32_t)wanted + 1 : MOST;
    }
  }
}

/* How long the process may take: no more, because queueing work for the whole patience takes minutes on a fast GPU. */
static double limit_s(void)
{
  return patience_s() < 60 ? patience_s() : 60;
}

/* Work for twice the limit: a list that is submitted again and again or, where loops may be as long, once. */
static xb_commands *submit_endless(const child *c, xb_queue queue, uint32_t dispatches, xb_point *last)
{
  xb_error err = {0};
  xb_commands *list = long_list(c, queue, dispatches ? dispatches : 1, dispatches ? ITERATIONS : UINT32_MAX);
  const bool waits = !strcmp(xb_backend_name(suite_backend), "d3d12"); /* vkd3d does, when the process leaves */
  for (double s = 0; s < (dispatches && !waits ? 2 * limit_s() : LIST_S); s += LIST_S) {
    const xb_code code = xb_submit(c->device, &(xb_submission){.commands = list}, last, &err);
    if (code)
      failed("submitting", code, &err);
  }
  return list;
}

/* A device that stops its work stays usable. */
static int stopped(const child *c, const xb_point *last, int queues)
{
  xb_error err = {0};
  xb_point point;
  for (int q = 0; q < queues; q++) {
    const xb_code code = xb_wait(c->device, last[q], 1000000, &err);
    if (code != XB_INTERNAL || !strstr(err.message, "stopped") || xb_device_status(c->device))
      return failed("stopping work after 1 ms", code, &err);
  }
  xb_commands *list = long_list(c, XB_QUEUE_COMPUTE, 1, ITERATIONS);
  xb_code code = xb_submit(c->device, &(xb_submission){.commands = list}, &point, &err);
  code = code ? code : xb_wait(c->device, point, patience_ns(), &err);
  if (code)
    return failed("work after that which was stopped", code, &err);
  _exit(0);
}

int hang_child(void)
{
  xb_error err = {0};
  child c = {0};
  xb_kernel_desc desc;
  static xb_device_info infos[16];
  uint32_t listed;
  xb_device_desc where = suite_desc();
  test_kernel(suite_code(), "long", &desc);
  xb_code code = xb_enumerate(suite_backend, infos, 16, &listed, &err);
  const bool emulates = infos[where.index].emulates;
  const int queues = infos[where.index].queues[XB_QUEUE_COMPUTE].count > 1 ? 2 : 1; /* work is in flight on both */
  where.compute_queues = (uint32_t)queues;
  if (!code)
    code = xb_device_open(&where, &c.device, &err);
  for (int i = 0; i < 2 && !code; i++)
    code = xb_buffer_create(c.device, &(xb_buffer_desc){.bytes = GROUPS * 64 * 4}, &c.buffers[i], &err);
  if (!code)
    code = xb_kernel_create(c.device, &desc, &c.kernel, &err);
  if (code)
    return failed("setting up", code, &err);

  alarm((unsigned)limit_s() + 1);
  const uint32_t dispatches = emulates ? 0 : dispatches_for_list(&c);
  xb_commands *lists[2] = {NULL, NULL};
  xb_point last[2];
  for (int q = 0; q < queues; q++)
    lists[q] = submit_endless(&c, (xb_queue)q, dispatches, &last[q]);
  if (emulates)
    return stopped(&c, last, queues);
  code = xb_wait(c.device, last[queues - 1], 1000000, &err); /* submitting may wait until the other is nearly done */
  if (code != XB_TIMEOUT || xb_device_status(c.device) != XB_TIMEOUT)
    return failed("waiting 1 ms", code, &err);
  code = xb_submit(c.device, &(xb_submission){.commands = lists[0]}, NULL, &err);
  if (code != XB_TIMEOUT)
    return failed("submitting to a dead device", code, &err);
  for (int q = 0; q < queues; q++)
    xb_commands_destroy(lists[q]);
  xb_kernel_destroy(c.kernel);
  for (int i = 0; i < 2; i++)
    xb_buffer_destroy(c.buffers[i]);
  code = xb_device_close(c.device, &err);
  if (code)
    return failed("destroying everything", code, &err);
  _exit(0);
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
  setenv("XB_TEST_HANG", "1", 1);
  char line[4096], *argv[16];
  own_arguments(line, sizeof line, argv, COUNT(argv));
  pid_t pid;
  const int spawned = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ);
  unsetenv("XB_TEST_HANG");
  assert_int_equal(spawned, 0);

  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    fail_msg("a call waits for work that does not end, or the process does not leave");
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}
