/* Operations of a warp: shuffles, votes, matches, reductions. The runtime checks the masks. */
#pragma once

namespace xb_cpu
{
__forceinline__ uint64_t warp(xb_cpu_warp_op op, unsigned int mask, uint64_t value, unsigned int extra,
                              const char *file, unsigned int line)
{
  return runtime->warp(op, mask, value, extra, file, line);
}

template <class T>
__forceinline__ T shuffle(unsigned int mask, T value, unsigned int from, const char *file, unsigned int line)
{
  static_assert(sizeof(T) <= 8, "a shuffle takes values of at most 8 bytes");
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  word = warp(XB_CPU_SHUFFLE, mask, word, from, file, line);
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

/* The last lane of the segment of `width` lanes that this lane is in. */
__forceinline__ unsigned int last_lane(unsigned int width) { return lane() | (width - 1); }
} // namespace xb_cpu

inline void __syncwarp(unsigned int mask = ~0u, XB_CPU_FILE)
{
  xb_cpu::warp(XB_CPU_SYNCWARP, mask, 0, 0, xb_file, xb_line);
}

template <class T> __forceinline__ T __shfl_sync(unsigned int mask, T value, int from, int width = 32, XB_CPU_FILE)
{
  const unsigned int w = (unsigned int)width;
  return xb_cpu::shuffle(mask, value, (xb_cpu::lane() & ~(w - 1)) | ((unsigned int)from & (w - 1)), xb_file, xb_line);
}
template <class T>
__forceinline__ T __shfl_up_sync(unsigned int mask, T value, unsigned int by, int width = 32, XB_CPU_FILE)
{
  const unsigned int l = xb_cpu::lane(), first = l & ~((unsigned int)width - 1);
  return xb_cpu::shuffle(mask, value, l >= first + by ? l - by : l, xb_file, xb_line);
}
template <class T>
__forceinline__ T __shfl_down_sync(unsigned int mask, T value, unsigned int by, int width = 32, XB_CPU_FILE)
{
  const unsigned int l = xb_cpu::lane();
  const bool inside = by < 32 && l + by <= xb_cpu::last_lane((unsigned int)width);
  return xb_cpu::shuffle(mask, value, inside ? l + by : l, xb_file, xb_line);
}
template <class T> __forceinline__ T __shfl_xor_sync(unsigned int mask, T value, int with, int width = 32, XB_CPU_FILE)
{
  const unsigned int l = xb_cpu::lane(), to = l ^ (unsigned int)with;
  return xb_cpu::shuffle(mask, value, to <= xb_cpu::last_lane((unsigned int)width) ? to : l, xb_file, xb_line);
}

inline unsigned int __ballot_sync(unsigned int mask, int predicate, XB_CPU_FILE)
{
  return (unsigned int)xb_cpu::warp(XB_CPU_BALLOT, mask, predicate != 0, 0, xb_file, xb_line);
}
inline int __any_sync(unsigned int mask, int predicate, XB_CPU_FILE)
{
  return (int)xb_cpu::warp(XB_CPU_ANY, mask, predicate != 0, 0, xb_file, xb_line);
}
inline int __all_sync(unsigned int mask, int predicate, XB_CPU_FILE)
{
  return (int)xb_cpu::warp(XB_CPU_ALL, mask, predicate != 0, 0, xb_file, xb_line);
}
inline unsigned int __activemask(XB_CPU_FILE)
{
  return (unsigned int)xb_cpu::warp(XB_CPU_ACTIVE, ~0u, 0, 0, xb_file, xb_line);
}

template <class T> __forceinline__ unsigned int __match_any_sync(unsigned int mask, T value, XB_CPU_FILE)
{
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match takes values of 4 or 8 bytes");
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return (unsigned int)xb_cpu::warp(XB_CPU_MATCH_ANY, mask, word, 0, xb_file, xb_line);
}
template <class T> __forceinline__ unsigned int __match_all_sync(unsigned int mask, T value, int *all, XB_CPU_FILE)
{
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match takes values of 4 or 8 bytes");
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  const unsigned int same = (unsigned int)xb_cpu::warp(XB_CPU_MATCH_ALL, mask, word, 0, xb_file, xb_line);
  *all = same != 0;
  return same;
}

#define XB_CPU_REDUCE(name, T, op, is_signed)                                                                          \
  inline T name(unsigned int mask, T value, XB_CPU_FILE)                                                               \
  {                                                                                                                    \
    return (T)xb_cpu::warp(op, mask, (unsigned int)value, is_signed, xb_file, xb_line);                                \
  }
XB_CPU_REDUCE(__reduce_add_sync, unsigned int, XB_CPU_REDUCE_ADD, 0)
XB_CPU_REDUCE(__reduce_add_sync, int, XB_CPU_REDUCE_ADD, 1)
XB_CPU_REDUCE(__reduce_min_sync, unsigned int, XB_CPU_REDUCE_MIN, 0)
XB_CPU_REDUCE(__reduce_min_sync, int, XB_CPU_REDUCE_MIN, 1)
XB_CPU_REDUCE(__reduce_max_sync, unsigned int, XB_CPU_REDUCE_MAX, 0)
XB_CPU_REDUCE(__reduce_max_sync, int, XB_CPU_REDUCE_MAX, 1)
XB_CPU_REDUCE(__reduce_and_sync, unsigned int, XB_CPU_REDUCE_AND, 0)
XB_CPU_REDUCE(__reduce_or_sync, unsigned int, XB_CPU_REDUCE_OR, 0)
XB_CPU_REDUCE(__reduce_xor_sync, unsigned int, XB_CPU_REDUCE_XOR, 0)

/* Words of before Volta: refused at their line as nvcc refuses them for an architecture such as this one. */
#define XB_CPU_BEFORE_VOLTA(name)                                                                                      \
  template <class T, class... U>                                                                                       \
  __attribute__((                                                                                                      \
      error(#name "() is not valid on compute_70 and above, and should be replaced with " #name "_sync()"))) T         \
  name(T, U...);
XB_CPU_BEFORE_VOLTA(__shfl)
XB_CPU_BEFORE_VOLTA(__shfl_up)
XB_CPU_BEFORE_VOLTA(__shfl_down)
XB_CPU_BEFORE_VOLTA(__shfl_xor)
XB_CPU_BEFORE_VOLTA(__any)
XB_CPU_BEFORE_VOLTA(__all)
XB_CPU_BEFORE_VOLTA(__ballot)
#undef XB_CPU_BEFORE_VOLTA
