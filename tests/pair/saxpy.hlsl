struct Arguments { uint n; float a; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 0)]] StructuredBuffer<float> x;
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y;

[numthreads(256, 1, 1)]
void saxpy(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    y[id.x] = args.a * x[id.x] + y[id.x];
}
