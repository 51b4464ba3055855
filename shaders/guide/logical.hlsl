// The right operand of && and ||, and the second and third of ?:, may run even when they are not needed.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [touch] a side effect that can be counted
bool touch(uint slot)
{
  g_out[slot] += 1;
  return true;
}

// [both sides] both may run. args.a is 0, but the compiler cannot know
[numthreads(1, 1, 1)]
void both_sides()
{
  if (args.a != 0 && touch(0))
    g_out[8] = 1;
  if (args.a == 0 || touch(1))
    g_out[9] = 1;
  g_out[10] = args.a != 0 ? (touch(2) ? 3 : 4) : 5;
}

// [nested] the portable way: statements
[numthreads(1, 1, 1)]
void nested()
{
  if (args.a != 0) {
    if (touch(0))
      g_out[8] = 1;
  }
  bool either = args.a == 0;
  if (!either)
    either = touch(1);
  if (either)
    g_out[9] = 1;
  uint value = 5;
  if (args.a != 0)
    value = touch(2) ? 3 : 4;
  g_out[10] = value;
}
