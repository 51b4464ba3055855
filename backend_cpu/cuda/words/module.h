/* The table of a module's entries, which the runtime calls. Parameters and their sizes follow from an entry's type. */
#pragma once

namespace xb_cpu
{
template <size_t... I> struct indices {
};
template <size_t N, size_t... I> struct indices_below : indices_below<N - 1, N - 1, I...> {
};
template <size_t... I> struct indices_below<0, I...> {
  using type = indices<I...>;
};

template <auto FUNCTION> struct entry;
template <class... P, void (*FUNCTION)(P...)> struct entry<FUNCTION> {
  static constexpr uint32_t count = sizeof...(P);
  static constexpr uint32_t bytes[] = {(uint32_t)sizeof(P) | (std::is_pointer_v<P> ? XB_CPU_POINTER : 0u)..., 0};
  template <size_t... I> static void spread(void *const *params, indices<I...>)
  {
    (void)params;
    FUNCTION(*(std::remove_const_t<P> *)params[I]...);
  }
  static void call(void *const *params) { spread(params, typename indices_below<sizeof...(P)>::type()); }
};
} // namespace xb_cpu

extern "C" {
extern const xb_cpu_entry __attribute__((weak, visibility("hidden"))) __start_xb_cpu_entries[], __stop_xb_cpu_entries[];
extern __attribute__((weak)) void *xb_cpu_extern_shared(void); /* extern_shared.cpp, where the module needs it */
}

/* XB_CPU_ENTRY(name), XB_CPU_ENTRY_AS(name, &ns::sum<256, float>) */
#define XB_CPU_ENTRY(name) XB_CPU_ENTRY_AS(name, &name)
#define XB_CPU_ENTRY_AS(name, ...)                                                                                     \
  static xb_cpu_entry __attribute__((used, aligned(8), section("xb_cpu_entries"))) xb_cpu_entry_##name = {             \
      #name, xb_cpu::entry<__VA_ARGS__>::call, xb_cpu::entry<__VA_ARGS__>::count, xb_cpu::entry<__VA_ARGS__>::bytes};

/* The threads of a group that the entry is written for: other sizes are refused, as those of a shader are. */
#define XB_CPU_GROUP_SIZE(name, x, y, z)                                                                               \
  extern "C" __attribute__((visibility("default"))) const uint32_t xb_cpu_group_##name[3];                             \
  extern "C" const uint32_t xb_cpu_group_##name[3] = {x, y, z};

#define XB_CPU_MODULE                                                                                                  \
  namespace xb_cpu                                                                                                     \
  {                                                                                                                    \
  const xb_cpu_runtime *runtime;                                                                                       \
  static thread_local char anchor;                                                                                     \
  static void *shared() { return &anchor; }                                                                            \
  }                                                                                                                    \
  extern "C" __attribute__((visibility("default"))) xb_cpu_module_info xb_cpu_module;                                  \
  xb_cpu_module_info xb_cpu_module = {XB_CPU_ABI,       __VERSION__,    __start_xb_cpu_entries, 0,                     \
                                      &xb_cpu::runtime, xb_cpu::shared, xb_cpu_extern_shared};                         \
  __attribute__((constructor)) static void xb_cpu_module_begin()                                                       \
  {                                                                                                                    \
    xb_cpu_module.entry_count = (uint32_t)(__stop_xb_cpu_entries - __start_xb_cpu_entries);                            \
  }
