/* What a run leaves behind: lines on stdout as groups finish, and the files that were asked for. */
#ifndef XB_RESULTS_H
#define XB_RESULTS_H

#include <limits.h>
#include <stdio.h>

#include "judge/judge.h"
#include "result/document.h"

/* Results of one benchmark, element type and size: measured together, shown together. */
typedef struct xb_group {
  const xb_result_benchmark *benchmark;
  const xb_result *results;
  size_t count;                     /* at least 1 */
  const xb_comparison *comparisons; /* of a comparison */
  size_t comparison_count;
} xb_group;

/* The targets of a group, in the order of its results: a device through one API, in one launch mode. */
enum { XB_MOST_COLUMNS = 16 };
size_t xb_group_targets(const xb_group *group, const xb_result_device *targets[XB_MOST_COLUMNS]);

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
  bool sweep;    /* several sizes or element types: their columns are shown */
  bool headed;   /* the heading was printed */
  bool quoted;   /* what documents say was printed */
  char unit[32]; /* of its column of values, in Markdown */
} xb_table;

void xb_table_group(xb_table *table, const xb_group *group);

/* ---- Comparison ------------------------------------------------------------------------------------------------- */

void xb_comparison_table(xb_table *table, const xb_group *group);

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

void xb_csv_header(FILE *file);
/* One line a cell. */
void xb_csv_group(FILE *file, const xb_group *group);

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* A document as docs/results.schema.json describes it. Each group becomes text when it is added: a save costs no more
 * than copying what there is. */
typedef struct xb_json xb_json;
/* NULL: out of host memory. */
xb_json *xb_json_begin(const xb_result_device *devices, size_t count, const xb_result_sampling *sampling);
/* The results of the group, and what its comparison found. */
void xb_json_group(xb_json *json, const xb_group *group);
void xb_json_means(xb_json *json, const xb_means *means);
/* How many results there are so far. */
size_t xb_json_results(const xb_json *json);
/* Makes `output` the document as it is now, and saves it. False: as xb_output_save. */
bool xb_json_save(xb_json *json, xb_output *output);
void xb_json_free(xb_json *json);

#endif
