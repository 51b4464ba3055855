/* The vectors of an all-reduce, and its schedule: who adds which part of whose vector, and when. It follows from the
 * arguments alone, so each member knows what the others do.
 *
 * Ring: Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations", 2009. Vectors are
 * cut into a part for each member. Parts go around until each member has the sum of one, then until all have all. Tree:
 * whole vectors go to member 0 by pairs of growing distance, and their sum comes back. */
#ifndef XB_ALLREDUCE_SCHEDULE_H
#define XB_ALLREDUCE_SCHEDULE_H

#include "benchmarks/benchmark.h"

/* Parts begin at multiples of this many elements, as each binding_align asks for. */
enum { XB_ALLREDUCE_STEP = 64, XB_ALLREDUCE_LARGEST = 32 /* members */ };

/* Elements of a vector, with those that fill it up to what each part begins at a multiple of. */
uint64_t xb_allreduce_length(uint64_t n);
/* Generates the vector of a member: small whole numbers, so that their sums are exact in any order. */
xb_generator xb_allreduce_vector(xb_dtype dtype, uint32_t member);
/* The sums of elements [first, first + count) of the vectors of members [begin, end). */
void xb_allreduce_sums(xb_dtype dtype, uint64_t seed, uint32_t begin, uint32_t end, uint64_t first, uint64_t count,
                       void *out);

typedef struct xb_pull {
  uint32_t from;         /* the member whose elements are read: they do not change in this round */
  uint64_t first, count; /* elements */
  bool add;              /* to one's own; else they replace them */
} xb_pull;

uint32_t xb_allreduce_rounds(bool tree, uint32_t members);
/* What `member` does in a round, when all members have completed the one before. False: nothing. */
bool xb_allreduce_pull(bool tree, uint32_t members, uint32_t member, uint32_t round, uint64_t n, xb_pull *pull);

#endif
