/* A registry of three APIs that reach the same device: Vulkan, and Vulkan under two other names. If XB_THREE_MANY is
 * set, the third one lists 40 devices. */
#include "xb/backend.h"

#include <stdlib.h>
#include <string.h>

extern const xb_backend xb_backend_vulkan;

static xb_code enumerate(const char *name, xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const xb_code code = xb_backend_vulkan.enumerate(infos, capacity, count, err);
  for (uint32_t i = 0; i < capacity && i < *count; i++)
    infos[i].backend = name;
  return code;
}

static xb_code enumerate_second(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  return enumerate("second", infos, capacity, count, err);
}

static xb_code enumerate_third(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  enum { MANY = 40 };
  const xb_code code = enumerate("third", infos, capacity, count, err);
  if (code || !*count || !getenv("XB_THREE_MANY"))
    return code;
  for (uint32_t i = *count; i < MANY && i < capacity; i++) {
    infos[i] = infos[0];
    infos[i].index = i;
    infos[i].uuid[0] = (uint8_t)i;
  }
  *count = MANY;
  return XB_OK;
}

static xb_code open_second(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  const xb_code code = xb_backend_vulkan.device_open(desc, device, info, err);
  info->backend = "second";
  return code;
}

static xb_code open_third(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  const xb_code code = xb_backend_vulkan.device_open(desc, device, info, err);
  info->backend = "third";
  return code;
}

static xb_backend second, third;
const xb_backend *const xb_builtin_backends[] = {&xb_backend_vulkan, &second, &third, NULL};

static __attribute__((constructor)) void make(void)
{
  second = third = xb_backend_vulkan;
  second.about.title = third.about.title = NULL; /* pages then show their own names */
  second.name = "second";
  second.enumerate = enumerate_second;
  second.device_open = open_second;
  third.name = "third";
  third.enumerate = enumerate_third;
  third.device_open = open_third;
}
