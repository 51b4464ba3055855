/* Result documents read back: what `xbench --json FILE` wrote, as plain structs. docs/results.schema.json says what
 * each field means; here are the shapes alone.
 *
 * A document is all there or not at all. Files come from anywhere: what is no document, or a damaged one, is refused
 * with one line that is safe to print, and costs at most about 2 GiB of memory whatever it holds.
 *
 * Unknown, which is null or absent in the file: NULL, a count of 0 for lists, NAN for a double, 0 for a uint64_t (of
 * which 0 would say nothing), XB_UNKNOWN for an int64_t and a flag (of which 0 says something). Fields of later
 * versions of xbench/1 are ignored.
 *
 * Text is as the file has it, valid UTF-8 without NUL, and may hold control characters: it goes to a terminal through
 * xb_print_safe or xb_safe_text (safe_text.h).
 *
 * Ownership: everything belongs to the document, and lives until xb_document_free. Thread rule: a document is read-only
 * once it is loaded; loading touches no shared state.
 */
#ifndef XB_DOCUMENT_H
#define XB_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/outcome.h"
#include "measure/ratio.h"
#include "xb/error.h"

/* More is refused by name. */
enum {
  XB_MAX_DOCUMENT_BYTES = 256 << 20,
  XB_MAX_DOCUMENT_VALUES = 1 << 24, /* numbers, strings, ... in all */
  XB_MAX_DOCUMENT_CONTAINERS = 1 << 20 /* objects and arrays in all */,
  XB_MAX_DOCUMENT_TEXT = 1 << 16, /* bytes of one string */
};

#define XB_UNKNOWN (-1)
typedef int xb_flag; /* 0, 1, XB_UNKNOWN */

typedef struct xb_numbers {
  const double *values;
  size_t count;
} xb_numbers;

typedef struct xb_texts {
  const char *const *values;
  size_t count;
} xb_texts;

typedef struct xb_saved_host {
  const char *version, *os, *kernel, *cpu, *compiler, *compiler_flags, *shader_compiler, *shader_flags, *cuda_compiler,
      *cuda_flags;
} xb_saved_host;

/* A device as one API shows it, in one launch mode. */
typedef struct xb_saved_device {
  const char *uuid, *backend, *name, *type, *driver, *api_version, *launch_mode, *pci; /* backend, name: never NULL */
  int64_t queue_family;
  bool one_of_families; /* the document has it through another queue family, too */
  xb_flag queue_family_graphics, robust_buffer_access;
  uint64_t memory_bytes, max_binding_bytes, max_group_threads, shared_bytes, subgroup_size, multiprocessors,
      cache_bytes, clock_khz, memory_clock_khz, memory_bus_bits;
  double timestamp_period_ns;
} xb_saved_device;

typedef struct xb_saved_sampling {
  double min_time_s, max_time_s, width;
  int64_t min_rounds, seed;
} xb_saved_sampling;

typedef struct xb_saved_state {
  uint64_t clock_mhz, memory_clock_mhz, temperature_c;
  double power_w;
} xb_saved_state;

/* One cell. Never NULL: benchmark, variant, variant_name, backend, dtype, cache, launch_mode, on. */
typedef struct xb_saved_result {
  /* What was asked. */
  const char *benchmark;
  const char *variant;      /* "9_single_pass" ... */
  uint64_t variant_number;  /* ... which is 9 ... */
  const char *variant_name; /* ... and "single_pass" */
  const char *title;
  const char *backend, *device, *launch_mode; /* device: the UUID */
  const xb_saved_device *on;                  /* that device, of the document's */
  const char *dtype;
  uint64_t size, rows, columns; /* size: at least 1 */
  uint64_t block, windows, bytes;
  int64_t flops;
  const char *cache, *queue, *clock, *loop;
  int64_t queue_family, compute_queue_family, seed;
  xb_flag yardstick;
  uint64_t repeats;
  xb_numbers linear_ns;

  /* What the device made of it. */
  uint64_t subgroup_size, registers, shared_bytes, code_bytes, max_group_threads, groups_per_multiprocessor;
  int64_t spill_bytes;
  const char *code_hash;

  /* What was measured. Times are nanoseconds of one run; sample i is of placement i % placements. */
  xb_outcome outcome; /* OK where there is a median, and only there; never PENDING. Files from before there was such a
                       * field do not tell FAILED, WRONG and UNSUPPORTED apart, and have FAILED */
  uint64_t placements, batch;
  xb_flag crowded;
  xb_numbers samples_ns, host_samples_ns; /* host_samples_ns: as many, or none */
  double median_ns, spread_ns, floor_ns, host_ns;
  xb_interval ci95_ns; /* low and high are NAN where it is unknown */
  int64_t outliers, warm_up_rounds;
  xb_flag warm;
  const char *stopped_by;
  double gbps, percent_of_peak, percent_of_copy;
  xb_flag verified;
  const char *error;

  /* What held the clocks. */
  int64_t throttled_samples;
  xb_texts throttle;
  xb_saved_state before, lowest, highest, after;
} xb_saved_result;

typedef struct xb_saved_comparison {
  const xb_saved_result *subject; /* never NULL */
  const xb_saved_result *base;    /* NULL: there was nothing to hold against */
  double ratio, ratio_less_floors, margin;
  xb_interval ci95_ratio, ci95_ratio_less_floors;
  const char *verdict, *reason; /* verdict: NULL where they were not compared */
  uint64_t rounds, resamples;
} xb_saved_comparison;

/* One side of a geometric mean. */
typedef struct xb_saved_target {
  const char *variant; /* NULL: each variant for itself */
  const char *backend, *device, *launch_mode;
  int64_t queue_family; /* of the compute queue */
} xb_saved_target;

typedef struct xb_saved_mean {
  const char *benchmark;
  xb_saved_target subject, base;
  double ratio, margin;
  xb_interval ci95_ratio;
  const char *verdict;
  int64_t compared, of;
} xb_saved_mean;

typedef struct xb_document {
  const char *path; /* as it was given */
  xb_saved_host host;
  xb_saved_sampling sampling;
  const xb_saved_device *devices;
  size_t device_count; /* at least 1 */
  const xb_saved_result *results;
  size_t result_count;
  const xb_saved_comparison *comparisons;
  size_t comparison_count;
  const xb_saved_mean *means;
  size_t mean_count;
} xb_document;

/* Reads a regular file. Errors: XB_INVALID, with one line that names the file and says what is the matter with it and
 * what to do; XB_NOMEM. Then *document is NULL. */
xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err);
/* The same from memory, `path` being what messages call it; the bytes are not kept. */
xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err);
/* NULL is nothing to free. */
void xb_document_free(const xb_document *document);

#endif
