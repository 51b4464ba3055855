/* Matrices of a warp (wmma). Lane l has the elements 8 l to 8 l + 7 of each matrix of 256, by rows. CUDA leaves it open
 * who has what. Products and sums are taken in float, element after element; a GPU's order and rounding are its own. */
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };

template <class USE, int M, int N, int K> struct shape;
template <int M, int N, int K> struct shape<matrix_a, M, N, K> {
  static constexpr int rows = M, columns = K;
};
template <int M, int N, int K> struct shape<matrix_b, M, N, K> {
  static constexpr int rows = K, columns = N;
};
template <int M, int N, int K> struct shape<accumulator, M, N, K> {
  static constexpr int rows = M, columns = N;
};

template <class USE, int M, int N, int K, class T, class LAYOUT = void> struct fragment : shape<USE, M, N, K> {
  using element_type = T;
  using storage_element_type = T;
  using in = shape<USE, M, N, K>;
  static constexpr int num_elements = in::rows * in::columns / XB_CPU_WARP;
  static constexpr int num_storage_elements = num_elements;
  static_assert(num_elements * XB_CPU_WARP == in::rows * in::columns, "a warp shares the matrix");
  T x[num_elements];
};

/* The place in memory of the i-th element of this lane. */
template <class F> __forceinline__ size_t place(int i, unsigned int pitch, bool by_rows)
{
  const unsigned int e = xb_cpu::lane() * F::num_elements + (unsigned int)i;
  const unsigned int row = e / F::in::columns, column = e % F::in::columns;
  return by_rows ? (size_t)row * pitch + column : (size_t)column * pitch + row;
}

template <class F, class V> __forceinline__ void fill_fragment(F &f, const V &value)
{
  for (int i = 0; i < F::num_elements; i++)
    f.x[i] = (typename F::element_type)value;
}
template <class USE, int M, int N, int K, class T, class LAYOUT>
void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const T *from, unsigned int pitch, XB_CPU_FILE)
{
  __syncwarp(~0u, xb_file, xb_line);
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = from[place<fragment<USE, M, N, K, T, LAYOUT>>(i, pitch, std::is_same_v<LAYOUT, row_major>)];
}
template <int M, int N, int K, class T>
void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *from, unsigned int pitch, layout_t layout,
                      XB_CPU_FILE)
{
  __syncwarp(~0u, xb_file, xb_line);
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = from[place<fragment<accumulator, M, N, K, T>>(i, pitch, layout == mem_row_major)];
}
template <int M, int N, int K, class T>
void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f, unsigned int pitch, layout_t layout,
                       XB_CPU_FILE)
{
  for (int i = 0; i < f.num_elements; i++)
    to[place<fragment<accumulator, M, N, K, T>>(i, pitch, layout == mem_row_major)] = f.x[i];
  __syncwarp(~0u, xb_file, xb_line);
}

template <class T> struct in_sum {
  using type = T;
};
template <> struct in_sum<__half> {
  using type = float;
};

/* Each lane sees all lanes' fragments, since all are in one address space; none changes them before all have finished.
 */
template <int M, int N, int K, class D, class A, class LA, class B, class LB, class C>
void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LA> &a,
              const fragment<matrix_b, M, N, K, B, LB> &b, const fragment<accumulator, M, N, K, C> &c, XB_CPU_FILE)
{
  using sum_type = typename in_sum<C>::type;
  struct {
    const A *a;
    const B *b;
  } mine = {a.x, b.x};
  xb_cpu_gathered g;
  g.own = (uint64_t)&mine;
  xb_cpu::warp(XB_CPU_GATHER, ~0u, (uint64_t)&g, 0, xb_file, xb_line);
  const auto part = [&](unsigned int element, unsigned int each) { return g.all[element / each]; };
  sum_type sums[d.num_elements];
  for (int i = 0; i < d.num_elements; i++) {
    const unsigned int e = xb_cpu::lane() * d.num_elements + (unsigned int)i, row = e / N, column = e % N;
    sum_type sum = (sum_type)c.x[i];
    for (unsigned int k = 0; k < K; k++) {
      const unsigned int in_a = row * K + k, in_b = k * N + column;
      sum += (sum_type)((decltype(&mine))part(in_a, a.num_elements))->a[in_a % a.num_elements] *
             (sum_type)((decltype(&mine))part(in_b, b.num_elements))->b[in_b % b.num_elements];
    }
    sums[i] = sum;
  }
  __syncwarp(~0u, xb_file, xb_line);
  for (int i = 0; i < d.num_elements; i++)
    d.x[i] = (D)sums[i];
}
} // namespace wmma
} // namespace nvcuda
