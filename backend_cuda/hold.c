/* A held stream. A submission with timestamps starts behind a kernel that waits until the host has issued all of its
 * commands. So the times between the timestamps have nothing of the host's launching in them. */
#include "cu.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static const uint64_t LIMIT_NS = 100 * 1000 * 1000; /* then the hold ends by itself: a full queue blocks the host */

/* The first word releases the hold. The kernel sets the second one if the time limit passed before. */
typedef struct gate {
  _Atomic uint32_t released, expired;
} gate;

/* PTX: one thread, and every driver can compile it. */
_Alignas(8) static const char HOLD[] = ".version 6.0\n"
                                       ".target sm_50\n"
                                       ".address_size 64\n"
                                       ".visible .entry p1a8t1_hold(.param .u64 gate, .param .u64 limit_ns)\n"
                                       "{\n"
                                       "  .reg .pred %stop, %wait;\n"
                                       "  .reg .u32 %word;\n"
                                       "  .reg .u64 %gate, %limit, %begin, %passed;\n"
                                       "  ld.param.u64 %gate, [gate];\n"
                                       "  ld.param.u64 %limit, [limit_ns];\n"
                                       "  mov.u64 %begin, %globaltimer;\n"
                                       "again:\n"
                                       "  ld.volatile.global.u32 %word, [%gate];\n"
                                       "  setp.ne.u32 %stop, %word, 0;\n"
                                       "  @%stop bra done;\n"
                                       "  mov.u64 %passed, %globaltimer;\n"
                                       "  sub.u64 %passed, %passed, %begin;\n"
                                       "  setp.lt.u64 %wait, %passed, %limit;\n"
                                       "  @%wait bra again;\n"
                                       "  mov.u32 %word, 1;\n"
                                       "  st.volatile.global.u32 [%gate+4], %word;\n"
                                       "done:\n"
                                       "  ret;\n"
                                       "}\n";

xb_code cu_hold_open(xb_be_device *d, xb_error *err)
{
  if (d->launch_mode != XB_LAUNCH_HELD_STREAM)
    return XB_OK;
  const char *call = "cuModuleLoadDataEx";
  CUmodule module = NULL;
  CUresult result = d->cu->ModuleLoadDataEx(&module, HOLD, 0, NULL, NULL);
  if (!result) {
    d->hold_module = module;
    call = "cuModuleGetFunction";
    result = d->cu->ModuleGetFunction(&d->hold, module, "p1a8t1_hold");
  }
  /* Lazy loading during a hold could wait for the hold to end. */
  if (!result && d->cu->FuncLoad) {
    call = "cuFuncLoad";
    result = d->cu->FuncLoad(d->hold);
  }
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

void cu_hold_close(xb_be_device *d)
{
  if (d->hold_module && cu_enter_to_free(d))
    d->cu->ModuleUnload(d->hold_module);
  d->hold_module = NULL;
}

xb_code cu_gate_create(xb_be_commands *c, xb_error *err)
{
  const cu_symbols *cu = c->device->cu;
  const char *call = "cuMemHostAlloc";
  if (c->device->launch_mode != XB_LAUNCH_HELD_STREAM || !c->stamp_count)
    return XB_OK;
  void *host = NULL;
  CUresult result = cu->MemHostAlloc(&host, sizeof(gate), CU_MEMHOSTALLOC_PORTABLE);
  if (!result) {
    c->gate = host;
    call = "cuMemHostGetDevicePointer";
    result = cu->MemHostGetDevicePointer(&c->gate_address, host, 0);
  }
  return result ? cu_fail(cu, err, call, result) : XB_OK;
}

void cu_gate_free(xb_be_commands *c)
{
  if (c->gate && cu_enter_to_free(c->device))
    c->device->cu->MemFreeHost(c->gate);
  c->gate = NULL;
}

/* A submission ends before the next one of the same list, because its timestamps have to be read in between. */
xb_code cu_gate_shut(xb_be_commands *c, CUstream stream, xb_error *err)
{
  const xb_be_device *d = c->device;
  gate *g = c->gate;
  if (!g)
    return XB_OK;
  atomic_store(&g->expired, 0);
  atomic_store(&g->released, 0);
  uint64_t limit_ns = LIMIT_NS;
  void *parameters[] = {&c->gate_address, &limit_ns};
  const CUresult result = d->cu->LaunchKernel(d->hold, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
  return result ? cu_fail(d->cu, err, "cuLaunchKernel", result) : XB_OK;
}

void cu_gate_open(xb_be_commands *c)
{
  gate *g = c->gate;
  if (g)
    atomic_store(&g->released, 1);
}

bool cu_gate_expired(const xb_be_commands *c)
{
  const gate *g = c->gate;
  return g && atomic_load(&g->expired);
}
