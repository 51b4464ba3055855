/* The host's time of the device's ticks: VK_EXT_calibrated_timestamps reads both clocks together. */
#include "vk.h"

#include "core/clock.h"

#include <stdlib.h>

enum { TRIES = 16, MOST_DOMAINS = 16 };

bool vk_has_clocks(const vk_instance *instance, VkPhysicalDevice physical, bool *raw)
{
  VkTimeDomainEXT domains[MOST_DOMAINS];
  uint32_t count = MOST_DOMAINS;
  bool device = false, host = false;
  *raw = false;
  const PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list =
      instance->vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT;
  if (!list || list(physical, &count, domains) < 0)
    return false;
  for (uint32_t i = 0; i < vk_at_most(count, MOST_DOMAINS); i++) {
    device |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
    host |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    *raw |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT;
  }
  *raw &= !host;
  return device && (host || *raw);
}

/* How far CLOCK_MONOTONIC_RAW is behind the host's clock, which is kept in step with other hosts. `*width_ns`: the
 * uncertainty of that. */
static double since_raw(double *width_ns)
{
  struct timespec raw;
  const double before = xb_clock_ns();
  clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
  *width_ns = xb_clock_ns() - before;
  return before + *width_ns / 2 - ((double)raw.tv_sec * 1e9 + (double)raw.tv_nsec);
}

/* [timestamp] Read both clocks several times; the reading with the least deviation counts. */
xb_code vk_calibrate(xb_be_device *d, double *deviation_ns, xb_error *err)
{
  const VkCalibratedTimestampInfoEXT infos[] = {
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
       .timeDomain = d->traits.raw_clock ? VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT : VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
  };
  const char *const call = "vkGetCalibratedTimestampsEXT";
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < TRIES; i++) {
    uint64_t clocks[2], deviation = 0;
    const VkResult result = d->vk.GetCalibratedTimestampsEXT(d->handle, 2, infos, clocks, &deviation);
    if (result)
      return vk_fail(err, call, result);
    if (deviation >= best)
      continue;
    best = deviation;
    d->calibrated_ticks = clocks[0];
    d->calibrated_ns = (double)clocks[1];
  }
  double width_ns = 0;
  if (d->traits.raw_clock)
    d->calibrated_ns += since_raw(&width_ns);
  *deviation_ns = (double)best + width_ns;
  return vk_validated(d->instance.validation, XB_OK, call, err);
}

/* [timestamp] The ticks since the calibration. */
xb_code vk_times(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_be_device *d = c->device;
  uint64_t *ticks = calloc(count, sizeof *ticks);
  if (!ticks)
    return vk_no_host_memory(err, "xb_commands_times");
  const xb_code code = vk_ticks(c, ticks, count, err);
  for (uint32_t i = 0; i < count && !code; i++)
    ns[i] = d->calibrated_ns + (double)vk_ticks_between(c, d->calibrated_ticks, ticks[i]) * d->timestamp_period_ns;
  free(ticks);
  return code;
}
