/* How a compiled kernel's parameters become the buffers and arguments of a pair: found by name and
 * placed (link.c), checked (link_check.c). */
#ifndef XB_LINK_H
#define XB_LINK_H

#include "pair/pair.h"

typedef struct xb_linking {
  xb_pair *pair;
  xb_pair_side *side;
  const xb_pair_kernel *k;
  xb_pair_code *code;
  xb_error *err;
} xb_linking;

/* XB_INVALID, with the source in front of the message. */
#define xb_link_refuse(l, ...) xb_fail((l)->err, XB_INVALID, (l)->side->source.path, __VA_ARGS__)

/* Its kernels take parameters; those of other languages have bindings and blocks of values. */
bool xb_link_is_cuda(const xb_pair_side *side);

/* `in_` is `in` where that is a word of the language. */
bool xb_link_same_name(const char *a, const char *b);

/* Of the buffers that were found: images, elements, strides. */
xb_code xb_link_check_buffers(const xb_linking *l);
/* Shared memory that the host sizes, and __constant__ variables. */
xb_code xb_link_check_memory(const xb_linking *l);
/* `k` gets the group size of the code, if it has none. */
xb_code xb_link_agree_on_group(const xb_linking *l, xb_pair_kernel *k);

#endif
