/* Shifts each letter from a to z in the alphabet. As in HLSL, four letters are a word, and a thread's. */
#include "hello_args.h"

extern "C" __global__ void __launch_bounds__(32) hello(unsigned *text, hello_args args)
{
  const unsigned thread = blockIdx.x * 32 + threadIdx.x, first = thread * 4;
  for (unsigned i = first; i < first + 4 && i < args.letters; i++) {
    const unsigned bit = (i - first) * 8, letter = text[thread] >> bit & 255;
    const unsigned shifted = (letter - 'a' + args.shift) % 26 + 'a';
    text[thread] ^= (letter ^ shifted) << bit;
  }
}
