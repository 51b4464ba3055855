/* A pair as a benchmark. */
#ifndef XB_PAIR_FAMILY_H
#define XB_PAIR_FAMILY_H

#include "pair/pair.h"

/* The parameter of a variant is its sides, by format of code. */
typedef struct xb_pair_variant {
  xb_pair *pair;
  xb_pair_side *sides[XB_PAIR_SIDES]; /* of different formats; ends with NULL if shorter */
} xb_pair_variant;
static inline xb_pair *xb_pair_of(const xb_case *c)
{
  const xb_pair_variant *v = c->variant->parameters;
  return v->pair;
}

/* Makes the benchmark of a linked pair, and adds it to the table. Sides of one format become variants; sides of
 * different formats become one variant. */
xb_code xb_pair_add(xb_pair *pair, xb_error *err);

/* The side that a case runs; NULL: the pair has none for its API. */
xb_pair_side *xb_pair_side_of(const xb_case *c);
/* The number of elements of a buffer; 0 if the formula fails. */
uint64_t xb_pair_length(const xb_case *c, uint32_t buffer);
/* The same with rows and columns, if it is an image, or if its file has them. */
xb_array xb_pair_shape(const xb_case *c, uint32_t buffer);
/* Elements of an output that count, by its formula; UINT64_MAX if it has none. */
uint64_t xb_pair_valid(const xb_case *c, uint32_t buffer);

/* As in xb_methods. (plan.c) */
xb_code xb_pair_plan(const xb_case *c, xb_plan *plan, xb_error *err);
xb_code xb_pair_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);

#endif
