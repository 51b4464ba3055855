// Probes that need more than Shader Model 6.0: DXC compiles each one by itself, behind declarations.hlsl, with the options of its
// first line. With -spirv the result is SPIR-V.
// probe: barrier_function; -T cs_6_8
[numthreads(64, 1, 1)]
void barrier_function(uint3 id : SV_GroupThreadID)
{
  g_out[id.x] = id.x;
  Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SCOPE);
  g_out[id.x + 64] = id.x;
}

// probe: wave_size_32; -T cs_6_6
[WaveSize(32)]
[numthreads(64, 1, 1)]
void wave_size_32(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveGetLaneCount();
}

// probe: wave_size_range; -T cs_6_8
[WaveSize(8, 64)]
[numthreads(64, 1, 1)]
void wave_size_range(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveGetLaneCount();
}

// probe: wave_match_65; -T cs_6_5
[numthreads(64, 1, 1)]
void wave_match_65(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveMatch(g_in[id.x]).x;
}

// probe: dot4_64; -T cs_6_4
[numthreads(64, 1, 1)]
void dot4_64(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = dot4add_u8packed(g_in[id.x], g_in[id.x + 1], 0u) + (uint)dot4add_i8packed(g_in[id.x], g_in[id.x + 1], i_out[0]);
}

// probe: half_62; -T cs_6_2 -enable-16bit-types
[numthreads(64, 1, 1)]
void half_62(uint3 id : SV_DispatchThreadID)
{
  const float16_t2 x = float16_t2((float16_t)f_in[id.x], (float16_t)1);
  const int16_t y = (int16_t)g_in[id.x];
  f_out[id.x] = (float)dot(x, x) + y;
}

// probe: int64_60; -T cs_6_0
[numthreads(64, 1, 1)]
void int64_60(uint3 id : SV_DispatchThreadID)
{
  const uint64_t x = g_in[id.x];
  const int64_t y = (int64_t)(x * x);
  g_out[id.x] = (uint)(y >> 32);
}

// probe: template_function; -T cs_6_0
template <typename T, typename Operation> T twice(T x)
{
  return Operation::apply(Operation::apply(x));
}
struct add_one {
  static uint apply(uint x)
  {
    return x + 1;
  }
};
[numthreads(64, 1, 1)]
void template_function(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = twice<uint, add_one>(g_in[id.x]);
}

// probe: print; -T cs_6_0 -spirv
[numthreads(64, 1, 1)]
void print(uint3 id : SV_DispatchThreadID)
{
  printf("%u", g_in[id.x]);
}

// probe: read_clock; -T cs_6_0 -spirv
[numthreads(64, 1, 1)]
void read_clock(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = (uint)vk::ReadClock(vk::SubgroupScope);
}

// probe: atomic_64_66; -T cs_6_6
[[vk::binding(13, 0)]] RWByteAddressBuffer l_raw : register(u13);
[numthreads(64, 1, 1)]
void atomic_64_66(uint3 id : SV_DispatchThreadID)
{
  uint64_t before;
  l_raw.InterlockedAdd64(0, 1, before);
}

// probe: builtin_inputs; -T cs_6_0 -spirv
[[vk::ext_builtin_input(24)]] static const uint3 group_count;
[[vk::ext_builtin_input(40)]] static const uint wave_index;
[numthreads(64, 1, 1)]
void builtin_inputs(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = group_count.x + wave_index;
}

// probe: raw_load; -T cs_6_0 -spirv
struct address_args {
  uint64_t address;
};
[[vk::binding(14, 0)]] ConstantBuffer<address_args> pointers : register(b14);
[numthreads(64, 1, 1)]
void raw_load(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = vk::RawBufferLoad<uint>(pointers.address + 4 * id.x);
}

// probe: buffers; -T cs_6_0 -spirv
[[vk::binding(15, 0)]] StructuredBuffer<uint> many[4] : register(t15);
[numthreads(64, 1, 1)]
void buffers(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = many[2][id.x] | asuint(1.#INF);
}

// probe: reconverges; -T cs_6_0 -spirv -fspv-enable-maximal-reconvergence
[numthreads(64, 1, 1)]
void reconverges(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveReadLaneFirst(g_in[id.x]);
}

// probe: quads; -T cs_6_6
[numthreads(64, 1, 1)]
void quads(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = QuadReadAcrossX(g_in[id.x]) + QuadReadAcrossY(g_in[id.x]) + QuadReadAcrossDiagonal(g_in[id.x]);
}

// probe: heap; -T cs_6_6
[numthreads(64, 1, 1)]
void heap(uint3 id : SV_DispatchThreadID)
{
  StructuredBuffer<uint> chosen = ResourceDescriptorHeap[args.a];
  g_out[id.x] = chosen[id.x];
}

// probe: packed; -T cs_6_6
[numthreads(64, 1, 1)]
void packed(uint3 id : SV_DispatchThreadID)
{
  const uint8_t4_packed bytes = (uint8_t4_packed)g_in[id.x];
  const uint4 each = unpack_u8u32(bytes);
  g_out[id.x] = each.x + each.y + each.z + each.w;
}

// probe: multi_prefix; -T cs_6_5
[numthreads(64, 1, 1)]
void multi_prefix(uint3 id : SV_DispatchThreadID)
{
  const uint4 same = WaveMatch(g_in[id.x]);
  g_out[id.x] = WaveMultiPrefixSum(g_in[id.x], same) + WaveMultiPrefixCountBits(true, same);
}

// probe: raw_16; -T cs_6_2 -enable-16bit-types
[[vk::binding(16, 0)]] RWByteAddressBuffer halves : register(u16);
[numthreads(64, 1, 1)]
void raw_16(uint3 id : SV_DispatchThreadID)
{
  halves.Store<uint16_t>(2 * id.x, halves.Load<uint16_t>(2 * id.x) + (uint16_t)1);
}

// probe: written_buffers; -T cs_6_0 -spirv
[[vk::binding(16, 0)]] RWByteAddressBuffer written[4] : register(u16);
[numthreads(64, 1, 1)]
void written_buffers(uint3 id : SV_DispatchThreadID)
{
  written[2].Store(4 * id.x, g_in[id.x]);
}

// probe: written_structs; -T cs_6_0 -spirv -fvk-allow-rwstructuredbuffer-arrays
[[vk::binding(20, 0)]] RWStructuredBuffer<uint> written_words[4] : register(u20);
[numthreads(64, 1, 1)]
void written_structs(uint3 id : SV_DispatchThreadID)
{
  written_words[2][id.x] = g_in[id.x];
}
