// The right operand of && and ||, and the second and third of ?:, run only when they are needed.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [touch] a side effect that can be counted
__device__ bool touch(uint slot, uint *g_out)
{
  g_out[slot] += 1;
  return true;
}

// [both sides] only the side that is needed runs. args.a is 0, but the compiler cannot know
XB_GUIDE_ENTRY(1) both_sides(const uint *, uint *g_out, xb_guide_args args)
{
  if (args.a != 0 && touch(0, g_out))
    g_out[8] = 1;
  if (args.a == 0 || touch(1, g_out))
    g_out[9] = 1;
  g_out[10] = args.a != 0 ? (touch(2, g_out) ? 3 : 4) : 5;
}

// [nested] the way that HLSL needs: statements
XB_GUIDE_ENTRY(1) nested(const uint *, uint *g_out, xb_guide_args args)
{
  if (args.a != 0) {
    if (touch(0, g_out))
      g_out[8] = 1;
  }
  bool either = args.a == 0;
  if (!either)
    either = touch(1, g_out);
  if (either)
    g_out[9] = 1;
  uint value = 5;
  if (args.a != 0)
    value = touch(2, g_out) ? 3 : 4;
  g_out[10] = value;
}
