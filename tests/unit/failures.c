/* Makes each call of the backend fail in turn, with each error code. */
#include "scenario.h"

#include <string.h>

static void every_call_fails(xb_code code, host_mode mode)
{
  for (uint64_t k = 1;; k++) {
    xb_error err = {0};
    host_set_mode(mode);
    host_fail_call(k, code);
    const xb_code got = scenario(&err);
    if (!host_failed()) {
      assert_int_equal(got, XB_OK);
      assert_true(k > 40); /* the whole scenario ran */
      return;
    }
    const bool told = strstr(err.message, "HOST_FAULT") || (code == XB_LOST && strstr(err.message, "was lost"));
    if (got != code || err.code != code || !told)
      fail_msg("call %d, %s, made to fail with %s: %s, '%s'", (int)k, host_failed_name(), xb_code_name(code),
               xb_code_name(got), err.message);
    if (host_broken_promise())
      fail_msg("call %d, %s, made to fail with %s: %s", (int)k, host_failed_name(), xb_code_name(code),
               host_broken_promise());
    unit_clean(__FILE__, __LINE__);
    host_reset();
  }
}

static void every_mode(xb_code code)
{
  every_call_fails(code, HOST_LAZY);
  every_call_fails(code, HOST_IMMEDIATE);
  every_call_fails(code, HOST_WAITED);
}

UNIT_BARE(unharmed)
{
  xb_error err;
  assert_int_equal(scenario(&err), XB_OK);
}

UNIT_BARE(out_of_memory)
{
  every_mode(XB_NOMEM);
}

UNIT_BARE(device_lost)
{
  every_mode(XB_LOST);
}

UNIT_BARE(internal)
{
  every_mode(XB_INTERNAL);
}

UNIT_BARE(unsupported)
{
  every_mode(XB_UNSUPPORTED);
}
