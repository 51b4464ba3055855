#include "machine/target.h"

#include "base/exit_codes.h"
#include "machine/inventory.h"
#include "os/supervise.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One monitor per GPU: some of its counters can be read only once. */
static xb_monitor *find_monitor(const xb_target *first, const xb_target *target)
{
  for (const xb_target *t = first; t < target; t++)
    if (xb_same_gpu(&t->info, &target->info))
      return t->monitor;
  return NULL;
}

int xb_open_target(const xb_device_desc *desc, const xb_device_info *info, const xb_target *first, xb_target *target)
{
  xb_error error;
  const xb_code code = xb_device_open(desc, &target->device, &error);
  if (code)
    return xb_report_error(xb_exit_code(code), "%s", error.message);
  target->info = *xb_device_get_info(target->device);
  xb_complete_info(&target->info, info);
  target->monitor = find_monitor(first, target);
  if (!target->monitor)
    target->monitor = xb_monitor_open(&target->info);
  const char *driver = xb_monitor_driver(target->monitor);
  if (*driver && !strstr(target->info.driver, driver)) { /* CUDA itself reports only the API version */
    const size_t used = strlen(target->info.driver);
    snprintf(target->info.driver + used, sizeof target->info.driver - used, ", driver %s", driver);
  }
  return -1;
}

bool xb_close_targets(xb_target *targets, size_t count)
{
  bool silent = true;
  for (size_t i = 0; i < count; i++) {
    xb_error error;
    if (!find_monitor(targets, &targets[i]))
      xb_monitor_close(targets[i].monitor);
    if (!xb_device_close(targets[i].device, &error))
      continue;
    xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
    silent = false;
  }
  return silent;
}

bool xb_leave_targets(xb_target *targets, size_t count, int exit_code)
{
  for (size_t i = 0; i < count; i++)
    if (xb_device_status(targets[i].device)) {
      const int code = xb_finish_stdout(exit_code);
      xb_leave(code);
    }
  return xb_close_targets(targets, count);
}
