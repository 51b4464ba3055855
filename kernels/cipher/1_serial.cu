// Shift cipher 1: one thread loops over all letters.
// Source: Mordohai, CS 677, lecture 2, slide 'Encryption Example'.
#include "cipher_args.h"
#include "entry.cuh"

XB_KERNEL void cipher(signed char *g_text, xb_cipher_args args)
{
  // [shift] letter by letter; the other threads of the group have nothing to do
  for (uint i = 0; i < args.n && threadIdx.x == 0; i++) {
    const int place = g_text[i] - 'a' + (int)args.shift;
    g_text[i] = (signed char)(place % 26 + 'a');
  }
}

XB_ENTRIES(cipher, (signed char *g_text, xb_cipher_args args), (g_text, args))
