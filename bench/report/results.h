/* What a run leaves behind: lines on stdout as groups finish, and the files that were asked for. */
#ifndef XB_RESULTS_H
#define XB_RESULTS_H

#include <limits.h>
#include <stdio.h>

#include "benchmarks/table.h"
#include "measure/comparison.h"
#include "measure/sampler.h"

/* Cells of one benchmark, element type and size: measured together, shown together. */
typedef struct xb_group {
  const xb_benchmark *benchmark;
  xb_dtype dtype;
  uint64_t n, rows, columns;
  xb_cell *cells;
  size_t count;
  xb_comparison comparison; /* of a comparison */
} xb_group;

/* Bandwidth of the better of the measured copies on the device; 0 where not all of them were measured. */
double xb_copy_gbps(const xb_group *group, const xb_device *device);
/* What clock and bus width make, 2 transfers a clock; 0 where the device does not tell. */
double xb_peak_gbps(const xb_device_info *info);
/* Bytes that the algorithm needs, per second, in 10^9; 0 for a cell that is not OK. */
double xb_cell_gbps(const xb_cell *cell);

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* A file whose contents grow in memory. Each save puts a whole new file beside its place, PLACE.part-PID, over the one
 * before: at any moment what is there is complete, up to the last save. The commit renames it into its place, which so
 * never holds half a file. What cannot be replaced (a FIFO, a device, a link to nowhere) is written once, by the
 * commit. Files that other processes left there, PLACE.part-*, stay untouched. Must not be moved while it is open. */
typedef struct xb_output {
  const char *path; /* NULL: not asked for */
  FILE *file;       /* in memory: all of the contents; NULL: not asked for, or closed */
  char *text;       /* ... up to the last flush */
  size_t length;
  char place[PATH_MAX];     /* where `path` leads; empty for what is written in place */
  char part[PATH_MAX + 48]; /* beside it: the last save */
  char next[PATH_MAX + 56]; /* the one that is being written */
  int in_place;             /* descriptor; -1: none */
  size_t saved;             /* bytes in the part; 0: there is none */
  bool lacking;             /* host memory ran out: `file` does not have everything */
  bool told;                /* that something failed: once is enough */
} xb_output;

/* False, with the reason told, where the path cannot be written; nothing was done yet. */
bool xb_output_open(xb_output *output, const char *path);
/* For contents that only grow. False: this could not be saved; it was told, and the part is as it was. */
bool xb_output_save(xb_output *output);
/* Saves what is not saved, renames, and closes. False: it was told, and the part stays. */
bool xb_output_commit(xb_output *output);
/* Closes, and leaves nothing behind. */
void xb_output_abandon(xb_output *output);

/* ---- Table ------------------------------------------------------------------------------------------------------ */

typedef struct xb_table {
  bool sweep;  /* several sizes or element types: their columns are shown */
  bool headed; /* the heading was printed */
} xb_table;

void xb_table_group(xb_table *table, const xb_group *group);

/* ---- Comparison ------------------------------------------------------------------------------------------------- */

enum { XB_MAX_MEANS = 64 };

/* A geometric mean of ratios over the cells of a benchmark, on one side against one base. */
typedef struct xb_mean {
  const xb_benchmark *benchmark;
  const xb_device_info *subject, *base;
  const xb_variant *base_variant; /* NULL where each variant is held against itself */
  size_t compared, of;
  double log_sum, *log_sums; /* of the ratios; of their resamples */
  double margin;
} xb_mean;

typedef struct xb_means {
  xb_mean means[XB_MAX_MEANS];
  size_t count;
} xb_means;

/* False: out of host memory. */
bool xb_means_add(xb_means *means, const xb_comparison *comparison);
double xb_mean_ratio(const xb_mean *mean);
/* Of the mean; the cells' own noise, as the cells are no sample of anything. */
xb_interval xb_mean_interval(const xb_mean *mean);
void xb_means_free(xb_means *means);

void xb_comparison_table(xb_table *table, const xb_group *group);
void xb_means_table(const xb_means *means);

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

void xb_csv_header(FILE *file);
/* One line a cell. */
void xb_csv_group(FILE *file, const xb_group *group);

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* A document as docs/results.schema.json describes it. Each group becomes text when it is added: a save costs no more
 * than copying what there is. */
typedef struct xb_json xb_json;
/* NULL: out of host memory. */
xb_json *xb_json_begin(const xb_device_info *const *devices, size_t count, const xb_sampling *sampling);
/* The results of the group, and what its comparison found. */
void xb_json_group(xb_json *json, const xb_group *group);
void xb_json_means(xb_json *json, const xb_means *means);
/* Makes `output` the document as it is now, and saves it. False: as xb_output_save. */
bool xb_json_save(xb_json *json, xb_output *output);
void xb_json_free(xb_json *json);

#endif
