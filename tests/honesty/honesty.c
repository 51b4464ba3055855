/* honesty MODE BACKEND[:stream|:held_stream] VARIANTS SIZES REPEATS MARGIN: measures how often verdicts are wrong
 * (docs/internals/method.md).
 *
 *   same      each variant and size compared with itself, in one process
 *   across    the same, with the two sides in two processes
 *   moved     the same as `across`, with other places in memory each time
 *   planted   compared with itself with 1.01, 1.02, 1.05 and 1.10 times the elements
 *   clock     device time compared with the slope of the host's clock
 *   samples   used by `across` and `moved` in their processes; REPEATS is the seed
 *
 * The exit code is 1 if a bar is missed. same, across, moved: 300 comparisons or more, none called faster or slower,
 * 90 % called the same (not for `moved`: other places take other times). planted: 1.05 and 1.10 always called slower.
 *
 * For example: honesty same cuda 'reduce/3 reduce/9 copy/2' '65536 16777216' 20 0.01 */
#include "cells.h"
#include "clock.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SIZES = 16, MAX_ROUNDS = 4096 };
static const double SAME_PERCENT = 90;

typedef struct honesty_args {
  char backend[16];
  const char *program, *target, *variants, *launch, *size_text;
  honesty_set set;
  uint64_t sizes[MAX_SIZES];
  size_t size_count;
  int repeats;
  double margin;
} honesty_args;

/* ---- In one process --------------------------------------------------------------------------------------------- */

static bool same(const honesty_args *a, const honesty_device *d)
{
  honesty_tally t = {0};
  for (int r = 0; r < a->repeats; r++)
    for (size_t s = 0; s < a->size_count; s++) {
      static xb_cell cells[2 * MAX_VARIANTS];
      xb_workload w;
      honesty_workload(&w, d, &a->set, a->sizes[s], 1);
      for (size_t i = 0; i < 2 * a->set.variant_count; i++) {
        honesty_cell(&cells[i], d, a->set.variants[i / 2], &w);
        cells[i].base = i % 2;
        cells[i].shared = i % 2 ? &cells[i - 1] : NULL;
      }
      honesty_measure(cells, 2 * a->set.variant_count, (uint64_t)r + 1);
      honesty_compare(cells, 2 * a->set.variant_count, a->margin, (uint64_t)r + 1, &t, NULL);
      for (size_t i = 0; i < 2 * a->set.variant_count; i++)
        xb_cell_destroy(&cells[i]);
      xb_workload_destroy(&w);
      if (s + 1 == a->size_count) { /* intermediate results, in case of an early end */
        honesty_print("same, one process", &t);
        fflush(stdout);
      }
    }
  return honesty_equal("same, one process", &t, SAME_PERCENT);
}

enum { FACTORS = 4 };
static const double factors[FACTORS] = {1.01, 1.02, 1.05, 1.10}, SURELY_FOUND = 1.05;

static bool planted(const honesty_args *a, const honesty_device *d)
{
  honesty_tally t[FACTORS] = {{{0}, 0, 0, 0}};
  bool good = true;
  for (int r = 0; r < a->repeats; r++)
    for (size_t s = 0; s < a->size_count; s++) {
      static xb_cell cells[(FACTORS + 1) * MAX_VARIANTS];
      size_t tally_of[(FACTORS + 1) * MAX_VARIANTS] = {0}, count = 0;
      xb_workload w[FACTORS + 1];
      for (size_t f = 0; f <= FACTORS; f++) {
        honesty_workload(&w[f], d, &a->set, f < FACTORS ? (uint64_t)(factors[f] * (double)a->sizes[s]) : a->sizes[s],
                         1);
        for (size_t i = 0; i < a->set.variant_count; i++, count++) {
          honesty_cell(&cells[count], d, a->set.variants[i], &w[f]);
          cells[count].base = f == FACTORS;
          tally_of[count] = f;
        }
      }
      honesty_measure(cells, count, (uint64_t)r + 1);
      honesty_compare(cells, count, a->margin, (uint64_t)r + 1, t, tally_of);
      for (size_t i = 0; i < count; i++)
        xb_cell_destroy(&cells[i]);
      for (size_t f = 0; f <= FACTORS; f++)
        xb_workload_destroy(&w[f]);
    }
  for (size_t f = 0; f < FACTORS; f++) {
    char what[64];
    snprintf(what, sizeof what, "planted %.2f", factors[f]);
    honesty_print(what, &t[f]);
    good = (factors[f] < SURELY_FOUND || honesty_found(what, &t[f])) && good;
  }
  return good;
}

/* ---- Across processes ------------------------------------------------------------------------------------------- */

/* One line per cell: count and samples, in hexadecimal so that nothing is rounded. */
static void samples(const honesty_args *a, const honesty_device *d)
{
  for (size_t s = 0; s < a->size_count; s++) {
    static xb_cell cells[MAX_VARIANTS];
    xb_workload w;
    honesty_workload(&w, d, &a->set, a->sizes[s], (uint64_t)a->repeats);
    for (size_t i = 0; i < a->set.variant_count; i++)
      honesty_cell(&cells[i], d, a->set.variants[i], &w);
    honesty_measure(cells, a->set.variant_count, (uint64_t)getpid());
    for (size_t i = 0; i < a->set.variant_count; i++) {
      printf("%zu %u", cells[i].samples.count, cells[i].buffers.placements);
      for (size_t k = 0; k < cells[i].samples.count; k++)
        printf(" %a", cells[i].samples.ns[k]);
      printf("\n");
      xb_cell_destroy(&cells[i]);
    }
    xb_workload_destroy(&w);
  }
}

typedef struct kept {
  double ns[MAX_ROUNDS];
  size_t count;
  uint32_t placements;
} kept;

static void read_samples(const honesty_args *a, int seed, kept *cells, size_t count)
{
  char command[1024];
  snprintf(command, sizeof command, "'%s' samples '%s' '%s' '%s' %d 0", a->program, a->target, a->variants,
           a->size_text, seed);
  FILE *pipe = popen(command, "r");
  for (size_t i = 0; i < count && pipe; i++) {
    size_t all = 0;
    cells[i].count = 0;
    if (fscanf(pipe, "%zu %u", &all, &cells[i].placements) != 2)
      break;
    for (size_t k = 0; k < all; k++) {
      double ns;
      if (fscanf(pipe, "%la", &ns) == 1 && cells[i].count < MAX_ROUNDS)
        cells[i].ns[cells[i].count++] = ns;
    }
  }
  if (!pipe || pclose(pipe)) {
    fprintf(stderr, "honesty: a child process failed\n");
    exit(4);
  }
}

static void compare_kept(const honesty_args *a, const kept *base, const kept *subject, size_t cell, honesty_tally *t)
{
  static double medians[2][XB_RESAMPLES], ratios[XB_RESAMPLES], scratch[MAX_ROUNDS];
  if (!base->count || !subject->count || !xb_bootstrap(base->ns, base->count, base->placements, 1, medians[0]) ||
      !xb_bootstrap(subject->ns, subject->count, subject->placements, 1, medians[1]))
    return;
  for (size_t b = 0; b < XB_RESAMPLES; b++)
    ratios[b] = medians[1][b] / medians[0][b];
  const xb_interval interval = xb_interval95(ratios);
  const double ratio = xb_statistics(subject->ns, subject->count, subject->placements, scratch).median /
                       xb_statistics(base->ns, base->count, base->placements, scratch).median;
  const xb_verdict verdict = xb_judge(interval, a->margin);
  honesty_note(t, verdict, ratio, interval);
  if (verdict != XB_SAME)
    honesty_report(a->set.variants[cell % a->set.variant_count]->benchmark->name,
                   a->set.variants[cell % a->set.variant_count]->name, a->sizes[cell / a->set.variant_count], ratio,
                   interval, verdict);
}

/* Runs two processes for each comparison, so that comparisons are independent. */
static bool across(const honesty_args *a, bool moved)
{
  const size_t count = a->size_count * a->set.variant_count;
  kept *cells[2] = {calloc(count, sizeof **cells), calloc(count, sizeof **cells)};
  const char *what = moved ? "same, two processes, other places" : "same, two processes";
  honesty_tally t = {0};
  for (int r = 0; r < 2 * a->repeats && cells[0] && cells[1]; r++) {
    read_samples(a, moved ? r + 1 : 1, cells[r % 2], count);
    for (size_t i = 0; i < count && r % 2; i++)
      compare_kept(a, &cells[0][i], &cells[1][i], i, &t);
  }
  free(cells[0]);
  free(cells[1]);
  honesty_print(what, &t);
  return honesty_equal(what, &t, moved ? 0 : SAME_PERCENT);
}

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

static void parse(char **argv, honesty_args *a)
{
  const char *colon = strchr(argv[2], ':');
  *a = (honesty_args){.program = argv[0],
                      .target = argv[2],
                      .variants = argv[3],
                      .size_text = argv[4],
                      .launch = colon ? colon + 1 : "",
                      .repeats = atoi(argv[5]),
                      .margin = strtod(argv[6], NULL)};
  snprintf(a->backend, sizeof a->backend, "%.*s", (int)strcspn(argv[2], ":"), argv[2]);
  a->set = honesty_variants(argv[3]);
  for (char *p = argv[4]; *p && a->size_count < MAX_SIZES; p += strspn(p, " "))
    a->sizes[a->size_count++] = strtoull(p, &p, 10);
}

int main(int argc, char **argv)
{
  honesty_args a;
  honesty_device d;
  if (argc != 7) {
    fprintf(
        stderr,
        "usage: honesty same|across|moved|planted|clock BACKEND[:stream|:held_stream] VARIANTS SIZES REPEATS MARGIN\n");
    return 2;
  }
  parse(argv, &a);
  if (!strcmp(argv[1], "across") || !strcmp(argv[1], "moved"))
    return across(&a, !strcmp(argv[1], "moved")) ? 0 : 1;
  honesty_open(&d, a.backend, a.launch);
  bool good = true;
  if (!strcmp(argv[1], "same"))
    good = same(&a, &d);
  else if (!strcmp(argv[1], "planted"))
    good = planted(&a, &d);
  else if (!strcmp(argv[1], "samples"))
    samples(&a, &d);
  else
    for (size_t s = 0; s < a.size_count; s++)
      honesty_clock(&d, &a.set, a.sizes[s]);
  honesty_close(&d);
  return good ? 0 : 1;
}
