/* Tests the code that judges the guide's cases, with artificial results: it must be able to fail. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "guide/guide.h"
#include "test.h"

static xb_guide g;
static const xb_guide_case made_up = {.name = "made_up", .title = "made up"};

static int begin(void **state)
{
  (void)state;
  g = (xb_guide){.of = &made_up, .api_count = 2, .apis = {"one", "other"}};
  return 0;
}

static int end(void **state)
{
  (void)state;
  xb_guide_end(&g);
  return 0;
}

static void expect(xb_guide_kind kind, const char *api, const char *part)
{
  assert_true(g.said.count > 0);
  const xb_guide_line *last = &g.said.lines[g.said.count - 1];
  if (last->kind != kind || strcmp(last->api, api) != 0 || !strstr(last->text, part))
    fail_msg("expected kind %d of %s with '%s', got %d of %s: %s", (int)kind, api, part, (int)last->kind, last->api,
             last->text);
}

TEST_WITH(one_bit_against_the_cpu, begin, end)
{
  const uint32_t expected[3] = {1, 2, 3}, wrong[3] = {1, 2 ^ 1u << 31, 3};
  assert_true(xb_guide_same(&g, "x", expected, expected, 3));
  expect(XB_GUIDE_HOLDS, "one", "bit for bit (3 words)");
  g.api = 1;
  assert_false(xb_guide_same(&g, "x", wrong, expected, 3));
  expect(XB_GUIDE_FAILS, "other", "1 of 3 words differ from the CPU's, word 1 is 0x80000002");
  xb_guide_agree(&g);
  expect(XB_GUIDE_FAILS, "port", "one and other do not agree: 1 of 3");
  assert_int_equal(g.said.of_kind[XB_GUIDE_FAILS], 2);
}

TEST_WITH(agreement_of_bits, begin, end)
{
  const uint32_t words[2] = {5, 6}, others[2] = {5, 7};
  for (g.api = 0; g.api < 2; g.api++) {
    xb_guide_same(&g, "promised", words, words, 2);
    xb_guide_keep(&g, "seen", g.api ? others : words, 2);
  }
  xb_guide_agree(&g);
  expect(XB_GUIDE_SEEN, "port", "1 of 2 words differ, word 1 is 0x00000006 and 0x00000007");
  assert_int_equal(g.said.of_kind[XB_GUIDE_FAILS], 0);
  assert_int_equal(g.said.lines[g.said.count - 2].kind, XB_GUIDE_HOLDS);
}

TEST_WITH(agreement_within_a_bound, begin, end)
{
  assert_true(xb_guide_near(&g, "x", 1.5f, 1, 0.5));
  g.api = 1;
  assert_true(xb_guide_near(&g, "x", 0.5f, 1, 0.5));
  xb_guide_agree(&g);
  expect(XB_GUIDE_HOLDS, "port", "agree within a bound: 1 apart, allowed is 1");
  assert_false(xb_guide_near(&g, "x", 0.25f, 1, 0.5));
  expect(XB_GUIDE_FAILS, "other", "off by 0.75, allowed is 0.5");
  xb_guide_agree(&g);
  expect(XB_GUIDE_FAILS, "port", "1.25 apart");
  assert_false(xb_guide_near(&g, "nan", NAN, 1, 0.5));
}

TEST_WITH(one_api_agrees_with_nobody, begin, end)
{
  const uint32_t word = 1;
  xb_guide_same(&g, "x", &word, &word, 1);
  const size_t said = g.said.count;
  xb_guide_agree(&g);
  assert_int_equal(g.said.count, said);
}

TEST_WITH(failures_are_counted_where_no_line_is_left, begin, end)
{
  for (int i = 0; i < XB_GUIDE_MAX_LINES; i++)
    xb_guide_seen(&g, "line %d", i);
  xb_guide_assert(&g, false, "lost");
  assert_int_equal(g.said.count, XB_GUIDE_MAX_LINES);
  assert_int_equal(g.said.of_kind[XB_GUIDE_FAILS], 1);
}

TEST_WITH(units_of_the_last_place, begin, end)
{
  const float x[] = {1, 1.5f, 0.75f, 1e-40f, 3e38f, -2.5f};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
    const double step = (double)nextafterf(x[i], INFINITY) - x[i];
    assert_true(xb_guide_ulp(x[i], x[i]) == 0);
    assert_true(xb_guide_ulp(x[i], x[i] + step / 2) == 0.5);
    assert_true(xb_guide_ulp(nextafterf(x[i], INFINITY), x[i]) == 1);
  }
}
