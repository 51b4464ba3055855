/* The operands of a thread. They depend on the seed and the thread only, and repeat: the CPU follows each chain once.
 */
#include "base/half.h"
#include "benchmarks/family.h"
#include "benchmarks/instructions/instructions.h"

typedef struct range {
  double low, high;
} range;

typedef struct domain {
  xb_operand operand;
  bool exact;       /* each step of the chain has to be followed: a short period */
  bool logarithmic; /* x: as many numbers below 1 as above */
  bool power;       /* a: 2 to the power of what the range has */
  range of[3];      /* x, a, b; of words the last number belongs to the range */
} domain;

/* clang-format off */
#define ALL {0, 0xFFFFFFFFu}
#define LESS {1.0 / 64, 1.0 / 32}, {1, 2}
static const domain domains[XB_DOMAINS] = {
    [WORDS] = {XB_OPERAND_WORD, true, false, false, {ALL, ALL, ALL}},
    [SHIFTS] = {XB_OPERAND_WORD, true, false, false, {ALL, {1, 7}, ALL}},
    [POWERS] = {XB_OPERAND_WORD, true, false, true, {ALL, {1, 7}, ALL}},
    [DIVISORS] = {XB_OPERAND_WORD, true, false, false, {ALL, {2, 15}, ALL}},
    [WHOLES] = {XB_OPERAND_WORD, true, false, false, {{0, 0xFFFFFF}, ALL, {0, 0xFFFFFF}}},
    [SUMS] = {XB_OPERAND_FLOAT, true, false, false, {{-8, 8}, {1 - 0x1p-18, 1 + 0x1p-18}, {-0x1p-6, 0x1p-6}}},
    [TURNS] = {XB_OPERAND_FLOAT, true, false, false, {{-8, 8}, {-8, 8}, {-1 - 0x1p-18, -1 + 0x1p-18}}},
    [FACTORS] = {XB_OPERAND_FLOAT, true, false, false, {{-8, 8}, {-8, 8}, {1 - 0x1p-18, 1 + 0x1p-18}}},
    [POSITIVE] = {XB_OPERAND_FLOAT, false, true, false, {{0x1p-10, 0x1p10}, LESS}},
    [ANGLES] = {XB_OPERAND_FLOAT, false, false, false, {{-3.14159, 3.14159}, LESS}},
    [LARGE] = {XB_OPERAND_FLOAT, false, false, false, {{1.1e5, 1e6}, {1.0 / 64, 1.0 / 32}, {1.1e5, 1e6}}},
    [EXPONENTS] = {XB_OPERAND_FLOAT, false, false, false, {{-8, 4}, {1.0 / 512, 1.0 / 256}, {0, 1}}},
    [BASES] = {XB_OPERAND_FLOAT, false, false, false, {{0.5, 4}, LESS}},
    [NEAR_ONE] = {XB_OPERAND_FLOAT, false, false, false, {{0.5, 2}, LESS}},
    [HALF_TURNS] = {XB_OPERAND_FLOAT, false, false, false, {{-1, 1}, {1.0 / 64, 1.0 / 32}, {0, 0.9}}},
    [DOUBLES] = {XB_OPERAND_DOUBLE, true, false, false, {{-8, 8}, {1 - 0x1p-18, 1 + 0x1p-18}, {-0x1p-6, 0x1p-6}}},
    [DOUBLE_FACTORS] = {XB_OPERAND_DOUBLE, true, false, false, {{-8, 8}, {-8, 8}, {1 - 0x1p-18, 1 + 0x1p-18}}},
    [DOUBLE_POSITIVE] = {XB_OPERAND_DOUBLE, false, true, false, {{0x1p-10, 0x1p10}, LESS}},
    [DOUBLE_EXPONENTS] = {XB_OPERAND_DOUBLE, false, false, false, {{-8, 4}, {1.0 / 512, 1.0 / 256}, {0, 1}}},
    [HALVES] = {XB_OPERAND_HALVES, true, false, false, {{-2, 2}, {-0.9, -0.8}, {-0.0625, 0.0625}}},
    [HALF_FACTORS] = {XB_OPERAND_HALVES, true, false, false, {{-2, 2}, {-2, 2}, {-1, -1}}},
};
/* clang-format on */

static double part(const range *r, bool logarithmic, double share)
{
  return logarithmic ? r->low * exp2(share * log2(r->high / r->low)) : r->low + (r->high - r->low) * share;
}

static uint64_t number(const domain *d, uint64_t seed, uint64_t thread, uint32_t which)
{
  const range *r = &d->of[which];
  uint32_t random[2], bits;
  uint64_t wide;
  xb_bits(XB_INT32, seed, (thread * 3 + which) * 2, 2, random);
  if (d->operand == XB_OPERAND_WORD) {
    const uint64_t word = (uint64_t)r->low + random[0] % ((uint64_t)r->high - (uint64_t)r->low + 1);
    return d->power && which == 1 ? 1ull << word : word;
  }
  if (d->operand == XB_OPERAND_HALVES)
    return xb_half_bits(part(r, false, random[0] * 0x1p-32)) | xb_half_bits(part(r, false, random[1] * 0x1p-32)) << 16;
  const double value = part(r, d->logarithmic && !which, random[0] * 0x1p-32 + (random[1] >> 11) * 0x1p-53);
  const float single = (float)value;
  memcpy(&bits, &single, sizeof bits);
  memcpy(&wide, &value, sizeof wide);
  return d->operand == XB_OPERAND_DOUBLE ? wide : bits;
}

static uint64_t period_of(const domain *d)
{
  return d->exact ? XB_EXACT_PERIOD : XB_FUNCTION_PERIOD;
}

/* Three for each thread of a period, then the same again. */
static void generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const domain *d = &domains[*(const uint64_t *)user];
  const uint64_t period = 3 * period_of(d), bytes = d->operand == XB_OPERAND_DOUBLE ? sizeof(double) : WORD;
  char *at = out;
  for (uint64_t i = 0; i < count; i++, at += bytes) {
    const uint64_t word = (first + i) % period;
    const uint64_t bits = i < period ? number(d, seed, word / 3, (uint32_t)(word % 3)) : 0;
    memcpy(at, i < period ? (const void *)&bits : at - period * bytes, bytes); /* little-endian */
  }
}

xb_operand xb_operand_of(xb_domain name)
{
  return domains[name].operand;
}

xb_generator xb_operand_generator(xb_domain name)
{
  return (xb_generator){generate, NULL, name};
}

uint64_t xb_operands_period(xb_domain name)
{
  return period_of(&domains[name]);
}

void xb_operands(xb_domain name, uint64_t seed, uint64_t thread, uint64_t bits[3])
{
  for (uint32_t i = 0; i < 3; i++)
    bits[i] = number(&domains[name], seed, thread % period_of(&domains[name]), i);
}
