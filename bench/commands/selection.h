/* The benchmarks that a command line selects: variants, sizes and places on axes. Functions that return a bool return
 * false after they reported a mistake. */
#ifndef XB_SELECTION_H
#define XB_SELECTION_H

#include "benchmarks/choice.h"
#include "machine/choose.h"

/* `typed` is BENCHMARK, which sets `*v` to NULL, or BENCHMARK/VARIANT. */
bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v);
/* Adds one variant, or all of a benchmark. */
bool xb_select(xb_choice *what, const char *typed);
void xb_sort_selection(xb_choice *what);
/* Sets the baseline of the selection: a variant, a device or, if `text` is NULL, the first API. */
bool xb_set_against(const char *text, xb_choice *what, xb_device_choice *on);
/* Checks that sizes, types, group size (0: none) and axes are valid for the selected benchmarks. */
bool xb_check_places(const xb_choice *what, uint32_t block);
/* Hints for words that are not benchmarks (hints.c). Each function returns false after it reported the mistake. The
 * first word may be a mistyped command, or a command behind its options. */
bool xb_check_first_word(const char *word);
/* A word may belong elsewhere: "reduce 9", "reduce 2^16", "compare a.json b.json". `before` may be NULL. */
bool xb_check_word(const char *word, const char *before);

#endif
