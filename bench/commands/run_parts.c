/* Parts of a run: the sinks that only runs have, and the check with other orders. */
#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/value_text.h"
#include "benchmarks/benchmark.h"
#include "commands/run_in_child.h"
#include "commands/subcommands.h"
#include "formats/result_columns.h"
#include "os/supervise.h"
#include "pair/family.h"
#include "result/result.h"
#include "table/table.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Other orders ------------------------------------------------------------------------------------------------ */

/* CUDA leaves open in which order blocks begin and threads run. A device that emulates it takes the order from a seed,
 * in the variable XB_ORDER; each seed runs in a process of its own, and only whether it was right counts. */
enum { ORDERS = 8 };

typedef struct order_run {
  const xb_options *options;
  int (*run)(const xb_options *options);
  uint32_t seed;
  bool differs; /* the results were wrong, so each side is compared with itself */
} order_run;

/* In the other process. A run that was not right leaves no document, but says why. */
static int run_order(const char *path, void *user)
{
  const order_run *r = user;
  xb_options o = *r->options;
  char text[16];
  snprintf(text, sizeof text, "%u", r->seed);
  o.json = path;
  o.csv = NULL;
  o.in_child = o.quiet = o.conditions.no_controls = true;
  o.sampling.min_time_s = o.sampling.max_time_s = 1e-6; /* no time is shown */
  if (r->differs) {
    xb_forget_reasons();
    xb_pair_compare_own();
  }
  const int code = setenv("XB_ORDER", text, 1) ? XB_EXIT_DEVICE : r->run(&o);
  if (code && truncate(path, 0))
    return XB_EXIT_DEVICE;
  return xb_finish_stdout(code);
}

int xb_check_order(const xb_options *options, int (*run)(const xb_options *options), int before)
{
  order_run r = {.options = options, .run = run, .differs = before != XB_EXIT_OK};
  const bool checked = !options->selection->selected[0].variant->benchmark->methods->unverified; /* only a pair */
  const char *found = r.differs ? "wrong in default order, and different results"
                      : checked ? "correct in default order, wrong"
                                : "nothing checks the result, and it differs from the result in default order";
  for (r.seed = 1; r.seed <= ORDERS; r.seed++) {
    char *document, why[XB_WHY];
    size_t bytes;
    const int code = xb_call_in_child(run_order, &r, &document, &bytes, why);
    free(document);
    if (code == XB_EXIT_WRONG || code == XB_EXIT_DEVICE)
      return xb_report_error(XB_EXIT_WRONG, "order: %s with seed %u (smallest failing; XB_ORDER=%u repeats it): %s",
                             found, r.seed, r.seed, why);
    if (code >= 0)
      return xb_report_error(code, "order: not all orders ran: %s", why);
  }
  printf(r.differs ? "order: wrong in default order; the same results in %d other orders of threads and blocks\n"
         : checked ? "order: correct in %d other orders of threads and blocks\n"
                   : "order: the same in %d other orders of threads and blocks; nothing checks the result itself\n",
         ORDERS);
  return before;
}

/* ---- Crashes ----------------------------------------------------------------------------------------------------- */

static char parts[2][sizeof((xb_written *)NULL)->part]; /* copies: an output may be gone when the program crashes */
static char shown[2][sizeof parts[0]];
static char stack[1 << 16]; /* the usual one may have overflowed */

static void say(const char *text)
{
  xb_write_stream(STDERR_FILENO, text, strlen(text));
}

/* Calls only what POSIX allows in a handler. SA_RESETHAND: the second signal has its usual effect. */
static void on_crash(int number)
{
  bool any = false;
  say("xbench: it crashed, most likely in the driver");
  for (int i = 0; i < 2; i++)
    if (*parts[i] && !access(parts[i], F_OK)) {
      say(any ? " and " : "; finished results are in ");
      say(shown[i]);
      any = true;
    }
  say("\n");
  raise(number);
}

static bool begin_crash(xb_sink *sink, const xb_sink_run *run XB_UNUSED)
{
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  const xb_crash_record *s = (const xb_crash_record *)sink;
  struct sigaction before;
  snprintf(parts[0], sizeof parts[0], "%s", s->json->path ? s->json->to.part : "");
  snprintf(parts[1], sizeof parts[1], "%s", s->csv->path ? s->csv->to.part : "");
  for (size_t i = 0; i < 2; i++)
    xb_safe_text(parts[i], shown[i], sizeof shown[i]);
  sigaltstack(&other, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_DFL)
      sigaction(numbers[i], &(struct sigaction){.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK},
                NULL);
  return true;
}

const xb_sink xb_crash_sink = {.begin = begin_crash};

/* ---- Below a table ----------------------------------------------------------------------------------------------- */

static void count_group(xb_sink *sink, const xb_group *group)
{
  xb_tally *s = (xb_tally *)sink;
  s->any |= xb_group_is_shown(group);
  for (const xb_result *r = group->results; r < group->results + group->count; r++) {
    s->done += r->outcome == XB_CELL_OK;
    s->verified += r->outcome == XB_CELL_OK && r->check.verified == 1;
    s->empty += r->outcome == XB_CELL_OK && r->check.verified == XB_UNKNOWN;
    s->wrong += r->outcome == XB_CELL_WRONG;
    s->failed += r->outcome == XB_CELL_FAILED;
    s->shown += !group->comparisons && r->yardstick != 1 && r->outcome == XB_CELL_OK;
  }
  for (size_t i = 0; i < group->comparison_count; i++)
    s->shown += group->comparisons[i].verdict != NULL || xb_is_check(&group->comparisons[i]);
}

static int print_tally(xb_sink *sink, const xb_means *means XB_UNUSED)
{
  const xb_tally *s = (const xb_tally *)sink;
  const size_t cells = s->done + s->wrong + s->failed;
  if (!s->printed || !cells)
    return XB_EXIT_OK;
  printf("\n%zu cell%s, ", cells, cells == 1 ? "" : "s"); /* the numbers add up to this one */
  if (s->verified < cells)
    printf("%zu ", s->verified);
  else if (cells > 1)
    printf("all ");
  printf("verified before and after timing");
  if (s->empty)
    printf(", %zu without an output to verify", s->empty);
  if (s->wrong)
    printf(", %zu WRONG", s->wrong);
  if (s->failed)
    printf(", %zu failed", s->failed);
  printf("; terms: xbench glossary\n");
  return XB_EXIT_OK;
}

const xb_sink xb_tally_sink = {.group = count_group, .end = print_tally};

/* ---- What xbench peaks ends with --------------------------------------------------------------------------------- */

/* Of xb_peaks, by benchmark and variant; the others are in the tables. */
static const struct {
  const char *benchmark;
  uint64_t variant;
} first[XB_PEAK_LINES] = {{"copy", 2},   {"banks", 1},         {"latency", 1},
                          {"launch", 1}, {"instructions", 64}, {"tensor", 4}};

static size_t target_of(xb_peaks_summary *s, const xb_result *r)
{
  char name[32];
  size_t t = 0;
  xb_format_target(r->on, name);
  while (t < s->target_count && strcmp(s->targets[t], name) != 0)
    t++;
  if (t == s->target_count && t < XB_MOST_COLUMNS) {
    s->on[t] = r->on;
    memcpy(s->targets[s->target_count++], name, sizeof name);
  }
  return t;
}

static void note(xb_peaks_summary *s, struct xb_peak_line *line, const xb_peak *peak, const xb_result *r)
{
  const size_t target = target_of(s, r);
  if (target == XB_MOST_COLUMNS || r->outcome == XB_CELL_NO_COUNTERPART)
    return;
  char value[32];
  line->title = peak->title;
  if (r->outcome != XB_CELL_OK) {
    snprintf(line->values[target], sizeof line->values[target], "%s", xb_outcome_text(r));
    return;
  }
  if (r->rates.metrics.count)
    xb_format_rate(xb_result_value(r), xb_result_unit(r), value, sizeof value);
  else
    xb_format_time(r->time.median_ns, value, sizeof value);
  snprintf(line->values[target], sizeof line->values[target], "%s +-%.1f %%", value, xb_half_interval(r));
}

static void note_peaks(xb_sink *sink, const xb_group *group)
{
  xb_peaks_summary *s = (xb_peaks_summary *)sink;
  for (const xb_peak *p = xb_peaks; p->title; p++)
    for (size_t l = 0; l < XB_PEAK_LINES; l++)
      for (size_t i = 0;
           first[l].variant == p->variant && !strcmp(first[l].benchmark, p->benchmark) && i < group->count; i++)
        if (xb_is_peak(p, &group->results[i]))
          note(s, &s->lines[l], p, &group->results[i]);
}

static const void *line_at(const xb_table *s, size_t i)
{
  const xb_peaks_summary *summary = s->user;
  return summary->lines[i].title ? &summary->lines[i] : NULL;
}

static int print_peaks(xb_sink *sink, const xb_means *means XB_UNUSED)
{
  xb_peaks_summary *summary = (xb_peaks_summary *)sink;
  xb_table s = {.user = summary, .row = line_at, .rows = XB_PEAK_LINES, .unknown = xb_dash};
  xb_table_add(&s, (xb_column){"peak", 0, .left = true, .kind = XB_FIELD_TEXT});
  for (size_t t = 0; t < summary->target_count; t++)
    xb_table_add(&s, (xb_column){summary->targets[t], 0, .before = "  ", XB_AT(struct xb_peak_line, CHARS, values[t])});
  if (xb_table_has_rows(&s)) {
    printf("\n");
    for (size_t t = 0; t < summary->target_count; t++)
      xb_print_target(stdout, summary->on[t]);
    printf("\n");
    xb_table_write(&s, XB_IN_TEXT);
  }
  return XB_EXIT_OK;
}

const xb_sink xb_peaks_sink = {.group = note_peaks, .end = print_peaks};
