/* The search for the best configuration of a variant, or of a pair: a group size, values of axes, macros. What runs and
 * times candidates is the caller's business; here are the space, the strategies, the verdict and the files. */
#ifndef XB_TUNE_H
#define XB_TUNE_H

#include "base/arena.h"
#include "benchmarks/registry.h"
#include "judge/judge.h"
#include "measure/cell_groups.h"
#include "xb/error.h"

#include <jansson.h>

enum {
  XB_TUNE_NAME = 40,
  XB_TUNE_PARAMETERS = 16,
  XB_TUNE_VALUES = 64,
  XB_TUNE_CONDITIONS = 32,
  XB_TUNE_MOST = 1 << 20
};

/* ---- The space -------------------------------------------------------------------------------------------------- */

typedef struct xb_tuned {
  const char *name;
  uint64_t values[XB_TUNE_VALUES];
  size_t count;
  size_t standard; /* place of the default */
} xb_tuned;

/* Candidate i has for each parameter one of its values; the last parameter varies fastest. */
typedef struct xb_space {
  xb_tuned parameters[XB_TUNE_PARAMETERS];
  size_t count;
  const char *conditions[XB_TUNE_CONDITIONS]; /* "BLOCK * TILE <= 1024": two formulas and a comparison */
  size_t condition_count;
} xb_space;

size_t xb_space_size(const xb_space *space);
/* The candidate with the defaults. */
size_t xb_space_standard(const xb_space *space);
/* The place of the parameter's value, and the value. */
size_t xb_space_place(const xb_space *space, size_t candidate, size_t parameter);
uint64_t xb_space_value(const xb_space *space, size_t candidate, size_t parameter);
/* The candidate whose parameter has another place. */
size_t xb_space_moved(const xb_space *space, size_t candidate, size_t parameter, size_t place);
/* The values of a candidate as an object, by name; and the candidate with the values. `defaults`: a value that is not
 * there is the default. False: there is none. */
json_t *xb_space_values(const xb_space *s, size_t candidate);
bool xb_space_find(const xb_space *s, const json_t *values, bool defaults, size_t *candidate);
/* "BLOCK=256 TILE=4" */
const char *xb_space_text(const xb_space *space, size_t candidate, char *out, size_t out_bytes);
/* XB_UNSUPPORTED if a condition does not hold; XB_INVALID if it is no condition. */
xb_code xb_space_check(const xb_space *space, size_t candidate, xb_error *err);
/* Reads ConfigurationSpace of a manifest or of a Kernel Tuner T1 file: TuningParameters (Name, Values, Default) and
 * Conditions (Expression). Texts live as long as `root`. */
xb_code xb_space_read(const json_t *root, const char *where, xb_space *space, xb_error *err);

/* ---- Trials ----------------------------------------------------------------------------------------------------- */

/* Why a candidate has no time, in the words of Kernel Tuner's T4 format. */
typedef enum xb_validity {
  XB_CORRECT,
  XB_BAD_TIMEOUT,
  XB_BAD_COMPILE,
  XB_BAD_RUNTIME,
  XB_BAD_RESULT,
  XB_BAD_CONSTRAINTS,
} xb_validity;
const char *xb_validity_name(xb_validity validity);

typedef struct xb_trial {
  size_t candidate;
  xb_validity validity;
  double ns;      /* CORRECT: the median */
  double at_s;    /* seconds of search when it was done */
  double spent_s; /* on it alone */
  char date[32];
  char reason[160];
} xb_trial;

typedef struct xb_trials {
  xb_trial *list;
  size_t count, capacity;
} xb_trials;

/* NULL if it was not tried. */
const xb_trial *xb_trial_of(const xb_trials *trials, size_t candidate);
bool xb_trials_add(xb_trials *trials, const xb_trial *trial);
/* The best `most` candidates, the best first, without the default. Returns their number. */
size_t xb_trials_best(const xb_trials *trials, size_t standard, size_t most, size_t *best);

/* ---- Strategies ------------------------------------------------------------------------------------------------- */

typedef enum xb_strategy { XB_SEARCH_ALL, XB_SEARCH_RANDOM, XB_SEARCH_LOCAL, XB_SEARCH_ANNEALING } xb_strategy;

/* A search follows from its seed and from the times. So a search that is resumed makes the same way through what was
 * tried before, without measuring it again. */
typedef struct xb_search {
  xb_strategy strategy;
  const xb_space *space;
  uint64_t random;
  size_t *order, next; /* of all candidates */
  size_t current, pending;
  bool has_pending;
  double heat; /* ANNEALING */
} xb_search;

/* Returns false if out of host memory. */
bool xb_search_begin(xb_search *search, xb_strategy strategy, const xb_space *space, uint64_t seed);
/* Up to `most` candidates that were not tried; 0: there are none left. The caller adds a trial for each of them before
 * it asks again. */
size_t xb_search_ask(xb_search *search, const xb_trials *trials, size_t most, size_t *candidates);
void xb_search_end(xb_search *search);

/* ---- The verdict ------------------------------------------------------------------------------------------------ */

enum { XB_TUNE_MOST_RUNS = 32, XB_TUNE_FEWEST_RUNS = 3 };

/* Of several runs, each a process of its own with other places in memory. */
typedef struct xb_gain {
  double ratio; /* the geometric mean of the runs' ratios */
  xb_interval interval;
  xb_verdict verdict;
  size_t runs;
  char reason[96];
} xb_gain;

/* The interval is Student's over the logarithms of the runs' ratios. FASTER also needs each run to say so by itself:
 * runs of one program differ by more than chance inside a run shows, and the best of many candidates had luck. */
xb_gain xb_gain_of(const xb_judgement *runs, size_t count, double margin);

/* ---- Files ------------------------------------------------------------------------------------------------------ */

typedef struct xb_tune_header {
  const char *kernel, *device; /* "reduce/7_many_elements cuda float32" */
  const char *search;          /* what else its times depend on */
  uint64_t rows, columns, inner;
} xb_tune_header;

/* Refuses a cache file whose candidates have fields of other kinds than Kernel Tuner's. */
xb_code xb_cache_check(const char *path, const json_t *root, xb_error *err);
/* Kernel Tuner's cache file. Reading adds to `trials`; a file of another search is XB_INVALID, no file is XB_OK. */
xb_code xb_cache_read(const char *path, const xb_tune_header *header, const xb_space *space, xb_trials *trials,
                      xb_error *err);
xb_code xb_cache_write(const char *path, const xb_tune_header *header, const xb_space *space, const xb_trials *trials,
                       xb_error *err);
/* T4 results. */
xb_code xb_t4_write(const char *path, const xb_space *space, const xb_trials *trials, xb_error *err);

/* ---- Presets: saved configurations, in XDG_CONFIG_HOME/xbench/presets.json (else ~/.config/xbench) --------------- */

enum { XB_PRESET_PATH = 4096 };
/* Why no preset can be saved: there is no place for the file, or it is another program's. */
xb_code xb_presets_check(xb_error *err);
/* Saves what a tuning run found for the variant of this result, which was measured with the defaults; replaces an
 * earlier one for the same device, API, driver, source, type and size. */
xb_code xb_preset_save(const xb_result *standard, const xb_space *space, size_t candidate, const xb_gain *gain,
                       char path[XB_PRESET_PATH], xb_error *err);

/* Adds a configuration for each of the request's variants that has a kernel, and each target that has a preset which
 * fits: the same device or model, driver, source, element type, and at least half and at most twice its size. A preset
 * that does not fit is named on stderr, and with `said` one that does. Returns the number of configurations. */
size_t xb_presets_find(const xb_setup *setup, const xb_request *request, bool said, xb_configuration *found,
                       size_t most);

/* The presets of this variant and API on other devices, of the same type: those of one GPU, to be tried on another.
 * Adds candidates of the space to `candidates`, and the devices' names. Returns the new number. */
size_t xb_presets_elsewhere(const xb_result *standard, const xb_space *space, xb_arena *arena, size_t *candidates,
                            const char **names, size_t count, size_t most);

#endif
