/* Cells: what is verified and timed. A cell is one variant on one device for one element type, size and group size. */
#ifndef XB_CELL_H
#define XB_CELL_H

#include "benchmarks/benchmark.h"
#include "measure/stats.h"

/* Every buffer of a cell, and the input, lies between two guards of so many bytes; a multiple of any binding_align. */
enum { XB_GUARD_BYTES = 256 };
/* In the guards of an input: 3.4e38 as a float, so that an element read from beyond the input shows in any sum. */
enum { XB_INPUT_GUARD = 0x7F7F7F7F };

/* Input on one device, shared by the cells that read it, with staging memory in both directions. */
typedef struct xb_workload {
  xb_device *device;
  xb_dtype dtype;
  uint64_t n, seed;
  uint64_t wait_limit_ns;
  xb_buffer *input, *upload, *readback;
  xb_buffer *flush; /* written before each run where the cache is to be cold; NULL where it is to be hot */
  xb_reference reference;
} xb_workload;

/* Makes the input, uploads it, and takes the benchmark's reference on the way. */
xb_code xb_workload_create(xb_workload *w, xb_device *device, const xb_benchmark *benchmark, xb_dtype dtype, uint64_t n,
                           uint64_t seed, uint64_t wait_limit_ns, xb_error *err);
xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, xb_error *err);
void xb_workload_destroy(xb_workload *w);
/* Submits the list, waits within the limit, and destroys the list. */
xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err);
/* At most xb_buffer_bytes(w->readback) bytes; what is read lies in xb_buffer_host(w->readback). */
xb_code xb_workload_read(const xb_workload *w, xb_buffer *buffer, uint64_t offset, uint64_t bytes, xb_error *err);

typedef enum xb_outcome {
  XB_CELL_PENDING, /* not finished yet, or never begun */
  XB_CELL_OK,
  XB_CELL_WRONG,       /* ran, with a wrong result */
  XB_CELL_FAILED,      /* did not run; `error` says why */
  XB_CELL_UNSUPPORTED, /* this device or this API has no such thing; `error` says what */
  XB_CELL_INTERRUPTED,
} xb_outcome;

typedef enum xb_cache { XB_CACHE_HOT, XB_CACHE_COLD } xb_cache;

typedef struct xb_cell {
  xb_case c;
  const xb_benchmark *benchmark;
  const xb_workload *workload;
  bool ceiling; /* measured only for what others are held against */

  xb_plan plan;
  xb_kernel *kernel;
  xb_peer_fn *peer;       /* a vendor's library instead of a kernel; may be called at each submission of a list */
  xb_peer_call peer_call; /* what it is given */
  uint64_t code_hash;     /* FNV-1a of the code; 0 without a kernel */
  xb_buffer *buffers[XB_MAX_SLOTS]; /* by slot; NULL for the input, which is the workload's */
  xb_commands *timed;
  uint32_t batch; /* runs of the plan in one sample */
  double once_ns; /* one run, roughly */

  xb_cache cache;
  double *samples_ns; /* of one run, by the variant's clock */
  double *host_ns; /* host time: submit to complete of the sample, over its runs; with a flush before each, of no use */
  size_t sample_count, sample_capacity;
  double sampled_ns;      /* device time of all samples together */
  const char *stopped_by; /* why sampling ended: static text */
  xb_stats device, host;

  xb_outcome outcome;
  bool verified; /* before the samples and after them */
  xb_error error;
} xb_cell;

/* Plans, and makes kernel and buffers. `cell` has c, benchmark and workload set. On failure the cell is FAILED. */
void xb_cell_create(xb_cell *cell);
void xb_cell_destroy(xb_cell *cell);
bool xb_cell_create_kernel(xb_cell *cell);
/* A list on the queue that the plan is for. */
xb_code xb_cell_commands(xb_cell *cell, const char *label, uint32_t timestamps, xb_commands **commands);
/* Records the plan once. */
void xb_cell_record(xb_cell *cell, xb_commands *commands);
/* Marks the cell as failed with `error` and returns false, for `return xb_cell_fail(cell);`. */
bool xb_cell_fail(xb_cell *cell);

/* Poisons outputs and scratch, runs once, checks outputs and guards. */
bool xb_cell_verify(xb_cell *cell);
/* Poisons alone, before the timed submissions ... */
bool xb_cell_poison(xb_cell *cell);
/* ... and checks what they left behind. */
bool xb_cell_check(xb_cell *cell);

#endif
