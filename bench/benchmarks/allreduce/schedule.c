#include "benchmarks/allreduce/schedule.h"

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
  const uint64_t steps = (n + XB_ALLREDUCE_STEP - 1) / XB_ALLREDUCE_STEP;
  const uint64_t length = (steps + members - 1) / members * XB_ALLREDUCE_STEP;
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
