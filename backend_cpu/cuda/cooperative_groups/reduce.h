/* Reductions and their operators. */
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class T> struct plus {
  T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T> struct less { /* CUDA's name for the minimum */
  T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  T operator()(const T &a, const T &b) const { return a & b; }
};
template <class T> struct bit_or {
  T operator()(const T &a, const T &b) const { return a | b; }
};
template <class T> struct bit_xor {
  T operator()(const T &a, const T &b) const { return a ^ b; }
};

/* All lanes get the result. By halves, so that a tile's float sums have the order of a tree. */
template <class G, class T, class F> T reduce(const G &group, T value, F f, XB_CPU_FILE)
{
  const unsigned int count = group.size(), rank = group.thread_rank();
  unsigned int step = 1;
  while (step * 2 < count)
    step *= 2;
  for (; count > 1 && step > 0; step /= 2) {
    const T other = group.shfl_down(value, step, xb_file, xb_line);
    if (rank + step < count && rank < step)
      value = f(value, other);
  }
  return group.shfl(value, 0, xb_file, xb_line);
}
template <class G, class T, class F> T inclusive_scan(const G &group, T value, F f, XB_CPU_FILE)
{
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T other = group.shfl_up(value, step, xb_file, xb_line);
    if (group.thread_rank() >= step)
      value = f(other, value);
  }
  return value;
}
template <class G, class T> T inclusive_scan(const G &group, T value, XB_CPU_FILE)
{
  return inclusive_scan(group, value, plus<T>(), xb_file, xb_line);
}
template <class G, class T, class F> T exclusive_scan(const G &group, T value, F f, XB_CPU_FILE)
{
  const T before = group.shfl_up(inclusive_scan(group, value, f, xb_file, xb_line), 1, xb_file, xb_line);
  return group.thread_rank() == 0 ? T() : before;
}
template <class G, class T> T exclusive_scan(const G &group, T value, XB_CPU_FILE)
{
  return exclusive_scan(group, value, plus<T>(), xb_file, xb_line);
}
} // namespace cooperative_groups
