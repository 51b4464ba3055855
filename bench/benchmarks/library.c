#include "benchmarks/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

xb_code xb_library_find(const char *name, void *function, xb_error *err)
{
  static void *handle;
  if (!handle)
    handle = dlopen("libxb_peers.so", RTLD_NOW | RTLD_LOCAL);
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

static xb_peer *peer_of(const xb_case *c)
{
  return c->variant->benchmark->methods->peer;
}

static xb_peer_call call_of(const xb_case *c)
{
  const xb_peer *peer = peer_of(c);
  return (xb_peer_call){.what = peer->what_of ? peer->what_of(c) : (int)c->dtype,
                        .n = c->n,
                        .rows = c->rows,
                        .columns = c->columns,
                        .inner = c->inner};
}

/* The first binding is the workspace. */
static xb_code run_peer(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_peer_call with = call_of(call->c);
  with.workspace = call->address[0];
  with.bytes = call->size[0];
  with.address = call->address + 1;
  with.stream = native->commands;
  return xb_library_result(XB_INTERNAL, peer_of(call->c)->title, peer_of(call->c)->run(&with), err);
}

void xb_peer_plan(const xb_case *c, xb_plan *plan)
{
  const uint32_t count = plan->slot_count;
  const uint64_t bytes = peer_of(c)->workspace_bytes;
  xb_step *step = xb_plan_step(plan, XB_STEP_LIBRARY);
  step->library = run_peer;
  xb_step_bind(step, xb_plan_slot(plan, (xb_slot){.name = "workspace", .role = XB_ROLE_SCRATCH, .bytes = bytes}), 0,
               bytes, XB_READ_WRITE);
  for (uint32_t i = 0; i < count; i++)
    xb_step_bind(step, i, 0, plan->slots[i].bytes, plan->slots[i].role == XB_ROLE_INPUT ? XB_READ : XB_WRITE);
}

xb_code xb_peer_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  static const uint64_t none[XB_MAX_BINDINGS];
  xb_peer *peer = peer_of(c);
  xb_peer_call with = call_of(c);
  xb_peer_open_fn *open = NULL;
  xb_peer_bytes_fn *tell = NULL;
  uint64_t bytes = 0;
  char name[64];
  (void)native; /* the device is current */
  snprintf(name, sizeof name, "%s_%s", peer->name, peer->workspace_bytes ? "open" : "bytes");
  xb_code code = peer->workspace_bytes ? xb_library_find(name, &open, err) : xb_library_find(name, &tell, err);
  code = code ? code : xb_library_find(peer->name, &peer->run, err);
  if (code || open)
    return code ? code : xb_library_result(XB_UNSUPPORTED, "cublas", open(), err);
  with.address = none;
  code = xb_library_result(XB_INTERNAL, peer->title, tell(&with, &bytes), err);
  /* At least 4, as a buffer has, and a multiple of 4. */
  plan->slots[plan->slot_count - 1].bytes = plan->steps[0].bindings[0].size = (bytes + 3) / 4 * 4 + 4;
  return code;
}
