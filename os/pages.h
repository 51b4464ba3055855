/* Host memory that a device can import. */
#ifndef XB_PAGES_H
#define XB_PAGES_H

#include <stddef.h>
#include <stdlib.h>

#ifdef _WIN32
#include <malloc.h>
#endif

/* `bytes` is a multiple of `align`, a power of two. NULL: out of host memory. */
static inline void *xb_pages_take(size_t align, size_t bytes)
{
#ifdef _WIN32
  return _aligned_malloc(bytes, align);
#else
  return aligned_alloc(align, bytes);
#endif
}

static inline void xb_pages_free(void *pages)
{
#ifdef _WIN32
  _aligned_free(pages);
#else
  free(pages);
#endif
}

#endif
