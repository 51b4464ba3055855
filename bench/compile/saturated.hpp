// Included before a source whose casts were rewritten (casts.c): `(int)x` is `+(xb_cpu::saturated<int>)x` there, with the
// same precedence, and an int in the end. A float is converted as by PTX's cvt: to zero, and out of range to the nearest
// integer of 32 or 64 bits. Shorter types get its low bits.
#pragma once
#include <type_traits>

namespace xb_cpu
{
template <class T, class F> __forceinline__ constexpr T saturate(F x)
{
  using small = std::conditional_t<std::is_signed_v<T>, int, unsigned int>;
  using wide = std::conditional_t<sizeof(T) < sizeof(small), small, T>;
  constexpr unsigned long long top = 1ull << (sizeof(wide) * 8 - 1);
  constexpr wide least = std::is_signed_v<T> ? (wide)top : 0, most = (wide)~least;
  constexpr F beyond = (F)top * (std::is_signed_v<T> ? 1 : 2);
  if (x != x) // PTX ISA, cvt: 0 only from float and only to 32 bits
    return (T)(wide)(sizeof(F) > sizeof(float) || sizeof(wide) > sizeof(int) ? top : 0);
  return (T)(x >= beyond ? most : x <= (F)least ? least : (wide)x);
}

// A half converts itself to float only.
template <class F, class = void> struct is_half : std::false_type {
};
template <class F>
struct is_half<F, std::void_t<decltype(std::declval<const F &>().operator float())>>
    : std::bool_constant<sizeof(F) == 2> {
};

template <class T> struct saturated {
  T value;
  template <class F> __forceinline__ explicit constexpr saturated(F from) : value(convert(from)) {}
  __forceinline__ constexpr T operator+() const { return value; }

private:
  template <class F> static __forceinline__ constexpr T convert(F from)
  {
    if constexpr (std::is_floating_point_v<F>)
      return saturate<T>(from);
    else if constexpr (is_half<F>::value)
      return saturate<T>((float)from);
    else
      return (T)from; // also a pointer
  }
};
} // namespace xb_cpu
