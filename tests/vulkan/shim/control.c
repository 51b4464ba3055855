/* The test's control of the shim. */
#include "internal.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

xb_shim_fake shim_fake;

static uint32_t calls[FN_COUNT];
static uint64_t all_calls, calls_at_failure;
static uint32_t failures;
static char fault[128];

static struct {
  shim_fn fn; /* FN_COUNT: none */
  uint32_t from;
  VkResult result;
  bool once, crash;
} failing = {.fn = FN_COUNT};

static void fail(const char *function, uint32_t from, int32_t result, bool once)
{
  failing.fn = shim_find(function);
  failing.from = from;
  failing.result = (VkResult)result;
  failing.once = once;
  if (failing.fn == FN_COUNT || !shim_functions[failing.fn].can_fail)
    shim_wrong("%s cannot be made to fail", function);
}

/* XB_SHIM_FAIL=FUNCTION:K:RESULT[:once|:crash], XB_SHIM_QUEUES=N, XB_SHIM_SEMAPHORES, XB_SHIM_TWICE,
 * XB_SHIM_HALF_WAVES, XB_SHIM_LIE=N */
static void read_environment(void)
{
  static bool done;
  const char *queues = done ? NULL : getenv("XB_SHIM_QUEUES");
  if (queues) {
    shim_fake.queue_count = (uint32_t)strtoul(queues, NULL, 10);
    shim_fake.copy_queue = true;
  }
  if (!done && getenv("XB_SHIM_SEMAPHORES"))
    shim_fake.semaphores = true;
  if (!done && getenv("XB_SHIM_TWICE"))
    shim_fake.twice = true;
  if (!done && getenv("XB_SHIM_HALF_WAVES"))
    shim_fake.half_waves = true;
  const char *lie = done ? NULL : getenv("XB_SHIM_LIE");
  if (lie)
    shim_fake.lie = (xb_shim_lie)strtoul(lie, NULL, 10);
  const char *text = done ? NULL : getenv("XB_SHIM_FAIL");
  char name[64], once[8] = "";
  unsigned from;
  int result;
  done = true;
  if (!text)
    return;
  if (sscanf(text, "%63[^:]:%u:%d:%7s", name, &from, &result, once) >= 3)
    fail(name, from, result, strcmp(once, "once") == 0);
  else
    shim_wrong("XB_SHIM_FAIL='%s' is not FUNCTION:K:RESULT", text);
  failing.crash = !strcmp(once, "crash");
  if (*fault)
    fprintf(stderr, "shim: %s\n", fault);
}

VkResult shim_enter(shim_fn fn)
{
  read_environment();
  all_calls++;
  const uint32_t call = ++calls[fn];
  if (fn != failing.fn || call < failing.from || (failing.once && call > failing.from))
    return VK_SUCCESS;
  if (failing.crash)
    raise(SIGSEGV);
  failures++;
  calls_at_failure = all_calls;
  return failing.result;
}

void shim_wrong(const char *format, ...)
{
  if (*fault)
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(fault, sizeof fault, format, args);
  va_end(args);
}

static void reset(void)
{
  shim_fake = (xb_shim_fake){0};
  failing.fn = FN_COUNT;
  failing.crash = false;
  memset(calls, 0, sizeof calls);
  all_calls = calls_at_failure = 0;
  failures = 0;
  *fault = '\0';
}

static void set_fake(const xb_shim_fake *fake)
{
  shim_fake = *fake;
}

static bool can_fail(const char *function)
{
  const shim_fn fn = shim_find(function);
  return fn != FN_COUNT && shim_functions[fn].can_fail;
}

static uint32_t get_calls(const char *function)
{
  const shim_fn fn = shim_find(function);
  return fn == FN_COUNT ? 0 : calls[fn];
}

static uint64_t get_all_calls(void)
{
  return all_calls;
}

static uint32_t get_failures(void)
{
  return failures;
}

static uint64_t calls_after(void)
{
  return all_calls - calls_at_failure;
}

static const char *get_fault(void)
{
  return *fault ? fault : NULL;
}

__attribute__((visibility("default"))) const xb_shim_control *xb_shim(void);

const xb_shim_control *xb_shim(void)
{
  static const xb_shim_control control = {
      .reset = reset,
      .make_fail = fail,
      .fake = set_fake,
      .can_fail = can_fail,
      .calls = get_calls,
      .all_calls = get_all_calls,
      .failures = get_failures,
      .calls_after = calls_after,
      .alive = shim_alive,
      .first_alive = shim_first_alive,
      .fault = get_fault,
      .last_memory_type = shim_last_memory_type,
      .last_barrier = shim_last_barrier,
      .owners = shim_owners,
      .enabled = shim_enabled,
      .waves_asked = shim_waves_asked,
      .bury = shim_bury,
  };
  return &control;
}
