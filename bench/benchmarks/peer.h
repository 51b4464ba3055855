/* Variants that a vendor's library computes (bench/peers): plans of one native command. */
#ifndef XB_PEER_H
#define XB_PEER_H

#include "benchmark.h"

/* XB_UNSUPPORTED where the device is not CUDA's, or the library was not built or cannot be opened. */
xb_code xb_plan_cub_sum(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output, xb_error *err);
/* float32 only. */
xb_code xb_plan_cublas_transpose(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output, xb_error *err);

#endif
