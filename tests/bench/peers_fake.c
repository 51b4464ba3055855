/* Stands for libxb_peers.so: keeps what a function was given. */
#include "benchmarks/peer.h"

#include <string.h>

enum { ADDRESSES = 4 };
xb_peer_call fake_seen;
uint64_t fake_addresses[ADDRESSES];
int fake_opened;

static const char *keep(const xb_peer_call *call)
{
  fake_seen = *call;
  memcpy(fake_addresses, call->address, sizeof fake_addresses);
  return 0;
}

#define CUB(name)                                                                                                      \
  xb_peer_run_fn name;                                                                                                 \
  const char *name(const xb_peer_call *call)                                                                           \
  {                                                                                                                    \
    return keep(call);                                                                                                 \
  }                                                                                                                    \
  xb_peer_bytes_fn name##_bytes;                                                                                       \
  const char *name##_bytes(const xb_peer_call *call, uint64_t *bytes)                                                  \
  {                                                                                                                    \
    *bytes = 1001;                                                                                                     \
    return keep(call);                                                                                                 \
  }
#define CUBLAS(name)                                                                                                   \
  xb_peer_run_fn name;                                                                                                 \
  const char *name(const xb_peer_call *call)                                                                           \
  {                                                                                                                    \
    return keep(call);                                                                                                 \
  }                                                                                                                    \
  xb_peer_open_fn name##_open;                                                                                         \
  const char *name##_open(void)                                                                                        \
  {                                                                                                                    \
    return fake_opened++ ? "opened before" : 0;                                                                        \
  }
CUB(xb_adjacent_cub)
CUB(xb_histogram_cub)
CUB(xb_maximum_cub)
CUB(xb_reduce_cub)
CUB(xb_scan_cub)
CUB(xb_sort_cub)
CUBLAS(xb_matmul_cublas)
CUBLAS(xb_tensor_cublas)
CUBLAS(xb_transpose_cublas)
