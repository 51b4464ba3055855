/* Keywords that mean something else in CUDA C++; last, because these macros must not meet the host's headers.
 *
 * Inline PTX is unsupported: a thread that comes to it ends the launch, with the place. The text is compiled away.
 * alignas may stand behind __shared__, where C++ has no place for it. */
#pragma once

namespace xb_cpu
{
inline void inline_ptx(const char *file, unsigned int line) { runtime->unsupported("inline PTX (asm)", file, line); }
template <class T> constexpr size_t align_of() { return alignof(T); }
template <size_t BYTES> constexpr size_t align_of() { return BYTES; }
} // namespace xb_cpu

#define asm                                                                                                            \
  if (xb_cpu::inline_ptx(__FILE__, __LINE__); true) {                                                                  \
  } else                                                                                                               \
    __asm__ /* never compiled */
#define alignas(...) __attribute__((aligned(xb_cpu::align_of<__VA_ARGS__>())))

/* Compilers expand these in place, where g++ does not instrument them; and it does not inline a function with this
 * attribute (place.h). */
#ifdef XB_CPU_WATCHES
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#ifndef __clang__
#define noinline unused
#endif
#endif
