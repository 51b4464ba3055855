/* A kernel that is compiled while the program runs: out[i] = i * number + 7. */
#ifndef XB_STARTUP_COMPILE_H
#define XB_STARTUP_COMPILE_H

#include "base/arena.h"
#include "xb/gpu.h"

enum { XB_STARTUP_BLOCK = 64 };

/* To text: PTX by NVRTC, SPIR-V by glslc; by a library: SPIR-V by shaderc; to machine code: by NVRTC. */
typedef enum xb_startup_way { XB_TO_TEXT, XB_BY_LIBRARY, XB_TO_MACHINE } xb_startup_way;

/* The code is in memory of the arena. `*ns`: the time of the compiler alone. XB_UNSUPPORTED if it is not there. */
xb_code xb_startup_compile(const xb_device_info *device, uint32_t number, xb_startup_way way, xb_arena *arena,
                           xb_kernel_desc *desc, double *ns, xb_error *err);

#endif
