/* Arithmetic of shaders: each result beside what C computes from the same operands. */
#include <math.h>
#include <string.h>

#include "shader_run.h"

static const uint32_t edges[] = {0,         1,   2,      3,          31,         32,         64,         100,
                                 255,       256, 0x7fff, 0x8000,     0xffff,     1000,       0x7fffffff, 0x80000000,
                                 0xfffffff, 7,   5,      0xdeadbeef, 0xffffffff, 0xfffffff0, 0x12345678, 17};
enum { EDGES = sizeof edges / sizeof *edges, PAIRS = 640 };

/* ---- Integers --------------------------------------------------------------------------------------------------- */

enum { WORDS = 64 };
typedef struct results {
  uint32_t words[WORDS];
  uint32_t count;
} results;

static void put(results *r, uint32_t word)
{
  r->words[r->count++] = word;
}

static void put64(results *r, uint64_t word)
{
  put(r, (uint32_t)word);
  put(r, (uint32_t)(word >> 32));
}

static uint32_t reversed(uint32_t x)
{
  uint32_t r = 0;
  for (int i = 0; i < 32; i++)
    r = r << 1 | (x >> i & 1);
  return r;
}

static uint32_t top_bit(uint32_t x)
{
  uint32_t found = ~0u;
  for (uint32_t i = 0; i < 32; i++)
    found = x >> i & 1 ? i : found;
  return found;
}

static uint32_t low_bit(uint32_t x)
{
  return x ? top_bit(x & (0u - x)) : ~0u;
}

static uint32_t minimum(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static void expect_integers(uint32_t a, uint32_t b, results *r)
{
  const int32_t x = (int32_t)a, y = (int32_t)b;
  const int64_t divisor = y | 1, size = (int32_t)(y < 0 ? 0 - b : b) | 1; /* of the least number the same again */
  const int64_t rest = x % size;
  uint32_t bits = 0;
  put(r, a + b), put(r, a - b), put(r, a * b), put(r, a / (b | 1)), put(r, a % (b | 1));
  put(r, (uint32_t)(x / divisor)), put(r, (uint32_t)(rest && (rest < 0) != (size < 0) ? rest + size : rest)),
      put(r, 0 - a), put(r, ~a), put(r, a & b);
  put(r, a | b), put(r, a ^ b), put(r, a << (b & 31)), put(r, a >> (b & 31));
  put(r, (uint32_t)(x < 0 ? ~(~(int64_t)x >> (y & 31)) : x >> (y & 31)));
  put(r, (uint32_t)(a == b) | (uint32_t)(a != b) << 1 | (uint32_t)(a < b) << 2 | (uint32_t)(a <= b) << 3 |
             (uint32_t)(a > b) << 4 | (uint32_t)(a >= b) << 5 | (uint32_t)(x < y) << 6 | (uint32_t)(x <= y) << 7 |
             (uint32_t)(x > y) << 8 | (uint32_t)(x >= y) << 9);
  for (int i = 0; i < 32; i++)
    bits += a >> i & 1;
  put(r, bits), put(r, reversed(a)), put(r, low_bit(a)), put(r, top_bit(a)), put(r, top_bit(x < 0 ? ~a : a));
  put(r, a / 8 % 128), put(r, (a / 8 % 128) | (a / 512 % 2 ? 0xffffff80 : 0)), put(r, (a & ~0x3fe0u) | (b % 512) * 32);
  put(r, minimum(a, b)), put(r, a ^ b ^ minimum(a, b));
  put(r, (uint32_t)(x < y ? x : y)), put(r, (uint32_t)(x < y ? y : x));
  put(r, a < 100 ? 100 : minimum(a, 1000)), put(r, (uint32_t)(x < -50 ? -50 : x > 50 ? 50 : x));
  put(r, x < 0 ? 0 - a : a), put(r, (uint32_t)((x > 0) - (x < 0)));
  put(r, a + b), put(r, (uint32_t)(((uint64_t)a + b) >> 32)), put(r, a - b), put(r, b > a);
  put(r, (uint32_t)((uint64_t)a * b >> 32)), put(r, a * b);
  put(r, (uint32_t)((uint64_t)((int64_t)x * y) >> 32)), put(r, a * b);
  const uint64_t wide = (uint64_t)a << 32 | b;
  put64(r, wide * 3), put64(r, (uint64_t)((int64_t)wide / 7));
  put64(r, wide >> 5 | (wide >> 63 ? UINT64_C(31) << 59 : 0)), put64(r, wide >> 40);
  put(r, (a + 200) % 256), put(r, (uint32_t)((int32_t)(b % 256 < 128 ? b % 256 : b % 256 - 256) * 3));
  put(r, a % 65536 * 3 % 65536);
  const int32_t s16 = (int32_t)(b % 65536 < 32768 ? b % 65536 : b % 65536 - 65536);
  put(r, (uint32_t)((s16 - (s16 % 4 + 4) % 4) / 4));
  put(r, a % 256 + (a >> 24)), put(r, a << 24 | (a & 0xff00) << 8 | (a >> 8 & 0xff00) | a >> 24);
  put(r, a + b * 2 + (a ^ b) * 3);
  put(r, 1 | (uint32_t)(a != 1 && b * 2 != 1 && (a ^ b) * 3 != 1) << 1);
  put(r, a < b ? b : a);
}

TEST(test_integers)
{
  static uint32_t pairs[PAIRS][2], words[PAIRS][WORDS];
  for (uint32_t i = 0; i < PAIRS; i++) {
    pairs[i][0] = i < EDGES * EDGES ? edges[i / EDGES] : i * 2654435761u;
    pairs[i][1] = i < EDGES * EDGES ? edges[i % EDGES] : i * i * 40503u;
  }
  run_shader(
      &(shader_run){.name = "integers",
                    .group = 64,
                    .groups = PAIRS / 64,
                    .buffers = {{{0, 0, 0}, pairs, sizeof pairs, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < PAIRS; i++) {
    results r = {.count = 0};
    expect_integers(pairs[i][0], pairs[i][1], &r);
    for (uint32_t k = 0; k < r.count; k++)
      if (words[i][k] != r.words[k])
        fail_msg("result %u of 0x%x and 0x%x is 0x%x, expected 0x%x", k, pairs[i][0], pairs[i][1], words[i][k],
                 r.words[k]);
  }
}

/* Products of four bytes, as the shader has them in a word; and what a lane reads from one that is some lanes on. */
static int32_t byte_of(uint32_t word, int i)
{
  const int32_t byte = (int32_t)(word >> 8 * i & 255);
  return byte < 128 ? byte : byte - 256;
}

TEST(test_dots)
{
  enum { LANES = 32, MOST = 0x7fffff00 };
  uint32_t words[LANES][8] = {{0}};
  for (uint32_t i = 0; i < LANES; i++) {
    words[i][0] = i < EDGES ? edges[i] : i * 2654435761u;
    words[i][1] = i < EDGES ? edges[EDGES - 1 - i] : i * 40503u;
  }
  run_shader(
      &(shader_run){.name = "dots", .group = LANES, .groups = 1, .buffers = {{{0, 0, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < LANES; i++) {
    const uint32_t x = words[i][0], y = words[i][1];
    int32_t both = 0, none = 0, first = 0;
    for (int k = 0; k < 4; k++) {
      both += byte_of(x, k) * byte_of(y, k);
      none += (int32_t)((x >> 8 * k & 255) * (y >> 8 * k & 255));
      first += byte_of(x, k) * (int32_t)(y >> 8 * k & 255);
    }
    assert_int_equal(words[i][2], (uint32_t)both);
    assert_int_equal(words[i][3], (uint32_t)none);
    assert_int_equal(words[i][4], (uint32_t)first);
    assert_int_equal(words[i][5], both > 255 ? INT32_MAX : MOST + both);
    assert_int_equal(words[i][6], words[(i + 5) % LANES][0]);
    assert_int_equal(words[i][7], words[i / 4 * 4 + (i + 1) % 4][0]);
  }
}

/* ---- Floats ----------------------------------------------------------------------------------------------------- */

enum { FLOATS = 96, PAIRS_OF_FLOATS = 128 };
typedef struct numbers {
  double at[FLOATS];
  bool bits[FLOATS]; /* a word, not a number */
  uint32_t count;
} numbers;

static void add(numbers *n, double x)
{
  n->at[n->count++] = x;
}

static void add_bits(numbers *n, uint32_t word)
{
  n->bits[n->count] = true;
  n->at[n->count++] = word;
}

static void add_vector(numbers *n, const double v[3], double scale)
{
  for (int i = 0; i < 3; i++)
    add(n, v[i] * scale);
}

static double product(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamped(double x, double low, double high)
{
  return x < low ? low : x > high ? high : x;
}

static uint32_t float_bits(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* By counting: the half whose value is nearest, an even one if two are. */
static double half_value(uint32_t h)
{
  const uint32_t exponent = h >> 10 & 31;
  const double size = exponent ? ldexp(1024 + (h & 1023), (int)exponent - 25) : ldexp(h & 1023, -24);
  return h >> 15 ? -size : size;
}

static uint32_t half_bits(double x)
{
  uint32_t best = 0;
  for (uint32_t h = 0; h < 0x7c00; h++) {
    const double off = fabs(half_value(h) - fabs(x)), least = fabs(half_value(best) - fabs(x));
    if (off < least || (off == least && h % 2 == 0))
      best = h;
  }
  return best | (signbit(x) ? 0x8000 : 0);
}

static uint32_t packed(double x, double low, double scale, uint32_t bits)
{
  return (uint32_t)(int32_t)nearbyint(clamped(x, low, 1) * scale) & ((1u << bits) - 1);
}

static void expect_functions(double a, double b, double c, double p, numbers *n)
{
  add(n, a + b), add(n, a - b), add(n, a * b), add(n, a / p), add(n, a - p * floor(a / p)), add(n, -a);
  add(n, nearbyint(a)), add(n, nearbyint(a)), add(n, trunc(a)), add(n, fabs(a));
  add(n, (a > 0) - (a < 0)), add(n, floor(a)), add(n, ceil(a)), add(n, a - floor(a)), add(n, a * M_PI / 180);
  add(n, a * 180 / M_PI), add(n, sin(a)), add(n, cos(a)), add(n, tan(c)), add(n, asin(c));
  add(n, acos(c)), add(n, atan(a)), add(n, sinh(c)), add(n, cosh(c)), add(n, tanh(a)), add(n, asinh(a));
  add(n, acosh((double)(float)(1 + p))), add(n, atanh((double)((float)c * 0.9f))), add(n, atan2(a, p)),
      add(n, pow(p, c));
  add(n, exp(c)), add(n, log(p)), add(n, exp2(c)), add(n, log2(p)), add(n, sqrt(p)), add(n, 1 / sqrt(p));
  add(n, a < b ? a : b), add(n, a < b ? b : a), add(n, clamped(a, -1, 1)), add(n, a * (1 - c) + b * c);
  add(n, b < a ? 0 : 1);
  const double t = clamped((a + 2) / 4, 0, 1);
  add(n, t * t * (3 - 2 * t)), add(n, a * b + c), add(n, a * 8), add(n, a - trunc(a)), add(n, trunc(a));
  int e;
  const double part = frexp(a, &e);
  add(n, part), add(n, e);
}

static void expect_vectors(double a, double b, double c, double p, numbers *n)
{
  const double u[3] = {a, b, c}, v[3] = {p, -a, 0.25}, w[3] = {c, p, 1};
  const double lv = sqrt(product(v, v)), lw = sqrt(product(w, w));
  add(n, sqrt(product(u, u)));
  const double d[3] = {a - p, b + a, c - 0.25};
  add(n, sqrt(product(d, d))), add(n, product(u, v));
  add(n, b * 0.25 + c * a), add(n, c * p - a * 0.25), add(n, a * -a - b * p);
  add_vector(n, v, 1 / lv);
  add_vector(n, u, -1); /* faceforward: dot(v, v) is not below 0 */
  for (int i = 0; i < 3; i++)
    add(n, u[i] - 2 * product(u, v) / lv / lv * v[i]);
  const double along = product(v, w) / lv / lw, k = 1 - 0.49 * (1 - along * along);
  for (int i = 0; i < 3; i++)
    add(n, k < 0 ? 0 : 0.7 * v[i] / lv - (0.7 * along + sqrt(k)) * w[i] / lw);
}

static void expect_packed(float a, float b, float c, float p, numbers *n)
{
  const uint32_t word = float_bits(a);
  const double s8 = (double)(word >> 16 & 255), s16 = (double)(word & 65535);
  add_bits(n, half_bits((double)a) | half_bits((double)b) << 16), add(n, half_value(word >> 16));
  const float of[4] = {a, b, c, -c};
  uint32_t snorm = 0, unorm = 0;
  for (uint32_t i = 0; i < 4; i++) {
    snorm |= packed((double)of[i], -1, 127, 8) << 8 * i;
    unorm |= packed((double)(i == 3 ? p : of[i]), 0, 255, 8) << 8 * i;
  }
  add_bits(n, snorm), add_bits(n, unorm);
  add_bits(n, packed((double)c, -1, 32767, 16) | packed((double)-c, -1, 32767, 16) << 16);
  add_bits(n, packed((double)c, 0, 65535, 16) | packed((double)p, 0, 65535, 16) << 16);
  add(n, clamped((s8 < 128 ? s8 : s8 - 256) / 127, -1, 1)), add(n, (double)(word >> 8 & 255) / 255);
  add(n, clamped((s16 < 32768 ? s16 : s16 - 65536) / 32767, -1, 1)), add(n, (double)(word >> 16) / 65535);
}

static void expect_matrices(double a, double b, double c, double p, numbers *n)
{
  const double m[3][3] = {{a, b, c}, {p, -a, 0.25}, {1, 2, 4}}, *v = m[1];
  for (int r = 0; r < 3; r++)
    add(n, m[0][r] * v[0] + m[1][r] * v[1] + m[2][r] * v[2]);
  for (int k = 0; k < 3; k++)
    add(n, product(v, m[k]));
  for (int r = 0; r < 3; r++)
    add(n, m[0][r] * m[0][1] + m[1][r] * m[1][1] + m[2][r] * m[2][1]);
  add(n, a * (-a * 4 - 0.25 * 2) - p * (b * 4 - c * 2) + b * 0.25 + c * a);
  for (int r = 0; r < 3; r++)
    add(n, m[0][r] * v[2]);
  add(n, -a);
}

static void fill_floats(float pairs[PAIRS_OF_FLOATS][2])
{
  for (uint32_t i = 0; i < PAIRS_OF_FLOATS; i++) {
    pairs[i][0] = (float)((int)(i * 2654435761u >> 16) - 32768) / 4096.0f;
    pairs[i][1] = i % 7 == 0 ? 0.5f * (float)(i / 7) - 4 : (float)((int)(i * 40503u % 8191) - 4095) / 512.0f;
  }
}

/* Sums of numbers of this size lose so much. */
static void check_number(uint32_t pair, uint32_t k, double is, double expected, double size, double part)
{
  if (!(fabs(is - expected) <= part * (fabs(expected) + size)))
    fail_msg("result %u of pair %u is %.9g, expected %.9g", k, pair, is, expected);
}

TEST(test_floats)
{
  static float pairs[PAIRS_OF_FLOATS][2], words[PAIRS_OF_FLOATS][FLOATS];
  fill_floats(pairs);
  run_shader(
      &(shader_run){.name = "floats",
                    .group = 32,
                    .groups = PAIRS_OF_FLOATS / 32,
                    .buffers = {{{0, 0, 0}, pairs, sizeof pairs, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < PAIRS_OF_FLOATS; i++) {
    const float a = pairs[i][0], b = pairs[i][1], c = fabsf(a) / (1 + fabsf(a)), p = fabsf(b) + 0.5f;
    numbers n = {.count = 0};
    expect_functions((double)a, (double)b, (double)c, (double)p, &n);
    expect_vectors((double)a, (double)b, (double)c, (double)p, &n);
    expect_packed(a, b, c, p, &n);
    add(&n, trunc((double)a)), add(&n, floor((double)p)), add(&n, 1), add(&n, 1);
    add(&n, (a < b) + 2 * (a == b) + 4 * (a > b) + 8 * (a <= b));
    expect_matrices((double)a, (double)b, (double)c, (double)p, &n);
    assert_int_equal(n.count, 95);
    for (uint32_t k = 0; k < n.count; k++)
      if (n.bits[k])
        assert_int_equal(float_bits(words[i][k]), (uint32_t)n.at[k]);
      else
        check_number(i, k, (double)words[i][k], n.at[k], 16, 4e-6);
  }
}

TEST(test_doubles_and_halfs)
{
  enum { RESULTS = 16 };
  static float pairs[PAIRS_OF_FLOATS][2];
  static double words[PAIRS_OF_FLOATS][RESULTS];
  fill_floats(pairs);
  run_shader(
      &(shader_run){.name = "doubles",
                    .group = 32,
                    .groups = PAIRS_OF_FLOATS / 32,
                    .buffers = {{{0, 0, 0}, pairs, sizeof pairs, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < PAIRS_OF_FLOATS; i++) {
    const double x = (double)pairs[i][0], y = (double)pairs[i][1], *is = words[i];
    const double h = half_value(half_bits(x)), k = half_value(half_bits(y));
    const double wide[] = {x * y, x / (fabs(y) + 1),  sqrt(fabs(x)), floor(x), x * y + 1, x < y ? x : y,
                           x,     sqrt(x * x + y * y)};
    for (uint32_t r = 0; r < 8; r++)
      check_number(i, r, is[r], wide[r], 0, 1e-14);
    const double half[] = {h * k,         h + k, h / half_value(half_bits(fabs(k) + 1)), half_value(half_bits(1 / h)),
                           sqrt(fabs(h)), k};
    for (uint32_t r = 0; r < 6; r++)
      assert_true(is[8 + r] == half_value(half_bits(half[r])) || (r == 3 && h == 0));
    assert_true(is[14] == trunc(h));
    check_number(i, 15, is[15], x * 3 - y * 2, 8, 1e-14);
  }
}
