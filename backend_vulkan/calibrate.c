/* The host's time of the device's ticks: VK_EXT_calibrated_timestamps reads both clocks together. */
#include "vk.h"

#include <stdlib.h>

enum { TRIES = 16, MOST_DOMAINS = 16 };

bool vk_has_clocks(const vk_instance *instance, VkPhysicalDevice physical)
{
  VkTimeDomainEXT domains[MOST_DOMAINS];
  uint32_t count = MOST_DOMAINS;
  bool device = false, host = false;
  const PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list =
      instance->vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT;
  if (!list || list(physical, &count, domains) < 0)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    device |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
    host |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  }
  return device && host;
}

/* [timestamp] Read both clocks several times; the reading with the least deviation counts. */
xb_code vk_calibrate(xb_be_device *d, double *deviation_ns, xb_error *err)
{
  static const VkCalibratedTimestampInfoEXT INFOS[] = {
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
  };
  const char *const call = "vkGetCalibratedTimestampsEXT";
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < TRIES; i++) {
    uint64_t clocks[2], deviation = 0;
    const VkResult result = d->vk.GetCalibratedTimestampsEXT(d->handle, 2, INFOS, clocks, &deviation);
    if (result)
      return vk_fail(err, call, result);
    if (deviation >= best)
      continue;
    best = deviation;
    d->calibrated_ticks = clocks[0];
    d->calibrated_ns = (double)clocks[1];
  }
  *deviation_ns = (double)best;
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
