#include "base/exit_codes.h"
#include "diff/diff.h"
#include "judge/judge.h"
#include "judge/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells that NEW measured in several runs. */

/* ---- Collecting the runs ---------------------------------------------------------------------------------------- */

/* A run of the base that has no time says nothing. */
static void add_base(xb_diff_cell *cell, const xb_result *run)
{
  if (run->outcome != XB_CELL_OK)
    return;
  if (cell->base->outcome != XB_CELL_OK)
    cell->base = cell->base_runs[0] = run;
  else if (cell->base_count < XB_MOST_RUNS)
    cell->base_runs[cell->base_count++] = run;
}

/* A result without a time replaces the others: a cell that is wrong once is wrong. */
static void add_run(xb_diff_cell *cell, const xb_result *run)
{
  if (cell->now->outcome != XB_CELL_OK || run->outcome == XB_CELL_INTERRUPTED)
    return;
  if (run->outcome != XB_CELL_OK)
    cell->now = run;
  else if (cell->run_count < XB_MOST_RUNS)
    cell->runs[cell->run_count++] = run;
}

static bool add_document(xb_diff *diff, const xb_document *document, bool of_base)
{
  const size_t first_dimension = diff->across_devices ? XB_DEVICE_DIMENSIONS : 0;
  size_t count;
  const xb_result **results = xb_diff_results(document, &count);
  for (xb_diff_cell *cell = diff->cells; results && cell < diff->cells + diff->cell_count; cell++) {
    const xb_result *first = of_base ? cell->base : cell->now;
    size_t r = 0;
    while (first && r < count && xb_compare_identity(first, results[r], first_dimension))
      r++;
    if (first && r < count)
      (of_base ? add_base : add_run)(cell, results[r]);
  }
  free(results);
  return results;
}

xb_code xb_diff_add_runs(xb_diff *diff, xb_error *err)
{
  bool good = true;
  for (size_t i = 0; i < diff->more_base_count && good; i++)
    good = add_document(diff, diff->more_bases[i], true);
  for (size_t i = 0; i < diff->again_count && good; i++)
    good = add_document(diff, diff->again[i], false);
  return good ? XB_OK : xb_fail(err, XB_NOMEM, "diff", "out of host memory");
}

/* ---- All samples together --------------------------------------------------------------------------------------- */

/* Sample i of a result is of placement i % placements, so the runs are interleaved, round by round. */
static void interleave(const xb_result *const *runs, size_t run_count, size_t rounds, double *out)
{
  for (size_t round = 0; round < rounds; round++)
    for (size_t i = 0; i < run_count; i++)
      for (size_t p = 0; p < runs[i]->time.placements; p++)
        *out++ = runs[i]->time.samples_ns.values[round * runs[i]->time.placements + p];
}

static void concatenate(const xb_result *const *runs, size_t run_count, double *out)
{
  for (size_t i = 0; i < run_count; i++) {
    memcpy(out, runs[i]->time.samples_ns.values, runs[i]->time.samples_ns.count * sizeof *out);
    out += runs[i]->time.samples_ns.count;
  }
}

/* Leaves out runs that were throttled unlike the base, which make every verdict unclear, and placements beyond the most
 * that a result has. */
static size_t choose(const xb_result *base, const xb_result *const *runs, size_t count, const xb_result **chosen)
{
  size_t used = 0;
  uint64_t placements = 0;
  for (size_t i = 0; i < count; i++) {
    const xb_result *r = runs[i];
    if (placements + r->time.placements > XB_MOST_PLACEMENTS ||
        !r->throttling.throttle.count != !base->throttling.throttle.count)
      continue;
    placements += r->time.placements;
    chosen[used++] = r;
  }
  if (!used)
    chosen[used++] = runs[0];
  return used;
}

bool xb_pool_runs(const xb_result *base, const xb_result *const *all, size_t count, xb_result *pooled, double **values)
{
  const xb_result *runs[XB_MOST_RUNS];
  size_t samples = 0, rounds = SIZE_MAX;
  uint64_t placements = 0;
  const size_t used = choose(base, all, count, runs);
  *pooled = *runs[0];
  *values = NULL;
  for (size_t i = 0; i < used; i++) {
    const size_t of_run = runs[i]->time.samples_ns.count / (runs[i]->time.placements ? runs[i]->time.placements : 1);
    rounds = of_run < rounds ? of_run : rounds;
    samples += runs[i]->time.samples_ns.count;
    placements += runs[i]->time.placements;
  }
  if (used == 1)
    return true;
  *values = malloc(samples * sizeof **values);
  if (!*values)
    return false;
  const bool placed_once = placements <= used;
  if (placed_once)
    concatenate(runs, used, *values);
  else
    interleave(runs, used, rounds, *values);
  pooled->time.placements = placed_once ? pooled->time.placements : placements;
  pooled->time.samples_ns.values = *values;
  pooled->time.samples_ns.count = placed_once ? samples : rounds * placements;
  return true;
}

/* ---- The spread of the runs -------------------------------------------------------------------------------------- */

void xb_check_spread(xb_diff_cell *cell, double threshold)
{
  double now[XB_MOST_RUNS], base[XB_MOST_RUNS];
  const bool slower = cell->change == XB_CHANGE_REGRESSION;
  if (cell->run_count + cell->base_count < 3 || (!slower && cell->change != XB_CHANGE_IMPROVEMENT))
    return;
  for (size_t i = 0; i < cell->run_count; i++)
    now[i] = log(cell->runs[i]->time.median_ns);
  for (size_t i = 0; i < cell->base_count; i++)
    base[i] = log(cell->base_runs[i]->time.median_ns);
  const xb_interval change = xb_difference_interval(now, cell->run_count, base, cell->base_count);
  if (slower ? change.low > log(1 + threshold) : change.high < -log(1 + threshold))
    return;
  cell->change = XB_CHANGE_UNCLEAR;
  cell->decided &= !slower;
  snprintf(cell->reason, sizeof cell->reason, "%sanother run could be as %s as the base", slower ? "" : "not slower; ",
           slower ? "fast" : "slow");
}

static const double GPU_THRESHOLD = 0.03, CPU_THRESHOLD = 0.1;

/* ---- One cell --------------------------------------------------------------------------------------------------- */

static const xb_change CHANGES[] = {[XB_SLOWER] = XB_CHANGE_REGRESSION,
                                    [XB_FASTER] = XB_CHANGE_IMPROVEMENT,
                                    [XB_SAME] = XB_CHANGE_UNCHANGED,
                                    [XB_UNCLEAR] = XB_CHANGE_UNCLEAR};

/* The interval from the 10 % quantile to the 90 % quantile of the samples. False: out of host memory. */
static bool middle(const xb_numbers *samples, xb_interval *tenths)
{
  double *sorted = malloc(samples->count * sizeof *sorted);
  if (!sorted)
    return false;
  memcpy(sorted, samples->values, samples->count * sizeof *sorted);
  xb_sort_doubles(sorted, samples->count);
  *tenths = (xb_interval){sorted[samples->count / 10], sorted[samples->count - 1 - samples->count / 10]};
  free(sorted);
  return true;
}

/* A CPU is shared with other programs, and differently in each run, so the samples of one run do not predict the next
 * run. Therefore on a CPU the samples themselves must change, not only their median. False: out of host memory. */
static bool check_overlap(xb_diff_cell *cell, const xb_result *old_side, const xb_result *new_side, double threshold)
{
  xb_interval base, now;
  if (!xb_is_cpu(old_side->on) && !xb_is_cpu(new_side->on))
    return true;
  if (!middle(&old_side->time.samples_ns, &base) || !middle(&new_side->time.samples_ns, &now))
    return false;
  const bool slower = now.low > base.high * (1 + threshold), faster = now.high * (1 + threshold) < base.low;
  if ((cell->change == XB_CHANGE_REGRESSION && !slower) || (cell->change == XB_CHANGE_IMPROVEMENT && !faster)) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "on a CPU, and the samples of the two runs overlap");
  }
  return true;
}

/* Resamples base and new separately. */
static bool compare(xb_diff_cell *cell, const xb_result *base, const xb_result *now, double threshold, uint64_t *seed,
                    xb_judge_scratch *scratch, xb_judgement *j)
{
  static const xb_result *const no_floors[2];
  xb_rules rules = {
      .margin = threshold, .subject = "new", .base = "base", .margin_name = "threshold", .sample_name = "samples"};
  rules.base_seed = xb_random(seed);
  rules.subject_seed = xb_random(seed);
  if (!xb_judge_pair(now, base, no_floors, &rules, scratch, j))
    return false;
  snprintf(cell->reason, sizeof cell->reason, "%s", j->reason);
  cell->change = XB_CHANGE_UNCLEAR;
  cell->compared = j->compared;
  if (!j->compared)
    return true;
  cell->base_ns = j->base_ns;
  cell->now_ns = j->subject_ns;
  cell->ratio = j->ratio;
  cell->interval = j->interval;
  cell->chance = j->chance;
  cell->change = CHANGES[j->verdict];
  return check_overlap(cell, base, now, threshold);
}

/* ---- All runs of a cell ----------------------------------------------------------------------------------------- */

bool xb_diff_is_open(const xb_diff_cell *cell)
{
  return cell->open || (cell->change == XB_CHANGE_UNCLEAR && !cell->decided);
}

static void decide(xb_diff_cell *cell, const xb_judgement *j, double threshold)
{
  const bool no_slower = cell->compared && !j->unlike && cell->interval.high <= 1 + threshold;
  cell->decided = no_slower || cell->change == XB_CHANGE_REGRESSION;
  if (no_slower && cell->change == XB_CHANGE_UNCLEAR)
    snprintf(cell->reason, sizeof cell->reason, "not slower; whether faster is unclear");
}

/* The driver got the same code of both, so the kernel is not what made it faster. */
static void note_same_code(xb_diff_cell *cell)
{
  const char *base = cell->base->code.code_hash, *now = cell->now->code.code_hash;
  if (cell->change == XB_CHANGE_IMPROVEMENT && base && now && !strcmp(base, now))
    snprintf(cell->reason, sizeof cell->reason,
             "the kernel's code is the same: machine, driver, launches or runs differ");
}

/* Pools one run after the other, until the cell is settled: the runs behind that were made for other cells. A
 * regression or an improvement never ends this, so it is judged once, of all runs: a second look gives it no second
 * chance. */
static bool judge_runs(xb_diff_cell *cell, double threshold, uint64_t *seed, xb_judge_scratch *scratch,
                       xb_mean_sum *sum)
{
  const size_t most = cell->run_count;
  xb_result base, now;
  double *base_values, *values;
  xb_judgement j;
  bool good = xb_pool_runs(cell->base, cell->base_runs, cell->base_count, &base, &base_values);
  for (cell->run_count = 1; good; cell->run_count++) {
    good = xb_pool_runs(cell->base, cell->runs, cell->run_count, &now, &values) &&
           compare(cell, &base, &now, threshold, seed, scratch, &j);
    free(values);
    if (!good)
      break;
    decide(cell, &j, threshold);
    cell->open = cell->change == XB_CHANGE_REGRESSION || cell->change == XB_CHANGE_IMPROVEMENT;
    if (cell->run_count == most || !xb_diff_is_open(cell))
      break;
  }
  free(base_values);
  if (!good)
    return false;
  xb_check_spread(cell, threshold);
  note_same_code(cell);
  return !cell->compared || xb_mean_add(sum, &j, scratch);
}

/* One file does not have the cell, and the other could not run it. */
static bool is_in_neither(const xb_diff_cell *cell)
{
  const xb_result *only = !cell->now ? cell->base : !cell->base ? cell->now : NULL;
  return only && (only->outcome == XB_CELL_UNSUPPORTED || only->outcome == XB_CELL_NO_COUNTERPART);
}

static bool is_emulated(const xb_diff_cell *cell)
{
  return cell->base->on->emulated == 1 || cell->now->on->emulated == 1;
}

static bool judge_cell(xb_diff_cell *cell, double threshold, uint64_t *seed, xb_judge_scratch *scratch,
                       xb_mean_sum *sum)
{
  const bool base = xb_is_timed(cell->base), now = xb_is_timed(cell->now);
  if (base && now && is_emulated(cell)) {
    cell->change = XB_CHANGE_UNCHANGED;
    cell->decided = true;
    snprintf(cell->reason, sizeof cell->reason, "emulated: correct in both; times are not compared");
    return true;
  }
  if (base && now)
    return judge_runs(cell, threshold, seed, scratch, sum);
  if (is_in_neither(cell))
    cell->change = XB_CHANGE_NO_TIME;
  else if (!cell->now)
    cell->change = XB_CHANGE_MISSING;
  else if (base || cell->now->outcome == XB_CELL_WRONG)
    cell->change = XB_CHANGE_FAILING;
  else if (!cell->base)
    cell->change = XB_CHANGE_NEW;
  else
    cell->change = now ? XB_CHANGE_FIXED : XB_CHANGE_NO_TIME;
  return true;
}

/* ---- Many cells ------------------------------------------------------------------------------------------------- */

static const double FALSE_DISCOVERIES = 0.05;

/* Of many equal cells one in twenty lies outside of its interval. So what is named has to be less likely by chance, the
 * more cells there are and the fewer of them are as unlikely (Benjamini and Hochberg, Controlling the false discovery
 * rate, 1995): if no cell changed, 95 of 100 diffs name none; of those that are named, one in twenty did not change. */
static bool correct_for_count(xb_diff *diff)
{
  double *chances = malloc((diff->cell_count + 1) * sizeof *chances), most = 0;
  size_t n = 0;
  if (!chances)
    return false;
  for (size_t i = 0; i < diff->cell_count; i++)
    if (diff->cells[i].compared)
      chances[n++] = diff->cells[i].chance;
  xb_sort_doubles(chances, n);
  for (size_t i = 0; i < n; i++)
    if (chances[i] <= FALSE_DISCOVERIES * (double)(i + 1) / (double)n)
      most = chances[i];
  free(chances);
  for (size_t i = 0; i < diff->cell_count; i++) {
    xb_diff_cell *cell = &diff->cells[i];
    const bool named = cell->change == XB_CHANGE_REGRESSION || cell->change == XB_CHANGE_IMPROVEMENT;
    if (!named || cell->chance <= most)
      continue;
    cell->decided &= cell->change == XB_CHANGE_IMPROVEMENT;
    cell->open = false; /* as unclear, a regression is measured again all the same */
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "one of %zu cells may differ this much by chance", n);
  }
  return true;
}

/* ---- Cells that are gone ---------------------------------------------------------------------------------------- */

/* True if the list has the cell's benchmark, or BENCHMARK/VARIANT. */
static bool may_go(const char *list, const xb_result *r)
{
  const size_t benchmark = strlen(r->benchmark), variant = strlen(r->variant);
  for (size_t length; list && *list; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (length < benchmark || strncmp(list, r->benchmark, benchmark) != 0)
      continue;
    if (length == benchmark || (length == benchmark + 1 + variant && list[benchmark] == '/' &&
                                !strncmp(list + benchmark + 1, r->variant, variant)))
      return true;
  }
  return false;
}

/* A renamed cell is missing, too: it must not leave a gate by its new name. One that NEW measured less often is not. */
static bool is_gone(const xb_diff *diff, const xb_diff_cell *cell)
{
  return cell->change == XB_CHANGE_MISSING && xb_is_timed(cell->base) && !*cell->reason &&
         !may_go(diff->may_go, cell->base);
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const char *benchmark_of(const xb_diff_cell *cell)
{
  return cell->now ? cell->now->benchmark : cell->base->benchmark;
}

static void finish_mean(xb_diff *diff, const char *benchmark, xb_mean_sum *sum)
{
  xb_diff_mean *mean = &diff->means[diff->mean_count];
  *mean = (xb_diff_mean){.benchmark = benchmark, .compared = sum->compared};
  mean->ratio = xb_mean_ratio(sum, &mean->interval);
  diff->mean_count += sum->compared > 0;
  xb_mean_free(sum);
}

static void set_threshold(xb_diff *diff)
{
  bool cpu = false;
  for (size_t i = 0; i < diff->now->device_count; i++)
    cpu |= xb_is_cpu(&diff->now->devices[i]);
  if (diff->threshold < 0)
    diff->threshold = cpu ? CPU_THRESHOLD : GPU_THRESHOLD;
}

static int by_change(const void *a, const void *b)
{
  const xb_diff_cell *x = a, *y = b;
  if (x->change != y->change)
    return x->change < y->change ? -1 : 1;
  if (!x->now != !y->now)
    return !x->now - !y->now;
  if (x->now)
    return (x->now > y->now) - (x->now < y->now);
  return (x->base > y->base) - (x->base < y->base); /* cells of one change are in the same document */
}

xb_code xb_diff_judge(xb_diff *diff, xb_error *err)
{
  xb_judge_scratch *scratch = malloc(sizeof *scratch);
  xb_mean_sum sum = {0};
  uint64_t seed = diff->seed;
  diff->means = calloc(diff->cell_count + 1, sizeof *diff->means);
  bool good = scratch && diff->means;
  set_threshold(diff);
  for (size_t i = 0; i < diff->cell_count && good; i++) {
    xb_diff_cell *cell = &diff->cells[i];
    good = judge_cell(cell, diff->threshold, &seed, scratch, &sum);
    if (i + 1 == diff->cell_count || strcmp(benchmark_of(cell), benchmark_of(cell + 1)) != 0)
      finish_mean(diff, benchmark_of(cell), &sum);
  }
  free(scratch);
  xb_mean_free(&sum);
  if (!good || !correct_for_count(diff))
    return xb_fail(err, XB_NOMEM, "diff", "out of host memory");
  for (const xb_diff_cell *cell = diff->cells; cell < diff->cells + diff->cell_count; cell++) {
    diff->counts[cell->change]++;
    const bool gone = is_gone(diff, cell);
    diff->timed += gone || (xb_is_timed(cell->base) && xb_is_timed(cell->now));
    diff->first_gone = gone && !diff->gone ? cell->base : diff->first_gone;
    diff->gone += gone;
    diff->decided += cell->decided;
    diff->undecided += xb_diff_is_open(cell);
  }
  qsort(diff->cells, diff->cell_count, sizeof *diff->cells, by_change);
  return XB_OK;
}

void xb_diff_free(xb_diff *diff)
{
  free(diff->cells);
  free(diff->means);
  diff->cells = NULL;
  diff->means = NULL;
  diff->cell_count = diff->mean_count = diff->timed = diff->decided = diff->undecided = diff->gone = 0;
  memset(diff->counts, 0, sizeof diff->counts);
}

int xb_diff_exit_code(const xb_diff *diff)
{
  if (diff->counts[XB_CHANGE_FAILING])
    return XB_EXIT_WRONG;
  if (diff->counts[XB_CHANGE_REGRESSION])
    return XB_EXIT_REGRESSION;
  const bool unclear = diff->fail_on_unclear && diff->counts[XB_CHANGE_UNCLEAR];
  const bool gone = diff->gone && !diff->any_may_go;
  return gone || unclear || (double)diff->decided < diff->min_decided * (double)diff->timed ? XB_EXIT_UNDECIDED
                                                                                            : XB_EXIT_OK;
}
