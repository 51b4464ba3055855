// Launch 1: an empty kernel without buffers or arguments. It measures the launch itself.
#include "entry.cuh"

XB_KERNEL void launch()
{
  // [work] none
}

XB_ENTRIES(launch, (), ())
