// Launch 9: launch 1 as a programmatic dependent launch. Each block asks for the next grid, then waits for the end of the grid before.
// Source: ours; none of the documents has it.
#include "entry.cuh"

XB_KERNEL void launch()
{
  // [work] none
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

XB_ENTRIES(launch, (), ())
