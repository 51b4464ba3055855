#include "internal.h"

#include <stdio.h>

host_mode host_current_mode;
host_live host_counters;

static struct {
  uint64_t calls;
  uint64_t until_failure; /* 0 = none */
  xb_code code;
  xb_code report; /* of the next wait that reaches its point */
  const char *failed_name;
  bool lose_times;
  char broken[256];
  xb_device_desc opened_with;
} state;

static void check_alive(const xb_be_device *device, const char *name)
{
  host_promise(!device->abandoned, name, "called after device_abandon");
  host_promise(!device->failed || device->abandoned, name, "called after a fatal error and before device_abandon");
}

xb_code host_call(xb_be_device *device, const char *name, xb_error *err)
{
  state.calls++;
  if (device)
    check_alive(device, name);
  if (!state.until_failure || --state.until_failure)
    return XB_OK;
  state.failed_name = name;
  if (device)
    device->failed = state.code == XB_LOST || state.code == XB_TIMEOUT;
  return xb_fail_native(err, state.code, name, -1, "HOST_FAULT", "made to fail");
}

void host_free_call(xb_be_device *device, const char *name)
{
  state.calls++;
  host_promise(!(device->failed || device->hung) || device->abandoned, name,
               "called after a fatal error and before device_abandon");
}

bool host_promise(bool kept, const char *where, const char *text)
{
  if (!kept && !*state.broken)
    snprintf(state.broken, sizeof state.broken, "%s: %s", where, text);
  return kept;
}

void host_note_open(const xb_device_desc *desc)
{
  state.opened_with = *desc;
}

void host_set_mode(host_mode mode)
{
  host_current_mode = mode;
}

void host_fail_call(uint64_t k, xb_code code)
{
  state.until_failure = k;
  state.code = code;
  state.failed_name = NULL;
}

void host_report_at_wait(xb_code code)
{
  state.report = code;
}

xb_code host_reported(const char *name, xb_error *err)
{
  const xb_code code = state.report;
  state.report = XB_OK;
  return code ? xb_fail(err, code, name, "a message") : XB_OK;
}

void host_lose_times(void)
{
  state.lose_times = true;
}

bool host_lost_times(void)
{
  const bool lost = state.lose_times;
  state.lose_times = false;
  return lost;
}

bool host_failed(void)
{
  return state.failed_name;
}

const char *host_failed_name(void)
{
  return state.failed_name ? state.failed_name : "none";
}

uint64_t host_calls(void)
{
  return state.calls;
}

xb_device_desc host_opened_with(void)
{
  return state.opened_with;
}

host_live host_alive(void)
{
  return host_counters;
}

const char *host_broken_promise(void)
{
  return *state.broken ? state.broken : NULL;
}

void host_reset(void)
{
  host_current_mode = HOST_LAZY;
  host_fail_call(0, XB_OK);
  host_report_at_wait(XB_OK);
  state.lose_times = false;
  *state.broken = 0;
  host_counters = (host_live){0};
}
