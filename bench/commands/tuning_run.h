/* The parts of `xbench tune`. */
#ifndef XB_TUNING_RUN_H
#define XB_TUNING_RUN_H

#include "commands/run_in_child.h"
#include "commands/subcommands.h"
#include "machine/choose.h"
#include "pair/pair.h"
#include "result/document.h"
#include "tune/tune.h"

/* Measured together: candidates of a search, and the best of each API and of other devices. */
enum { XB_TUNE_BATCH = 8, XB_TUNE_FINALISTS = XB_MAX_BACKENDS + XB_TUNE_BATCH, XB_TUNE_TEXT = 200 };

/* One API of the device. */
typedef struct xb_tune_api {
  const char *backend;
  const xb_result *standard; /* measured with the defaults */
  xb_space space;
  xb_trials trials;
  double began_s, before_s; /* of the search, and how long it took before it was interrupted */
  char kernel[160], device[300];
  xb_tune_header header;
  size_t best; /* confirmed; the default if no candidate is faster */
} xb_tune_api;

typedef struct xb_tuning_run {
  size_t strategy;
  uint64_t most_candidates, runs;
  double time_limit;
  const char *out, *t1;
  bool transfer;
  const char *manifest; /* NULL: a variant */
  json_t *space;        /* of the manifest, or of a T1 file */
  xb_trust trust;
  xb_invocation *in;
  const xb_options *options; /* of `in` */
  const xb_variant *variant;
  xb_tune_api apis[XB_MAX_BACKENDS];
  size_t api_count;
  const xb_document **documents; /* that results point into */
  size_t document_count, document_capacity;
  const char *keep; /* the file for the document of the next run; NULL: none */
  int unsaved;      /* the exit code of a file that could not be written; 0: there is none */
  xb_arena arena;
  double began_ns;
} xb_tuning_run;

/* ---- Measuring ------------------------------------------------------------------------------------------------- */

/* Results of candidates, in their order; NULL: there is none, and `why` and `code` say why. */
typedef struct xb_tried {
  const xb_result *result;
  int code;
  char why[XB_WHY];
} xb_tried;

/* Measures candidates of an API. Returns false if the user interrupted it. */
bool xb_tune_measure(xb_tuning_run *tune, const xb_tune_api *a, const size_t *candidates, size_t count, uint64_t seed,
                     xb_tried *outcomes);
/* The document of one run; NULL: see `o`. Of a variant: all candidates; `space` NULL: the defaults, on each API. */
const xb_document *xb_tune_measure_pair(xb_tuning_run *tune, const xb_space *space, size_t candidate, uint64_t seed,
                                        xb_tried *o);
const xb_document *xb_tune_measure_variant(xb_tuning_run *tune, const xb_space *space, const char *backend,
                                           const size_t *candidates, size_t count, uint64_t seed, xb_tried *o);
/* The result at this place among those of an API, or of all if `backend` is NULL. */
const xb_result *xb_tune_result_on(const xb_document *d, const char *backend, size_t place);
/* Of several sides of one API the first counts. */
const xb_result *xb_tune_first_side(const xb_document *d, const char *backend);

/* ---- Searching (tune_search.c), and the best (tune_best.c): -1, or the exit code --------------------------------- */

int xb_tune_search(xb_tuning_run *tune, xb_tune_api *a);
int xb_tune_confirm(xb_tuning_run *tune, xb_tune_api *a);
/* What the confirmed best of one API or device costs on another. */
int xb_tune_transfer(xb_tuning_run *tune);
/* A line of a table: a candidate, and its gain or, if that is NULL, the text. `from`: "best of cuda"; NULL: the table
 * has no such column. */
void xb_tune_print(const char *label, const char *from, const xb_space *space, size_t candidate, const xb_gain *gain,
                   const char *text);
/* A file of --out. */
const char *xb_tune_file(xb_tuning_run *tune, const xb_tune_api *a, const char *kind);

#endif
