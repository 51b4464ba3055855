/* What a translated shader is written with: its place, memory, atomics and barriers. C11 with GNU extensions. The text
 * of xb_cpu.h stands before it. */
#include <math.h>
#include <string.h>

static const xb_cpu_runtime *runtime;

#define XB_INLINE static inline __attribute__((always_inline, unused))

/* The arena begins with the block. */
XB_INLINE xb_cpu_block *xb_block(void)
{
  xb_cpu_block *b;
  __asm__("movq %%rsp, %0\n\tandq %1, %0" : "=&r"(b) : "i"(-(int)XB_CPU_ARENA_BYTES) : "cc");
  return b;
}
XB_INLINE void xb_tick(void)
{
  if (__builtin_expect(--xb_block()->patience <= 0, 0))
    runtime->yield();
}
XB_INLINE uint32_t xb_lane(void)
{
  return xb_block()->now->lane % xb_block()->wave;
}
XB_INLINE uint32_t xb_waves(void)
{
  return xb_block()->waves;
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

#define XB_BITCAST(to, from)                                                                                           \
  do {                                                                                                                 \
    const __typeof__(from) from_ = (from);                                                                             \
    __builtin_memcpy(&(to), &from_, sizeof(to));                                                                       \
  } while (0)
#define XB_COPY_LOGICAL(to, from) XB_BITCAST(to, from)
#define XB_ARRAY_LENGTH(length, first, stride) ((length) > (first) ? (uint32_t)(((length) - (first)) / (stride)) : 0u)
#define XB_INSIDE(buffer, at, size)                                                                                    \
  ((buffer)->bytes >= (size) && (uint64_t)((at) - (const char *)(buffer)->base) <= (buffer)->bytes - (size))
/* Of an array of buffers; an empty one beyond its end. */
static const xb_cpu_buffer xb_no_buffer;
#define XB_BUFFER_AT(buffers, i, count) ((uint64_t)(i) < (count) ? &(buffers)[i] : &xb_no_buffer)
/* Of a part of a vector: a value has no memory beside it. */
#define XB_INDEX(i, count) ((uint32_t)(i) < (count) ? (uint32_t)(i) : (count)-1)

/* A buffer that others write meanwhile (coherent, volatile) is read anew. */
#define XB_ANEW() (xb_tick(), __atomic_thread_fence(__ATOMIC_SEQ_CST))

/* A group runs on one OS thread, so an atomic of its own memory needs no locked instruction. X: what is there; it is
 * left in `was_`. Without a place, nothing is changed. */
#define XB_MODIFY(T, at, shared, expression)                                                                           \
  T was_;                                                                                                              \
  {                                                                                                                    \
    xb_tick();                                                                                                         \
    T *const at_ = (T *)(at), new_;                                                                                    \
    if (!at_) {                                                                                                        \
      was_ = 0;                                                                                                        \
    } else if (shared) {                                                                                               \
      const T X = *(volatile T *)at_;                                                                                  \
      *(volatile T *)at_ = (T)(expression);                                                                            \
      was_ = X;                                                                                                        \
    } else {                                                                                                           \
      T X;                                                                                                             \
      __atomic_load(at_, &X, __ATOMIC_SEQ_CST);                                                                        \
      do                                                                                                               \
        new_ = (T)(expression);                                                                                        \
      while (!__atomic_compare_exchange(at_, &X, &new_, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));                       \
      was_ = X;                                                                                                        \
    }                                                                                                                  \
    __atomic_signal_fence(__ATOMIC_SEQ_CST);                                                                           \
  }                                                                                                                    \
  (void)was_

/* `row` says where the thread is. Threads that wait at the same barrier in different turns of a loop are told apart. */
XB_INLINE void xb_group_barrier(const uint32_t *row, uint32_t words, const char *file, uint32_t line)
{
  uint32_t number = 2166136261u;
  for (uint32_t i = 0; i < words; i++)
    number = (number ^ row[i]) * 16777619u;
  runtime->barrier(XB_CPU_SYNC, 0, number, file, line);
}

/* ---- The module ------------------------------------------------------------------------------------------------- */

#define XB_SHADER(call, count)                                                                                         \
  static __thread char xb_anchor;                                                                                      \
  static void *xb_shared(void)                                                                                         \
  {                                                                                                                    \
    return &xb_anchor;                                                                                                 \
  }                                                                                                                    \
  static const xb_cpu_entry xb_entry = {XB_SHADER_NAME, call, count, NULL};                                            \
  __attribute__((visibility("default")))                                                                               \
  const xb_cpu_module_info xb_cpu_module = {XB_CPU_ABI, __VERSION__, &xb_entry, 1, &runtime, xb_shared, NULL};
