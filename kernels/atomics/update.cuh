// Included by the kernels of the atomics: UPDATE changes words[at] and sets `old`, NEXT is what it left there. A thread
// updates one word, again and again. The arguments say which threads have a word in common, and in which memory it is.
// A source that has two kernels names them: ATOMICS.
#include "atomics_args.h"
#include "entry.cuh"

#ifndef ATOMICS
#define ATOMICS atomics
#endif

// The updates of a thread. The sum of NEXT² - old² over all updates of a word is its last² - first², in whatever order
// they came. Without `returned` nobody reads the old values, and the memory need not send them back.
#define REPEAT(words, at)                                                                                              \
  if (args.returned)                                                                                                   \
    for (k = 0; k < count; k++, x += ATOMICS_STEP) {                                                                   \
      UPDATE(words, at);                                                                                               \
      const uint left = NEXT;                                                                                          \
      sum += left * left - old * old;                                                                                  \
    }                                                                                                                  \
  else                                                                                                                 \
    for (k = 0; k < count; k++, x += ATOMICS_STEP) {                                                                   \
      UPDATE(words, at);                                                                                               \
    }

// Any operation by compare-and-swap: again, until no other thread was faster. Bits are compared, also those of a float.
#define SWAP(word, next)                                                                                               \
  do {                                                                                                                 \
    old = last;                                                                                                        \
    to = next;                                                                                                         \
    last = atomicCAS(&word, old, to);                                                                                  \
  } while (last != old);                                                                                               \
  last = to

XB_KERNEL void ATOMICS(uint *g_words /* then a sum for each thread */, xb_atomics_args args)
{
  __shared__ alignas(8) uint s_words[2 * BLOCK]; // 64-bit sums have two each

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x), i = group * BLOCK + tid;
  const uint done = i < args.threads ? i * ATOMICS_UPDATES : args.n, count = min(ATOMICS_UPDATES, args.n - done);
  uint x = i * ATOMICS_START, k, old = 0, sum = 0;
  [[maybe_unused]] uint last = args.first, to = 0; // of SWAP

  if (args.group_words > 0) { // in shared memory; the words go to device memory at the end
    uint w;
    for (w = tid; w < args.group_words; w += BLOCK)
      s_words[w] = args.first;
    __syncthreads();
    REPEAT(s_words, tid / args.sharing)
    __syncthreads();
    for (w = tid; w < args.group_words && group * args.group_words + w < args.words; w += BLOCK)
      g_words[group * args.group_words + w] = s_words[w];
  } else
    REPEAT(g_words, i / args.sharing)

  if (i < args.threads)
    g_words[args.words + i] = sum;
}

XB_ENTRIES(ATOMICS, (uint *g_words, xb_atomics_args args), (g_words, args))
