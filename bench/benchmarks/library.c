#include "benchmarks/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

xb_code xb_library_find(const char *name, void *function, xb_error *err)
{
  void *handle = dlopen("libxb_peers.so", RTLD_NOW | RTLD_LOCAL); /* it stays open */
  if (!handle)
    return xb_fail(err, XB_UNSUPPORTED, "peers",
                   "%s (it is built if nvcc is found; it must be beside xbench, or in lib/xbench if installed)",
                   dlerror());
  void *symbol = dlsym(handle, name);
  if (!symbol)
    return xb_fail(err, XB_UNSUPPORTED, "peers", "libxb_peers.so has no %s: it is from another build, build it again",
                   name);
  memcpy(function, &symbol, sizeof symbol); /* C has no cast between object and function pointers */
  return XB_OK;
}

xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err)
{
  return why ? xb_fail(err, code, what, "%s", why) : XB_OK;
}

xb_code xb_library_prepare(xb_plan *plan, const char *name, xb_error *err)
{
  xb_any_function *function = NULL;
  const xb_code code = xb_library_find(name, &function, err);
  for (uint32_t i = 0; i < plan->step_count && !code; i++)
    plan->steps[i].function = function;
  return code;
}

xb_code xb_library_prepare_cublas(xb_plan *plan, const char *name, xb_error *err)
{
  const char *(*open)(void) = NULL;
  char name_of_open[64];
  snprintf(name_of_open, sizeof name_of_open, "%s_open", name);
  xb_code code = xb_library_find(name_of_open, &open, err);
  code = code ? code : xb_library_prepare(plan, name, err);
  return code ? code : xb_library_result(XB_UNSUPPORTED, "cublas", open(), err);
}

xb_code xb_cublas_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  (void)native; /* the device is current */
  return xb_library_prepare_cublas(plan, c->variant->benchmark->methods->cublas, err);
}

void xb_library_plan(xb_plan *plan, xb_library_fn *run, const uint32_t *reads, uint32_t count, uint32_t writes,
                     uint64_t workspace_bytes)
{
  const xb_slot scratch = {.name = "workspace", .role = XB_ROLE_SCRATCH, .bytes = workspace_bytes};
  const uint32_t workspace = xb_plan_slot(plan, scratch);
  xb_step *step = xb_plan_step(plan, XB_STEP_LIBRARY);
  step->library = run;
  for (uint32_t i = 0; i < count; i++)
    xb_step_bind_all(plan, step, reads[i], XB_READ);
  xb_step_bind_all(plan, step, writes, XB_WRITE);
  xb_step_bind_all(plan, step, workspace, XB_READ_WRITE);
}

void xb_library_storage(xb_plan *plan, uint32_t slot, uint64_t bytes)
{
  plan->slots[slot].bytes = plan->steps[0].bindings[slot].size = (bytes + 3) / 4 * 4 + 4;
}

static int what_of(const xb_case *c)
{
  const xb_cub *cub = c->variant->benchmark->methods->cub;
  return cub->what_of ? cub->what_of(c) : (int)c->dtype;
}

static xb_code run_cub(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  const xb_cub *cub = call->c->variant->benchmark->methods->cub;
  xb_cub_fn *run = (xb_cub_fn *)call->function;
  const char *why = run(what_of(call->c), call->c->n, call->address[0], call->address[1], call->address[2],
                        call->size[2], native->commands);
  return xb_library_result(XB_INTERNAL, cub->title, why, err);
}

void xb_cub_plan(xb_plan *plan, uint32_t input, uint32_t output)
{
  const uint32_t temporary = xb_plan_slot_with(plan, .name = "temporary", .role = XB_ROLE_SCRATCH);
  xb_step *step = xb_plan_step(plan, XB_STEP_LIBRARY);
  step->library = run_cub;
  xb_step_bind_all(plan, step, input, XB_READ);
  xb_step_bind_all(plan, step, output, XB_WRITE);
  xb_step_bind(step, temporary, 0, 0, XB_READ_WRITE);
}

xb_code xb_cub_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  const xb_cub *cub = c->variant->benchmark->methods->cub;
  xb_cub_bytes_fn *find_bytes = NULL;
  uint64_t bytes = 0;
  char name[64];
  (void)native; /* the device is current */
  snprintf(name, sizeof name, "%s_bytes", cub->name);
  xb_code code = xb_library_find(name, &find_bytes, err);
  code = code ? code : xb_library_prepare(plan, cub->name, err);
  code = code ? code : xb_library_result(XB_INTERNAL, cub->title, find_bytes(what_of(c), c->n, &bytes), err);
  xb_library_storage(plan, 2, bytes);
  return code;
}
