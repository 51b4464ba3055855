/* CUB's DeviceRadixSort, in libxb_peers.so. `dtype` is an xb_dtype; addresses belong to the current device; `stream` is
 * a CUstream, possibly in capture. The functions return NULL, or an error message. */
#ifndef XB_SORT_CUB_H
#define XB_SORT_CUB_H

#include <stdint.h>

/* Keys and values, which are left as they are, and where they go. values: 0 if there are none. */
typedef struct xb_sort_cub_arrays {
  uint64_t keys, sorted_keys, values, sorted_values;
} xb_sort_cub_arrays;

/* Gets the required bytes of temporary storage. */
typedef const char *xb_sort_cub_bytes_fn(int dtype, int values, uint64_t n, uint64_t *bytes);
/* Sorts n keys by all of their bits. */
typedef const char *xb_sort_cub_fn(int dtype, uint64_t n, const xb_sort_cub_arrays *arrays, uint64_t temporary,
                                   uint64_t bytes, void *stream);

#endif
