/* What the parts of `xbench scale` share in a process. */
#ifndef XB_SCALE_RUN_H
#define XB_SCALE_RUN_H

#include "commands/subcommands.h"
#include "machine/choose.h"
#include "scale/scale.h"

enum { XB_SCALE_POINTS = 256, XB_SCALE_COUNTS = 32 };
enum { XB_SCALE_SLACK_S = 5 }; /* beyond the limit of a wait, which a member reports itself */

typedef struct xb_scale_run {
  /* As they were typed. */
  const char *given_members, *given_devices, *given_route;
  size_t given_kind, given_over;
  bool given_share, given_assess;

  const xb_options *options;
  const xb_variant *variant;
  xb_inventory inventory;
  bool first; /* this process is, or has, member 0 */
  const xb_gpu *gpus[XB_MAX_BACKENDS * XB_MAX_DEVICES];
  size_t gpu_count;
  uint32_t counts[XB_SCALE_COUNTS];
  size_t count_count;
  uint32_t most; /* members of the largest count */
  volatile sig_atomic_t *interrupted;

  /* What member 0 has measured. */
  double max_time_s; /* of each point */
  xb_arena arena;
  xb_result_device on[XB_MAX_BACKENDS]; /* of member 0 */
  size_t on_count;
  const xb_result **results; /* of all APIs so far */
  xb_result_benchmark *benchmarks;
  size_t result_count;
  bool measured; /* any point */
  bool unsaved;  /* the file could not be written */
  int exit_code;
} xb_scale_run;

bool xb_scale_is_allreduce(xb_scale_run *scale);
bool xb_scale_route_wanted(xb_scale_run *scale, xb_route route);
/* The numbers of members, when it is known how many there can be. Returns -1, or an exit code. */
int xb_scale_choose_counts(xb_scale_run *scale, uint32_t available);
/* What each member does, from opening its device on (scale_members.c). */
xb_member_fn xb_scale_member_run;

#endif
