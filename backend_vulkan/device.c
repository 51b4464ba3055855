#include "vk.h"

#include "core/queues.h"

#include <stdlib.h>

static xb_code check_launch_mode(xb_launch_mode mode, xb_error *err)
{
  if (mode == XB_LAUNCH_DEFAULT || mode == XB_LAUNCH_COMMAND_BUFFER)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, "vulkan", "launch mode '%s' is not supported: Vulkan has command buffers only",
                 mode == XB_LAUNCH_GRAPH ? "graph" : "stream");
}

static xb_code pick_physical(xb_be_device *d, const xb_device_desc *desc, xb_device_info *info, xb_error *err)
{
  VkPhysicalDevice *list;
  uint32_t count;
  xb_code code = vk_list_devices(&d->instance, &list, &count, err);
  if (code)
    return code;
  if (desc->index < count)
    d->physical = list[desc->index];
  free(list);
  if (!d->physical)
    return xb_fail(err, XB_UNAVAILABLE, "vulkan", "device %u does not exist: there are %u devices, counted from 0",
                   desc->index, count);
  vk_describe_device(&d->instance, d->physical, desc->index, &d->traits, info);
  info->launch_mode = XB_LAUNCH_COMMAND_BUFFER;
  if (desc->choose_queue_family)
    return vk_choose_compute_family(&d->instance, d->physical, &d->traits, desc->queue_family, info, err);
  if (!info->queues[XB_QUEUE_COMPUTE].present)
    return xb_fail(err, XB_UNSUPPORTED, "vulkan", "'%s' has no compute queue", info->name);
  return XB_OK;
}

static xb_code keep_limits(xb_be_device *d, const xb_device_info *info, xb_error *err)
{
  if (!vk_memory_of(&d->instance, d->physical, &d->memory))
    return xb_fail(err, XB_INTERNAL, "vulkan",
                   "the driver of '%s' reports more than %d memory types or %d heaps, or a type without a heap: update "
                   "the driver",
                   info->name, VK_MAX_MEMORY_TYPES, VK_MAX_MEMORY_HEAPS);
  d->timestamp_period_ns = info->timestamp_period_ns;
  d->subgroup_size = info->subgroup_size;
  d->subgroup_min = info->subgroup_min;
  d->subgroup_max = info->subgroup_max;
  d->max_group_threads = info->max_group_threads;
  return XB_OK;
}

static xb_code open_queues(xb_be_device *d, const xb_device_info *info, xb_error *err)
{
  const bool several = info->queues[XB_QUEUE_COPY].present || info->queues[XB_QUEUE_COMPUTE + 1].present;
  xb_code code = XB_OK;
  for (int q = 0; q < XB_MAX_QUEUES && !code; q++) {
    if (!info->queues[q].present)
      continue;
    if (q % XB_QUEUES_OF_A_KIND == 0)
      d->families[d->family_count++] = info->queues[q].family;
    code = vk_queue_open(d, &info->queues[q], (uint32_t)q % XB_QUEUES_OF_A_KIND, several, &d->queues[q], err);
  }
  return code;
}

xb_code vk_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  xb_code code = check_launch_mode(desc->launch_mode, err);
  if (code)
    return code;
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return vk_no_host_memory(err, "vulkan");
  code = vk_instance_create(desc->validation, &d->instance, err);
  d->instance.compile_only = desc->compile_only;
  if (!code)
    code = pick_physical(d, desc, info, err);
  if (!code)
    code = xb_open_queues(desc, info, err);
  if (!code)
    code = keep_limits(d, info, err);
  if (code)
    goto fail;
  code = vk_traits_create_device(&d->instance, d->physical, &d->traits, info->queues, &d->handle, err);
  if (!code)
    code = vk_load_device_symbols(&d->instance.vk, d->handle, &d->vk, err);
  if (!code)
    code = open_queues(d, info, err);
  code = vk_validated(d->instance.validation, code, "vkCreateDevice", err);
  if (code)
    goto fail;
  *device = d;
  return XB_OK;

fail:
  vk_device_close(d, NULL);
  return code;
}

xb_code vk_device_close(xb_be_device *d, xb_error *err)
{
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    vk_queue_close(d, &d->queues[q]);
  if (d->dead) {
    /* The instance is leaked on purpose, with `validation`: its messenger may still write there. */
    free(d);
    return XB_OK;
  }
  if (d->vk.DestroyDevice)
    d->vk.DestroyDevice(d->handle, NULL);
  vk_instance_destroy(&d->instance);
  const xb_code code = vk_validated(d->instance.validation, XB_OK, "vkDestroyDevice", err);
  vk_validation_free(d->instance.validation);
  free(d);
  return code;
}

void vk_device_abandon(xb_be_device *d)
{
  d->dead = true;
}

void vk_name_object(xb_be_device *d, VkObjectType type, uint64_t handle, const char *label)
{
  if (!d->instance.validation || !label || !*label)
    return;
  const VkDebugUtilsObjectNameInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = type,
      .objectHandle = handle,
      .pObjectName = label,
  };
  d->instance.vk.SetDebugUtilsObjectNameEXT(d->handle, &info);
}
