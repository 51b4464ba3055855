/* Formulas, numbers, contents, files of arrays, and what PTX and CUDA sources say. */
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
    FILE *file = xb_npy_begin(path, elements[i], &(xb_array){.length = N});
    assert_true(file && fwrite(data, elements[i]->bytes, N, file) == N && !fclose(file));
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

/* ---- CUDA ------------------------------------------------------------------------------------------------------- */

static const char PTX[] = ".version 9.0\n.target sm_90\n"
                          ".visible .entry _Z4axpyifPKfPf1Shy(\n"
                          "\t.param .u32 _Z4axpyifPKfPf1Shy_param_0,\n"
                          "\t.param .f32 _Z4axpyifPKfPf1Shy_param_1,\n"
                          "\t.param .u64 .ptr .align 1 _Z4axpyifPKfPf1Shy_param_2,\n"
                          "\t.param .u64 _Z4axpyifPKfPf1Shy_param_3,\n"
                          "\t.param .align 8 .b8 _Z4axpyifPKfPf1Shy_param_4[16],\n"
                          "\t.param .u8 _Z4axpyifPKfPf1Shy_param_5,\n"
                          "\t.param .u64 _Z4axpyifPKfPf1Shy_param_6\n)\n{\n ld.param.u32 x;\n}\n"
                          ".visible .entry plain(\n)\n{}\n";

TEST(test_cuda)
{
  static const uint32_t offsets[] = {0, 4, 8, 16, 24, 40, 48}, bytes[] = {4, 4, 8, 8, 16, 1, 8};
  static const char *const names[] = {"n", "a", "x", "y", "s", "h", "count"};
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  assert_int_equal(xb_reflect_ptx("p", PTX, "axpy", &arena, &r, &error), XB_OK);
  assert_string_equal(r.entry, "_Z4axpyifPKfPf1Shy");
  assert_int_equal(r.count, 7);
  assert_int_equal(r.value_bytes, 56);
  char path[] = "/tmp/xbench-parts-XXXXXX";
  FILE *source = fdopen(mkstemp(path), "w");
  assert_non_null(source);
  fputs("// __global__ void axpy(int wrong)\n"
        "__global__ void other(int axpy);\n"
        "extern \"C\" __global__ __launch_bounds__(256, 2)\nvoid axpy(const int n, /* a */ float a,"
        "const float *__restrict__ x, float y[], S s, unsigned char h, size_t count) { axpy(1); }",
        source);
  fclose(source);
  xb_reflect_cuda_source(path, (const char *const[]){NULL}, "axpy", &arena, &r);
  unlink(path);
  for (size_t i = 0; i < r.count; i++) {
    assert_string_equal(r.parameters[i].name, names[i]);
    assert_int_equal(r.parameters[i].offset, offsets[i]);
    assert_int_equal(r.parameters[i].is_buffer, i == 2 || i == 3);
    if (i != 2 && i != 3)
      assert_int_equal(r.parameters[i].element.bytes, bytes[i]);
  }
  assert_true(r.parameters[2].read_only && !r.parameters[3].read_only);
  assert_int_equal(r.parameters[2].element.members[0].dtype, XB_FLOAT32);
  assert_int_equal(r.parameters[4].element.member_count, 0);
  assert_int_equal(r.parameters[6].element.members[0].dtype, XB_UINT64);
  assert_int_equal(xb_reflect_ptx("p", PTX, "none", &arena, &r, &error), XB_INVALID);
  assert_string_equal(error.message, "p: there is no entry point 'none'; the code has: axpy(int, float, float const*, "
                                     "float*, S, unsigned char, unsigned long long), plain");
  assert_int_equal(xb_reflect_ptx("p", PTX, NULL, &arena, &r, &error), XB_INVALID);
  assert_int_equal(xb_reflect_ptx("p", PTX, "plain", &arena, &r, &error), XB_OK);
  assert_string_equal(xb_cuda_base_name("ns::k<256, float>", &arena), "k");
  assert_string_equal(xb_cuda_base_name("void (anonymous namespace)::k<256u>(float*)", &arena), "k");
  assert_int_equal(r.count, 0);
  xb_arena_free(&arena);
}

/* As `dxc -dumpbin` prints it. */
static const char LISTING[] =
    "; Compute Shader\n; NumThreads=(64,2,1)\n;\n; Buffer Definitions:\n;\n"
    "; cbuffer args\n; {\n;\n;   struct args\n;   {\n;\n;       struct Args\n;       {\n;\n"
    ";           uint n;    ; Offset:    0\n;           float a;   ; Offset:    4\n"
    ";           double d;  ; Offset:    8\n;           struct In\n;           {\n"
    ";               float2 q;  ; Offset:   16\n;           } in_;     ; Offset:   16\n"
    ";       } args;    ; Offset:    0\n;   } args;    ; Offset:    0 Size:    24\n; }\n;\n"
    "; Resource bind info for x\n; {\n;   float4 $Element;  ; Offset:    0 Size:    16\n; }\n;\n"
    "; Resource bind info for p\n; {\n;   struct struct.P\n;   {\n"
    ";       float3 pos;  ; Offset:    0\n;       uint k[2];   ; Offset:   12\n"
    ";   } $Element;      ; Offset:    0 Size:    20\n; }\n;\n"
    "; Resource Bindings:\n;\n; Name Type Format Dim ID HLSL Bind Count\n; ---- ---- --- --- -- --- -\n"
    "; args cbuffer NA NA CB0 cb0 1\n; x texture struct r/o T0 t0 1\n; raw texture byte r/o T1 t3 1\n"
    "; p UAV struct r/w U0 u0 1\n;\ndefine void @main() {\n";

typedef struct words {
  uint32_t all[2048];
  size_t count;
} words;

static void add(words *w, uint32_t op, size_t operands, const uint32_t *values)
{
  w->all[w->count++] = (uint32_t)(operands + 1) << 16 | op;
  memcpy(w->all + w->count, values, operands * sizeof *values);
  w->count += operands;
}
#define ADD(op, ...) add(&w, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

/* A group size that is a sum of two sums of two sums ...: to look at each of them takes for ever. */
TEST(test_deep_constants)
{
  enum { SUMS = 200, ENTRY = 1, UINT, SIZE, ONE, FIRST };
  static words w = {.all = {0x07230203, 0x10000, 0, FIRST + SUMS}, .count = 5};
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  ADD(15, 5, ENTRY, 'k');              /* OpEntryPoint GLCompute */
  ADD(71, SIZE, 11, 25);               /* OpDecorate BuiltIn WorkgroupSize */
  ADD(21, UINT, 32, 0);                /* OpTypeInt */
  ADD(50, UINT, ONE, 1);               /* OpSpecConstant */
  ADD(52, UINT, FIRST, 128, ONE, ONE); /* OpSpecConstantOp OpIAdd */
  for (uint32_t id = FIRST + 1; id < FIRST + SUMS; id++)
    ADD(52, UINT, id, 128, id - 1, id - 1);
  ADD(51, UINT, SIZE, FIRST + SUMS - 1, ONE, ONE); /* OpSpecConstantComposite */
  assert_int_equal(xb_reflect_spirv("s", w.all, w.count * sizeof *w.all, NULL, (xb_constants){0}, &arena, &r, &error),
                   XB_INVALID);
  assert_non_null(strstr(error.message, "is an expression of constants that is not understood"));
  xb_arena_free(&arena);
}

TEST(test_dxil)
{
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  char file[32] = "DXBC";
  file[24] = sizeof file;
  xb_pair_binary code = {.data = file, .bytes = sizeof file};
  const char *const source = "[[vk::binding(7, 1)]] RWStructuredBuffer<P> p : register(u0);";
  assert_int_equal(xb_reflect_dxil("d", LISTING, source, "main", &arena, &code, &r, &error), XB_OK);
  assert_int_equal(r.count, 3 + 4);
  assert_int_equal(r.group[1], 2);
  const xb_code_parameter *x = &r.parameters[0], *raw = &r.parameters[1], *p = &r.parameters[2];
  assert_string_equal(x->name, "x");
  assert_true(x->read_only && x->element.members[0].count == 4 && x->element.bytes == 16);
  assert_string_equal(raw->name, "raw");
  assert_int_equal(raw->binding, 3);
  assert_int_equal(raw->element.member_count, 0);
  assert_true(p->set == 1 && p->binding == 7 && !p->read_only);
  assert_int_equal(p->element.member_count, 2);
  assert_true(p->element.bytes == 20 && p->element.members[1].offset == 12 && p->element.members[1].count == 2);
  static const struct {
    const char *name;
    uint32_t offset, bytes;
  } values[] = {{"n", 0, 4}, {"a", 4, 4}, {"d", 8, 8}, {"q", 16, 8}};
  for (int i = 0; i < 4; i++) {
    const xb_code_parameter *value = &r.parameters[3 + i];
    assert_string_equal(value->name, values[i].name);
    assert_true(!value->is_uniform && value->offset == values[i].offset && value->element.bytes == values[i].bytes);
  }
  assert_true(code.bytes > sizeof file); /* a part for the registers */
  const size_t once = code.bytes;
  assert_int_equal(xb_reflect_dxil("d", LISTING, source, NULL, &arena, &code, &r, &error), XB_OK);
  assert_int_equal(code.bytes, once); /* it is there already */
  assert_int_equal(xb_reflect_dxil("d", LISTING, "", "other", &arena, &code, &r, &error), XB_INVALID);
  assert_non_null(strstr(error.message, "there is no entry point 'other'; the code has: main"));
  file[24] = 31;
  code = (xb_pair_binary){.data = file, .bytes = sizeof file};
  assert_int_equal(xb_reflect_dxil("d", LISTING, "", "main", &arena, &code, &r, &error), XB_INVALID);
  xb_arena_free(&arena);
}

TEST(test_lines)
{
  static const char text[] = "{\n \"a\": 1,\n \"b\\\"{\": [\n  {\"c\": \"}]\"},\n  {\n   \"d\": {}}],\n\n \"e\": null}";
  assert_int_equal(xb_pair_line(text, "a"), 2);
  assert_int_equal(xb_pair_line(text, "e"), 8);
  assert_int_equal(xb_pair_line(text, "none"), 0);
  static const char plain[] = "{\"b\":\n[1,\n{\"c\":\n [], \"d\": true}]}";
  assert_int_equal(xb_pair_line(plain, "b"), 2);
  assert_int_equal(xb_pair_line(plain, "b[1]"), 3);
  assert_int_equal(xb_pair_line(plain, "b[1].c"), 4);
  assert_int_equal(xb_pair_line(plain, "b[1].d"), 4);
  assert_int_equal(xb_pair_line(plain, "b[2]"), 0);
}
