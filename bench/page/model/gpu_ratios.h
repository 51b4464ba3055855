/* The same comparison on several GPUs of one model: how much its ratio differs from GPU to GPU. */
#ifndef XB_GPU_RATIOS_H
#define XB_GPU_RATIOS_H

#include "page/model/page_view.h"

typedef struct xb_gpu_ratio {
  const xb_view_file *file;
  const xb_comparison *of; /* the first one, in that file */
  uint64_t gpus;           /* at least 2 */
  bool other_code;         /* the kernels are not the same in all files */
  double ratio;            /* geometric mean over the GPUs; that of a GPU is the mean over its files */
  xb_interval range;       /* over the GPUs */
  xb_interval next;        /* 95 % prediction interval for one more GPU; NAN for fewer than 4 */
} xb_gpu_ratio;

typedef struct xb_gpu_ratios {
  xb_gpu_ratio *list; /* in the order of benchmark, sides, element type and size */
  size_t count;
} xb_gpu_ratios;

/* False: out of host memory. The caller frees the list. */
bool xb_gpu_ratios_find(const xb_view *view, xb_gpu_ratios *found);

#endif
