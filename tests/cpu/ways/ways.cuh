// The kernels around one way to touch memory. All of a kernel is at the line of its way; others' accesses are here.
#pragma once

enum fault { NONE, RACE, UNWRITTEN, OUTSIDE };
enum { THREADS = 64, WORDS = 16384 };

// Byte by byte.
template <class T> __device__ void fill(T *p)
{
  for (unsigned i = 0; i < sizeof(T); i++)
    ((unsigned char *)p)[i] = 0;
}
template <class T> __device__ unsigned sum(const T *p)
{
  unsigned all = 0;
  for (unsigned i = 0; i < sizeof(T); i++)
    all += ((const unsigned char *)p)[i];
  return all;
}
// So that what a way computes is needed.
__device__ void use(float value)
{
  if (value == 77777)
    __trap();
}

// Static shared memory for what is right and for races; dynamic, of which a launch has 4096 bytes, for what is outside.
#define SHARED(T)                                                                                                      \
  __shared__ alignas(16) unsigned char cells[THREADS * sizeof(T)];                                                     \
  extern __shared__ unsigned char room[];                                                                              \
  using element = T;                                                                                                   \
  element *const all = (element *)cells, *const beyond = (element *)(room + 4096)
#define GLOBAL(T)                                                                                                      \
  using element = T;                                                                                                   \
  element *const all = (element *)(data + blockIdx.x * 4096), *const beyond = (element *)(data + WORDS)

// A thread works on the element of another one.
#define KERNEL(name, T, MEMORY, before, way, after)                                                                    \
  __global__ void name(unsigned *data, unsigned fault)                                                                 \
  {                                                                                                                    \
    MEMORY(T);                                                                                                         \
    const unsigned t = threadIdx.x;                                                                                    \
    element *const own = &all[t], *const other = fault == OUTSIDE ? &beyond[t] : &all[THREADS - 1 - t];                      \
    unsigned result = 0;                                                                                               \
    before;                                                                                                            \
    way;                                                                                                               \
    after;                                                                                                             \
    data[WORDS - 256 + blockIdx.x * THREADS + t] = result;                                                             \
  }                                                                                                                    \
  XB_CPU_ENTRY(name)
#define BARRIER_UNLESS_RACE                                                                                            \
  if (fault != RACE)                                                                                                   \
  __syncthreads()
#define FILL                                                                                                           \
  if (fault != UNWRITTEN)                                                                                              \
  fill(own)

#define READ_IN(name, T, MEMORY, way) KERNEL(name, T, MEMORY, FILL; BARRIER_UNLESS_RACE, result = way(other, t), )
#define READ(name, T, ...)                                                                                             \
  __device__ unsigned read_##name(std::add_pointer_t<T> p, unsigned v) { __VA_ARGS__; }                                                   \
  READ_IN(read_shared_##name, T, SHARED, read_##name)                                                                  \
  READ_IN(read_global_##name, T, GLOBAL, read_##name)

#define WRITE_IN(name, T, MEMORY, whole, way)                                                                          \
  KERNEL(name, T, MEMORY, if (!whole) { fill(own); __syncthreads(); }, way(other, t),                                  \
         BARRIER_UNLESS_RACE; result = sum(own))
#define WRITE_AS(name, T, whole, ...)                                                                                  \
  __device__ void write_##name(std::add_pointer_t<T> p, unsigned v) { __VA_ARGS__; }                                                      \
  WRITE_IN(write_shared_##name, T, SHARED, whole, write_##name)                                                        \
  WRITE_IN(write_global_##name, T, GLOBAL, whole, write_##name)
#define WRITE(name, T, ...) WRITE_AS(name, T, false, __VA_ARGS__)
#define WRITE_ALL(name, T, ...) WRITE_AS(name, T, true, __VA_ARGS__)
