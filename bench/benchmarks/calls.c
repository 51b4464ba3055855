#include "benchmarks/calls.h"

#include <string.h>

static const uint64_t LIMIT_NS = 60ull * 1000 * 1000 * 1000;

xb_code xb_run_list(xb_device *device, xb_commands *list, xb_error *err)
{
  xb_point done;
  const xb_code code = xb_submit(device, &(xb_submission){.commands = list}, &done, err);
  return code ? code : xb_wait(device, done, LIMIT_NS, err);
}

static void record_work(const xb_timed_work *work, xb_commands *list)
{
  if (work->before)
    work->before(work->user, list);
  xb_cmd_timestamp(list, 0);
  for (uint32_t i = 0; i < work->runs; i++) {
    if (i)
      xb_cmd_barrier(list);
    work->run(work->user, list);
  }
  xb_cmd_timestamp(list, 1);
}

xb_code xb_time_work(xb_device *device, const xb_timed_work *work, double *ns, xb_error *err)
{
  const xb_commands_desc desc = {.label = work->label, .timestamp_count = 2};
  xb_commands *list;
  double stamps[2] = {0};
  xb_code code = xb_commands_create(device, &desc, &list, err);
  if (code)
    return code;
  record_work(work, list);
  code = xb_commands_finish(list, err);
  for (int i = 0; i < 2 && !code; i++) {
    code = xb_run_list(device, list, err);
    code = code ? code : xb_commands_timestamps(list, stamps, 2, err);
  }
  *ns = stamps[1] / work->runs;
  xb_commands_destroy(list);
  return code;
}

void xb_record_groups(xb_commands *list, const xb_case *c, uint64_t groups, xb_dispatch dispatch, uint32_t *grid_x)
{
  xb_fold_groups(c->device, groups, dispatch.groups);
  *grid_x = dispatch.groups[0];
  xb_cmd_dispatch(list, &dispatch);
}

/* ---- Other devices ---------------------------------------------------------------------------------------------- */

enum { MOST_OTHERS = 64 };
static struct other {
  xb_device_desc desc;
  xb_device *device;
} others[MOST_OTHERS];

static bool is_same(const xb_device_desc *a, const xb_device_desc *b)
{
  return a->backend == b->backend && a->index == b->index && a->launch_mode == b->launch_mode && a->wave == b->wave &&
         a->own_context == b->own_context && a->compute_queues == b->compute_queues;
}

xb_device_desc xb_device_like(const xb_device *device)
{
  const xb_device_info *info = xb_device_get_info(device);
  return (xb_device_desc){.backend = xb_backend_find(info->backend),
                          .index = info->index,
                          .launch_mode = info->launch_mode,
                          .wave = info->shader_waves};
}

static bool is_usable(const struct other *o)
{
  return o->device && !xb_device_status(o->device);
}

xb_code xb_other_device(const xb_device_desc *desc, xb_device **device, xb_error *err)
{
  struct other *place = NULL; /* a free one, or that of a device that was lost */
  for (int i = 0; i < MOST_OTHERS; i++) {
    if (is_usable(&others[i]) && is_same(&others[i].desc, desc)) {
      *device = others[i].device;
      return XB_OK;
    }
    place = place || is_usable(&others[i]) ? place : &others[i];
  }
  if (!place)
    return xb_fail(err, XB_UNSUPPORTED, xb_backend_name(desc->backend), "more than %d devices and launch modes",
                   MOST_OTHERS);
  xb_device_close(place->device, NULL);
  *place = (struct other){.desc = *desc};
  const xb_code code = xb_device_open(desc, &place->device, err);
  *device = place->device;
  return code;
}

xb_device *xb_other_device_of(const char *api, const xb_device_info *info)
{
  for (int i = 0; i < MOST_OTHERS; i++) {
    const xb_device_info *other = is_usable(&others[i]) ? xb_device_get_info(others[i].device) : NULL;
    if (other && !strcmp(other->backend, api) && !memcmp(other->uuid, info->uuid, sizeof info->uuid))
      return others[i].device;
  }
  return NULL;
}

void xb_other_devices_close(void)
{
  for (int i = 0; i < MOST_OTHERS; i++) {
    xb_device_close(others[i].device, NULL);
    others[i].device = NULL;
  }
}
