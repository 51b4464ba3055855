/* The options of a run or a comparison. */
#ifndef XB_OPTIONS_H
#define XB_OPTIONS_H

#include "benchmarks/registry.h"
#include "commands/command_line.h"
#include "commands/sizes.h"
#include "formats/printer.h"
#include "measure/cell.h"

enum { XB_MAX_AT_VALUES = 256, XB_MOST_PLACES = 4096 };

/* --at AXIS=VALUES. */
typedef struct xb_axis_choice {
  char axis[32];
  uint32_t values[XB_MAX_AT_VALUES];
  size_t count;
} xb_axis_choice;

enum { XB_MAX_SELECTED = 512, XB_MAX_LAUNCH_MODES = 3, XB_MAX_QUEUE_FAMILIES = 4 };

typedef struct xb_selection {
  const xb_variant *variant;
  bool named; /* named by the user: then it is an error if it cannot run */
} xb_selection;

/* A group size and places on the axes for one variant through one API, instead of those of --block and --at. */
typedef struct xb_configuration {
  const xb_variant *variant;
  const char *backend; /* NULL: each */
  uint32_t block;      /* 0: the default */
  uint32_t at[XB_MAX_AXES];
  bool preset; /* it was saved by a tuning run */
} xb_configuration;

typedef enum xb_command { XB_COMMAND_RUN, XB_COMMAND_COMPARE } xb_command;

typedef struct xb_options {
  xb_command command;
  const char *backend; /* NULL or "all": every backend that reaches the device; else names with commas between */
  const char *device;  /* NULL: the best one */
  xb_launch_mode launch_modes[XB_MAX_LAUNCH_MODES];
  size_t launch_mode_count; /* 0: each backend's default */
  uint32_t queue_families[XB_MAX_QUEUE_FAMILIES];
  size_t queue_family_count; /* 0: each backend's best */
  bool all_queue_families;   /* use the best family, then all others */
  xb_size sizes[XB_MAX_SIZES];
  size_t size_count; /* 0: the benchmark's default */
  xb_dtype dtypes[XB_DTYPES];
  size_t dtype_count;
  uint32_t block; /* 0: the benchmark's default */
  xb_axis_choice at[XB_MAX_AXES];
  size_t at_count;
  const char *json, *csv;
  xb_format format; /* of stdout */
  uint64_t seed;
  double min_time_s, max_time_s, wait_limit_s; /* max_time_s 0: the default of the devices */
  double width; /* sampling may end when the 95 % interval, relative to the median, is this narrow */
  xb_cache cache;
  xb_loop loop;
  uint64_t flush_bytes;
  uint32_t placements; /* 0: depends on the device type */
  bool quiet;
  const xb_configuration *configurations; /* variants that are in the list have a cell for each of their entries */
  size_t configuration_count;
  bool no_yardsticks;
  bool preset; /* use configurations that a tuning run saved */
  bool apart;  /* another process takes the results: its user sees nothing of an interrupted run */

  xb_selection selected[XB_MAX_SELECTED]; /* in the order of the table */
  size_t selected_count;

  /* COMPARE: the baseline of the selected variants: a variant, or another device (as in --device). If both are NULL,
   * the first of several APIs. */
  const xb_variant *against_variant;
  const char *against_device;
  double margin; /* < 0: the device's default */
} xb_options;

/* For a command that makes a benchmark and runs it. Its command line has these options behind its own. */
extern const xb_option xb_run_options[];
/* As they were read: `backend` and `device` are known before the benchmark is. */
xb_options *xb_given_options(void);
/* Completes them for one benchmark or variant. Returns as xb_complete_options. */
int xb_complete_named(const char *name, xb_options **complete);
/* Completes their values only: of a command that finds its benchmark later. */
int xb_complete_values(xb_options **complete);
/* What the benchmark says where the command line says nothing; NULL: nothing. */
typedef struct xb_run_defaults {
  const char *benchmark, *sizes, *against;
  xb_dtype dtype;
} xb_run_defaults;
/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. The caller may change
 * the options. */
int xb_complete_options(xb_command command, const xb_run_defaults *defaults, xb_options **complete);

#endif
