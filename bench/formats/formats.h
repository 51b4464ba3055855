/* The output formats. Each is written group by group, as the groups of a run finish. */
#ifndef XB_FORMATS_H
#define XB_FORMATS_H

#include "formats/output.h"
#include "judge/judge.h"
#include "result/document.h"

#include <jansson.h>
#include <stdio.h>

/* Results of one benchmark, element type and size, which are measured and shown together. */
typedef struct xb_group {
  const xb_result_benchmark *benchmark;
  const xb_result *results;
  size_t count;                     /* at least 1 */
  const xb_comparison *comparisons; /* NULL in a run */
  size_t comparison_count;
  bool begins; /* the first of its benchmark */
  bool sweep;  /* the benchmark has several */
  bool cut;    /* the user stopped the run meanwhile */
} xb_group;
/* False for a group of which the run was stopped before it had any result: it is saved, and not shown. */
bool xb_group_is_shown(const xb_group *group);

/* Writes the targets of a group, in the order of its results, and returns their number. A target is a device through
 * one API, in one launch mode. */
enum { XB_MOST_COLUMNS = 16 };
size_t xb_group_targets(const xb_group *group, const xb_result_device *targets[XB_MOST_COLUMNS]);

/* ---- Table ------------------------------------------------------------------------------------------------------ */

typedef struct xb_table_writer {
  FILE *file;     /* where it is printed */
  bool sweep;     /* there are columns for size and element type, because there are several */
  bool headed;    /* the heading was printed */
  bool quoted;    /* the published values were printed */
  bool published; /* they are to be */
  uint64_t heads; /* a hash of the columns whose heads were printed last */
} xb_table_writer;

void xb_text_group(xb_table_writer *writer, const xb_group *group);

/* ---- Comparison ------------------------------------------------------------------------------------------------- */

void xb_comparison_table(xb_table_writer *writer, const xb_group *group);

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

void xb_csv_header(FILE *file);
/* One line per cell. */
void xb_csv_group(FILE *file, const xb_group *group);

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

/* Prints the lines of a group, with a heading if the table has none yet. */
void xb_markdown_group(xb_table_writer *writer, const xb_group *group);
void xb_markdown_comparison(xb_table_writer *writer, const xb_group *group);

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* A document that follows docs/results.schema.json. Each group is converted to text when it is added, so a save only
 * copies text. */
typedef struct xb_json xb_json;
/* Returns NULL if out of host memory. */
xb_json *xb_json_begin(const xb_result_device *devices, size_t count, const xb_result_sampling *sampling);
/* Adds the results and the comparisons of the group. */
void xb_json_group(xb_json *json, const xb_group *group);
void xb_json_means(xb_json *json, const xb_means *means);
/* Writes the rest of the document to `output` and saves it. False: as in xb_output_save(). NULL: out of host memory, so
 * `output` can no longer be saved, and the file that it would replace stays. */
bool xb_json_save(xb_json *json, xb_output *output);
void xb_json_free(xb_json *json);
/* Writes a document of another kind, and frees it. If memory ran out, `output` can no longer be saved. */
void xb_output_json(xb_output *output, json_t *root, size_t flags);
/* The same to a file of its own; nothing without a path. False: the error was reported. */
bool xb_save_json(const char *path, xb_output_kind kind, json_t *root, size_t flags);

/* ---- google/benchmark's JSON ------------------------------------------------------------------------------------ */

typedef struct xb_gbench xb_gbench;
/* A document in google/benchmark's format (--benchmark_format=json), for tools that read it. It omits controls,
 * unsupported cells and cells without a counterpart. Each sample is a repetition: real_time is by the variant's clock,
 * cpu_time is host time, from submit to complete. */
xb_gbench *xb_gbench_begin(void);
void xb_gbench_group(xb_gbench *gbench, const xb_group *group);
/* Prints the document, and frees it. Returns false if it is not complete: out of host memory. */
bool xb_gbench_end(xb_gbench *gbench, FILE *file);

/* ---- Where the results of a run go ------------------------------------------------------------------------------ */

typedef enum xb_format { XB_FORMAT_TABLE, XB_FORMAT_CSV, XB_FORMAT_MARKDOWN, XB_FORMAT_GBENCH } xb_format;

/* XB_IN_* of the table's writer. */
unsigned xb_format_writer(xb_format format);

/* What is known before the first group. */
typedef struct xb_sink_run {
  const xb_result_device *devices;
  size_t device_count;
  xb_result_sampling sampling;
  bool comparison; /* shows pairs instead of cells */
} xb_sink_run;

/* Gets the groups of a run as they finish. A kind may leave functions out. */
typedef struct xb_sink {
  /* Returns false after it reported an error; nothing was written. */
  bool (*begin)(struct xb_sink *sink, const xb_sink_run *run);
  void (*group)(struct xb_sink *sink, const xb_group *group);
  /* `means`: of a comparison; else NULL. Returns 0, or the exit code of an error, which was reported. */
  int (*end)(struct xb_sink *sink, const xb_means *means);
} xb_sink;

/* A file of --json or --csv, saved after each group. */
typedef struct xb_saved {
  xb_sink sink;     /* one of these */
  xb_output output; /* its path; NULL: the sink does nothing */
  xb_json *json;    /* private */
} xb_saved;
extern const xb_sink xb_json_sink, xb_csv_sink;
/* Instead of `end`, if a sink cannot begin. */
void xb_saved_abandon(xb_saved *saved);

/* What is shown, in a format. */
typedef struct xb_shown {
  xb_sink sink; /* xb_shown_sink */
  xb_format format;
  FILE *file;      /* NULL: stdout */
  bool published;  /* show what others published for other hardware */
  bool comparison; /* private, as what follows */
  xb_table_writer writer;
  xb_gbench *gbench;
} xb_shown;
extern const xb_sink xb_shown_sink;

#endif
