// Each thread writes what it knows of the specialization constants.
#version 450

layout(constant_id = 3) const uint LENGTH = 16;
layout(constant_id = 1) const float SCALE = 1.5;
layout(constant_id = 7) const bool FLIP = false;
layout(constant_id = 9) const int SIGNED = -4;
layout(constant_id = 4) const double WIDE = 5;

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Output { uint facts[][8]; };
shared uint tile[LENGTH];

void main()
{
  const uint t = gl_LocalInvocationIndex;
  if (t < LENGTH)
    tile[t] = 10 * t;
  barrier();
  facts[t][0] = LENGTH;
  facts[t][1] = floatBitsToUint(SCALE * 2);
  facts[t][2] = FLIP ? 1 : 0;
  facts[t][3] = uint(SIGNED);
  facts[t][4] = WIDE == 5.0lf ? 1 : 0;
  facts[t][5] = WIDE == 0.1lf ? 1 : 0;
  facts[t][6] = tile[LENGTH - 1];
  facts[t][7] = tile[t % LENGTH];
}
