/* Atomics of CUDA's old kind: relaxed, for the types that CUDA has them for. */
#pragma once

namespace xb_cpu
{
template <class T, class... U> inline constexpr bool is_one_of = (std::is_same_v<T, U> || ...);
template <class T> inline constexpr bool atomic_word = is_one_of<T, int, unsigned int, unsigned long long>;
template <class T> inline constexpr bool atomic_compares = atomic_word<T> || std::is_same_v<T, long long>;
template <class T> inline constexpr bool atomic_adds = atomic_word<T> || is_one_of<T, float, double>;

template <size_t BYTES> struct word_of;
template <> struct word_of<1> {
  using type = unsigned char;
};
template <> struct word_of<2> {
  using type = unsigned short;
};
template <> struct word_of<4> {
  using type = unsigned int;
};
template <> struct word_of<8> {
  using type = unsigned long long;
};
template <class T> using word = typename word_of<sizeof(T)>::type;

/* Replaces the value by change(value); returns the old one. */
template <class T, class F> __forceinline__ T modify(T *at, int order, F change)
{
  word<T> *const place = (word<T> *)at;
  word<T> old = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &old, bits<word<T>>((T)change(bits<T>(old))), true, order,
                                      __ATOMIC_RELAXED)) {
  }
  return bits<T>(old);
}

template <class T> __forceinline__ T fetch_add(T *at, T value, int order)
{
  if constexpr (std::is_integral_v<T>)
    return __atomic_fetch_add(at, value, order);
  else
    return modify(at, order, [&](T old) { return old + value; });
}
} // namespace xb_cpu

#define XB_CPU_ATOMIC(name, allowed, types, expression)                                                                \
  XB_CPU_ATOMIC_OF(name, XB_CPU_SCOPE_DEVICE, allowed, types, expression)                                              \
  XB_CPU_ATOMIC_OF(name##_system, XB_CPU_SCOPE_DEVICE, allowed, types, expression)                                     \
  XB_CPU_ATOMIC_OF(name##_block, XB_CPU_SCOPE_BLOCK, allowed, types, expression)
#define XB_CPU_ATOMIC_OF(name, scope, allowed, types, expression)                                                      \
  template <class T> __forceinline__ T name(T *at, xb_cpu::as<T> value)                                                \
  {                                                                                                                    \
    static_assert(xb_cpu::allowed<T>, #name " takes " types);                                                          \
    xb_cpu::tick();                                                                                                    \
    const xb_cpu::scoped scoped(scope | XB_CPU_OLD_ATOMIC);                                                            \
    return expression;                                                                                                 \
  }
#define XB_CPU_WORDS "int, unsigned int or unsigned long long"

XB_CPU_ATOMIC(atomicAdd, atomic_adds, XB_CPU_WORDS ", float or double",
              xb_cpu::fetch_add<T>(at, value, __ATOMIC_RELAXED))
XB_CPU_ATOMIC(atomicSub, atomic_word, XB_CPU_WORDS, __atomic_fetch_sub(at, value, __ATOMIC_RELAXED))
XB_CPU_ATOMIC(atomicAnd, atomic_word, XB_CPU_WORDS, __atomic_fetch_and(at, value, __ATOMIC_RELAXED))
XB_CPU_ATOMIC(atomicOr, atomic_word, XB_CPU_WORDS, __atomic_fetch_or(at, value, __ATOMIC_RELAXED))
XB_CPU_ATOMIC(atomicXor, atomic_word, XB_CPU_WORDS, __atomic_fetch_xor(at, value, __ATOMIC_RELAXED))
XB_CPU_ATOMIC(atomicMin, atomic_compares, XB_CPU_WORDS " or long long",
              xb_cpu::modify(at, __ATOMIC_RELAXED, [&](T old) { return value < old ? value : old; }))
XB_CPU_ATOMIC(atomicMax, atomic_compares, XB_CPU_WORDS " or long long",
              xb_cpu::modify(at, __ATOMIC_RELAXED, [&](T old) { return old < value ? value : old; }))
XB_CPU_ATOMIC(atomicExch, atomic_adds, XB_CPU_WORDS " or float",
              xb_cpu::bits<T>(__atomic_exchange_n((xb_cpu::word<T> *)at, xb_cpu::bits<xb_cpu::word<T>>(value),
                                                  __ATOMIC_RELAXED)))

__forceinline__ unsigned int atomicInc(unsigned int *at, unsigned int most)
{
  xb_cpu::tick();
  const xb_cpu::scoped scoped(XB_CPU_OLD_ATOMIC);
  return xb_cpu::modify(at, __ATOMIC_RELAXED, [&](unsigned int old) { return old >= most ? 0 : old + 1; });
}
__forceinline__ unsigned int atomicDec(unsigned int *at, unsigned int most)
{
  xb_cpu::tick();
  const xb_cpu::scoped scoped(XB_CPU_OLD_ATOMIC);
  return xb_cpu::modify(at, __ATOMIC_RELAXED,
                        [&](unsigned int old) { return old == 0 || old > most ? most : old - 1; });
}
#define XB_CPU_CAS(name, scope)                                                                                        \
  template <class T> __forceinline__ T name(T *at, xb_cpu::as<T> expected, xb_cpu::as<T> value)                        \
  {                                                                                                                    \
    static_assert(xb_cpu::atomic_word<T> || std::is_same_v<T, unsigned short>,                                         \
                  "atomicCAS takes " XB_CPU_WORDS " or unsigned short");                                               \
    xb_cpu::tick();                                                                                                    \
    const xb_cpu::scoped scoped(scope | XB_CPU_OLD_ATOMIC);                                                            \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                      \
    return expected;                                                                                                   \
  }
XB_CPU_CAS(atomicCAS, XB_CPU_SCOPE_DEVICE)
XB_CPU_CAS(atomicCAS_system, XB_CPU_SCOPE_DEVICE)
XB_CPU_CAS(atomicCAS_block, XB_CPU_SCOPE_BLOCK)
