#include "tally.h"

#include "judge/judge.h"
#include "measure/cell_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_COMPARISONS = 300 };

static double percent(int part, const honesty_tally *t)
{
  return t->count ? 100.0 * part / t->count : 0;
}

void honesty_note(honesty_tally *t, xb_verdict verdict, double ratio, xb_interval interval)
{
  t->verdicts[verdict]++;
  t->count++;
  t->without_one += interval.low > 1 || interval.high < 1;
  t->worst = fmax(t->worst, fabs(log(ratio)));
}

void honesty_print(const char *what, const honesty_tally *t)
{
  printf("%s: %d comparisons: same %.1f %%, unclear %.1f %%, faster %.1f %%, slower %.1f %%; ratios up to %.2f %% from "
         "1; %.1f %% of the intervals leave out 1\n",
         what, t->count, percent(t->verdicts[XB_SAME], t), percent(t->verdicts[XB_UNCLEAR], t),
         percent(t->verdicts[XB_FASTER], t), percent(t->verdicts[XB_SLOWER], t), 100 * (exp(t->worst) - 1),
         percent(t->without_one, t));
}

void honesty_report(const char *benchmark, const char *variant, uint64_t n, double ratio, xb_interval i,
                    xb_verdict verdict)
{
  printf("  %-8s %s/%s n = %llu: %.4f [%.4f, %.4f]\n", xb_verdict_name(verdict), benchmark, variant,
         (unsigned long long)n, ratio, i.low, i.high);
}

void honesty_compare(const xb_cell *cells, size_t count, double margin, uint64_t seed, honesty_tally *tallies,
                     const size_t tally_of[])
{
  xb_error error = {.message = "out of host memory"};
  xb_arena arena = {0};
  xb_result_device device;
  xb_means means = {0};
  const xb_comparison *comparisons;
  size_t comparison_count;
  const xb_measured_on on = {&cells[0].c.device, &device, 1};
  xb_result *results =
      xb_result_device_of(cells[0].c.device, &arena, &device) ? xb_results_of_cells(cells, count, &on, &arena) : NULL;
  if (!results ||
      xb_compare_results(results, count, 0, margin, seed, &arena, &comparisons, &comparison_count, &means, &error)) {
    fprintf(stderr, "honesty: %s\n", error.message);
    exit(4);
  }
  for (size_t i = 0; i < comparison_count; i++) {
    const xb_comparison *c = &comparisons[i];
    if (!c->verdict)
      continue;
    xb_verdict verdict = XB_UNCLEAR;
    while (strcmp(xb_verdict_name(verdict), c->verdict) != 0)
      verdict++;
    honesty_note(&tallies[tally_of ? tally_of[c->subject - results] : 0], verdict, c->ratio, c->ci95_ratio);
    if (!tally_of && verdict != XB_SAME)
      honesty_report(c->benchmark, c->subject->variant, c->size, c->ratio, c->ci95_ratio, verdict);
  }
  xb_means_free(&means);
  xb_arena_free(&arena);
}

static bool reaches(bool good, const char *what, const char *bar)
{
  if (!good)
    printf("MISSED: %s: %s\n", what, bar);
  return good;
}

bool honesty_equal(const char *what, const honesty_tally *t, double same_percent)
{
  const bool enough = reaches(t->count >= LEAST_COMPARISONS, what, "fewer than 300 comparisons");
  const bool none = reaches(!t->verdicts[XB_FASTER] && !t->verdicts[XB_SLOWER], what, "a false verdict");
  return reaches(percent(t->verdicts[XB_SAME], t) >= same_percent, what, "too few called the same") && none && enough;
}

bool honesty_found(const char *what, const honesty_tally *t)
{
  return reaches(t->count && t->verdicts[XB_SLOWER] == t->count, what, "not always called slower");
}
