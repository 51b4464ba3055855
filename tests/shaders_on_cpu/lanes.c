/* Waves of 4 to 128 lanes: each operation, and which lanes are together. */
#include <string.h>

#include "shader_run.h"

enum { GROUP = 192, RESULTS = 64, MOST_WAVE = 128 };

/* The lanes that take part, in order. */
typedef struct lane_set {
  const uint32_t *values; /* of the wave */
  uint32_t size;          /* lanes that the group has in this wave */
  uint32_t first, last, count;
  bool in[MOST_WAVE];
} lane_set;

static lane_set set_of(const uint32_t *values, uint32_t size)
{
  lane_set s = {.values = values, .size = size, .first = ~0u};
  for (uint32_t l = 0; l < size; l++) {
    s.in[l] = values[l] % 3 != 0;
    s.count += s.in[l];
    s.first = s.in[l] && s.first == ~0u ? l : s.first;
    s.last = s.in[l] ? l : s.last;
  }
  return s;
}

typedef struct expectation {
  uint32_t words[RESULTS], count;
} expectation;

static void put(expectation *e, uint32_t word)
{
  e->words[e->count++] = word;
}

static void expect_reductions(const lane_set *s, uint32_t lane, expectation *e)
{
  uint32_t sum = 0, product = 1, least = ~0u, most = 0, all = ~0u, any = 0, odd = 0, before = 0, most_before = 0,
           odd_before = 0;
  int32_t signed_least = INT32_MAX, signed_most = INT32_MIN, floats = 0;
  for (uint32_t l = 0; l < s->size; l++) {
    const uint32_t v = s->values[l];
    if (!s->in[l])
      continue;
    sum += v, product *= v | 1, least = v < least ? v : least, most = v > most ? v : most;
    all &= v, any |= v, odd ^= v, floats += (int32_t)(v % 64) - 32;
    signed_least = (int32_t)v < signed_least ? (int32_t)v : signed_least;
    signed_most = (int32_t)v > signed_most ? (int32_t)v : signed_most;
    if (l < lane)
      before += v, most_before = v > most_before ? v : most_before;
    if (l <= lane)
      odd_before ^= v;
  }
  put(e, lane == s->first), put(e, sum), put(e, product), put(e, least), put(e, most), put(e, all), put(e, any),
      put(e, odd);
  put(e, (uint32_t)signed_least), put(e, (uint32_t)signed_most);
  put(e, before + s->values[lane]), put(e, before), put(e, most_before), put(e, (uint32_t)floats), put(e, odd_before);
}

static void expect_votes(const lane_set *s, uint32_t lane, expectation *e)
{
  uint32_t even_lanes[4] = {0}, below = 0, of_five = 0, first_odd = ~0u, even = 1, seven = 0, same = 1;
  for (uint32_t l = 0; l < s->size; l++) {
    const uint32_t v = s->values[l];
    if (!s->in[l])
      continue;
    even &= v % 2 == 0, seven |= v % 7 == 0, same &= v % 3 == s->values[s->first] % 3;
    even_lanes[l / 32] |= (uint32_t)(v % 2 == 0) << l % 32;
    below += l < lane, of_five += v % 5 < 3;
    first_odd = v % 2 && first_odd == ~0u ? l : first_odd;
  }
  put(e, even | seven << 1 | same << 2);
  for (int i = 0; i < 4; i++)
    put(e, even_lanes[i]);
  put(e, of_five), put(e, below), put(e, first_odd), put(e, s->last);
  put(e, (s->values[lane] % 2 == 0) | (even_lanes[0] >> 1 & 1) << 1);
}

static void expect_clusters(const lane_set *s, uint32_t lane, expectation *e)
{
  uint32_t sum = 0, all = 0;
  int32_t least = INT32_MAX;
  for (uint32_t l = 0; l < s->size; l++) {
    const int32_t f = (int32_t)(s->values[l] % 64) - 32;
    if (!s->in[l])
      continue;
    all += s->values[l];
    if (l / 4 == lane / 4)
      sum += s->values[l], least = f < least ? f : least;
  }
  put(e, s->values[s->first]), put(e, sum), put(e, (uint32_t)least), put(e, all ^ s->count);
}

static void check_waves(uint32_t wave)
{
  static uint32_t values[GROUP], words[GROUP][RESULTS];
  for (uint32_t i = 0; i < GROUP; i++)
    values[i] = i * 2654435761u >> 11 ^ (i % 11 ? 0 : 0x80000000);
  memset(words, 0, sizeof words);
  run_shader(
      &(shader_run){.name = "waves",
                    .wave = wave,
                    .group = GROUP,
                    .groups = 1,
                    .buffers = {{{0, 0, 0}, values, sizeof values, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < GROUP; i++) {
    const uint32_t lane = i % wave, *own = values + i - lane, left = GROUP - (i - lane),
                   size = left < wave ? left : wave;
    const lane_set s = set_of(own, size);
    expectation e = {.count = 0};
    put(&e, wave), put(&e, lane), put(&e, i / wave), put(&e, (GROUP + wave - 1) / wave);
    uint32_t masks[5][4] = {{0}};
    for (uint32_t l = 0; l < wave; l++) {
      const bool is[] = {l == lane, l<lane, l >= lane, l> lane, l <= lane};
      for (int k = 0; k < 5; k++)
        masks[k][l / 32] |= (uint32_t)is[k] << l % 32;
    }
    put(&e, masks[0][0] ^ masks[1][1]), put(&e, masks[2][0] ^ masks[3][3]), put(&e, masks[4][2]);
    if (s.in[lane]) {
      expect_reductions(&s, lane, &e);
      expect_votes(&s, lane, &e);
      expect_clusters(&s, lane, &e);
      assert_int_equal(e.count, 36);
    }
    const uint32_t quad = lane & ~3u;
    e.count = 36;
    put(&e, own[2]), put(&e, own[lane ^ 3]), put(&e, own[lane ^ 1]);
    put(&e, lane ? own[lane - 1] : 0), put(&e, lane + 1 < size ? own[lane + 1] : 0);
    put(&e, own[quad + 1]), put(&e, own[lane ^ 1]), put(&e, own[lane ^ 2]), put(&e, own[lane ^ 3]);
    for (uint32_t k = 0; k < e.count; k++)
      if (words[i][k] != e.words[k] && !(k == 40 && lane + 1 >= size))
        fail_msg("waves of %u: result %u of thread %u is 0x%x, expected 0x%x", wave, k, i, words[i][k], e.words[k]);
  }
}

TEST(test_waves)
{
  for (uint32_t wave = 4; wave <= MOST_WAVE; wave *= 2)
    check_waves(wave);
}

/* ---- Which lanes are together ------------------------------------------------------------------------------------ */

enum { LANES = 128 };

/* How many lanes of the wave of lane i are at a place that `is` describes. */
typedef bool at_place(const uint32_t *trips, uint32_t lane, uint32_t turn, uint32_t inner);

static uint32_t together(at_place *is, const uint32_t *trips, uint32_t lane, uint32_t wave, uint32_t turn,
                         uint32_t inner)
{
  uint32_t count = 0;
  for (uint32_t l = lane / wave * wave; l < (lane / wave + 1) * wave; l++)
    count += is(trips, l, turn, inner);
  return count;
}

static bool in_turn(const uint32_t *trips, uint32_t lane, uint32_t turn, uint32_t inner)
{
  (void)inner;
  return turn < trips[lane] && turn < 5;
}
static bool in_even(const uint32_t *trips, uint32_t lane, uint32_t turn, uint32_t inner)
{
  return in_turn(trips, lane, turn, inner) && (lane + turn) % 2 == 0;
}
static bool in_odd(const uint32_t *trips, uint32_t lane, uint32_t turn, uint32_t inner)
{
  return in_turn(trips, lane, turn, inner) && (lane + turn) % 2;
}
static bool in_inner(const uint32_t *trips, uint32_t lane, uint32_t turn, uint32_t inner)
{
  return in_odd(trips, lane, turn, inner) && inner < lane % 3;
}

static void check_lanes(uint32_t wave)
{
  static uint32_t trips[LANES], words[LANES][4];
  for (uint32_t i = 0; i < LANES; i++)
    trips[i] = i * 7 % 9;
  memset(words, 0, sizeof words);
  run_shader(
      &(shader_run){.name = "lanes",
                    .wave = wave,
                    .group = LANES,
                    .groups = 1,
                    .buffers = {{{0, 0, 0}, trips, sizeof trips, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < LANES; i++) {
    uint32_t sum = 0, inner = 0;
    for (uint32_t k = 0; in_turn(trips, i, k, 0); k++) {
      if (in_even(trips, i, k, 0)) {
        sum += together(in_even, trips, i, wave, k, 0);
        continue;
      }
      for (uint32_t j = 0; j < i % 3; j++)
        inner += together(in_inner, trips, i, wave, k, j);
      sum += 100 * together(in_odd, trips, i, wave, k, 0);
    }
    const uint32_t quarter = wave / 4; /* each case of the switch has so many lanes */
    const uint32_t cases[] = {quarter, quarter * 3 + quarter + 10 * 2 * quarter, 10 * 2 * quarter, quarter};
    uint32_t behind = 0;
    for (uint32_t l = i / wave * wave; l < (i / wave + 1) * wave; l++)
      behind += trips[l] <= 6;
    const uint32_t last = trips[i] > 6 ? trips[127 - i] : behind + trips[i ^ 1] * 1000;
    const uint32_t expected[] = {sum, inner + 1000 * wave, cases[i % 4], last};
    for (uint32_t k = 0; k < 4; k++)
      if (words[i][k] != expected[k])
        fail_msg("waves of %u: result %u of lane %u is %u, expected %u", wave, k, i, words[i][k], expected[k]);
  }
}

TEST(test_lanes)
{
  for (uint32_t wave = 4; wave <= MOST_WAVE; wave *= 2)
    check_lanes(wave);
}

/* Halves of small integers, so each sum is exact in any order. */
TEST(test_cooperative_matrices)
{
  enum { SIDE = 16, ELEMENTS = SIDE * SIDE, ONE = 15 << 10 };
  static const uint16_t halves[] = {0, ONE, ONE + 0x400, ONE + 0x600}; /* 0 to 3 */
  for (uint32_t wave = 4; wave <= MOST_WAVE; wave *= 2) {
    uint16_t a[ELEMENTS], b[ELEMENTS];
    float c[ELEMENTS] = {0};
    for (uint32_t i = 0; i < ELEMENTS; i++)
      a[i] = halves[i * 2654435761u >> 30], b[i] = halves[(i + 7) * 2246822519u >> 30];
    run_shader(&(shader_run){.name = "cooperative",
                             .wave = wave,
                             .group = MOST_WAVE,
                             .groups = 1,
                             .buffers = {{{0, 0, 0}, a, sizeof a, false},
                                         {{0, 1, 0}, b, sizeof b, false},
                                         {{0, 2, 0}, c, sizeof c, false}}});
    for (uint32_t i = 0; i < ELEMENTS; i++) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < SIDE; k++)
        sum += ((uint32_t)(i / SIDE * SIDE + k) * 2654435761u >> 30) *
               ((uint32_t)(i % SIDE * SIDE + k + 7) * 2246822519u >> 30);
      if (c[i] != 3 * ((float)sum + 1.5f))
        fail_msg("waves of %u: element %u is %g, expected %g", wave, i, (double)c[i],
                 (double)(3 * ((float)sum + 1.5f)));
    }
  }
}
