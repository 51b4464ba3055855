#include "commands/tuning_run.h"

#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/value_text.h"
#include "core/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
  return (xb_clock_ns() - xb_tune.began_ns) / 1e9;
}

static void judge_trial(const xb_tried *o, xb_trial *t)
{
  const xb_result *r = o->result;
  const char *why = r ? xb_result_why(r) : o->why;
  t->validity = !r                                     ? (o->code == XB_EXIT_USAGE ? XB_BAD_COMPILE : XB_BAD_RUNTIME)
                : r->outcome == XB_CELL_OK             ? XB_CORRECT
                : r->outcome == XB_CELL_WRONG          ? XB_BAD_RESULT
                : r->outcome == XB_CELL_UNSUPPORTED    ? XB_BAD_CONSTRAINTS
                : strstr(why, "did not finish within") ? XB_BAD_TIMEOUT
                                                       : XB_BAD_RUNTIME;
  t->ns = t->validity ? 0 : r->median_ns;
  xb_safe_text(t->validity ? why : "", t->reason, sizeof t->reason);
}

static bool add_trial(xb_tune_api *a, xb_trial *t)
{
  char number[24], text[XB_TUNE_TEXT], time_text[32];
  const time_t now = time(NULL);
  t->at_s = a->before_s + seconds() - a->began_s;
  strftime(t->date, sizeof t->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  snprintf(number, sizeof number, "%zu", a->trials.count + 1);
  if (t->validity)
    snprintf(text, sizeof text, "invalid, %s: %s", xb_validity_name(t->validity), t->reason);
  else
    snprintf(text, sizeof text, "%s%s", xb_format_time(t->ns, time_text, sizeof time_text),
             t->candidate == xb_space_standard(&a->space) ? "  (the default)" : "");
  xb_tune_print(number, NULL, &a->space, t->candidate, NULL, text);
  xb_flush_stdout();
  return xb_trials_add(&a->trials, t);
}

const char *xb_tune_file(const xb_tune_api *a, const char *kind)
{
  return xb_arena_text(&xb_tune.arena, "%s.%s.%s.json", xb_tune.out, a->backend, kind);
}

static int save(const xb_tune_api *a)
{
  xb_error error;
  if (!xb_tune.out)
    return -1;
  xb_code code = xb_cache_write(xb_tune_file(a, "cache"), &a->header, &a->space, &a->trials, &error);
  code = code ? code : xb_t4_write(xb_tune_file(a, "t4"), &a->space, &a->trials, &error);
  return code ? xb_report_error(XB_EXIT_USAGE, "%s", error.message) : -1;
}

/* Candidates that a condition rules out are not run. Of a batch that lost its device, each is run alone. */
static int try_candidates(xb_tune_api *a, const size_t *asked, size_t count)
{
  xb_tried outcomes[XB_TUNE_BATCH] = {{0}};
  size_t list[XB_TUNE_BATCH], left = 0;
  bool good = true;
  const double before = seconds();
  for (size_t i = 0; i < count; i++) {
    xb_error error;
    xb_trial t = {.candidate = asked[i], .validity = XB_BAD_CONSTRAINTS};
    if (!xb_space_check(&a->space, asked[i], &error)) {
      list[left++] = asked[i];
      continue;
    }
    xb_safe_text(error.message, t.reason, sizeof t.reason);
    good = good && add_trial(a, &t);
  }
  if (left && !xb_tune_measure(a, list, left, xb_tune.options->how.seed, outcomes))
    return XB_EXIT_INTERRUPTED;
  for (size_t i = 0; i < left && good; i++) {
    xb_trial t = {.candidate = list[i], .spent_s = (seconds() - before) / (double)left};
    judge_trial(&outcomes[i], &t);
    if (left > 1 && (t.validity == XB_BAD_RUNTIME || t.validity == XB_BAD_TIMEOUT) &&
        !xb_tune_measure(a, &list[i], 1, xb_tune.options->how.seed, &outcomes[i]))
      return XB_EXIT_INTERRUPTED;
    judge_trial(&outcomes[i], &t);
    good = add_trial(a, &t);
  }
  return good ? save(a) : xb_report_error(XB_EXIT_DEVICE, "out of host memory");
}

int xb_tune_search(xb_tune_api *a)
{
  size_t asked[XB_TUNE_BATCH], count;
  xb_search s;
  if (!xb_search_begin(&s, (xb_strategy)xb_tune.strategy, &a->space, xb_tune.options->how.seed))
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  printf("%s, on %s: %zu candidates\n", a->kernel, a->device, xb_space_size(&a->space));
  if (a->trials.count)
    printf("        %zu of them were tried before (%s)\n", a->trials.count, xb_tune_file(a, "cache"));
  int code = -1;
  a->began_s = seconds();
  a->before_s = a->trials.count ? a->trials.list[a->trials.count - 1].at_s : 0;
  while (code < 0 && a->trials.count < xb_tune.most_candidates && seconds() - a->began_s < xb_tune.time_limit) {
    const uint64_t room = xb_tune.most_candidates - a->trials.count;
    const size_t most = xb_tune.manifest ? 1 : room < XB_TUNE_BATCH ? (size_t)room : XB_TUNE_BATCH;
    count = xb_search_ask(&s, &a->trials, most, asked);
    if (!count)
      break;
    code = try_candidates(a, asked, count);
  }
  xb_search_end(&s);
  return code < 0 ? save(a) : code;
}
