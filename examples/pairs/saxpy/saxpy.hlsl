cbuffer Arguments : register(b0)
{
  int n;
  float a;
};
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);

[numthreads(256, 1, 1)]
void saxpy(uint3 id : SV_DispatchThreadID)
{
  const int i = int(id.x);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
