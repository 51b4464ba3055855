/* bench_recheck: kernels that do not do their work in each run are found after the samples, and seeds are independent.
 * On the host backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/input.h"
#include "measure/sampler.h"
#include "scripted/copies.h"

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

static void test_honest(void **state)
{
  (void)state;
  const xb_cell cell = measure(HONEST);
  assert_int_equal(cell.outcome, XB_CELL_OK);
  assert_int_equal(cell.rechecked_runs, 16);
  assert_int_equal(copies_checks, 2); /* in one part, of each seed once: the other outputs have the same bits */
}

/* Verifying takes four submissions: poison, the run, the guards of all slots, the output. */
static void test_few_submissions(void **state)
{
  (void)state;
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
  assert_int_equal(cell.outcome, XB_CELL_WRONG);
  assert_false(cell.verified);
  assert_true(cell.rechecked_runs < 16);
}

static void test_only_once(void **state)
{
  (void)state;
  expect_wrong(ONLY_ONCE);
}

static void test_first_result(void **state)
{
  (void)state;
  expect_wrong(FIRST_RESULT);
}

static void test_sometimes(void **state)
{
  (void)state;
  expect_wrong(SOMETIMES);
}

/* Seed 2 is not seed 1 moved by an element, nor is any other of the first hundred. */
static void test_seeds(void **state)
{
  (void)state;
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
static void test_special_floats(void **state)
{
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_honest),         cmocka_unit_test(test_few_submissions), cmocka_unit_test(test_only_once),
      cmocka_unit_test(test_first_result),   cmocka_unit_test(test_sometimes),       cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_special_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
