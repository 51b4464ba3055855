struct sums {
  unsigned long long wide;
  float real;
};

extern "C" __global__ void __launch_bounds__(64) test(sums *s)
{
  atomicAdd(&s->wide, 0x180000001ull);
  atomicAdd(&s->real, 0.5f);
}
