#include "machine/inventory.h"

#include <string.h>

bool xb_same_gpu(const xb_device_info *a, const xb_device_info *b)
{
  return (a->has_uuid && b->has_uuid && !memcmp(a->uuid, b->uuid, sizeof a->uuid)) ||
         (a->has_luid && b->has_luid && !memcmp(a->luid, b->luid, sizeof a->luid));
}

/* An emulation runs on the processor, which other APIs may have as a device. */
static bool runs_on(const xb_device_info *info, const xb_gpu *gpu, size_t backend)
{
  return info->emulates && gpu->any->type == XB_DEVICE_CPU && !gpu->by_backend[backend];
}

static xb_gpu *find_gpu(xb_inventory *inventory, const xb_device_info *info, size_t backend)
{
  for (size_t i = 0; i < inventory->gpu_count; i++)
    if (xb_same_gpu(inventory->gpus[i].any, info) || runs_on(info, &inventory->gpus[i], backend))
      return &inventory->gpus[i];
  inventory->gpus[inventory->gpu_count] = (xb_gpu){.any = info};
  return &inventory->gpus[inventory->gpu_count++];
}

void xb_complete_info(xb_device_info *info, const xb_device_info *other)
{
#define TAKE(field) info->field = info->field ? info->field : other->field
  TAKE(multiprocessors);
  TAKE(threads_per_multiprocessor);
  TAKE(cache_bytes);
  TAKE(clock_khz);
  TAKE(memory_clock_khz);
  TAKE(memory_bus_bits);
  TAKE(groups_per_multiprocessor);
  TAKE(registers_per_multiprocessor);
  TAKE(shared_per_multiprocessor);
  TAKE(shared_per_group);
#undef TAKE
  if (!info->has_uuid) {
    info->has_uuid = other->has_uuid;
    memcpy(info->uuid, other->uuid, sizeof info->uuid);
  }
  if (!*info->pci)
    memcpy(info->pci, other->pci, sizeof info->pci);
}

void xb_take_inventory(xb_inventory *inventory)
{
  static const xb_error none[XB_MAX_BACKENDS];
  xb_take_inventory_without(none, inventory);
}

void xb_take_inventory_without(const xb_error skipped[XB_MAX_BACKENDS], xb_inventory *inventory)
{
  *inventory = (xb_inventory){0};
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++) {
    uint32_t count = 0;
    inventory->backend_count++;
    inventory->error[b] = skipped[b];
    inventory->code[b] = skipped[b].code ? skipped[b].code
                                         : xb_enumerate(xb_backend_at(b), inventory->infos[b], XB_MAX_DEVICES, &count,
                                                        &inventory->error[b]);
    inventory->left_out[b] = count > XB_MAX_DEVICES ? count - XB_MAX_DEVICES : 0;
    for (uint32_t i = 0; i < count - inventory->left_out[b] && !inventory->code[b]; i++)
      find_gpu(inventory, &inventory->infos[b][i], b)->by_backend[b] = &inventory->infos[b][i];
  }
  for (size_t g = 0; g < inventory->gpu_count; g++)
    for (size_t b = 0; b < inventory->backend_count; b++)
      for (size_t other = 0; other < inventory->backend_count; other++) {
        const xb_gpu *gpu = &inventory->gpus[g];
        if (gpu->by_backend[b] && gpu->by_backend[other])
          xb_complete_info(&inventory->infos[b][gpu->by_backend[b] - inventory->infos[b]], gpu->by_backend[other]);
      }
}
