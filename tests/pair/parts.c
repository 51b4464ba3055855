/* Formulas, numbers, contents, and files of arrays. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/cuda_source.h"
#include "pair/family.h"
#include "pair/numbers.h"
#include "test.h"

TEST(test_formulas)
{
  static const xb_named_number numbers[] = {{"n", 1000}, {"rows", 10}, {"r", 7}};
  static const xb_names names = {numbers, 3};
  static const struct {
    const char *text;
    uint64_t value;
  } good[] = {{"n", 1000},
              {" 2 * ( n + 1 ) ", 2002},
              {"ceil(n/256)", 4},
              {"n/8", 125},
              {"ceil(n/3)/2", 167},
              {"max(1, r, 3)", 7},
              {"min(n,rows)", 10},
              {"2^10", 1024},
              {"n%256", 232},
              {"n - rows - r", 983},
              {"2*3^2", 18},
              {"0", 0},
              {"ceil((n+1)/2)", 501},
              {"max(1,ceil(r/2))*2", 8},
              {"ceil(max(n/64,1))", 16},
              {"ceil(min(n/3, max(r/2, (rows+1)/4)))", 4},
              {"9223372036854775807", INT64_MAX}};
  static const char *const bad[] = {"",       "n/256",     "n/0",         "x",    "n n",         "(n",
                                    "n)",     "ceil n",    "ceil(n",      "1-2",  "2^63",        "-1",
                                    "1..2",   "n**2",      "max()",       "0x10", "n%0",         "9223372036854775808",
                                    "2^62*2", "2^62+2^62", "ceil(n/3)/5", "1e3",  "max(n/64,1)", "ceil(1)+min(r/2, r)"};
  uint64_t value;
  xb_error error;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(xb_formula("f", good[i].text, &names, &value, &error), XB_OK);
    assert_int_equal(value, good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (xb_formula("f", bad[i], &names, &value, &error) != XB_INVALID)
      fail_msg("'%s' was taken", bad[i]);
  char deep[1000];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  assert_int_equal(xb_formula("f", deep, &names, &value, &error), XB_INVALID);
  assert_int_equal(xb_formula("f", "n / 256 + 1", &names, &value, &error), XB_INVALID);
  assert_non_null(strstr(error.message, "1000 is not divisible by 256: write ceil(n / 256"));
}

TEST(test_halves)
{
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const uint16_t half = (uint16_t)bits;
    uint16_t again;
    const double value = xb_get_number(XB_FLOAT16, &half);
    xb_put_number(XB_FLOAT16, value, &again);
    if (!isnan(value))
      assert_int_equal(half, again);
  }
  static const struct {
    double value;
    uint16_t bits;
  } rounded[] = {{65519, 0x7BFF}, {65520, 0x7C00}, {1 + 0x1p-11, 0x3C00}, {1 + 0x1.8p-10, 0x3C02},
                 {0x1p-25, 0},    {0x1.8p-25, 1},  {-0x1p-14, 0x8400},    {2047.5 / 1024, 0x4000}};
  for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++) {
    uint16_t bits;
    xb_put_number(XB_FLOAT16, rounded[i].value, &bits);
    assert_int_equal(bits, rounded[i].bits);
  }
}

static uint64_t ulps(xb_dtype dtype, double a, double b)
{
  char x[8], y[8];
  xb_put_number(dtype, a, x);
  xb_put_number(dtype, b, y);
  assert_int_equal(xb_ulps(dtype, x, y), xb_ulps(dtype, y, x));
  return xb_ulps(dtype, x, y);
}

TEST(test_ulps)
{
  assert_int_equal(ulps(XB_FLOAT32, 1, 1 + 0x1p-23), 1);
  assert_int_equal(ulps(XB_FLOAT32, 0.0, -0.0), 0);
  assert_int_equal(ulps(XB_FLOAT32, 0x1p-149, -0x1p-149), 2);
  assert_int_equal(ulps(XB_FLOAT64, 1, 1 + 0x1p-50), 4);
  assert_int_equal(ulps(XB_FLOAT16, 1, 2), 1024);
  assert_int_equal(ulps(XB_FLOAT32, NAN, NAN), 0);
  assert_true(ulps(XB_FLOAT32, NAN, 1) == UINT64_MAX);
  assert_int_equal(ulps(XB_INT8, -128, 127), 255);
  assert_int_equal(ulps(XB_UINT8, 255, 0), 255);
  assert_int_equal(ulps(XB_INT32, -5, 5), 10);
  assert_true(ulps(XB_INT64, -0x1p63, 0x1p62) == 3ull << 62);
  static const uint64_t large[] = {(UINT64_C(1) << 63) + 10, 5};
  assert_true(xb_ulps(XB_UINT64, &large[0], &large[1]) == (UINT64_C(1) << 63) + 5);
  assert_true(xb_ulps(XB_UINT64, &large[1], &large[0]) == (UINT64_C(1) << 63) + 5);
  const xb_member matrix = {.dtype = XB_FLOAT32, .count = 4, .row = 2, .stride = 16};
  assert_int_equal(xb_number_offset(&matrix, 1), 4);
  assert_int_equal(xb_number_offset(&matrix, 3), 20);
}

/* ---- Contents --------------------------------------------------------------------------------------------------- */

static const xb_element floats = {.members = {{.dtype = XB_FLOAT32, .count = 1}}, .member_count = 1, .bytes = 4};
static const xb_element ints = {.members = {{.dtype = XB_INT32, .count = 1}}, .member_count = 1, .bytes = 4};
static const xb_element structs = {.members = {{.name = "position", .dtype = XB_FLOAT32, .count = 3},
                                               {.name = "mass", .dtype = XB_FLOAT64, .count = 1, .offset = 16},
                                               {.name = "cell", .dtype = XB_INT8, .count = 1, .offset = 24}},
                                   .member_count = 3,
                                   .bytes = 32};

static xb_fill fill_of(const char *text, const xb_element *element, uint32_t number)
{
  xb_arena arena = {0};
  xb_error error;
  xb_fill fill = {.element = element, .number = number, .length = 1000};
  assert_int_equal(xb_fill_parse("f", text, "", &arena, &fill, &error), XB_OK);
  return fill;
}

TEST(test_fills)
{
  enum { N = 1000 };
  float x[N], part[10], other[N];
  int32_t p[N];
  char seen[N] = {0};
  xb_fill fill = fill_of("uniform(2, 3)", &floats, 0);
  xb_fill_generate(&fill, 1, 0, N, x);
  xb_fill_generate(&fill, 1, 500, 10, part);
  assert_memory_equal(x + 500, part, sizeof part);
  for (int i = 0; i < N; i++)
    assert_true(x[i] >= 2 && x[i] < 3);
  xb_fill_generate(&fill, 2, 0, N, other);
  assert_memory_not_equal(x, other, sizeof x);
  fill.number = 1;
  xb_fill_generate(&fill, 1, 0, N, other);
  assert_memory_not_equal(x, other, sizeof x);
  fill = fill_of("permutation", &ints, 0);
  xb_fill_generate(&fill, 7, 0, N, p);
  for (int i = 0; i < N; i++) {
    assert_true(p[i] >= 0 && p[i] < N && !seen[p[i]]);
    seen[p[i]] = 1;
  }
  fill = fill_of("ramp(5, 2)", &ints, 0);
  xb_fill_generate(&fill, 1, 3, 1, p);
  assert_int_equal(p[0], 11);
  fill = fill_of("uniform(0, 6)", &ints, 0);
  xb_fill_generate(&fill, 1, 0, N, p);
  for (int i = 0; i < N; i++)
    assert_true(p[i] >= 0 && p[i] < 6);
  double sum = 0, squares = 0;
  fill = fill_of("normal(1, 2)", &floats, 0);
  xb_fill_generate(&fill, 1, 0, N, x);
  for (int i = 0; i < N; i++) {
    sum += x[i] / N;
    squares += (x[i] - 1) * (x[i] - 1) / N;
  }
  assert_true(fabs(sum - 1) < 0.3 && fabs(squares - 4) < 0.8);
}

/* The default contains what a wrong port has to meet: a flag that is 0, equal and negative numbers, repeats. */
TEST(test_mixed)
{
  enum { N = 1000 };
  float x[N], part[10];
  int32_t p[N];
  int zeros = 0, ones = 0, negative = 0, small = 0, equal = 0;
  xb_fill fill = fill_of("mixed", &ints, 0);
  xb_fill_generate(&fill, 1, 0, N, p);
  for (int i = 0; i < N; i++) {
    zeros += p[i] == 0;
    ones += p[i] == 1;
    negative += p[i] < 0;
    small += p[i] > 1 && p[i] < 8;
    equal += i && p[i] == p[i - 1];
  }
  assert_true(p[0] && zeros > N / 10 && ones > N / 20 && negative > N / 10 && small > N / 40 && equal > N / 10);
  fill = fill_of("mixed", &floats, 0);
  xb_fill_generate(&fill, 1, 0, N, x);
  xb_fill_generate(&fill, 1, 333, 10, part);
  assert_memory_equal(x + 333, part, sizeof part);
  for (int i = zeros = ones = equal = 0; i < N; i++) {
    assert_true(x[i] >= -1 && x[i] <= 1);
    zeros += x[i] == 0;
    ones += x[i] == 1;
    equal += i && x[i] == x[i - 1];
  }
  assert_true(x[0] != 0 && zeros > N / 10 && ones > N / 20 && equal > N / 10);
}

TEST(test_arrays)
{
  enum { N = 5 };
  char path[] = "/tmp/xbench-npy-XXXXXX", data[N * 32];
  const int fd = mkstemp(path);
  const xb_element *const elements[] = {&floats, &structs};
  assert_true(fd >= 0);
  close(fd);
  for (size_t i = 0; i < 2; i++) {
    const xb_fill fill = fill_of("uniform", elements[i], 3);
    xb_arena arena = {0};
    xb_array array;
    xb_error error;
    xb_fill_generate(&fill, 1, 0, N, data);
    FILE *file = fopen(path, "wb");
    assert_true(file && xb_npy_header(elements[i], &(xb_array){.length = N}, file));
    assert_true(fwrite(data, elements[i]->bytes, N, file) == N && !fclose(file));
    assert_int_equal(xb_npy_read(path, elements[i], &arena, &array, &error), XB_OK);
    assert_int_equal(array.length, N);
    assert_memory_equal(array.data, data, N * elements[i]->bytes);
    assert_int_equal(xb_npy_read(path, &ints, &arena, &array, &error), XB_INVALID);
    xb_arena_free(&arena);
  }
  unlink(path);
}

/* A file with this header and so many bytes of data. */
static void write_npy(const char *path, const char *header, size_t bytes)
{
  static const char zeros[12288];
  FILE *file = fopen(path, "wb");
  const size_t length = strlen(header);
  assert_non_null(file);
  fprintf(file, "\x93NUMPY%c%c%c%c%s", 1, 0, (int)(length & 255), (int)(length >> 8), header);
  assert_int_equal(fwrite(zeros, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

#define PARTICLE "[('position', '<f4', (3,)), ('', '|V4'), ('mass', '<f8'), ('cell', '|i1'), ('', '|V7')]"

TEST(test_array_types)
{
  static const xb_element vectors = {.members = {{.dtype = XB_FLOAT32, .count = 3}}, .member_count = 1, .bytes = 12};
  static const xb_element wide = {.members = {{.dtype = XB_FLOAT32, .count = 3}}, .member_count = 1, .bytes = 16};
  static const struct {
    const xb_element *element;
    const char *type, *shape;
    size_t bytes;
    uint64_t length;
    const char *message; /* NULL: it is taken */
  } files[] = {
      {&vectors, "'<f4'", "(1024, 3)", 12288, 1024, NULL},
      {&vectors, "'<f4'", "(32, 32, 3)", 12288, 1024, NULL},
      {&vectors, "'<f4'", "(3, 1024)", 12288, 0, "has 1024 as its last dimension, expected 3"},
      {&vectors, "'<f4'", "(3072,)", 12288, 0, "has 3072 as its last dimension, expected 3"},
      {&vectors, "'<i4'", "(1024, 3)", 12288, 0, "has elements of type '<i4', expected '<f4' (float32)"},
      {&floats, "'<f4'", "(3, 1024)", 12288, 3072, NULL},
      {&floats, "'<f2'", "(3, 1024)", 6144, 0, "has elements of type '<f2', expected '<f4' (float32)"},
      {&structs, PARTICLE, "(5,)", 160, 5, NULL},
      {&structs, "[('position','=f4',(3,)),('','|V4'),('mass','<f8'),('cell','<i1'),('','|V7'),]", "(5,)", 160, 5,
       NULL},
      {&structs, PARTICLE, "(4,)", 160, 0, "has 160 bytes of data, not those of 4 items"},
      {&structs, "'<f4'", "(40,)", 160, 0, "has elements of type '<f4', expected [('position', '<f4', (3,))"},
      {&structs, "[('mass', '<f8'), ('position', '<f4', (3,)), ('', '|V4'), ('cell', '|i1'), ('', '|V7')]", "(5,)", 160,
       0, "has elements of type [('mass', '<f8'), ('position'"},
      {&structs, "[('position', '<i4', (3,)), ('', '|V4'), ('mass', '<f8'), ('cell', '|i1'), ('', '|V7')]", "(5,)", 160,
       0, "has elements of type [('position', '<i4'"},
      {&structs, "[('place', '<f4', (3,)), ('', '|V4'), ('mass', '<f8'), ('cell', '|i1'), ('', '|V7')]", "(5,)", 160, 0,
       "has elements of type [('place'"},
      {&wide, "[('value', '<f4', (3,)), ('', '|V4')]", "(4,)", 64, 4, NULL},
      {&wide, "'<f4'", "(4, 4)", 64, 0, "has elements of type '<f4'"},
  };
  char path[] = "/tmp/xbench-npy-XXXXXX", header[512];
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    xb_arena arena = {0};
    xb_array array;
    xb_error error;
    snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': %s, }\n", files[i].type,
             files[i].shape);
    write_npy(path, header, files[i].bytes);
    const xb_code code = xb_npy_read(path, files[i].element, &arena, &array, &error);
    if ((code != XB_OK) != (files[i].message != NULL) || (code && !strstr(error.message, files[i].message)))
      fail_msg("%s %s: %s", files[i].type, files[i].shape, code ? error.message : "was taken");
    if (!code)
      assert_int_equal(array.length, files[i].length);
    xb_arena_free(&arena);
  }
  unlink(path);
}

TEST(test_differences)
{
  char got[64], want[64], why[XB_WHY_BYTES];
  const xb_fill fill = fill_of("uniform", &structs, 0);
  xb_pair_buffer b = {.name = "p", .element = structs, .rule = XB_PAIR_EXACT};
  const xb_chunk chunk = {.first = 10, .count = 2, .data = got};
  xb_fill_generate(&fill, 1, 0, 2, want);
  memcpy(got, want, sizeof got);
  got[15] = 1; /* a gap between members */
  assert_true(xb_is_same(&b, &chunk, 2, want, "other", why));
  got[32 + 24] ^= 1;
  assert_false(xb_is_same(&b, &chunk, 2, want, "other", why));
  assert_non_null(strstr(why, "p[11].cell is "));
  float nan = NAN;
  memcpy(got, &nan, 4);
  b.rule = XB_PAIR_EPSILON;
  b.limit = 1e30;
  assert_false(xb_is_same(&b, &chunk, 1, want, "other", why));
  assert_non_null(strstr(why, "p[10].position[0] is nan"));
  static const float zeros[] = {0, -0.0f};
  b = (xb_pair_buffer){.name = "z", .element = floats, .rule = XB_PAIR_EXACT};
  assert_false(xb_is_same(&b, &(xb_chunk){.count = 1, .data = &zeros[1]}, 1, &zeros[0], "other", why));
  b.rule = XB_PAIR_ULP;
  assert_true(xb_is_same(&b, &(xb_chunk){.count = 1, .data = &zeros[1]}, 1, &zeros[0], "other", why));
  uint32_t wanted[] = {11, 5, 11}; /* 11 and 22 are the poisons of two runs: only where both are left, it is adopted */
  static const uint32_t written[] = {22, 22, 6};
  b = (xb_pair_buffer){.name = "u", .element = ints};
  xb_adopt_poison(&b, &(xb_chunk){.count = 3, .data = written, .poison = 22}, 3, 11, wanted);
  assert_true(wanted[0] == 22 && wanted[1] == 5 && wanted[2] == 11);
  const uint32_t words[] = {1, XB_POISON, 2, XB_POISON, XB_POISON, 3};
  b = (xb_pair_buffer){.name = "w", .element = ints};
  assert_true(xb_is_all_written(&b, &(xb_chunk){.data = words, .poison = XB_POISON}, 3, why));
  assert_false(xb_is_all_written(&b, &(xb_chunk){.data = words, .poison = XB_POISON}, 6, why));
  assert_non_null(strstr(why, "w[3] was not written"));
  b.element = floats;
  assert_false(xb_is_all_written(&b, &(xb_chunk){.data = words, .poison = XB_POISON}, 3, why));
  b.element = (xb_element){.members = {{.dtype = XB_FLOAT16, .count = 1}}, .member_count = 1, .bytes = 2};
  assert_true(xb_is_all_written(&b, &(xb_chunk){.data = words, .poison = XB_POISON}, 6, why)); /* two halves a word */
  b.element = (xb_element){.members = {{.dtype = XB_UINT8, .count = 1}}, .member_count = 1, .bytes = 1};
  unsigned char byte = 0x22; /* the second byte of the poison */
  xb_adopt_poison(&b, &(xb_chunk){.first = 1, .data = "\x66", .poison = 0x88776655}, 1, 0x44332211, &byte);
  assert_int_equal(byte, 0x66);
  b.element = (xb_element){.members = {{.name = "x", .dtype = XB_INT8, .count = 1},
                                       {.name = "y", .dtype = XB_INT8, .count = 1, .offset = 1}},
                           .member_count = 2,
                           .bytes = 2};
  assert_false(xb_is_all_written(&b, &(xb_chunk){.data = "\x01\x02\x33\x44", .poison = 0x44332211}, 2, why));
  assert_non_null(strstr(why, "w[1] was not written"));
  uint32_t gaps[16];
  for (int i = 0; i < 16; i++)
    gaps[i] = i == 3 || i == 7 || i == 15 ? XB_POISON : (uint32_t)i; /* bytes 12 to 15 and 28 to 31 are gaps */
  b.element = structs;
  assert_true(xb_is_all_written(&b, &(xb_chunk){.data = gaps, .poison = XB_POISON}, 2, why));
  for (int i = 8; i < 16; i++)
    gaps[i] = XB_POISON;
  assert_false(xb_is_all_written(&b, &(xb_chunk){.data = gaps, .poison = XB_POISON}, 2, why));
  assert_non_null(strstr(why, "w[1] was not written"));
}

/* A number beyond 0 and 1 becomes the nearest fraction that a byte has. */
TEST(test_fractions)
{
  const xb_element numbers = {.bytes = 4, .member_count = 1, .members = {{.dtype = XB_FLOAT32, .count = 1}}};
  const xb_element bytes = {
      .bytes = 1, .member_count = 1, .members = {{.dtype = XB_UINT8, .count = 1, .fractions = true}}};
  static const float from[] = {-1, 0, 0.5f, 1, 2};
  static const unsigned char expected[] = {0, 0, 128, 255, 255};
  unsigned char got[5];
  xb_repack(&numbers, from, 5, &bytes, got);
  assert_memory_equal(got, expected, 5);
}
/* ---- Mistakes of ports that the default inputs have to show ------------------------------------------------------ */

typedef struct item {
  uint32_t flag, u;
  int32_t k;
  float x;
} item;

static int leading_zeros(uint32_t u, int of_zero)
{
  int zeros = 0;
  for (uint32_t bit = 1u << 31; bit && !(u & bit); bit >>= 1)
    zeros++;
  return u ? zeros : of_zero;
}

static int ones(uint32_t u)
{
  int count = 0;
  for (; u; u &= u - 1)
    count++;
  return count;
}

/* What is right for an element and the next one, and what a wrong port makes of it. */
#define EACH_MISTAKE(X)                                                                                                \
  X("a flag is ignored", a.flag ? a.x : 2, a.x)                                                                        \
  X("a flag is compared with 1", a.flag != 0, a.flag == 1)                                                             \
  X("a flag is signed", a.flag > 0, (int32_t)a.flag > 0)                                                               \
  X("only the lowest bit of a flag counts", a.flag != 0, a.flag & 1)                                                   \
  X("the remainder is unsigned", a.k % 7, (uint32_t)a.k % 7)                                                           \
  X("the remainder is positive", a.k % 7, ((a.k % 7) + 7) % 7)                                                         \
  X("a shift is logical", floor(a.k / 2.0), (uint32_t)a.k >> 1)                                                        \
  X("a shift in place of a division", a.k / 2, floor(a.k / 2.0))                                                       \
  X("the sign is lost", fabsf(a.x), a.x)                                                                               \
  X("truncated in place of rounded down", floorf(4 * a.x), truncf(4 * a.x))                                            \
  X("halves are rounded up", rintf(4 * a.x), floorf(4 * a.x + 0.5f))                                                   \
  X("negative values pass", fmaxf(a.x, 0), a.x)                                                                        \
  X("equal keys change places", a.u <= b.u, a.u < b.u)                                                                 \
  X("a run of equal keys is not seen", a.u == b.u, 0)                                                                  \
  X("a signed comparison is unsigned", a.k < b.k, (uint32_t)a.k < (uint32_t)b.k)                                       \
  X("a mask in place of a limit", a.u > 3 ? 3 : a.u, a.u & 3)                                                          \
  X("bits in place of whether there are any", a.u != 0, ones(a.u))                                                     \
  X("zero has a sign", (a.x > 0) - (a.x < 0), a.x > 0 ? 1 : -1)                                                        \
  X("zero has 31 leading zeros", leading_zeros(a.u, 32), leading_zeros(a.u, 31))                                       \
  X("zero less one wraps", a.u ? a.u - 1 : 0, a.u - 1)                                                                 \
  X("bytes wrap in place of saturating", a.u > 255 ? 255 : a.u, (uint8_t)a.u)                                          \
  X("one is no exception", a.x == 1 ? 0 : a.x, a.x)                                                                    \
  X("an integer passes through a float", a.u, (double)(float)a.u)                                                      \
  X("one is not a special value", a.u == 1 ? 5 : 7, 7)                                                                 \
  X("all bits are not a sentinel", a.u == UINT32_MAX ? 0 : a.u, a.u)                                                   \
  X("each element begins a run", a.u != b.u, 1)                                                                        \
  X("small counts do not exist", a.u < 8 ? a.u : 8, 8)                                                                 \
  X("a table of four is not used", a.u < 4 ? a.u * a.u : 0, 0)                                                         \
  X("a division by zero is one by 1", a.u ? 100 / a.u : 0, 100 / (a.u ? a.u : 1))                                      \
  X("a limit is excluded", a.u <= 1, a.u < 1)                                                                          \
  X("no shift is below 32", a.u < 32 ? 1u << a.u : 0, 0)                                                               \
  X("all indices are clamped", a.u < 1000 ? a.u : 999, 999)                                                            \
  X("there are no powers of two", a.u && !(a.u & (a.u - 1)), 0)                                                        \
  X("zero is positive", a.x > 0, a.x >= 0)                                                                             \
  X("ties go to the second", a.x >= b.x, a.x > b.x)                                                                    \
  X("the end of the range is inside", a.x < 1, 1)                                                                      \
  X("there is one more bin", (uint32_t)fminf((a.x + 1) * 4, 7), (uint32_t)((a.x + 1) * 4))                             \
  X("nothing is nearly zero", fabsf(a.x) < 1e-12f, 0)

TEST(test_default_inputs_show_mistakes)
{
  enum { COUNT = 4096 };
  static item items[COUNT];
  static const xb_element element = {
      .members = {{.name = "flag", .dtype = XB_UINT32, .count = 1},
                  {.name = "u", .dtype = XB_UINT32, .count = 1, .offset = offsetof(item, u)},
                  {.name = "k", .dtype = XB_INT32, .count = 1, .offset = offsetof(item, k)},
                  {.name = "x", .dtype = XB_FLOAT32, .count = 1, .offset = offsetof(item, x)}},
      .member_count = 4,
      .bytes = sizeof(item)};
  const xb_fill mixed = fill_of("mixed", &element, 0), uniform = fill_of("uniform", &element, 0);
  for (uint64_t seed = 1; seed < 7; seed++) { /* the first three are mixed */
    size_t mistakes = 0, misses = 0;
    xb_fill_generate(seed < 4 ? &mixed : &uniform, seed, 0, COUNT, items);
    const char *missed = NULL;
#define COMPARE(name, right, wrong)                                                                                    \
  {                                                                                                                    \
    size_t found = 0;                                                                                                  \
    for (size_t i = 0; i + 1 < COUNT; i++) {                                                                           \
      const item a = items[i], b = items[i + 1];                                                                       \
      (void)b;                                                                                                         \
      found += (double)(right) != (double)(wrong);                                                                     \
    }                                                                                                                  \
    missed = found ? missed : (name);                                                                                  \
    misses += !found;                                                                                                  \
    mistakes++;                                                                                                        \
  }
    EACH_MISTAKE(COMPARE)
#undef COMPARE
    if (missed && seed < 4)
      fail_msg("seed %d does not show: %s", (int)seed, missed);
    assert_true(mistakes >= 20 && (seed < 4 || misses >= 20)); /* uniform numbers do not show them */
  }
}
