// Each thread writes what it knows of the specialization constants.
[[vk::constant_id(3)]] const uint LENGTH = 16;
[[vk::constant_id(1)]] const float SCALE = 1.5;
[[vk::constant_id(7)]] const bool FLIP = false;
[[vk::constant_id(9)]] const int SIGNED = -4;
[[vk::constant_id(4)]] const double WIDE = 5;
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output;

groupshared uint tile[LENGTH];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  const uint t = id.x;
  if (t < LENGTH)
    tile[t] = 10 * t;
  GroupMemoryBarrierWithGroupSync();
  output[8 * t + 0] = LENGTH;
  output[8 * t + 1] = asuint(SCALE * 2);
  output[8 * t + 2] = FLIP ? 1 : 0;
  output[8 * t + 3] = uint(SIGNED);
  output[8 * t + 4] = WIDE == 5.0 ? 1 : 0;
  output[8 * t + 5] = WIDE == 0.1L ? 1 : 0;
  output[8 * t + 6] = tile[LENGTH - 1];
  output[8 * t + 7] = tile[t % LENGTH];
}
