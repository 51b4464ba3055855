/* What came of a cell, and what its outputs were checked against. */
#ifndef XB_CELL_VERDICT_H
#define XB_CELL_VERDICT_H

#include "measure/output_hash.h"
#include "result/result.h"
#include "xb/gpu.h"

enum { XB_RIGHT_PARTS = 32 }; /* a part is 16 MiB */

/* The hash of a part of an output that was right: the same bits are right again. */
typedef struct xb_right_part {
  uint64_t seed, first, sum;
  uint32_t slot;
} xb_right_part;

typedef struct xb_cell_verdict {
  xb_outcome outcome;
  xb_error error;
  bool verified;           /* true after the checks before and after the samples */
  uint32_t rechecked_runs; /* single runs that were right after the samples */
  xb_right_part right[XB_RIGHT_PARTS];
  uint32_t right_count;
  bool hashing;           /* the check that runs also hashes the outputs */
  bool other_poison;      /* poison and guards have their other values */
  bool alone;             /* the check compares no placement with the first one */
  xb_output_hash outputs; /* of the first run that was checked; no words: nothing is checked */
} xb_cell_verdict;

#endif
