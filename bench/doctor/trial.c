/* One kernel on a device, through one API. It finds what a listing of devices does not: no machine code for this GPU, a
 * driver without its compiler, a GPU that another process holds. */
#include "doctor/doctor.h"

#include "benchmarks/registry.h"
#include "measure/cell.h"

enum { ELEMENTS = 4096 };
static const uint64_t WAIT_LIMIT_NS = 20ull * 1000 * 1000 * 1000;

static xb_finding run(xb_device *device, const xb_device_info *info, xb_error *err)
{
  const xb_variant *v = &xb_benchmark_find("reduce")->variants[0];
  xb_workload w = {.device = device,
                   .of = v->benchmark,
                   .dtype = XB_INT32,
                   .n = ELEMENTS,
                   .seed = 1,
                   .wait_limit_ns = WAIT_LIMIT_NS};
  xb_cell cell = {.workload = &w,
                  .c = {.variant = v,
                        .dtype = XB_INT32,
                        .n = ELEMENTS,
                        .rows = 1,
                        .columns = ELEMENTS,
                        .block = xb_default_block(v, info, ELEMENTS),
                        .seed = 1,
                        .window_bytes = xb_largest_window(info),
                        .device = info}};
  xb_code code = xb_workload_need(&w, &cell.c, err);
  code = code ? code : xb_workload_create(&w, err);
  if (!code) {
    xb_cell_create(&cell);
    if (cell.outcome == XB_CELL_PENDING)
      xb_cell_verify(&cell);
  }
  const xb_finding finding = code                              ? XB_MISSING
                             : cell.outcome == XB_CELL_PENDING ? XB_FOUND
                             : cell.outcome == XB_CELL_WRONG   ? XB_BROKEN
                                                               : XB_MISSING;
  if (!code)
    *err = cell.error;
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
  return finding;
}

xb_finding xb_doctor_try(const xb_backend *backend, const xb_device_info *info, xb_error *err)
{
  xb_device *device = NULL;
  if (xb_device_open(&(xb_device_desc){.backend = backend, .index = info->index}, &device, err))
    return XB_MISSING;
  const xb_finding finding = run(device, info, err);
  if (!xb_device_status(device)) /* else closing may wait for hung work */
    xb_device_close(device, NULL);
  return finding;
}
