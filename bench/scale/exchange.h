/* The parts of an all-reduce over links. */
#ifndef XB_EXCHANGE_H
#define XB_EXCHANGE_H

#include "scale/scale.h"

/* ---- Vectors (vector.c) ------------------------------------------------------------------------------------------ */

/* Uploads the vector of a member. */
xb_code xb_vector_fill(const xb_case *c, xb_buffer *vector, uint32_t member, xb_error *err);
/* Compares each element with the sum of all members' vectors. */
xb_code xb_vector_check(const xb_case *c, xb_buffer *vector, uint32_t members, xb_error *err);

/* ---- Memory of other devices (peer_memory.c) --------------------------------------------------------------------- */

/* The other members' vectors. PEER: the member's own device reads them. INTEROP: a helper copies from them, which is a
 * second device on the same GPU, through an API that sees the memory of other GPUs. */
typedef struct xb_link {
  xb_device *device;         /* that reaches the vectors */
  xb_device *helper;         /* INTEROP: this device, which the link closes; else NULL */
  xb_buffer *data, *arrived; /* INTEROP: the member's vector and what arrives, as the helper has them */
  xb_buffer **theirs;        /* by member; the own one is NULL */
  uint32_t members;
} xb_link;

/* INTEROP: allocates the vector and the buffer for what arrives in the helper's memory. `*data` and `*arrived` are the
 * same memory for the member's device. */
xb_code xb_link_open_helper(xb_link *link, const xb_scale_member *m, uint64_t bytes, uint64_t arrived_bytes,
                            xb_buffer **data, xb_buffer **arrived, xb_error *err);
/* Collective. Opens the other members' vectors; `data` is this member's, exportable. */
xb_code xb_link_open(xb_link *link, xb_scale_member *m, xb_buffer *data, xb_error *err);
/* INTEROP: a list that copies this part of a vector to what arrives, or to its own place in the own vector. */
xb_code xb_link_copy(xb_link *link, uint32_t from, uint64_t begin, uint64_t bytes, bool arrives, xb_commands **list,
                     xb_error *err);
void xb_link_close(xb_link *link);

#endif
