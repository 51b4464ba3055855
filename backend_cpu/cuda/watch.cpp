/* Linked into modules that are watched: what -fsanitize=thread and -fsanitize=undefined call. It tells the runtime, and
 * needs none of the compilers' own libraries. Compiled without these options. */
#include "xb_cpu.h"

namespace xb_cpu
{
extern __attribute__((visibility("hidden"))) const xb_cpu_runtime *runtime;
}
using xb_cpu::runtime;

#define PC __builtin_return_address(0)
#define OWN extern "C" __attribute__((visibility("hidden")))

extern "C" __attribute__((visibility("default"))) const unsigned char xb_cpu_watched;
#ifndef XB_CPU_WATCHES
#define XB_CPU_WATCHES 3 /* XB_CPU_RACES, XB_CPU_MEMORY */
#endif
const unsigned char xb_cpu_watched = XB_CPU_WATCHES; /* of xb_cpu_check */
#ifdef XB_CPU_UNWATCHED                              /* functions, for the program (pair/reflect_module.c) */
extern "C" __attribute__((used, visibility("default"), section("xb_unwatched"))) const char xb_cpu_unwatched[];
extern "C" const char xb_cpu_unwatched[] = XB_CPU_UNWATCHED; /* exported, so that the linker keeps it */
#endif

static xb_cpu_block *block()
{
  return (xb_cpu_block *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(XB_CPU_ARENA_BYTES - 1));
}

/* Constructors of a module run on another stack. */
#define WATCHED (runtime && block()->watched)
#define MISALIGNED "an access to an address that is not aligned as its type needs"
#define MISALIGNED_WRITE "a write to an address that is not aligned as its type needs"

/* ---- Accesses --------------------------------------------------------------------------------------------------- */

OWN void __tsan_init() {}
OWN void __tsan_func_entry(void *) {}
OWN void __tsan_func_exit() {}
OWN void __tsan_ignore_thread_begin() {}
OWN void __tsan_ignore_thread_end() {}

static void plain(const void *at, uint32_t bytes, bool write, const void *pc)
{
  if (WATCHED)
    runtime->access(at, bytes, write, pc);
}

/* Aligned as its type says; else UBSan reports it. clang's does not look at whole structs. */
#ifdef __clang__
static void undefined(const char *what, const void *pc);
static void aligned(const void *at, uint32_t bytes, bool write, const void *pc)
{
  if ((uintptr_t)at % (bytes < 8 ? bytes : 8))
    undefined(write ? MISALIGNED_WRITE : MISALIGNED, pc);
  plain(at, bytes, write, pc);
}
#else
#define aligned plain
#endif
#define ACCESS(n)                                                                                                      \
  OWN void __tsan_read##n(void *at) { aligned(at, n, false, PC); }                                                     \
  OWN void __tsan_write##n(void *at) { aligned(at, n, true, PC); }                                                     \
  OWN void __tsan_unaligned_read##n(void *at) { plain(at, n, false, PC); }                                             \
  OWN void __tsan_unaligned_write##n(void *at) { plain(at, n, true, PC); }                                             \
  OWN void __tsan_read_write##n(void *at) { plain(at, n, false, PC), plain(at, n, true, PC); }                         \
  OWN void __tsan_unaligned_read_write##n(void *at) { plain(at, n, false, PC), plain(at, n, true, PC); }               \
  OWN void __tsan_volatile_read##n(void *at) { seen_by_others(at, n, XB_CPU_LOAD, PC); }                               \
  OWN void __tsan_volatile_write##n(void *at) { seen_by_others(at, n, XB_CPU_STORE, PC); }                             \
  OWN void __tsan_unaligned_volatile_read##n(void *at) { seen_by_others(at, n, XB_CPU_LOAD, PC); }                     \
  OWN void __tsan_unaligned_volatile_write##n(void *at) { seen_by_others(at, n, XB_CPU_STORE, PC); }

/* PTX: a volatile access is a relaxed one of the system's scope. A loop of them lets others run. */
static void seen_by_others(const void *at, uint32_t bytes, xb_cpu_atomic_op op, const void *pc)
{
  if (!WATCHED)
    return;
  if (op == XB_CPU_LOAD && --block()->patience <= 0)
    runtime->yield();
  runtime->atomic(at, bytes, op, __ATOMIC_RELAXED, pc);
}

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
OWN void __tsan_read_range(void *at, unsigned long bytes) { plain(at, (uint32_t)bytes, false, PC); }
OWN void __tsan_write_range(void *at, unsigned long bytes) { plain(at, (uint32_t)bytes, true, PC); }
OWN void __tsan_vptr_update(void **, void *) {}
OWN void __tsan_vptr_read(void **) {}

/* The module's own, so that copies are seen. Compilers make calls of these of loops and of structures, too. */
OWN void *memcpy(void *to, const void *from, size_t bytes)
{
  plain(from, (uint32_t)bytes, false, PC), plain(to, (uint32_t)bytes, true, PC);
  void *end = to;
  __asm__ volatile("rep movsb" : "+D"(end), "+S"(from), "+c"(bytes) : : "memory");
  return to;
}
OWN void *memset(void *to, int value, size_t bytes)
{
  plain(to, (uint32_t)bytes, true, PC);
  void *end = to;
  __asm__ volatile("rep stosb" : "+D"(end), "+c"(bytes) : "a"(value) : "memory");
  return to;
}
OWN void *memmove(void *to, const void *from, size_t bytes)
{
  plain(from, (uint32_t)bytes, false, PC), plain(to, (uint32_t)bytes, true, PC);
  if ((uintptr_t)to - (uintptr_t)from >= bytes) {
    void *end = to;
    __asm__ volatile("rep movsb" : "+D"(end), "+S"(from), "+c"(bytes) : : "memory");
  } else {
    for (size_t i = bytes; i-- > 0;)
      ((volatile char *)to)[i] = ((const char *)from)[i];
  }
  return to;
}
OWN int memcmp(const void *a, const void *b, size_t bytes)
{
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  plain(a, (uint32_t)bytes, false, PC), plain(b, (uint32_t)bytes, false, PC);
  for (; bytes && *x == *y; bytes--)
    x++, y++;
  return bytes ? *x - *y : 0;
}
OWN int bcmp(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes); } /* clang's, for memcmp() == 0 */
OWN void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
OWN void *__tsan_memset(void *to, int value, size_t bytes) { return memset(to, value, bytes); }
OWN void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }

/* Functions of libm that write a second result. A wider type gives the same: their results are exact, but for the sine
 * and the cosine, which glibc makes as sin and cos do. */
extern "C" {
float sinf(float), cosf(float);
double sin(double), cos(double);
long double modfl(long double, long double *), frexpl(long double, int *), remquol(long double, long double, int *);
}
#define WRITES_SECOND(T, f, Wide, wide)                                                                                \
  OWN T modf##f(T x, T *second)                                                                                        \
  {                                                                                                                    \
    Wide whole;                                                                                                        \
    const T fraction = (T)modf##wide(x, &whole);                                                                       \
    plain(second, sizeof *second, true, PC), *second = (T)whole;                                                       \
    return fraction;                                                                                                   \
  }                                                                                                                    \
  OWN T frexp##f(T x, int *second)                                                                                     \
  {                                                                                                                    \
    plain(second, sizeof *second, true, PC);                                                                           \
    return (T)frexp##wide(x, second);                                                                                  \
  }                                                                                                                    \
  OWN T remquo##f(T x, T y, int *second)                                                                               \
  {                                                                                                                    \
    plain(second, sizeof *second, true, PC);                                                                           \
    return (T)remquo##wide(x, y, second);                                                                              \
  }                                                                                                                    \
  OWN void sincos##f(T x, T *s, T *c)                                                                                  \
  {                                                                                                                    \
    plain(s, sizeof *s, true, PC), *s = sin##f(x);                                                                     \
    plain(c, sizeof *c, true, PC), *c = cos##f(x);                                                                     \
  }
WRITES_SECOND(double, , long double, l)
WRITES_SECOND(float, f, double, )

/* ---- Atomics ---------------------------------------------------------------------------------------------------- */

static void atomic(const volatile void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc)
{
  if (WATCHED)
    runtime->atomic((const void *)at, bytes, op, order, pc);
}

#define MODIFY(n, T, name)                                                                                             \
  OWN T __tsan_atomic##n##_fetch_##name(volatile T *at, T value, int order)                                            \
  {                                                                                                                    \
    atomic(at, sizeof(T), XB_CPU_MODIFY, order, PC);                                                                   \
    return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                                                         \
  }
#define COMPARE(n, T, name)                                                                                            \
  OWN int __tsan_atomic##n##_compare_exchange_##name(volatile T *at, T *expected, T value, int order, int failed)      \
  {                                                                                                                    \
    const bool done = __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    atomic(at, sizeof(T), done ? XB_CPU_MODIFY : XB_CPU_LOAD, done ? order : failed, PC);                              \
    return done;                                                                                                       \
  }
#define ATOMICS(n, T)                                                                                                  \
  OWN T __tsan_atomic##n##_load(const volatile T *at, int order)                                                       \
  {                                                                                                                    \
    atomic(at, sizeof(T), XB_CPU_LOAD, order, PC);                                                                     \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                      \
  }                                                                                                                    \
  OWN void __tsan_atomic##n##_store(volatile T *at, T value, int order)                                                \
  {                                                                                                                    \
    atomic(at, sizeof(T), XB_CPU_STORE, order, PC);                                                                    \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                     \
  }                                                                                                                    \
  OWN T __tsan_atomic##n##_exchange(volatile T *at, T value, int order)                                                \
  {                                                                                                                    \
    atomic(at, sizeof(T), XB_CPU_MODIFY, order, PC);                                                                   \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                                    \
  MODIFY(n, T, add)                                                                                                    \
  MODIFY(n, T, sub)                                                                                                    \
  MODIFY(n, T, and)                                                                                                    \
  MODIFY(n, T, or)                                                                                                     \
  MODIFY(n, T, xor)                                                                                                    \
  MODIFY(n, T, nand)                                                                                                   \
  COMPARE(n, T, strong)                                                                                                \
  COMPARE(n, T, weak)                                                                                                  \
  OWN T __tsan_atomic##n##_compare_exchange_val(volatile T *at, T expected, T value, int order, int failed)            \
  {                                                                                                                    \
    const bool done = __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    atomic(at, sizeof(T), done ? XB_CPU_MODIFY : XB_CPU_LOAD, done ? order : failed, PC);                              \
    return expected;                                                                                                   \
  }

ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)
OWN void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); } /* its word tells the scope */
OWN void __tsan_atomic_signal_fence(int) {}

/* ---- Undefined behaviour ----------------------------------------------------------------------------------------- */

static void undefined(const char *what, const void *pc)
{
  if (WATCHED)
    runtime->undefined(what, pc);
}
#define UNDEFINED(name, what, ...)                                                                                     \
  OWN void __ubsan_handle_##name(const void *, ##__VA_ARGS__) { undefined(what, PC); }

UNDEFINED(shift_out_of_bounds, "shifts by less than 0, by as much as the type has bits or more, or a sign away", void *,
          void *)
UNDEFINED(add_overflow, "a signed sum overflows", void *, void *)
UNDEFINED(sub_overflow, "a signed difference overflows", void *, void *)
UNDEFINED(mul_overflow, "a signed product overflows", void *, void *)
UNDEFINED(divrem_overflow, "a division by 0, or a signed quotient that overflows", void *, void *)
UNDEFINED(negate_overflow, "the least signed number is negated", void *)
#if XB_CPU_WATCHES & 2 /* else words/floats.h has it */
UNDEFINED(float_cast_overflow, "a float becomes an integer that cannot hold it", void *)
#endif
UNDEFINED(out_of_bounds, "an index is outside of its array", void *)

/* Kinds: 1 is a store. */
struct mismatch {
  const char *file;
  uint32_t line, column;
  const void *type;
  unsigned char log_align, kind;
};
OWN void __ubsan_handle_type_mismatch_v1(const mismatch *m, void *address)
{
  if (!address)
    undefined("an access through NULL", PC);
  else if ((uintptr_t)address & ((1ull << m->log_align) - 1))
    undefined(m->kind == 1 ? MISALIGNED_WRITE : MISALIGNED, PC);
}
