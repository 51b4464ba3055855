/* Arguments of the maximum kernels, for C, CUDA and HLSL, and the order in which elements are compared. */
#ifndef XB_MAXIMUM_ARGS_H
#define XB_MAXIMUM_ARGS_H

#include "xb/abi.h"

/* Keys: unsigned integers in the order of the elements, because neither API has an atomic maximum of floats. Key 0 is
 * less than all others, and stands for a NaN: a NaN is ignored, as by fmax, unless all elements are NaNs. -0 is less
 * than 0. `bits` are the element's. */
#define XB_FLOAT_KEY(bits)                                                                                             \
  (((bits)&0x7fffffffu) > 0x7f800000u ? 0u : (bits) >> 31 != 0 ? ~(bits) : (bits) | 0x80000000u)
#define XB_FLOAT_OF_KEY(key) ((key) >> 31 != 0 ? (key)&0x7fffffffu : ~(key))
#define XB_INT_KEY(bits) ((bits) ^ 0x80000000u)

#if defined(__CUDACC__)
__device__ __forceinline__ xb_u32 key_of(float x)
{
  const xb_u32 bits = __float_as_uint(x);
  return XB_FLOAT_KEY(bits);
}
__device__ __forceinline__ xb_u32 key_of(xb_u32 x)
{
  return XB_INT_KEY(x);
}
template <typename T> __device__ __forceinline__ T element_of(xb_u32 key);
template <> __device__ __forceinline__ float element_of(xb_u32 key)
{
  return __uint_as_float(XB_FLOAT_OF_KEY(key));
}
template <> __device__ __forceinline__ xb_u32 element_of(xb_u32 key)
{
  return XB_INT_KEY(key);
}
#define KEY_OF(x) key_of(x)
#define ELEMENT_OF(key) element_of<T>(key)
#elif defined(XB_FLOAT32) || defined(XB_INT32)
xb_u32 key_of(xb_u32 bits)
{
#if defined(XB_FLOAT32)
  return XB_FLOAT_KEY(bits);
#else
  return XB_INT_KEY(bits);
#endif
}
xb_u32 bits_of(xb_u32 key)
{
#if defined(XB_FLOAT32)
  return XB_FLOAT_OF_KEY(key);
#else
  return XB_INT_KEY(key);
#endif
}
#define KEY_OF(x) key_of(XB_BITS(x))
#define ELEMENT_OF(key) XB_FROM_BITS(bits_of(key))
#endif

/* Row 2: the regional maxima behind the maximum, one for every REGIONS-th element. */
#define REGIONS 1024

/* Row 4's state. Word 0 counts the groups that have finished; the words from STATE_QUEUES on count the tiles taken from
 * each window's queue; the last word is the largest key. Only groups of QUEUED_BLOCK threads take their last tiles from
 * a queue. */
#define STATE_WORDS 64
#define STATE_QUEUES 1
#define STATE_KEY 63
#define QUEUED_BLOCK 1024

struct xb_maximum_args {
  xb_u32 n;          /* elements of this window */
  xb_u32 grid_x;     /* groups in x; the rest is in y */
  xb_u32 groups;     /* of this dispatch (row 4) */
  xb_u32 all_groups; /* groups of all windows (row 4) */
  xb_u32 dealt4;     /* vectors that groups take in a fixed order (row 4) */
  xb_u32 queue;      /* word of the state that counts the tiles that groups take after that (row 4) */
};

#endif
