#include "fake_device.h"

xb_device_info real;

int fake_begin(void)
{
  const int code = support_start(false);
  if (code)
    return code;
  xb_device *device = open_device(false);
  real = *xb_device_get_info(device);
  close_device(device);
  return 0;
}

int fresh(void **state)
{
  (void)state;
  shim->bury();
  shim->reset();
  return 0;
}

xb_code try_open(const xb_shim_fake *fake, xb_device **device, xb_error *err)
{
  shim->fake(fake);
  return xb_device_open(&(xb_device_desc){.backend = vulkan}, device, err);
}

xb_device *open_fake(const xb_shim_fake *fake)
{
  shim->fake(fake);
  return open_device(false);
}

void expect_refused(const xb_shim_fake *fake, xb_code wanted, const char *text)
{
  xb_device *device;
  xb_error err;
  expect_error(try_open(fake, &device, &err), &err, wanted, text);
  assert_null(device);
  expect_clean();
}

void expect_works(xb_device *device)
{
  const scenario_backend backend = vulkan_scenario();
  const char *step = "";
  xb_error err;
  const xb_code code = scenario_work(&backend, device, &step, &err);
  if (code)
    fail_msg("%s: %s", step, err.message);
}
