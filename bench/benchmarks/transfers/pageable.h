/* The calls of the host in plans of transfers: bindings are destination and source. */
#ifndef XB_TRANSFERS_PAGEABLE_H
#define XB_TRANSFERS_PAGEABLE_H

#include "benchmarks/benchmark.h"

/* The host's address of all of them is the case's first axis behind a multiple of 64; the second one is xb_slot.node.
 */
enum { XB_HOST_ALIGN = 64 };

/* Between device memory and pages that earlier calls have used, or that are new: fresh. An upload's source and a
 * download's destination are what the host sees of the slot; copying from and to the pages is not timed. */
xb_call_fn xb_pageable, xb_fresh;
/* The same by the CUDA runtime's cudaMemcpy; XB_UNSUPPORTED if the peers' library was not built. */
xb_call_fn xb_runtime_pageable, xb_runtime_pageable_end, xb_runtime_pinned;
/* memcpy of the host. */
xb_call_fn xb_host_copy;

#endif
