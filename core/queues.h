/* For backends: the queues that a device is opened with. */
#ifndef XB_QUEUES_H
#define XB_QUEUES_H

#include "xb/gpu.h"

/* `info` has the first queue of each kind. Copies it for the others that `desc` asks for. */
static inline xb_code xb_open_queues(const xb_device_desc *desc, xb_device_info *info, xb_error *err)
{
  const struct {
    xb_queue first;
    int32_t asked;
    const char *name;
  } kinds[] = {{XB_QUEUE_COMPUTE, desc->compute_queues, "compute"}, {XB_QUEUE_COPY, desc->copy_queues, "copy"}};
  for (int k = 0; k < 2; k++) {
    xb_queue_info *queues = &info->queues[kinds[k].first];
    const int32_t has = (int32_t)queues->count, wanted = kinds[k].asked == XB_ALL_QUEUES ? has : kinds[k].asked;
    if (wanted < 0 || wanted > has)
      return xb_fail(err, XB_UNSUPPORTED, "xb_device_open", "'%.100s' has %d %s queue%s, %d requested", info->name, has,
                     kinds[k].name, has == 1 ? "" : "s", wanted);
    for (int32_t i = 1; i < wanted; i++)
      queues[i] = queues[0];
  }
  return XB_OK;
}

#endif
