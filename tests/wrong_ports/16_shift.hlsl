// Wrong port 16: a shift by as many bits as the word has. HLSL takes it modulo 32, so the word stays as it is; Vulkan leaves
// it undefined. Code that nvcc makes of the CUDA kernel gives 0.
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

// The thread's number modulo 33 is how many bits go.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  const uint bits = id.x % 33;
#ifdef WRONG
  output[id.x] = input[id.x] >> bits;
#else
  output[id.x] = bits < 32 ? input[id.x] >> bits : 0;
#endif
}
