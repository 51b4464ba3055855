// Launch 1: an empty kernel. No buffer, no argument: what is measured is the launch.
#include "entry.cuh"

XB_KERNEL void launch()
{
  // [work] none
}

XB_ENTRIES(launch, (), ())
