#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "benchmarks/transfers/pageable.h"

#include "benchmarks/family.h"
#include "benchmarks/transfers/cuda_memcpy.h"
#include "core/clock.h"
#include "os/numa.h"

#include <sys/mman.h>

static char *map(uint64_t bytes)
{
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

/* Pages that stay until the program ends, or a longer copy needs more. All of them have been touched. */
static char *kept(uint64_t bytes, uint32_t node)
{
  static struct {
    char *pages;
    uint64_t bytes;
    uint32_t node;
  } k;
  if (bytes <= k.bytes && k.node == node)
    return k.pages;
  if (k.pages)
    munmap(k.pages, k.bytes);
  k.pages = map(bytes);
  k.bytes = k.pages ? bytes : 0;
  k.node = node;
  return k.pages ? memset(k.pages, 0, bytes) : NULL;
}

/* ---- How -------------------------------------------------------------------------------------------------------- */

typedef struct transfer {
  xb_buffer *buffer;
  uint64_t offset, bytes;
  void *host;
  bool up;
} transfer;

/* The functions of the peers' library that a call needs; NULL: none. */
typedef struct runtime {
  xb_transfers_cuda_memcpy_fn *copy;
  xb_transfers_cuda_wait_fn *wait;
} runtime;

static xb_code copy_by_xbench(const transfer *t, xb_error *err)
{
  return t->up ? xb_upload(t->buffer, t->offset, t->host, t->bytes, err)
               : xb_download(t->buffer, t->offset, t->host, t->bytes, err);
}

static xb_code copy(const transfer *t, const runtime *by, xb_error *err)
{
  if (!by)
    return copy_by_xbench(t, err);
  const char *why = by->copy(xb_buffer_native(t->buffer) + t->offset, t->host, t->bytes, t->up);
  return xb_library_result(XB_INTERNAL, "cudaMemcpy", why, err);
}

/* ---- What ------------------------------------------------------------------------------------------------------- */

static xb_code check_sizes(const xb_call *call, xb_error *err)
{
  if (call->bindings[0].size == call->bindings[1].size)
    return XB_OK;
  return xb_fail(err, XB_INVALID, "transfer", "%" PRIu64 " bytes do not fit %" PRIu64 " bytes", call->bindings[1].size,
                 call->bindings[0].size);
}

/* The destination is the first binding. The host does not see the device's memory. */
static transfer transfer_of(const xb_call *call)
{
  const bool up = !call->bindings[0].host;
  const int device = up ? 0 : 1;
  return (transfer){.buffer = call->bindings[device].buffer,
                    .offset = call->bindings[device].offset,
                    .bytes = call->bindings[device].size,
                    .host = call->bindings[!device].host,
                    .up = up};
}

static xb_code through_pages(xb_call *call, bool fresh, const runtime *by, xb_error *err)
{
  const xb_code checked = check_sizes(call, err);
  if (checked)
    return checked;
  transfer t = transfer_of(call);
  void *const slot = t.host;
  const uint64_t bytes = t.bytes + XB_HOST_ALIGN;
  double begin = xb_clock_ns();
  const uint32_t node = call->c->at[1];
  if (node && !xb_numa_bind(node - 1)) /* also of pages that the copy touches first */
    return xb_fail(err, XB_UNSUPPORTED, "transfer", "this host has no NUMA node %" PRIu32, node - 1);
  char *const pages = fresh ? map(bytes) : kept(bytes, node);
  xb_code code = pages ? XB_OK : xb_fail(err, XB_NOMEM, "mmap", "out of host memory");
  t.host = pages ? pages + call->c->at[0] : NULL;
  if (t.up && !code)
    memcpy(t.host, slot, t.bytes);
  call->untimed_ns += xb_clock_ns() - begin;
  code = code ? code : copy(&t, by, err);
  begin = xb_clock_ns();
  if (!t.up && !code)
    memcpy(slot, t.host, t.bytes);
  if (node && !code && xb_numa_node_of(t.host) != (int)node - 1)
    code = xb_fail(err, XB_UNSUPPORTED, "transfer", "the pages are not on NUMA node %" PRIu32, node - 1);
  if (fresh && pages)
    munmap(pages, bytes);
  if (node)
    xb_numa_free();
  call->untimed_ns += xb_clock_ns() - begin;
  return code;
}

xb_code xb_pageable(xb_call *call, xb_error *err)
{
  return through_pages(call, false, NULL, err);
}

xb_code xb_fresh(xb_call *call, xb_error *err)
{
  return through_pages(call, true, NULL, err);
}

xb_code xb_host_copy(xb_call *call, xb_error *err)
{
  const xb_code code = check_sizes(call, err);
  if (!code)
    memcpy(call->bindings[0].host, call->bindings[1].host, call->bindings[0].size);
  return code;
}

/* ---- The CUDA runtime ------------------------------------------------------------------------------------------- */

typedef struct runtime_call {
  xb_call *call;
  bool pageable, waits;
  runtime by;
} runtime_call;

/* The device is current. A short upload may still be on its way when cudaMemcpy returns; that is timed only if it
 * waits. */
static xb_code run(const xb_native *native, void *user, xb_error *err)
{
  const runtime_call *r = user;
  const transfer t = transfer_of(r->call);
  (void)native;
  const xb_code code = r->pageable ? through_pages(r->call, false, &r->by, err) : copy(&t, &r->by, err);
  const double begin = xb_clock_ns();
  const char *why = r->by.wait();
  r->call->untimed_ns += r->waits ? 0 : xb_clock_ns() - begin;
  return code ? code : xb_library_result(XB_INTERNAL, "cudaDeviceSynchronize", why, err);
}

static xb_code by_runtime(xb_call *call, bool pageable, bool waits, xb_error *err)
{
  runtime_call r = {call, pageable, waits, {NULL, NULL}};
  const double begin = xb_clock_ns();
  xb_code code = xb_library_find("xb_transfers_cuda_memcpy", &r.by.copy, err);
  code = code ? code : xb_library_find("xb_transfers_cuda_wait", &r.by.wait, err);
  call->untimed_ns += xb_clock_ns() - begin;
  return code ? code : xb_device_native(call->device, run, &r, err);
}

xb_code xb_runtime_pageable(xb_call *call, xb_error *err)
{
  return by_runtime(call, true, false, err);
}

xb_code xb_runtime_pageable_end(xb_call *call, xb_error *err)
{
  return by_runtime(call, true, true, err);
}

xb_code xb_runtime_pinned(xb_call *call, xb_error *err)
{
  return by_runtime(call, false, false, err);
}
