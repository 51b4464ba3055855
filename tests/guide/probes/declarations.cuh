// Declarations for the twins of the HLSL probes.
#ifndef XB_PROBE_DECLARATIONS
#define XB_PROBE_DECLARATIONS

#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "xb/abi.h"

typedef unsigned int uint;
#define PROBE extern "C" __global__ void
struct probe_args {
  uint n, a;
  float x;
};
__constant__ uint table_entries[4];

#endif
