/* Results as text: the formats, each written group by group as the groups of a run finish. */
#ifndef XB_FORMATS_H
#define XB_FORMATS_H

#include <stdio.h>

#include "formats/output.h"
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

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

/* The lines of a group, under a heading where the table has none yet. */
void xb_markdown_group(xb_table *table, const xb_group *group);
void xb_markdown_comparison(xb_table *table, const xb_group *group);

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

/* ---- google/benchmark's JSON ------------------------------------------------------------------------------------ */

typedef struct xb_gbench xb_gbench;
/* A document as google/benchmark prints it (--benchmark_format=json), for tools that read that. Yardsticks and what is
 * not here are left out. Each sample is a repetition: real_time is by the variant's clock, cpu_time is host time,
 * submit to complete. */
xb_gbench *xb_gbench_begin(void);
void xb_gbench_group(xb_gbench *gbench, const xb_group *group);
/* Prints the document, and frees it. */
void xb_gbench_end(xb_gbench *gbench, FILE *file);

#endif
