// What HLSL promises and C leaves undefined.
[[vk::binding(0)]] RWStructuredBuffer<uint> words;

uint add(uint at, uint value)
{
  uint before;
  InterlockedAdd(words[at], value, before);
  return value;
}

[numthreads(1, 1, 1)] void main()
{
  const uint zero = words[16], seven = words[17], far = words[18];
  const int minus = (int)words[19], none = (int)words[16];
  words[0] = seven / zero;
  words[1] = seven % zero;
  words[2] = (uint)(minus / none);
  words[3] = words[17] / (words[16] * 2);
  words[4] = 1u << far;
  words[5] = 0x80000000u >> far;
  words[6] = (uint)(minus >> far);
  words[7] = (uint)(minus << far);
  words[8] = seven == 7 ? add(9, 1) : add(10, 2); // both are called
  words[11] = seven < 7 ? words[100000] : seven;  // and both are read
}
