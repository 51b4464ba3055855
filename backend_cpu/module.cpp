// What is compiled for a file of CUDA C++: the file, and the table of its entry points.
#include XB_CPU_SOURCE

#ifdef XB_CPU_ENTRIES
XB_CPU_ENTRIES
#endif
XB_CPU_MODULE
