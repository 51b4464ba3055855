/* variants.def as C sees it. */
#ifndef XB_TABLE_H
#define XB_TABLE_H

#include "benchmark.h"

enum { XB_MAX_BLOCKS = 8 };

typedef struct xb_entry {
  const xb_benchmark *benchmark;
  const char *title;
  uint32_t dtypes;                /* bit per xb_dtype */
  uint32_t blocks[XB_MAX_BLOCKS]; /* group sizes that are compiled; ends with 0 */
  uint32_t default_block;
} xb_entry;

size_t xb_entry_count(void);
const xb_entry *xb_entry_at(size_t i);
const xb_entry *xb_entry_find(const char *benchmark);
/* The variant's own group size for n elements where nobody asks for another: of those that the device takes, and that
 * fill its multiprocessors. */
uint32_t xb_default_block(const xb_variant *v, const xb_device_info *device, uint64_t n);
bool xb_entry_has_block(const xb_entry *entry, uint32_t block);

size_t xb_variant_count(void);
const xb_variant *xb_variant_at(size_t i);
/* The row whose kernel the variant runs: itself, or the nearest row above that has one. */
const xb_variant *xb_variant_of_kernel(const xb_variant *v);
/* `name` is "9", "single_pass" or "9_single_pass". */
const xb_variant *xb_variant_find(const char *benchmark, const char *name);

#endif
