/* The members' vectors: small whole numbers, so that their sums are exact in any order. */
#ifndef XB_ALLREDUCE_NUMBERS_H
#define XB_ALLREDUCE_NUMBERS_H

#include "benchmarks/benchmark.h"

enum { XB_ALLREDUCE_LARGEST = 32 }; /* members */

/* Elements of a vector, with those that fill it up to what each part begins at a multiple of. */
uint64_t xb_allreduce_length(uint64_t n);
/* Generates the vector of a member. */
xb_generator xb_allreduce_vector(xb_dtype dtype, uint32_t member);
/* The sums of elements [first, first + count) of the vectors of members [begin, end). */
void xb_allreduce_sums(xb_dtype dtype, uint64_t seed, uint32_t begin, uint32_t end, uint64_t first, uint64_t count,
                       void *out);

#endif
