/* What a run, a comparison or a list was asked for. */
#ifndef XB_OPTIONS_H
#define XB_OPTIONS_H

#include "benchmarks/registry.h"
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

enum { XB_MAX_SELECTED = 64, XB_MAX_LAUNCH_MODES = 2, XB_MAX_QUEUE_FAMILIES = 4 };

typedef struct xb_selection {
  const xb_variant *variant;
  bool named; /* by itself: that it is not here is then a failure */
} xb_selection;

typedef enum xb_command { XB_COMMAND_RUN, XB_COMMAND_COMPARE, XB_COMMAND_LIST } xb_command;

typedef struct xb_options {
  xb_command command;
  const char *backend; /* NULL or "all": every backend that reaches the device */
  const char *device;  /* NULL: the best one */
  xb_launch_mode launch_modes[XB_MAX_LAUNCH_MODES];
  size_t launch_mode_count; /* 0: each backend's default */
  uint32_t queue_families[XB_MAX_QUEUE_FAMILIES];
  size_t queue_family_count; /* 0: each backend's best */
  bool all_queue_families;   /* the best, then the others */
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
  double min_time_s, max_time_s, wait_limit_s;
  double width; /* of the 95 % interval, as a part of the median, at which sampling may end */
  xb_cache cache;
  xb_loop loop;
  uint64_t flush_bytes;
  uint32_t placements; /* 0: by the kind of device */
  bool quiet;

  xb_selection selected[XB_MAX_SELECTED]; /* in the order of the table */
  size_t selected_count;
  const char *list; /* LIST: "", "devices" or "benchmarks" */

  /* COMPARE: what the selected variants are held against: a variant, or another device (as --device has it), or, where
   * both are NULL, the first of several APIs. */
  const xb_variant *against_variant;
  const char *against_device;
  double margin; /* < 0: the device's default */
} xb_options;

#endif
