/* The CUDA runtime's own copy, in libxb_peers.so (cuda_memcpy.cu). Returns the error's name, NULL on success. */
#ifndef XB_TRANSFERS_CUDA_MEMCPY_H
#define XB_TRANSFERS_CUDA_MEMCPY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `up`: from the host to the device. It may return before a short upload has arrived: xb_transfers_cuda_wait. */
typedef const char *xb_transfers_cuda_memcpy_fn(uint64_t device, void *host, uint64_t bytes, int up);
typedef const char *xb_transfers_cuda_wait_fn(void);
xb_transfers_cuda_memcpy_fn xb_transfers_cuda_memcpy;
xb_transfers_cuda_wait_fn xb_transfers_cuda_wait;

#ifdef __cplusplus
}
#endif
#endif
