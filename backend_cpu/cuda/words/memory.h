/* Loads and stores with a cache's hint, address spaces, asynchronous copies of old kind. A CPU has one address space.
 */
#pragma once

template <class T> __forceinline__ T __ldg(const T *at) { return *at; }
template <class T> __forceinline__ T __ldca(const T *at) { return *at; }
template <class T> __forceinline__ T __ldcs(const T *at) { return *at; }
template <class T> __forceinline__ T __ldlu(const T *at) { return *at; }

/* These see what other threads write: read anew, and others run now and then. */
namespace xb_cpu
{
template <class T> __forceinline__ T load_anew(const T *at)
{
  tick();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const T value = *at;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return value;
}
} // namespace xb_cpu
template <class T> __forceinline__ T __ldcg(const T *at) { return xb_cpu::load_anew(at); }
template <class T> __forceinline__ T __ldcv(const T *at) { return xb_cpu::load_anew(at); }
template <class T> __forceinline__ void __stwb(T *at, xb_cpu::as<T> value) { *at = value; }
template <class T> __forceinline__ void __stcg(T *at, xb_cpu::as<T> value) { *at = value; }
template <class T> __forceinline__ void __stcs(T *at, xb_cpu::as<T> value) { *at = value; }
template <class T> __forceinline__ void __stwt(T *at, xb_cpu::as<T> value) { *at = value; }

__forceinline__ size_t __cvta_generic_to_shared(const void *at) { return (size_t)at; }
__forceinline__ size_t __cvta_generic_to_global(const void *at) { return (size_t)at; }
__forceinline__ size_t __cvta_generic_to_constant(const void *at) { return (size_t)at; }
__forceinline__ void *__cvta_shared_to_generic(size_t at) { return (void *)at; }
__forceinline__ void *__cvta_global_to_generic(size_t at) { return (void *)at; }
