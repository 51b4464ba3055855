/* What a run measures: variants, sizes, element types, and places on axes. */
#ifndef XB_CHOICE_H
#define XB_CHOICE_H

#include "benchmarks/registry.h"

enum {
  XB_MAX_SELECTED = 512,
  XB_MAX_SIZES = 128,
  XB_MAX_AT_VALUES = 256,
  XB_MOST_AXIS_POINTS = 4096,
};

/* `rows` is 0 if only one number was given: a number of elements, or the columns of a square matrix. `inner` is 0
 * unless three were given. */
typedef struct xb_size {
  uint64_t rows, columns, inner;
} xb_size;

/* The values of an axis. */
typedef struct xb_axis_choice {
  char axis[32];
  uint32_t values[XB_MAX_AT_VALUES];
  size_t count;
} xb_axis_choice;

typedef struct xb_selection {
  const xb_variant *variant;
  bool named; /* named by the user: then it is an error if it cannot run */
} xb_selection;

typedef struct xb_choice {
  xb_selection selected[XB_MAX_SELECTED]; /* in the order of the table */
  size_t selected_count;
  const xb_variant *against_variant; /* the baseline of the selected variants in a comparison; NULL: none */
  xb_size sizes[XB_MAX_SIZES];
  size_t size_count; /* 0: the benchmark's default */
  bool elements;     /* sizes are numbers of elements: matrices have their default */
  bool watched;      /* by --check: without a size, there are fewer elements */
  xb_dtype dtypes[XB_DTYPES];
  size_t dtype_count;
  xb_axis_choice at[XB_MAX_AXES];
  size_t at_count;
} xb_choice;

/* "0..32", "1,2,8", "0..4,32", or numbers separated by spaces. Returns false, without a message, if the text is invalid
 * or has too many values. */
bool xb_parse_axis_values(const char *text, xb_axis_choice *choice);
/* True if an axis takes the value: one that is closed takes those in its list. */
bool xb_axis_takes(const xb_axis *axis, uint32_t value);
/* The default size where the last-level cache has so many bytes; 0: unknown. */
uint64_t xb_default_n(const xb_benchmark *b, uint64_t cache_bytes);
/* Size i or, without one, the benchmark's default for a last-level cache of this size. `rows` is set, too: 1 if the
 * benchmark takes no matrix. */
xb_size xb_size_for(const xb_choice *what, const xb_benchmark *benchmark, uint64_t cache_bytes, size_t i);
/* The number of places of a benchmark: one for each combination of the values of its axes; 1 without axes. */
size_t xb_axis_point_count(const xb_choice *what, const xb_benchmark *benchmark);
/* Sets `at` to the values of place i. */
void xb_set_axis_point(const xb_choice *what, const xb_benchmark *benchmark, size_t i, uint32_t at[XB_MAX_AXES]);

#endif
