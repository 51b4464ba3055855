#include "benchmarks/allreduce/schedule.h"

#include "benchmarks/family.h"

enum { LARGEST = 15, AT_ONCE = 1024 }; /* of a number, without its sign */

uint64_t xb_allreduce_length(uint64_t n)
{
  return xb_ceil_div(n, XB_ALLREDUCE_STEP) * XB_ALLREDUCE_STEP;
}

/* Each member has a seed of its own. */
static void add_numbers(uint64_t seed, uint32_t member, uint64_t first, uint64_t count, int32_t *sums)
{
  uint32_t bits[AT_ONCE];
  xb_bits(XB_INT32, seed + (member + 1) * 0x9E3779B97F4A7C15u, first, count, bits);
  for (uint64_t i = 0; i < count; i++)
    sums[i] += (int32_t)((bits[i] >> 8) % (2 * LARGEST + 1)) - LARGEST;
}

void xb_allreduce_sums(xb_dtype dtype, uint64_t seed, uint32_t begin, uint32_t end, uint64_t first, uint64_t count,
                       void *out)
{
  for (xb_slice s = {0}; xb_next_slice(&s, count, AT_ONCE);) {
    int32_t sums[AT_ONCE] = {0};
    for (uint32_t m = begin; m < end; m++)
      add_numbers(seed, m, first + s.first, s.count, sums);
    for (uint64_t i = 0; i < s.count; i++)
      if (dtype == XB_FLOAT32)
        ((float *)out)[s.first + i] = (float)sums[i];
      else
        ((int32_t *)out)[s.first + i] = sums[i];
  }
}

/* `user`: the member, and from XB_ALLREDUCE_LARGEST on, that of whole numbers. */
static void generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const uint32_t number = (uint32_t) * (const uint64_t *)user, m = number % XB_ALLREDUCE_LARGEST;
  xb_allreduce_sums(number < XB_ALLREDUCE_LARGEST ? XB_FLOAT32 : XB_INT32, seed, m, m + 1, first, count, out);
}

xb_generator xb_allreduce_vector(xb_dtype dtype, uint32_t member)
{
  return (xb_generator){generate, NULL, member + (dtype == XB_FLOAT32 ? 0 : XB_ALLREDUCE_LARGEST)};
}

/* ---- The schedule ----------------------------------------------------------------------------------------------- */

static uint32_t levels(uint32_t members)
{
  uint32_t count = 0;
  while (1u << count < members)
    count++;
  return count;
}

uint32_t xb_allreduce_rounds(bool tree, uint32_t members)
{
  return 2 * (tree ? levels(members) : members - 1);
}

/* After members - 1 rounds, member m has the sum of part m + 1. */
static void pull_in_ring(uint32_t members, uint32_t member, uint32_t round, uint64_t n, xb_pull *pull)
{
  const uint64_t length = xb_ceil_div(xb_ceil_div(n, XB_ALLREDUCE_STEP), members) * XB_ALLREDUCE_STEP;
  const bool add = round < members - 1;
  const uint32_t back = add ? round + 1 : round - (members - 1);
  const uint64_t first = (member + members - back) % members * length;
  *pull = (xb_pull){.from = (member + members - 1) % members, .first = first, .add = add};
  pull->count = first >= n ? 0 : n - first < length ? n - first : length;
}

static void pull_in_tree(uint32_t members, uint32_t member, uint32_t round, uint64_t n, xb_pull *pull)
{
  const uint32_t last = levels(members) - 1;
  const bool add = round <= last;
  const uint32_t distance = 1u << (add ? round : 2 * last + 1 - round), place = member % (2 * distance);
  if (add && place == 0 && member + distance < members)
    *pull = (xb_pull){member + distance, 0, n, true};
  if (!add && place == distance)
    *pull = (xb_pull){member - distance, 0, n, false};
}

bool xb_allreduce_pull(bool tree, uint32_t members, uint32_t member, uint32_t round, uint64_t n, xb_pull *pull)
{
  *pull = (xb_pull){.count = 0};
  (tree ? pull_in_tree : pull_in_ring)(members, member, round, n, pull);
  return pull->count;
}
