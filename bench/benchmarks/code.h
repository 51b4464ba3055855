/* The code of the kernels, as the build embedded it. */
#ifndef XB_CODE_H
#define XB_CODE_H

#include "benchmarks/benchmark.h"

/* Sets code, code_bytes and entry of `desc` for the case's device; entry stays valid until this thread's next call.
 * XB_UNSUPPORTED names what was not compiled. */
xb_code xb_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);

#endif
