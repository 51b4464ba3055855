/* Tells whether the source of a kernel changed in a way that can change its code. */
#ifndef XB_SOURCE_HASH_H
#define XB_SOURCE_HASH_H

#include "benchmarks/registry.h"

/* FNV-1a of the variant's source for this backend, with the project's headers that it includes and the compiler's
 * flags, without comments and spacing. 0: no source is embedded, or out of host memory. */
uint64_t xb_source_hash(const xb_variant *variant, const char *backend);

#endif
