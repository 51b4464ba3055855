/* The benchmarks that a command line selects: variants, sizes and places on axes. Functions that return a bool return
 * false after they reported a mistake. */
#ifndef XB_SELECTION_H
#define XB_SELECTION_H

#include "commands/options.h"

/* `typed` is BENCHMARK, which sets `*v` to NULL, or BENCHMARK/VARIANT. */
bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v);
/* Adds one variant, or all of a benchmark. */
bool xb_select(xb_options *o, const char *typed);
void xb_sort_selection(xb_options *o);
/* Sets the baseline of the selection: a variant, a device or, if `text` is NULL, the first API. */
bool xb_set_against(const char *text, xb_options *o);

/* Size i of the options or, without one, the benchmark's default for a last-level cache of this size. `rows` is set,
 * too: 1 if the benchmark takes no matrix. */
xb_size xb_size_for(const xb_options *o, const xb_benchmark *benchmark, uint64_t cache_bytes, size_t i);
/* The number of places of a benchmark: one for each combination of the values of its axes; 1 without axes. */
size_t xb_place_count(const xb_options *o, const xb_benchmark *benchmark);
/* Sets `at` to the values of place i. */
void xb_set_place(const xb_options *o, const xb_benchmark *benchmark, size_t i, uint32_t at[XB_MAX_AXES]);
/* Checks that sizes, types, group sizes and axes are valid for the selected benchmarks. */
bool xb_check_places(const xb_options *o);

#endif
