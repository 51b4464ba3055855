/* One call of a vendor's library, for C and C++: what libxb_peers.so is given. Addresses belong to the current device.
 */
#ifndef XB_PEER_H
#define XB_PEER_H

#include <stdint.h>

typedef struct xb_peer_call {
  int what; /* the case's xb_dtype, or what xb_peer.what_of says */
  uint64_t n, rows, columns, inner;
  const uint64_t *address;   /* of the plan's slots, in their order */
  uint64_t workspace, bytes; /* its address and size */
  void *stream;              /* a CUstream, possibly in capture */
} xb_peer_call;

/* All of them return NULL, or an error message. */
typedef const char *xb_peer_run_fn(const xb_peer_call *call);
typedef const char *xb_peer_bytes_fn(const xb_peer_call *call, uint64_t *bytes);
typedef const char *xb_peer_open_fn(void);

#endif
