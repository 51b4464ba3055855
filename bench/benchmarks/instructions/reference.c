/* What an instruction makes of its operands, on the CPU. Exact instructions are followed step by step, bit for bit;
 * functions are evaluated in higher precision. */
#include "base/half.h"
#include "benchmarks/family.h"
#include "benchmarks/instructions/arithmetic_args.h"
#include "benchmarks/instructions/instructions.h"

/* ---- Exact instructions ----------------------------------------------------------------------------------------- */

/* A multiply-add may round once or twice: HLSL's mad promises neither. */
#define MAD(x, y, z) (fused ? _Generic((x), float : fmaf, double : fma, long double : fmal)(x, y, z) : (x) * (y) + (z))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define TO_FLOAT(x) ((float)(x))
#define TO_UINT(x) ((uint32_t)(x))
#define DOT4(x, y, z) (dot4(x, y) + (z))
#define AS_INT8(x) ((uint32_t)(int8_t)(x))
#define AS_INT16(x) ((uint32_t)(int16_t)(x))
/* clang-format off */
#define STEP(number, times, step) case number: return step;
#define LOOP_STEP(number, times, step, counter) case number: return step;
/* clang-format on */
#define NO_STEP(...)

static uint32_t dot4(uint32_t x, uint32_t y)
{
  int32_t sum = 0;
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int8_t)(x >> shift) * (int8_t)(y >> shift);
  return (uint32_t)sum;
}

static uint32_t word_step(uint32_t number, uint32_t x, uint32_t a, uint32_t b)
{
  switch (number) {
    INTEGER_OPERATIONS(STEP)
    WORD_ARITHMETIC(STEP)
    LOOP_ARITHMETIC(LOOP_STEP)
    DOT_OPERATIONS(STEP)
  default: return 0;
  }
}

static float float_step(uint32_t number, bool fused, float x, float a, float b)
{
  switch (number) {
    FLOAT_OPERATIONS(STEP, NO_STEP)
  default: return NAN;
  }
}

static double double_step(uint32_t number, bool fused, double x, double a, double b)
{
  switch (number) {
    DOUBLE_OPERATIONS(STEP, NO_STEP)
  default: return NAN;
  }
}

/* Exact for the operands of this benchmark: 53 bits hold the product and the sum. */
static double half_exact(uint32_t number, double x, double a, double b)
{
  const bool fused = true;
  switch (number) {
    HALF_OPERATIONS(STEP)
  default: return NAN;
  }
}

/* What float32, float64 and float16 are rounded from. */
static long double unrounded(uint32_t number, long double x, long double a, long double b)
{
  const bool fused = true;
  switch (number) {
    FLOAT_OPERATIONS(STEP, NO_STEP)
    DOUBLE_OPERATIONS(STEP, NO_STEP)
    HALF_OPERATIONS(STEP)
  default: return NAN;
  }
}

enum { HALF_MULTIPLY_ADD = 83 };

static uint32_t half_step(uint32_t number, bool fused, uint32_t x, uint32_t a, uint32_t b)
{
  const double values[] = {xb_half_value(x), xb_half_value(a), xb_half_value(b)};
  if (number == HALF_MULTIPLY_ADD && !fused)
    return xb_half_bits(xb_half_value(xb_half_bits(values[0] * values[1])) + values[2]);
  return xb_half_bits(half_exact(number, values[0], values[1], values[2]));
}

static uint64_t exact_step(const xb_instruction *of, bool fused, uint64_t x, const uint64_t o[3])
{
  float f[3];
  double d[3];
  uint32_t bits;
  uint64_t wide;
  switch (xb_operand_of(of->domain)) {
  case XB_OPERAND_WORD: return word_step(of->number, (uint32_t)x, (uint32_t)o[1], (uint32_t)o[2]);
  case XB_OPERAND_HALVES:
    return half_step(of->number, fused, x & 0xFFFF, o[1] & 0xFFFF, o[2] & 0xFFFF) |
           half_step(of->number, fused, (uint32_t)x >> 16, (uint32_t)o[1] >> 16, (uint32_t)o[2] >> 16) << 16;
  case XB_OPERAND_FLOAT:
    for (int i = 0; i < 3; i++) {
      bits = (uint32_t)(i ? o[i] : x);
      memcpy(&f[i], &bits, sizeof bits);
    }
    f[0] = float_step(of->number, fused, f[0], f[1], f[2]);
    memcpy(&bits, f, sizeof bits);
    return bits;
  default:
    memcpy(d, o, sizeof d);
    memcpy(d, &x, sizeof x);
    d[0] = double_step(of->number, fused, d[0], d[1], d[2]);
    memcpy(&wide, d, sizeof wide);
    return wide;
  }
}

static bool know_none(const xb_case *c, void *value)
{
  (void)c;
  return value;
}

/* The ends of the chains of a period of threads, with and without fused multiply-adds, as far as they are known. */
typedef struct ends {
  bool known[XB_EXACT_PERIOD];
  uint64_t of_thread[XB_EXACT_PERIOD][2];
} ends;

static void follow(const xb_instruction *of, uint64_t seed, uint64_t steps, uint64_t thread, uint64_t end[2])
{
  uint64_t o[3];
  xb_operands(of->domain, seed, thread, o);
  for (int fused = 0; fused < 2; fused++) {
    end[fused] = o[0];
    for (uint64_t s = 0; s < steps; s++)
      end[fused] = exact_step(of, fused, end[fused], o);
  }
}

static const uint64_t *exact_end(const xb_instruction *of, uint64_t seed, uint64_t steps, uint64_t thread)
{
  const uint64_t i = thread % XB_EXACT_PERIOD;
  ends *e = xb_cached(NULL, know_none, sizeof *e, 1, XB_KEY(of->number, seed, steps));
  if (e && !e->known[i])
    follow(of, seed, steps, thread, e->of_thread[i]);
  if (e)
    e->known[i] = true;
  return e ? e->of_thread[i] : NULL;
}

/* ---- Functions -------------------------------------------------------------------------------------------------- */

/* The text of instructions_args.h is not used here: a mistake in it would be made twice. */
static const double PI = 3.14159265358979323846;

static double function(const xb_instruction *of, double x, double b)
{
  if (of->power != 0)
    return pow(x, of->power);
  switch (of->number) {
  case 25: return 1 / x;
  case 26:
  case 27:
  case 101:
  case 104:
  case 106: return b / x;
  case 28: return x / 3;
  case 31:
  case 32:
  case 33:
  case 108: return sin(x);
  case 34:
  case 35:
  case 103:
  case 109: return exp(x);
  case 36: return exp2(x);
  case 37:
  case 38: return log(x);
  case 39: return log2(x);
  case 40:
  case 41:
  case 110: return pow(x, b);
  case 50: return 1.1 * x;
  case 51: return pow(10, x);
  case 65: return 1.1f * x;
  case 84:
  case 85: return sin(x) + cos(x);
  case 86:
  case 87: return sin(PI * x);
  default: return NAN;
  }
}

static long double double_function(uint32_t number, long double x, long double b)
{
  switch (number) {
  case 74: return b / x;
  case 75: return sqrtl(x);
  case 76: return sinl(x);
  case 77: return expl(x);
  default: return NAN;
  }
}

static long double value_of(xb_operand operand, uint64_t bits)
{
  const uint32_t low = (uint32_t)bits;
  float f;
  double d;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &bits, sizeof d);
  return operand == XB_OPERAND_DOUBLE ? d : operand == XB_OPERAND_FLOAT ? f : xb_half_value(low & 0xFFFF);
}

/* The distance of two neighbours there: a unit in the last place. */
static long double unit_at(xb_operand operand, long double value)
{
  const int digits = operand == XB_OPERAND_DOUBLE ? 52 : operand == XB_OPERAND_FLOAT ? 23 : 10;
  const int least = operand == XB_OPERAND_DOUBLE ? -1022 : operand == XB_OPERAND_FLOAT ? -126 : -14;
  const int exponent = value != 0 ? ilogbl(value) : least;
  return ldexpl(1, (exponent < least ? least : exponent) - digits);
}

static long double function_once(const xb_instruction *of, const long double v[3])
{
  return xb_operand_of(of->domain) == XB_OPERAND_DOUBLE ? double_function(of->number, v[0], v[2])
                                                        : function(of, (double)v[0], (double)v[2]);
}

/* Where the chain settles, after a few steps, and how far from there a device may be. */
static long double function_end(const xb_instruction *of, uint64_t steps, long double v[3], long double *allowed)
{
  const xb_operand operand = xb_operand_of(of->domain);
  long double before = NAN, f = 0;
  for (uint64_t s = 0; s < steps && v[0] != before; s++) {
    before = v[0];
    f = function_once(of, v);
    v[0] = operand == XB_OPERAND_FLOAT ? (float)(f * v[1] + v[2]) : (double)(f * v[1] + v[2]);
  }
  const long double error = fmaxl(of->absolute, of->ulps * unit_at(operand, f));
  *allowed = 4 * (v[1] * error + unit_at(operand, v[0])); /* a step takes over less than half of the error before */
  return v[0];
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static uint64_t bits_at(const xb_chunk *chunk, xb_operand operand, uint64_t i)
{
  return operand == XB_OPERAND_DOUBLE ? ((const uint64_t *)chunk->data)[i] : ((const uint32_t *)chunk->data)[i];
}

/* A multiply-add of halves may also round to float32 between. With a from -0.9 to -0.8, the chain forgets such a
 * difference, so that both halves stay this near. */
static bool nearly(uint64_t bits, uint64_t expected, bool once)
{
  const double allowed = once ? 0x1p-9 : 0x1p-11;
  return fabs(xb_half_value(bits & 0xFFFF) - xb_half_value(expected & 0xFFFF)) <= allowed &&
         fabs(xb_half_value((uint32_t)bits >> 16) - xb_half_value((uint32_t)expected >> 16)) <= allowed;
}

static bool check_exact(const xb_instruction *of, uint64_t seed, uint64_t steps, uint64_t element, uint64_t bits,
                        char why[XB_WHY_BYTES])
{
  uint64_t once[2];
  const uint64_t *e = element % 2 ? exact_end(of, seed, steps, element / 2) : once;
  if (element % 2 == 0)
    follow(of, seed, 1, element / 2, once);
  if (!e)
    return xb_wrong(why, "out of host memory");
  if (bits == e[0] || bits == e[1] || (of->number == HALF_MULTIPLY_ADD && nearly(bits, e[1], element % 2 == 0)))
    return true;
  return xb_wrong(why, "after %" PRIu64 " steps, thread %" PRIu64 " has 0x%08" PRIx64 ", expected 0x%08" PRIx64,
                  element % 2 ? steps : 1, element / 2, bits, e[1]);
}

/* What a function and the end of its chain should be, for a thread of a period. */
typedef struct functions {
  bool known;
  long double expected[2], allowed[2]; /* once, at the end */
} functions;

static bool check_function(const xb_instruction *of, uint64_t seed, uint64_t steps, uint64_t element, uint64_t bits,
                           char why[XB_WHY_BYTES])
{
  const xb_operand operand = xb_operand_of(of->domain);
  const uint64_t i = element / 2 % XB_FUNCTION_PERIOD, k = element % 2;
  functions *e = xb_cached(NULL, know_none, XB_FUNCTION_PERIOD * sizeof *e, 1, XB_KEY(of->number, seed, steps));
  if (!e)
    return xb_wrong(why, "out of host memory");
  e += i;
  if (!e->known) {
    uint64_t o[3];
    xb_operands(of->domain, seed, i, o);
    long double v[3] = {value_of(operand, o[0]), value_of(operand, o[1]), value_of(operand, o[2])};
    e->expected[0] = function_once(of, v);
    e->allowed[0] = fmaxl(of->absolute, of->ulps * unit_at(operand, e->expected[0]));
    e->expected[1] = function_end(of, steps, v, &e->allowed[1]);
    e->known = true;
  }
  const long double value = value_of(operand, bits), expected = e->expected[k];
  const long double allowed = e->allowed[k];
  if (value == expected || fabsl(value - expected) <= allowed) /* also if both are infinite */
    return true;
  return xb_wrong(why, "after %" PRIu64 " steps, thread %" PRIu64 " has %.9Lg, expected %.9Lg within %.2Lg",
                  k ? steps : 1, element / 2, value, expected, allowed);
}

bool xb_instruction_check(const xb_instruction *of, uint64_t seed, uint64_t steps, const xb_chunk *chunk,
                          char why[XB_WHY_BYTES])
{
  bool function = false, good = true;
  const xb_operand operand = xb_operand_of(of->domain);
  xb_instruction_times(of->number, &function);
  for (uint64_t i = 0; i < chunk->count && good; i++)
    good =
        (function ? check_function : check_exact)(of, seed, steps, chunk->first + i, bits_at(chunk, operand, i), why);
  return good;
}

static void add_error(double errors[3], xb_operand operand, long double value, long double exact)
{
  const double error = (double)(fabsl(value - exact) / unit_at(operand, exact));
  errors[0] = fmax(errors[0], error);
  errors[1] += error;
  errors[2]++;
}

void xb_instruction_errors(const xb_instruction *of, uint64_t seed, const xb_chunk *chunk, double errors[3])
{
  const xb_operand operand = xb_operand_of(of->domain);
  bool function;
  xb_instruction_times(of->number, &function);
  const uint64_t end = 2 * xb_operands_period(of->domain);
  if (operand == XB_OPERAND_WORD)
    return;
  for (uint64_t i = chunk->first % 2; i < chunk->count && chunk->first + i < end; i += 2) {
    uint64_t o[3], bits = bits_at(chunk, operand, i);
    xb_operands(of->domain, seed, (chunk->first + i) / 2, o);
    for (int half = 0; half < (operand == XB_OPERAND_HALVES ? 2 : 1); half++) {
      const int down = 16 * half;
      const long double v[3] = {value_of(operand, o[0] >> down), value_of(operand, o[1] >> down),
                                value_of(operand, o[2] >> down)};
      add_error(errors, operand, value_of(operand, bits >> down),
                function ? function_once(of, v) : unrounded(of->number, v[0], v[1], v[2]));
    }
  }
}

/* clang-format off */
#define EXACT_TIMES(number, times, step) case number: return times;
#define LOOP_TIMES(number, times, step, counter) case number: return times;
#define FUNCTION_TIMES(number, times, f) case number: *function = true; return times;
/* clang-format on */

uint32_t xb_instruction_times(uint32_t number, bool *function)
{
  *function = false;
  switch (number) {
    INTEGER_OPERATIONS(EXACT_TIMES)
    WORD_ARITHMETIC(EXACT_TIMES)
    LOOP_ARITHMETIC(LOOP_TIMES)
    FLOAT_ARITHMETIC(FUNCTION_TIMES)
    CUDA_ARITHMETIC(FUNCTION_TIMES)
    FLUSH_ARITHMETIC(FUNCTION_TIMES)
    DIVISION_ARITHMETIC(FUNCTION_TIMES)
    ROOT_ARITHMETIC(FUNCTION_TIMES)
    FAST_ARITHMETIC(FUNCTION_TIMES)
    FLOAT_OPERATIONS(EXACT_TIMES, FUNCTION_TIMES)
    POWER_OPERATIONS(FUNCTION_TIMES)
    CUDA_OPERATIONS(FUNCTION_TIMES)
    DOUBLE_OPERATIONS(EXACT_TIMES, FUNCTION_TIMES)
    CUDA_DOUBLE_OPERATIONS(FUNCTION_TIMES)
    HALF_OPERATIONS(EXACT_TIMES)
    DOT_OPERATIONS(EXACT_TIMES)
  default: return 1;
  }
}
