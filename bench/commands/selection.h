/* What a command line asks of which benchmarks: variants, sizes and places on axes. Each function that returns a bool
 * reports the mistake where it is false. */
#ifndef XB_SELECTION_H
#define XB_SELECTION_H

#include "commands/options.h"

/* BENCHMARK, or BENCHMARK/VARIANT, which sets `*v`; NULL without. */
bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v);
/* Adds one variant, or all of a benchmark. */
bool xb_select(xb_options *o, const char *typed);
void xb_sort_selection(xb_options *o);
/* What the selection is held against: a variant, a device or, where it is NULL, the first API. */
bool xb_set_against(const char *text, xb_options *o);

/* Size i of the options, or the benchmark's default beside a cache of so many bytes, with its rows filled in: 1 where
 * it takes no matrix. */
xb_size xb_size_for(const xb_options *o, const xb_benchmark *benchmark, uint64_t cache_bytes, size_t i);
/* Places of a benchmark: one for each combination of values of its axes; 1 without axes. */
size_t xb_place_count(const xb_options *o, const xb_benchmark *benchmark);
/* Place i. */
void xb_set_place(const xb_options *o, const xb_benchmark *benchmark, size_t i, uint32_t at[XB_MAX_AXES]);
/* Sizes, types, group sizes and axes have to mean something to the selected benchmarks. False: the mistake was
 * reported.
 */
bool xb_check_places(const xb_options *o);

#endif
