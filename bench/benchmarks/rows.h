/* Turns the rows of a benchmark's table into `const xb_benchmark XB_SELF`. The benchmark's .c file ends with
 * #include "benchmarks/rows.h". Before that it has XB_METHODS(...) and, if rows have parameters, defines their type
 * `parameters`. CMake defines, by the name of the folder, XB_SELF (xb_reduce), XB_TABLE (its variants.def)
 * and, if there are figures of others, XB_QUOTED (its seeds.def). The rows are:
 *
 *   XB_BENCHMARK(name, place, element types, compiled group sizes, default group size, title, fields...)
 *   XB_AXIS(name, values, base, title[, .few = "values"])
 *   XB_PART(name): a kernel that is no variant of its own; plans name it (xb_plan_kernel)
 *   XB_VARIANT(number, name, source, title, fields of xb_variant...)
 *
 * CMake reads them as text, one row per line; `place` is the position of the benchmark in lists. CMake's configure step
 * fails if a row lacks its shader or kernel, or a shader or kernel lacks its row. */
#ifndef XB_ROWS_H
#define XB_ROWS_H

#include "benchmarks/benchmark.h"

/* Parameters that only the benchmark knows. */
#define WITH(...)                                                                                                      \
  .parameters = &(const parameters)                                                                                    \
  {                                                                                                                    \
    __VA_ARGS__                                                                                                        \
  }
/* The variant exists in one API only. */
#define ONLY(api, why) .counterparts = {{api, XB_ALIKE, NULL}, {"*", XB_NONE, why}}

extern const xb_benchmark XB_SELF;

static const char *const parts[] = {
#define XB_BENCHMARK(...)
#define XB_AXIS(...)
#define XB_VARIANT(...)
#define XB_PART(name_) #name_,
#include XB_TABLE
#undef XB_PART
#undef XB_VARIANT
#undef XB_AXIS
#undef XB_BENCHMARK
    NULL,
};

#define XB_PART(...)
static const xb_variant variants[] = {
#define XB_BENCHMARK(...)
#define XB_AXIS(...)
#define XB_VARIANT(number_, name_, source_, ...)                                                                       \
  {.benchmark = &XB_SELF, .number = number_, .name = #name_, .source = source_, .title = __VA_ARGS__},
#include XB_TABLE
#undef XB_AXIS
#undef XB_VARIANT
};

/* The last entry is empty, because C has no empty arrays and a table may have no axis. */
static const xb_axis axes[] = {
#define XB_VARIANT(...)
#define XB_AXIS(name_, values_, base_, ...) {.name = #name_, .values = #values_, .base = base_, .title = __VA_ARGS__},
#include XB_TABLE
#undef XB_AXIS
#undef XB_BENCHMARK
    {.name = NULL},
};

/* The last entry is empty. */
static const xb_quoted quoted[] = {
#ifdef XB_QUOTED
#define XB_FIGURE(...) {__VA_ARGS__},
#include XB_QUOTED
#endif
    {.variant = 0},
};

const xb_benchmark XB_SELF = {
#define XB_AXIS(...)
#define XB_BENCHMARK(name_, place_, dtypes_, blocks_, default_block_, ...)                                             \
  .name = #name_, .dtypes = #dtypes_, .blocks = #blocks_, .default_block = default_block_, .title = __VA_ARGS__,
#include XB_TABLE
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .axes = axes,
    .axis_count = sizeof axes / sizeof axes[0] - 1,
    .quoted = quoted,
    .quoted_count = sizeof quoted / sizeof quoted[0] - 1,
    .parts = parts,
    .methods = &methods,
};

#endif
