/* Inputs that are drawn while untrusted kernels are timed, with times and results that the test decides. */
#include <signal.h>
#include <string.h>

#include "benchmarks/input.h"
#include "measured.h"

enum {
  CONFIRMED = 5,
  FRESH = XB_MAX_DRAWS + CONFIRMED,    /* contents that are new to a kernel: while it is timed, and to confirm */
  AGAIN = 3,                           /* runs on the same contents */
  ROUNDS = 30,                         /* so that draws do not begin with the first of 8 placements */
  OF_DRAW = 2 * ROUNDS / XB_MAX_DRAWS, /* lists with each draw: two for a sample */
};

#define SAMPLED_NS 2e6 /* of a run in a sample, so that it has few */

/* Times of single runs on new contents, and then on the same again; `fast`: bits of contents that are no slower. */
typedef struct times {
  double ns[1 + AGAIN];
  uint32_t fast;
} times;
static const times dependent = {{250e3, 100e3, 100e3, 100e3}, 0}, independent = {{RUN_NS, RUN_NS, RUN_NS, RUN_NS}, 0};

static struct {
  times given;
  uint32_t now, last;             /* first word of the input: in the last run, and in the last timed list */
  uint32_t words[FRESH + 1];      /* of contents that were new */
  uint32_t count, singles, lists; /* of these; single runs and lists of samples with the last of these */
  uint32_t wrong;                 /* this list with draw 1, or without draws, leaves an old result; 0: none */
  bool costly;                    /* a check takes more than a part of the time of samples */
} kernel;

static bool trusted, shared;

static uint32_t word_of(uint64_t seed)
{
  uint32_t word;
  xb_input(XB_INT32, seed, 0, 1, &word);
  return word;
}

static uint32_t stale[COPIES_N]; /* the result of draw 0, which other placements have when draw 1 begins */

static void run_kernel(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                       const void *args)
{
  kernel.now = *(const uint32_t *)bindings[0];
  copies_run(group, groups, bindings, sizes, args);
  if (kernel.now == word_of(2))
    memcpy(stale, bindings[1], sizeof stale);
  if (kernel.wrong && kernel.now == word_of(trusted ? 1 : 3) && kernel.lists + 1 == kernel.wrong)
    memcpy(bindings[1], stale, sizeof stale);
}

static double run_ns(const scripted_list *list)
{
  if (!list->timed || (kernel.now == kernel.last && !kernel.count)) {
    kernel.lists += seen.rounds && list->timed;
    return SAMPLED_NS;
  }
  if (kernel.now != kernel.last) {
    kernel.singles = kernel.lists = 0;
    kernel.last = kernel.now;
    if (kernel.count <= FRESH)
      kernel.words[kernel.count++] = kernel.now;
  }
  if (list->runs > 1) {
    kernel.lists++;
    return SAMPLED_NS;
  }
  const uint32_t single = kernel.singles++;
  return single > AGAIN || (!single && kernel.given.fast >> (kernel.count - 1) & 1) ? RUN_NS : kernel.given.ns[single];
}

static bool check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  scripted_pass(kernel.costly ? 10e6 : 0);
  return copies.methods->check(c, chunk, why);
}

static void draw(xb_workload *w, xb_cell *measured)
{
  own.methods.untrusted = !trusted;
  own.methods.check = check;
  measured_take_own(measured);
  measured[1].shared = shared ? &measured[0] : NULL;
  w->inputs[0].drawn = true;
  xb_workload_create_draws(w);
  assert_int_equal(w->draw_count, XB_MAX_DRAWS);
}

static void measure_drawn(times given, uint32_t wrong, bool costly)
{
  scripted_rules rules = plain;
  xb_sampling sampling = usual;
  sampling.min_rounds = ROUNDS;
  rules.run_ns = run_ns;
  memset(&kernel, 0, sizeof kernel);
  kernel.given = given;
  kernel.last = word_of(1);
  kernel.wrong = wrong;
  kernel.costly = costly;
  copies_kernel = run_kernel;
  measured_change = draw;
  measure(&rules, &sampling, shared ? 2 : 1);
  copies_kernel = copies_run;
}

OWN_TEST(test_contents)
{
  measure_drawn(independent, 0, false);
  expect_ok();
  assert_true(cells[0].samples.batch > 1);
  assert_int_equal(kernel.count, XB_MAX_DRAWS);
  for (uint32_t i = 0; i < XB_MAX_DRAWS; i++)
    assert_int_equal(kernel.words[i], word_of(2 + i));
  assert_int_equal(cells[0].c.seed, 1);
}

OWN_TEST(test_trusted)
{
  trusted = true;
  measure_drawn(dependent, 2, false); /* a wrong sample, which later ones replace: nothing is checked between them */
  trusted = false;
  expect_ok();
  assert_int_equal(kernel.count, 0);
}

/* A run has to take more than twice as long and 20 us more, with each of the contents. */
OWN_TEST(test_dependence)
{
  static const struct {
    times given;
    bool found;
  } rows[] = {
      {{{250e3, 100e3, 100e3, 100e3}, 0}, true},       {{{215e3, 100e3, 100e3, 100e3}, 0}, false},
      {{{250e3, 100e3, 400e3, 100e3}, 0}, true}, /* the median of those on the same contents counts */
      {{{250e3, 150e3, 60e3, 150e3}, 0}, false},       {{{250e3, 100e3, 100e3, 100e3}, 1}, false},
      {{{250e3, 100e3, 100e3, 100e3}, 1 << 1}, false}, {{{250e3, 100e3, 100e3, 100e3}, 1 << (FRESH - 1)}, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    measure_drawn(rows[i].given, 0, false);
    if (!rows[i].found)
      expect_ok();
    else
      assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  }
  measure_drawn(dependent, 0, false);
  assert_non_null(
      strstr(cells[0].verdict.error.message,
             "time depends on the runs before: 250.0 us with new inputs, 100.0 us with the same inputs again"));
  assert_int_equal(kernel.count, FRESH);
  for (uint32_t i = 0; i < FRESH; i++)
    assert_int_equal(kernel.words[i], word_of(2 + i));
  assert_int_equal(kernel.singles, 1 + AGAIN);
}

static int wakes;

static void wake(void *user)
{
  (void)user;
  wakes++;
}

/* It is woken before each of the contents. An interrupted run says nothing. */
OWN_TEST(test_confirmation)
{
  static const volatile sig_atomic_t stop = 1;
  for (int stopped = 1; stopped >= 0; stopped--) {
    measure_drawn(independent, 0, false);
    expect_ok();
    kernel.given = dependent;
    cells[0].samples.depends = true;
    cells[0].stop = stopped ? &stop : NULL;
    copies_kernel = run_kernel;
    wakes = 0;
    xb_confirm_dependence(&cells[0], wake, NULL);
    copies_kernel = copies_run;
    assert_int_equal(wakes, CONFIRMED);
    assert_int_equal(cells[0].verdict.outcome, stopped ? XB_CELL_OK : XB_CELL_WRONG);
  }
}

/* The last sample with each draw is checked, others as far as there is time. */
OWN_TEST(test_checks_between)
{
  static const struct {
    uint32_t wrong;
    bool costly, found;
  } rows[] = {{OF_DRAW, true, true}, {2, false, true}, {2, true, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    measure_drawn(independent, rows[i].wrong, rows[i].costly);
    if (!rows[i].found)
      expect_ok();
    else
      assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  }
}

/* A cell with a verdict keeps it, and contents that no sample had leave nothing to check. */
OWN_TEST(test_nothing_to_check)
{
  measure_drawn(independent, 0, false);
  expect_ok();
  cells[0].verdict.outcome = XB_CELL_FAILED;
  cells[0].c.seed = 99; /* its outputs are wrong now */
  xb_check_between(&cells[0], true);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_FAILED);
  cells[0].verdict.outcome = XB_CELL_PENDING;
  xb_draw_inputs(cells, 1, 0); /* it has all its samples */
  assert_int_equal(cells[0].c.seed, 99);
  cells[0].samples.stopped_by = NULL;
  cells[0].c.seed = 1 + XB_MAX_DRAWS; /* of the last draw */
  xb_draw_inputs(cells, 1, 0);
  assert_int_equal(cells[0].samples.drawn_at, cells[0].samples.count);
  xb_draw_inputs(cells, 1, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_PENDING);
  cells[0].samples.drawn_at = 0;
  xb_check_between(&cells[0], true);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
}

/* A cell that shares the work of another one is not asked by itself. */
OWN_TEST(test_shared_cell)
{
  times given = dependent;
  given.fast = 1 << (XB_MAX_DRAWS - 1);
  shared = true;
  measure_drawn(given, 0, false);
  shared = false;
  expect_ok();
  assert_int_equal(kernel.singles, 1 + AGAIN);
}

TEST_SOURCE(.begin = measured_begin, .end = measured_end);
