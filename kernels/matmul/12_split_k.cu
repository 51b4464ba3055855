// Matrix multiplication 12: for few tiles, the inner length is split over groups too, so that they fill the device. This
// kernel adds the products of all parts, which rung 11 made.
// Source: ours; none of the documents has it.
#define XB_MOST_BLOCK 256 // entry.cuh
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T4 *__restrict__ products, T4 *C, xb_matmul_args args)
{
  // [place] a vector of C a thread
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint count = args.m * args.n / 4, parts = args.k / args.part;
  if (i >= count)
    return;

  // [sum]
  T4 sum = products[i];
  for (uint p = 1; p < parts; p++) {
    const T4 product = products[p * count + i];
    sum.x += product.x;
    sum.y += product.y;
    sum.z += product.z;
    sum.w += product.w;
  }
  C[i] = sum;
}

XB_ENTRIES(matmul, (const T4 *__restrict__ products, T4 *C, xb_matmul_args args), (products, C, args))
