/* Memory of shaders: layouts of buffers, atomics, specialization constants. */
#include <math.h>
#include <string.h>

#include "shader_run.h"

/* Of `layouts.comp`, as std140 and std430 place them. */
TEST(test_layouts)
{
  enum { THREADS = 8 };
  float constants[12 + 8 + 12] = {0}; /* three columns 16 bytes apart; two rows; three numbers 16 bytes apart */
  float pairs[THREADS][8] = {{0}}, out[8 * THREADS + 8 * THREADS] = {0};
  const struct {
    uint32_t n;
    float scale;
  } push = {7, 0.5f};
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 2; r++) {
      constants[4 * c + r] = (float)(1 + 2 * c + r);
      constants[12 + 4 * r + c] = (float)(11 + 2 * c + r);
    }
  for (int i = 0; i < THREADS; i++) {
    pairs[i][0] = (float)i + 0.25f;
    for (int k = 0; k < 3; k++)
      pairs[i][4 + k] = (float)(i * 3 + k);
  }
  run_shader(&(shader_run){.name = "layouts",
                           .group = THREADS,
                           .groups = 1,
                           .push = &push,
                           .push_bytes = sizeof push,
                           .buffers = {{{1, 2, 0}, pairs, sizeof pairs, false},
                                       {{0, 7, 0}, out, sizeof out, false},
                                       {{0, 4, 0}, constants, sizeof constants, true}}});
  for (int i = 0; i < THREADS; i++) {
    const float *m = out + 8 * i, *words = out + 8 * THREADS + 8 * i;
    const float table[5] = {1, 10, 100, 1000, 10000};
    for (int r = 0; r < 4; r++) /* a row has the numbers of both columns */
      for (int c = 0; c < 2; c++)
        assert_true(m[2 * r + c] == (float)((1 + r + 4 * c) * (i + 1)) + (r == 2 && c == 1 ? 0.5f : 0.0f));
    assert_true(words[0] == 6 + 16 * 100);
    assert_true(words[1] == (float)(1 + 2 * (i % 3) + i % 2 + 100 * (11 + 2 * (i % 3) + i % 2)));
    assert_true(words[2] == pairs[7 - i][5] * 0.5f);
    assert_true(words[3] == table[i % 5] + 3);
    assert_true(words[4] == (float)(10 + 1 + (i & 3)));
    assert_true(words[5] == 8 + 64000 + 7);
    assert_true(words[6] == (float)(7 * (i + 1)) + 0.5f + (float)(400 * (i + 1)));
    const float *v = pairs[i] + 4;
    const int k = i & 3;
    assert_true(words[7] == pairs[i][0] + 1 + v[0] + 10 * v[1] + 100 * v[2] + (float)(2 * (k + 1)) + (k == 1 ? 4 : 2));
  }
}

TEST(test_atomics)
{
  enum { GROUP = 128, GROUPS = 6, ALL = GROUP * GROUPS };
  struct {
    uint32_t words[16];
    uint64_t wide;
    float f, rest;
  } out = {.words = {[1] = ~0u, [3] = ~0u}};
  run_shader(&(shader_run){
      .name = "atomics", .group = GROUP, .groups = GROUPS, .buffers = {{{0, 0, 0}, &out, sizeof out, false}}});
  uint32_t expected[16] = {[1] = ~0u, [3] = ~0u};
  uint64_t wide = 0;
  for (uint32_t i = 0; i < ALL; i++) {
    expected[0] += i;
    expected[1] = i + 5 < expected[1] ? i + 5 : expected[1];
    expected[2] = i * 3;
    expected[3] &= ~(1u << i % 32 & 0xff00);
    expected[4] |= 1u << i % 32;
    expected[5] ^= i;
    expected[6] = i;
    wide += (uint64_t)i << 20;
  }
  for (uint32_t l = 0; l < GROUP; l++)
    expected[10] ^= l; /* an even number of groups: nothing is left */
  expected[10] = GROUPS % 2 ? expected[10] : 0;
  expected[7] = 2 * ALL, expected[8] = ALL, expected[9] = ~0u, expected[11] = 7 * GROUPS;
  for (int i = 0; i < 12; i++)
    assert_int_equal(out.words[i], expected[i]);
  assert_true(out.wide == wide);
  assert_true(out.f == ALL * 0.5f);
}

TEST(test_specialization)
{
  for (int given = 0; given < 2; given++) {
    const uint32_t group = given ? 16 : 8, length = given ? 7 : 4;
    float words[32] = {0}, factor = 0.25f;
    uint32_t factor_bits;
    memcpy(&factor_bits, &factor, sizeof factor_bits);
    const xb_specialization values[] = {{0, 4, group}, {1, 4, length}, {2, 4, true}, {3, 4, factor_bits}};
    run_shader(&(shader_run){.name = "special",
                             .group = group,
                             .groups = 2,
                             .values = values,
                             .value_count = given ? 4 : 1,
                             .buffers = {{{0, 0, 0}, words, sizeof words, false}}});
    for (uint32_t i = 0; i < 2 * group; i++) {
      const float element = (float)(i % group % (2 * length + 1)) * (given ? 0.25f : 1.5f);
      assert_true(words[i] == element * (given ? 2 : 1) + (float)group);
    }
  }
}
