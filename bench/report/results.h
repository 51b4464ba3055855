/* What a run leaves behind: lines on stdout as groups finish, and the files that were asked for. */
#ifndef XB_RESULTS_H
#define XB_RESULTS_H

#include <limits.h>
#include <stdio.h>

#include "benchmarks/table.h"
#include "measure/cell.h"

/* Cells of one benchmark, element type and size: measured together, shown together. */
typedef struct xb_group {
  const xb_entry *entry;
  xb_dtype dtype;
  uint64_t n, rows, columns;
  xb_cell *cells;
  size_t count;
} xb_group;

/* Bandwidth of the better of the measured copies on the device; 0 where not all of them were measured. */
double xb_copy_gbps(const xb_group *group, const xb_device *device);
/* What clock and bus width make, 2 transfers a clock; 0 where the device does not tell. */
double xb_peak_gbps(const xb_device_info *info);
/* Bytes that the algorithm needs, per second, in 10^9; 0 for a cell that is not OK. */
double xb_cell_gbps(const xb_cell *cell);

/* A file that is written beside its place and renamed into it, so that the place never holds half a file. */
typedef struct xb_output {
  const char *path;              /* NULL: not asked for */
  char resolved[PATH_MAX];       /* where it leads; empty for what is written in place */
  char temporary[PATH_MAX + 32]; /* beside it */
  FILE *file;
} xb_output;

/* False, with the reason told, where the path cannot be written; nothing was measured yet. */
bool xb_output_open(xb_output *output, const char *path);
bool xb_output_commit(xb_output *output);
void xb_output_abandon(xb_output *output);

/* ---- Table ------------------------------------------------------------------------------------------------------ */

typedef struct xb_table {
  bool sweep;  /* several sizes or element types: their columns are shown */
  bool headed; /* the heading was printed */
} xb_table;

void xb_table_group(xb_table *table, const xb_group *group);

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

void xb_csv_header(FILE *file);
void xb_csv_group(FILE *file, const xb_group *group);

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

typedef struct json_t xb_json;
xb_json *xb_json_begin(const xb_device_info *const *devices, size_t count);
void xb_json_group(xb_json *root, const xb_group *group);
bool xb_json_write(xb_json *root, FILE *file);
void xb_json_free(xb_json *root);

#endif
