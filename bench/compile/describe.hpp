// Compiled behind a kernel for the CPU: what its parameters are, as numbers in a section (pair/reflect_module.c).
#include <type_traits>

namespace xb_describe {
struct parameter {
  unsigned kind, is_const, bytes, align; // kind: of the value, or of what a pointer points to
};
enum { POINTER = 16, STRUCT = 0, SIGNED = 1, UNSIGNED = 2, FLOAT = 3 };

template <class T> constexpr unsigned kind_of()
{
  return std::is_floating_point_v<T> ? FLOAT : !std::is_integral_v<T> ? STRUCT : std::is_signed_v<T> ? SIGNED : UNSIGNED;
}

template <class T> constexpr parameter one()
{
  if constexpr (std::is_pointer_v<T>) {
    using of = std::remove_pointer_t<T>;
    if constexpr (std::is_void_v<of>)
      return {POINTER, std::is_const_v<of>, 0, 0};
    else
      return {POINTER + kind_of<std::remove_cv_t<of>>(), std::is_const_v<of>, sizeof(of), alignof(of)};
  } else {
    return {kind_of<T>(), 0, sizeof(T), alignof(T)};
  }
}

template <class... P> struct list {
  parameter values[sizeof...(P) + 1];
};
template <class... P> constexpr list<P...> all(void (*)(P...))
{
  return {{one<P>()..., {}}};
}
} // namespace xb_describe

// Exported, so that the linker keeps them.
#define XB_DESCRIBE_IN(section_name)                                                                                   \
  extern "C" __attribute__((used, visibility("default"), section(section_name))) const
#define XB_DESCRIBE(name, ...)                                                                                         \
  XB_DESCRIBE_IN("xb_kernel_name") char xb_cpu_kernel_name[] = #name;                                                  \
  XB_DESCRIBE_IN("xb_parameters") auto xb_cpu_parameters = xb_describe::all(__VA_ARGS__);
