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
#define xb_link_refuse(l, ...) xb_fail((l)->err, XB_INVALID, (l)->k->path, __VA_ARGS__)

/* Its kernels take parameters; those of other languages have bindings and blocks of values. */
bool xb_link_is_cuda(const xb_pair_side *side);

/* `in_` is `in` where that is a word of the language. */
bool xb_link_same_name(const char *a, const char *b);

/* `name` is "b[3]", an element of the parameter's array of buffers without a length; writes its number. */
bool xb_link_is_element(const xb_code_parameter *p, const char *name, uint32_t *number);
/* Such an array is as long as the pair's buffers of its name say, each of which becomes a parameter.
 * (link_addresses.c) */
xb_code xb_link_give_lengths(const xb_linking *l);

/* The argument is the address of a buffer, or several. */
bool xb_link_is_address(const xb_pair_argument *argument);

/* An argument that the pair does not name, and that has 64 bits and the name of a buffer, is the buffer's address.
 * (link_addresses.c) */
xb_code xb_link_add_addresses(const xb_linking *l, xb_pair_kernel *k);
/* An argument of the kernel is the address of this buffer of the pair, or one of its buffers has it. */
bool xb_link_has_address_of(const xb_linking *l, uint32_t buffer);
/* The buffers whose addresses the kernel's buffers have are its buffers, too. */
xb_code xb_link_check_tables(const xb_linking *l);
/* "p.values": the member of a struct that the kernel takes by value. */
bool xb_link_is_member(const xb_reflection *r, const xb_code_parameter *p, const char *name);

/* Of the buffers that were found: images, elements, strides. */
xb_code xb_link_check_buffers(const xb_linking *l);
/* Shared memory that the host sizes, and __constant__ variables. */
xb_code xb_link_check_memory(const xb_linking *l);
/* `k` gets the group size of the code, if it has none. */
xb_code xb_link_agree_on_group(const xb_linking *l, xb_pair_kernel *k);

#endif
