/* bench_recheck: kernels that do not do their work in each run are found after the samples, and seeds are independent.
 * On the host backend. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/input.h"
#include "measure/cell.h"
#include "measure/sampler.h"
#include "patience.h"
#include "scripted/copies.h"
#include "test.h"

enum { N = COPIES_N, MOST_CALLS = 36 /* of the backend */ };

/* What is wrong with the kernel. */
static enum { HONEST, ONLY_ONCE, FIRST_RESULT, SOMETIMES } fault;
static uint32_t kept[N];
static uint64_t runs;

static void copy_words(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                       const void *args)
{
  const uint32_t *in = bindings[0];
  uint32_t *out = bindings[1];
  (void)group, (void)groups, (void)sizes, (void)args;
  runs++;
  switch (fault) {
  case ONLY_ONCE: /* does nothing if the output was written before */
    if (out[0] != XB_POISON)
      return;
    break;
  case FIRST_RESULT:
    if (runs == 1)
      memcpy(kept, in, sizeof kept);
    memcpy(out, kept, sizeof kept);
    return;
  case SOMETIMES: /* right before the samples and at their end; wrong in between, now and then */
    if (runs > 1000 && runs % 7 == 3)
      return;
    break;
  case HONEST: break;
  }
  memcpy(out, in, sizeof kept);
}

static xb_cell measure(int with)
{
  static xb_cell cell;
  fault = with;
  runs = 0;
  copies_checks = 0;
  copies_kernel = copy_words;
  xb_workload w = copies_workload(&xb_backend_host);
  cell = copies_cell(&w, 1);
  const xb_sampling sampling = {.min_time_s = 0.001, .max_time_s = 0.05, .min_rounds = 10, .seed = 1, .width = 0.01};
  xb_measure(&cell, 1, &sampling);
  xb_cell_destroy(&cell);
  copies_close(&w);
  return cell;
}

TEST(test_honest)
{
  const xb_cell cell = measure(HONEST);
  assert_int_equal(cell.verdict.outcome, XB_CELL_OK);
  assert_int_equal(cell.verdict.rechecked_runs, 16);
  assert_int_equal(copies_checks, 2); /* in one part, of each seed once: the other outputs have the same bits */
}

/* Verifying takes four submissions: poison, the run, the guards of all slots, the output. */
TEST(test_few_submissions)
{
  fault = HONEST;
  copies_kernel = copy_words;
  xb_workload w = copies_workload(&xb_backend_host);
  xb_cell cell = copies_cell(&w, 1);
  xb_cell_create(&cell);
  const uint64_t before = host_calls();
  assert_true(xb_cell_verify(&cell));
  assert_in_range(host_calls() - before, 4, MOST_CALLS);
  xb_cell_destroy(&cell);
  copies_close(&w);
}

static void expect_wrong(int with)
{
  const xb_cell cell = measure(with);
  assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
  assert_false(cell.verdict.verified);
  assert_true(cell.verdict.rechecked_runs < 16);
}

TEST(test_only_once)
{
  expect_wrong(ONLY_ONCE);
}

TEST(test_first_result)
{
  expect_wrong(FIRST_RESULT);
}

TEST(test_sometimes)
{
  expect_wrong(SOMETIMES);
}

static uint32_t last_seen;

/* Does nothing if it had this input before. */
static void copy_new_input(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                           const uint64_t *sizes, const void *args)
{
  if (*(const uint32_t *)bindings[0] != last_seen)
    copies_run(group, groups, bindings, sizes, args);
  last_seen = *(const uint32_t *)bindings[0];
}

/* The second run of the new input finds poison. */
TEST(test_once_an_input)
{
  xb_error error;
  xb_workload w = copies_workload(&xb_backend_host);
  copies_kernel = copy_new_input;
  xb_cell cell = copies_cell(&w, 1);
  last_seen = 0;
  xb_cell_create(&cell);
  assert_true(xb_cell_verify(&cell));
  assert_int_equal(xb_workload_refill(&w, 2, &error), XB_OK);
  assert_false(xb_cell_recheck(&cell, 2));
  assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
  assert_int_equal(cell.verdict.rechecked_runs, 1);
  xb_cell_destroy(&cell);
  copies_kernel = copies_run;
  copies_close(&w);
}

/* ---- Benchmarks of our own -------------------------------------------------------------------------------------- */

enum { FIRST_WORDS = 512 }; /* of the first of two windows */
static const void *first_output;

/* The first window's run also writes the first word of the next window. */
static void write_next_window(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                              const uint64_t *sizes, const void *args)
{
  (void)group, (void)groups, (void)sizes, (void)args;
  first_output = first_output ? first_output : bindings[1];
  const bool first = bindings[1] == first_output;
  memcpy(bindings[1], bindings[0], (first ? FIRST_WORDS : N - FIRST_WORDS) * sizeof(uint32_t));
  if (first)
    ((uint32_t *)bindings[1])[FIRST_WORDS] = 1;
}

static xb_code plan_windows(const xb_case *c, xb_plan *made, xb_error *err)
{
  const xb_code code = copies.methods->plan(c, made, err);
  xb_step *second = xb_plan_step(made, XB_STEP_DISPATCH);
  *second = made->steps[0];
  made->windows = 2;
  for (int i = 0; i < 2; i++) {
    made->steps[0].bindings[i].size = second->bindings[i].offset = FIRST_WORDS * 4;
    second->bindings[i].size = (N - FIRST_WORDS) * 4;
  }
  return code;
}

static void add_words(void *state, xb_dtype dtype, const void *chunk, uint64_t words)
{
  (void)dtype;
  for (uint64_t i = 0; i < words; i++)
    *(uint64_t *)state += ((const uint32_t *)chunk)[i];
}

static bool check_sum(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint64_t sum = 0;
  add_words(&sum, c->dtype, chunk->data, chunk->count);
  strcpy(why, "another sum");
  return sum == *(const uint64_t *)chunk->state;
}

static xb_methods methods;
static xb_benchmark own;
static xb_variant variant;

/* A workload and a cell of `methods`. */
static xb_cell make_own(xb_workload *w, host_fn kernel)
{
  xb_error error;
  own = copies;
  own.methods = &methods;
  variant = copies.variants[0];
  variant.benchmark = &own;
  copies_kernel = kernel;
  *w = (xb_workload){.of = &own, .dtype = XB_INT32, .n = N, .seed = 1, .wait_limit_ns = patience_ns()};
  assert_int_equal(xb_device_open(&(xb_device_desc){.backend = &xb_backend_host}, &w->device, &error), XB_OK);
  xb_cell cell = copies_cell(w, 1);
  cell.c.variant = &variant;
  assert_int_equal(xb_workload_need(w, &cell.c, &error), XB_OK);
  assert_int_equal(xb_workload_create(w, &error), XB_OK);
  xb_cell_create(&cell);
  assert_int_equal(cell.verdict.outcome, XB_CELL_PENDING);
  return cell;
}

/* What a window writes into the next one is hidden, unless that ran before. */
TEST(test_two_windows)
{
  xb_workload w;
  methods = *copies.methods;
  methods.plan = plan_windows;
  first_output = NULL;
  xb_cell cell = make_own(&w, write_next_window);
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
  xb_cell_destroy(&cell);
  copies_kernel = copies_run;
  copies_close(&w);
}

/* The reference of another seed begins anew. */
TEST(test_reference)
{
  xb_workload w;
  xb_error error;
  methods = *copies.methods;
  methods.state_bytes = sizeof(uint64_t);
  methods.reference = add_words;
  methods.check = check_sum;
  xb_cell cell = make_own(&w, copies_run);
  assert_true(xb_cell_verify(&cell));
  assert_int_equal(xb_workload_refill(&w, 2, &error), XB_OK);
  assert_true(xb_cell_recheck(&cell, 2));
  xb_cell_destroy(&cell);
  copies_close(&w);
}

/* Seed 2 is not seed 1 moved by an element, nor is any other of the first hundred. */
TEST(test_seeds)
{
  uint32_t first[N], other[N];
  xb_input(XB_INT32, 1, 0, N, first);
  for (uint64_t seed = 2; seed < 100; seed++) {
    xb_input(XB_INT32, seed, 0, N, other);
    for (int i = 0; i < N; i++)
      for (int k = 0; k < N - 1; k++)
        assert_false(first[i] == other[k] && i + 1 < N && first[i + 1] == other[k + 1]);
  }
}

/* Inputs of kernels that only move floats have each kind of float. */
TEST(test_special_floats)
{
  enum { MANY = 100000 };
  static uint32_t words[MANY];
  int denormals = 0, infinities = 0, nans = 0, zeros = 0;
  xb_bits(XB_FLOAT32, 1, 0, MANY, words);
  for (int i = 0; i < MANY; i++) {
    const uint32_t exponent = words[i] >> 23 & 0xFF, mantissa = words[i] & 0x7FFFFF;
    zeros += words[i] == 0x80000000;
    denormals += !exponent && mantissa;
    infinities += exponent == 0xFF && !mantissa;
    nans += exponent == 0xFF && mantissa;
  }
  assert_true(zeros > 50 && denormals > 200 && infinities > 100 && nans > 200);
}

/* ---- Guards ----------------------------------------------------------------------------------------------------- */

enum { GUARD_WORDS = XB_GUARD_BYTES / 4 };
static int outside; /* the word that the kernel writes beside its output's N */

static void write_outside(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                          const uint64_t *sizes, const void *args)
{
  copies_run(group, groups, bindings, sizes, args);
  ((uint32_t *)bindings[1])[outside] = 1;
}

/* Every word of the guards on both sides is checked. */
TEST(test_guards)
{
  char expected[64];
  xb_workload w = copies_workload(&xb_backend_host);
  copies_kernel = write_outside;
  for (int i = 0; i < 2 * GUARD_WORDS; i++) {
    const bool behind = i >= GUARD_WORDS;
    outside = behind ? N + i - GUARD_WORDS : i - GUARD_WORDS;
    xb_cell cell = copies_cell(&w, 1);
    xb_cell_create(&cell);
    assert_false(xb_cell_verify(&cell));
    assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
    snprintf(expected, sizeof expected,
             "wrote %s 'output', to element %d of %d: ", behind ? "past the end of" : "before", outside, N);
    assert_non_null(strstr(cell.verdict.error.message, expected));
    xb_cell_destroy(&cell);
  }
  copies_kernel = copies_run;
  copies_close(&w);
}
