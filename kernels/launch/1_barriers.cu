// Launch 1: an empty kernel without buffers or arguments. It measures the launch itself.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'Solution: Shader Decomposition':
// what a dispatch costs.
#include "entry.cuh"

XB_KERNEL void launch()
{
  // [work] none
}

XB_ENTRIES(launch, (), ())
