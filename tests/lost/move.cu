// Copies words; first waits for a word that never changes, for as many turns as it is told, or writes to address 0.
#include "lost_args.h"

extern "C" __global__ void move(xb_u32 *g_in, xb_u32 *g_out, lost_args args)
{
  xb_u32 seen = 0;
  for (xb_u32 i = 0; i < args.turns && seen != 0xFFFFFFFF; i++)
    seen = atomicOr(&g_in[0], 0);
  if (args.faults)
    *reinterpret_cast<volatile xb_u32 *>(0) = 1;
  const xb_u32 at = blockIdx.x * 64 + threadIdx.x;
  if (at < args.count)
    g_out[at] = g_in[at];
}
