/* The devices of this machine, each listed once with all APIs that reach it. */
#ifndef XB_INVENTORY_H
#define XB_INVENTORY_H

#include "xb/gpu.h"

enum { XB_MAX_DEVICES = 32 };

/* One device. APIs report the same UUID for it; a device without a UUID is not merged with others. An emulation belongs
 * to the first processor that another API has as a device, and takes its UUID. */
typedef struct xb_gpu {
  const xb_device_info *by_backend[XB_MAX_BACKENDS]; /* NULL if that API does not reach it */
  const xb_device_info *any;                         /* the first of them: name, type, UUID */
} xb_gpu;

typedef struct xb_inventory {
  size_t backend_count;
  xb_code code[XB_MAX_BACKENDS]; /* XB_OK, or why the backend has no devices */
  xb_error error[XB_MAX_BACKENDS];
  uint32_t left_out[XB_MAX_BACKENDS]; /* devices beyond XB_MAX_DEVICES */
  xb_device_info infos[XB_MAX_BACKENDS][XB_MAX_DEVICES];
  xb_gpu gpus[XB_MAX_BACKENDS * XB_MAX_DEVICES];
  size_t gpu_count;
} xb_inventory;

/* If one API does not report a property (UUID, multiprocessors, cache, clocks, bus), it is copied from another API that
 * does.
 */
void xb_take_inventory(xb_inventory *inventory);
/* The same, but an API with a code in `skipped` is not asked: that is its error. */
void xb_take_inventory_without(const xb_error skipped[XB_MAX_BACKENDS], xb_inventory *inventory);
/* Copies what `info` lacks from the same device as another API, or a listing, reports it. */
void xb_complete_info(xb_device_info *info, const xb_device_info *other);
/* True if both are the same GPU: they have the same UUID. */
bool xb_same_gpu(const xb_device_info *a, const xb_device_info *b);

#endif
