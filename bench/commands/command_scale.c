/* xbench scale: the same work by 1, 2, ... devices: strong and weak scaling, on each API. A member is a thread of this
 * process with a device of its own or, under mpirun, a rank. */
#include "base/fold.h"
#include "commands/command_line.h"
#include "commands/scale_run.h"
#include "commands/subcommands.h"
#include "os/signals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Devices and counts ------------------------------------------------------------------------------------------ */

/* Equal types, so that a GPU is not compared with a CPU. */
static int choose_all(xb_scale_run *scale, const xb_device_choice *on)
{
  const xb_gpu *best;
  const int code = xb_choose_gpu(&scale->inventory, on, &best);
  for (size_t i = 0; code < 0 && i < scale->inventory.gpu_count; i++) {
    const xb_gpu *gpu = &scale->inventory.gpus[i];
    if (xb_gpu_wanted(on, gpu) && gpu->any->type == best->any->type)
      scale->gpus[scale->gpu_count++] = gpu;
  }
  return code;
}

static int choose_devices(xb_scale_run *scale)
{
  xb_device_choice on = scale->options->devices;
  char item[128];
  int code = -1;
  xb_take_inventory(&scale->inventory);
  if (!scale->given_devices && on.device) {
    code = xb_choose_gpu(&scale->inventory, &on, &scale->gpus[0]);
    scale->gpu_count = 1;
    return code;
  }
  if (!scale->given_devices || !strcmp(scale->given_devices, "all"))
    return choose_all(scale, &on);
  const char *p = scale->given_devices;
  do {
    snprintf(item, sizeof item, "%.*s", (int)strcspn(p, ","), p);
    on.device = item;
    if (scale->gpu_count < sizeof scale->gpus / sizeof scale->gpus[0])
      code = xb_choose_gpu(&scale->inventory, &on, &scale->gpus[scale->gpu_count++]);
    p += strcspn(p, ",");
  } while (code < 0 && *p++);
  return code;
}

/* 1, 2, 4, ... and the most. */
static void count_up(xb_scale_run *scale, uint32_t most)
{
  for (uint32_t p = 1; p < most && scale->count_count + 1 < XB_SCALE_COUNTS; p *= 2)
    scale->counts[scale->count_count++] = p;
  scale->counts[scale->count_count++] = most;
}

static int take_counts(xb_scale_run *scale)
{
  xb_axis_choice choice = {.count = 0};
  if (scale->given_members && (!xb_parse_axis_values(scale->given_members, &choice) || choice.count > XB_SCALE_COUNTS))
    return xb_report_error(XB_EXIT_USAGE, "--members: '%s': expected counts, such as 1,2,4 or 1..4",
                           scale->given_members);
  for (size_t i = 0; i < choice.count; i++) {
    if (!choice.values[i] || choice.values[i] > XB_MOST_MEMBERS)
      return xb_report_error(XB_EXIT_USAGE, "--members: %u: expected 1 to %d", choice.values[i], XB_MOST_MEMBERS);
    scale->counts[scale->count_count++] = choice.values[i];
  }
  return -1;
}

/* Returns -1, or an exit code. */
int xb_scale_choose_counts(xb_scale_run *scale, uint32_t available)
{
  if (!scale->count_count)
    count_up(scale, available);
  for (size_t i = 0; i < scale->count_count; i++)
    scale->most = scale->counts[i] > scale->most ? scale->counts[i] : scale->most;
  const char *mistake = xb_under_mpi() && scale->most > available ? "%u members requested, but there are %u ranks"
                        : xb_scale_is_allreduce(scale) && scale->most < 2
                            ? "allreduce takes 2 members or more, not %u: give --members 2, and --share with %u device"
                            : NULL;
  return !mistake ? -1 : scale->first ? xb_report_error(XB_EXIT_USAGE, mistake, scale->most, available) : XB_EXIT_USAGE;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const xb_option options[] = {
    {"members", 0, XB_OPT_TEXT, offsetof(xb_scale_run, given_members),
     "how many members (default: 1, 2, 4, ... to all devices, or ranks)", .value = "COUNTS"},
    {"devices", 0, XB_OPT_TEXT, offsetof(xb_scale_run, given_devices), "all (default), or indices, UUIDs or names",
     .value = "LIST"},
    {"share", 0, XB_OPT_FLAG, offsetof(xb_scale_run, given_share),
     .help = "let members share devices, to test a run without enough devices; ignore its times"},
    {"kind", 0, XB_OPT_WORD, offsetof(xb_scale_run, given_kind),
     "strong: all members share n elements; weak: each member has n", .value = "strong|weak|both", .otherwise = 2},
    {"over", 0, XB_OPT_WORD, offsetof(xb_scale_run, given_over),
     "the number that grows: devices, or multiprocessors of one device", .value = "devices|multiprocessors"},
    {"route", 0, XB_OPT_TEXT, offsetof(xb_scale_run, given_route),
     "allreduce: host, message, peer, interop or nccl (default: each)", .value = "NAME"},
    {"assess", 0, XB_OPT_FLAG, offsetof(xb_scale_run, given_assess),
     .help = "only print the predictions of Amdahl's and Gustafson's laws for P and N"},
    {0}};

static int assess(const char *const *words)
{
  char *end[2];
  const double parallel = words[0] ? strtod(words[0], &end[0]) : NAN,
               n = words[0] && words[1] ? strtod(words[1], &end[1]) : NAN;
  if (!words[0] || !words[1] || words[2] || *end[0] || *end[1] || !(parallel >= 0 && parallel <= 1) || !(n >= 1))
    return xb_report_error(XB_EXIT_USAGE,
                           "--assess: expected the parallel part, 0 to 1, and a number of processors, at "
                           "least 1 or inf: --assess 0.75 4");
  printf("%g of the work is parallel, on %g processors:\n"
         "  the same work is %.4g times faster (Amdahl: 1 / ((1 - P) + P / N))\n",
         parallel, n, xb_speedup_of_amdahl(parallel, n));
  if (isfinite(n))
    printf("  in the same time, %.4g times as much work is done (Gustafson: N + (1 - P) (1 - N))\n",
           xb_speedup_of_gustafson(parallel, n));
  return XB_EXIT_OK;
}

/* What an option says that would change nothing here; NULL: nothing. */
static const char *stray_value(xb_scale_run *scale, const xb_options *o)
{
  return o->devices.launch_mode_count > 1                         ? "--launch all"
         : o->selection->at_count && xb_scale_is_allreduce(scale) ? "--at"
         : o->selection->at_count && xb_axis_point_count(o->selection, scale->variant->benchmark) > 1
             ? "--at with several values"
             : NULL;
}

static int take(xb_invocation *in, const char *const *words)
{
  xb_scale_run *scale = in->own;
  xb_options *o = &in->options;
  if (scale->given_assess)
    return assess(words);
  if (!words[0] || words[1])
    return xb_report_error(XB_EXIT_USAGE,
                           "scale: name one variant, such as reduce/9, copy/2, matmul/10 or allreduce/1");
  const int code = xb_complete_words(in, words);
  if (code >= 0)
    return code;
  scale->options = o;
  scale->first = true;
  scale->variant = o->selection->selected[0].variant;
  if (o->selection->selected_count != 1)
    return xb_report_error(XB_EXIT_USAGE, "scale: '%s' has %zu variants: name one of them, such as %s/%u", words[0],
                           o->selection->selected_count, words[0], scale->variant->number);
  if (o->selection->size_count > 1 || o->selection->dtype_count > 1)
    return xb_report_error(XB_EXIT_USAGE, "scale: expected one %s",
                           o->selection->size_count > 1 ? "size" : "element type");
  const char *stray = stray_value(scale, o);
  if (stray)
    return xb_report_error(XB_EXIT_USAGE, "%s: 'xbench scale' does not take it: leave it out", stray);
  bool known = !scale->given_route;
  for (int r = 0; r < XB_ROUTES; r++)
    known |= xb_scale_route_wanted(scale, (xb_route)r);
  if (!known)
    return xb_report_error(XB_EXIT_USAGE, "--route: '%s': expected host, message, peer, interop or nccl",
                           scale->given_route);
  if (scale->given_route && !xb_scale_is_allreduce(scale))
    return xb_report_error(XB_EXIT_USAGE, "--route: only valid for allreduce");
  if (scale->given_route && !strcmp(scale->given_route, "nccl") && scale->variant->number != 1)
    return xb_report_error(XB_EXIT_USAGE, "--route nccl: NCCL chooses the algorithm: name allreduce/1");
  if (scale->given_over && (xb_scale_is_allreduce(scale) || xb_under_mpi()))
    return xb_report_error(XB_EXIT_USAGE, "--over multiprocessors: only valid for one device, and not for allreduce");
  return take_counts(scale);
}

static volatile sig_atomic_t interrupted; /* as a signal handler finds it */

static void on_signal(int number)
{
  (void)number;
  interrupted = 1;
}

/* Members that are available: devices, processors or ranks. */
static int prepare(xb_scale_run *scale)
{
  const int code = choose_devices(scale);
  if (code >= 0)
    return code;
  uint32_t available = (uint32_t)scale->gpu_count;
  if (scale->given_over)
    available = scale->gpus[0]->any->multiprocessors ? scale->gpus[0]->any->multiprocessors
                                                     : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
  return xb_under_mpi() ? -1 : xb_scale_choose_counts(scale, available); /* ranks are counted by MPI */
}

static int run(xb_invocation *in)
{
  xb_scale_run *scale = in->own;
  xb_error error;
  const double limit = scale->options->conditions.wait_limit_s + XB_SCALE_SLACK_S;
  int code = prepare(scale);
  if (code >= 0)
    return code;
  xb_fold_stdout();
  scale->results = calloc(XB_MAX_BACKENDS * XB_SCALE_POINTS, sizeof *scale->results);
  scale->benchmarks = calloc(XB_MAX_BACKENDS * XB_SCALE_POINTS, sizeof *scale->benchmarks);
  if (!scale->results || !scale->benchmarks)
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  scale->interrupted = &interrupted;
  xb_handle_endings(on_signal, 1, NULL);
  const xb_code failed = xb_under_mpi() ? xb_team_of_ranks(limit, xb_scale_member_run, scale, &error)
                                        : xb_team_of_threads(scale->given_over ? 1 : scale->most, limit,
                                                             xb_scale_member_run, scale, &error);
  const bool elsewhere = failed == XB_UNSUPPORTED && xb_under_mpi() && !xb_is_first_rank(); /* all ranks lack it */
  if (elsewhere)
    xb_wait_for_first_rank();
  code = elsewhere ? xb_exit_code(failed)
         : failed  ? xb_report_error(xb_exit_code(failed), "%s", error.message)
         : interrupted && scale->first
             ? xb_report_error(XB_EXIT_INTERRUPTED, "interrupted; finished results are shown%s",
                               scale->options->json ? " and saved" : "")
         : scale->first && !scale->measured && !scale->exit_code ? XB_EXIT_UNAVAILABLE
                                                                 : scale->exit_code;
  if (!scale->first || elsewhere) /* rank 0 speaks for all */
    xb_exit_set_silent(code);
  free(scale->results);
  free(scale->benchmarks);
  xb_arena_free(&scale->arena);
  return code;
}

const xb_subcommand xb_command_scale = {.name = "scale",
                                        .usage = "[OPTION...] BENCHMARK/VARIANT | --assess P N",
                                        .where = "scale: ",
                                        .options = options,
                                        .own_bytes = sizeof(xb_scale_run),
                                        .runs = true,
                                        .bit = XB_FOR_SCALE,
                                        .take = take,
                                        .run = run};
