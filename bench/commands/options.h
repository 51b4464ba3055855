/* The options of a run or a comparison. */
#ifndef XB_OPTIONS_H
#define XB_OPTIONS_H

#include "commands/command_line.h"
#include "formats/printer.h"
#include "machine/choose.h"
#include "measure/cell_groups.h"
#include "measure/sampler.h"

typedef struct xb_options {
  xb_device_choice on;
  xb_choice *what; /* static: the one of this process */
  xb_conditions how;
  xb_sampling sampling; /* its times and its width; max_time_s 0: the default of the devices */
  double margin;        /* of a comparison; < 0: the device's default */
  bool preset;          /* use configurations that a tuning run saved */
  const char *json, *csv;
  xb_format format;             /* of stdout */
  bool quiet, published, peaks; /* peaks: a summary comes first */
  uint32_t checks;              /* xb_checks */
  bool apart;                   /* another process takes the results: its user sees nothing of an interrupted run */
} xb_options;

/* For a command that makes a benchmark and runs it. Its command line has these options behind its own. */
extern const xb_option xb_run_options[];
/* Those of this process. Of what was read, `on.backend` and `on.device` are known before the benchmark is. */
xb_options *xb_given_options(void);
/* For a command that compiles before its other options are complete. False: the mistake was reported. */
bool xb_take_checks(void);
/* Completes them for one benchmark or variant. Returns as xb_complete_options. */
int xb_complete_named(const char *name);
/* Completes their values only: of a command that finds its benchmark later. */
int xb_complete_values(void);
/* What the benchmark says where the command line says nothing; NULL: nothing. */
typedef struct xb_run_defaults {
  const char *benchmark, *sizes, *against;
  xb_dtype dtype;
} xb_run_defaults;
/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. The caller may change
 * the options. */
int xb_complete_options(bool compares, const xb_run_defaults *defaults);

#endif
