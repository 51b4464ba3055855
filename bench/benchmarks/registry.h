/* All benchmarks: first those of the build, in the order of their places, then those added at run time. */
#ifndef XB_REGISTRY_H
#define XB_REGISTRY_H

#include "benchmarks/benchmark.h"

size_t xb_benchmark_count(void);
const xb_benchmark *xb_benchmark_at(size_t i);
const xb_benchmark *xb_benchmark_find(const char *name);
/* Adds a benchmark at run time. It must stay valid until the program ends. XB_INVALID if its name is taken. For one
 * thread only. */
xb_code xb_benchmark_add(const xb_benchmark *benchmark, xb_error *err);

/* Closes what benchmarks keep from cell to cell. Call it before the program ends: in an exit handler, drivers and
 * layers may have freed their own memory already. */
void xb_benchmarks_close(void);

bool xb_has_dtype(const xb_benchmark *benchmark, xb_dtype dtype);
/* The i-th compiled group size; 0 past the last. */
uint32_t xb_block_at(const xb_benchmark *benchmark, size_t i);
bool xb_has_block(const xb_benchmark *benchmark, uint32_t block);
bool xb_takes_block(const xb_variant *variant, uint32_t block);

/* The variant's default group size for n elements, one that divides the threads of a multiprocessor; where the device
 * does not take such large groups, the largest compiled one that it takes. */
uint32_t xb_default_block(const xb_variant *v, const xb_device_info *device, uint64_t n);
/* The wave size that a kernel asks for whose lanes must all exist: the device's own, or the largest one below that
 * divides the group. 0: the row takes any waves, or the device reports none; UINT32_MAX: no size of this device does.
 */
uint32_t xb_full_wave(const xb_case *c);
/* The row whose kernel the variant runs: itself, or the nearest row above that has a kernel. */
const xb_variant *xb_variant_of_kernel(const xb_variant *v);
/* `name` is "9", "single_pass" or "9_single_pass". */
const xb_variant *xb_variant_find(const char *benchmark, const char *name);
/* "9_single_pass". */
enum { XB_VARIANT_NAME = 80 };
const char *xb_variant_name(const xb_variant *v, char out[XB_VARIANT_NAME]);
/* Sets code, code_bytes and entry of `desc` by the benchmark's own method, or to the embedded code. After a failure
 * `code` is the source that cannot be compiled; NULL: the program has none. (code.c) */
xb_code xb_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);
/* The code of a kernel, "reduce/9_single_pass", compiled now for a compute capability, or kept from an earlier run; 0:
 * for the processor, so that what it does is watched (xb_set_checks). With a case, the source gets the entry point of
 * its element type and group size. (watched.c) */
xb_code xb_find_at_first_run(const xb_case *c, const char *source, uint32_t capability, xb_kernel_desc *desc,
                             xb_error *err);
/* The code of `desc`, which is embedded, compiled now for a compute capability. */
xb_code xb_find_for_capability(const xb_case *c, uint32_t capability, xb_kernel_desc *desc, xb_error *err);
/* A group size and places on the axes for one variant through one API, instead of those of --block and --at. */
typedef struct xb_configuration {
  const xb_variant *variant;
  const char *backend; /* NULL: each */
  uint32_t block;      /* 0: the default */
  uint32_t at[XB_MAX_AXES];
  bool preset; /* it was saved by a tuning run */
} xb_configuration;

/* The API whose kernels this device runs: its backend's or, if it emulates one, that. */
static inline const char *xb_api_of(const xb_device_info *info)
{
  return info->emulates ? info->emulates : info->backend;
}

/* How well the API can express what the variant does; `why` is NULL for XB_ALIKE. */
xb_likeness xb_variant_likeness(const xb_variant *v, const char *api, const char **why);

#endif
