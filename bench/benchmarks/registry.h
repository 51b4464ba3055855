/* All benchmarks: those whose folders the build found, in the order of their rows, then those that were added. */
#ifndef XB_REGISTRY_H
#define XB_REGISTRY_H

#include "benchmarks/benchmark.h"

size_t xb_benchmark_count(void);
const xb_benchmark *xb_benchmark_at(size_t i);
const xb_benchmark *xb_benchmark_find(const char *name);
/* Adds one that was made at run time, and has to live as long as the program. XB_INVALID where its name is taken. One
 * thread. */
xb_code xb_benchmark_add(const xb_benchmark *benchmark, xb_error *err);

bool xb_has_dtype(const xb_benchmark *benchmark, xb_dtype dtype);
/* The i-th group size that is compiled; 0 past the last. */
uint32_t xb_block_at(const xb_benchmark *benchmark, size_t i);
bool xb_has_block(const xb_benchmark *benchmark, uint32_t block);

/* The variant's own group size for n elements where nobody asks for another: of those that the device takes, and that
 * fill its multiprocessors. */
uint32_t xb_default_block(const xb_variant *v, const xb_device_info *device, uint64_t n);
/* The row whose kernel the variant runs: itself, or the nearest row above that has one. */
const xb_variant *xb_variant_of_kernel(const xb_variant *v);
/* `name` is "9", "single_pass" or "9_single_pass". */
const xb_variant *xb_variant_find(const char *benchmark, const char *name);
/* "9_single_pass". */
enum { XB_VARIANT_NAME = 80 };
const char *xb_variant_name(const xb_variant *v, char out[XB_VARIANT_NAME]);
/* Sets code, code_bytes and entry of `desc`, as the build embedded them, for the case's device; entry stays valid until
 * this thread's next call. XB_UNSUPPORTED names what was not compiled. (code.c) */
xb_code xb_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);
/* How the API says what the variant does elsewhere; `why` is NULL where it says it alike. */
xb_likeness xb_variant_likeness(const xb_variant *v, const char *api, const char **why);

#endif
