/* Linked into modules with `extern __shared__` variables: all of them are this memory. Its end is checked after a block. */
#include "xb_cpu.h"

extern "C" {
alignas(1024) thread_local char xb_cpu_dynamic_shared[XB_CPU_MOST_SHARED + 64];
__attribute__((visibility("default"))) void *xb_cpu_extern_shared(void);
void xb_cpu_no_initializer(void); /* compilers call one for an `extern thread_local` variable */
}
void xb_cpu_no_initializer(void)
{
}
void *xb_cpu_extern_shared(void)
{
  return xb_cpu_dynamic_shared;
}
