// The same kernel, compiled as C++ for the processor: a module with an entry, which is written for groups of 256.
#include "saxpy.cu"

XB_CPU_ENTRY(saxpy)
XB_CPU_GROUP_SIZE(saxpy, 256, 1, 1)
XB_CPU_MODULE
