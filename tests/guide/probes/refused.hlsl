// Code that HLSL does not allow: the named compilers have to refuse each probe, with the given words in the message (no words:
// the compiler may crash). A compiler with a version: that version only. DXC's target is cs_6_0; dxc-spirv is DXC for Vulkan.
#include "xb/abi.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
[[vk::binding(3, 0)]] RWStructuredBuffer<float> f_out : register(u3);

// probe: group_size_argument; dxc: requires an integer constant; glslc:
uint group;
[numthreads(group, 1, 1)]
void group_size_argument(uint3 id : SV_GroupID)
{
  g_out[id.x] = group;
}

// probe: sized_at_launch; dxc: needs an explicit size
groupshared uint sized[];
[numthreads(64, 1, 1)]
void sized_at_launch(uint3 id : SV_GroupThreadID)
{
  sized[id.x] = g_in[id.x];
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = sized[63 - id.x];
}

// probe: pointer; dxc: pointers are unsupported; glslc: parsing failed
[numthreads(64, 1, 1)]
void pointer(uint3 id : SV_DispatchThreadID)
{
  uint x = g_in[id.x];
  uint *p = &x;
  g_out[id.x] = *p;
}

// probe: recursion; dxc: recursive functions; glslc: recursion detected
uint down(uint n)
{
  return n < 2 ? 1 : n * down(n - 1);
}
[numthreads(64, 1, 1)]
void recursion(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = down(g_in[id.x]);
}

// probe: template_entry; dxc: expected unqualified-id; glslc: reserved word
template <typename T>
[numthreads(64, 1, 1)]
void template_entry(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = (T)g_in[id.x];
}

// probe: float_atomic; dxc: no matching function; glslc 2023.2: no matching overloaded function
[numthreads(64, 1, 1)]
void float_atomic(uint3 id : SV_DispatchThreadID)
{
  InterlockedAdd(f_out[0], 1.0f);
}

// probe: int64; dxc: Shader Model 6.6; glslc: no matching overloaded function
[[vk::binding(4, 0)]] RWStructuredBuffer<uint64_t> l_out : register(u4);
[numthreads(64, 1, 1)]
void int64(uint3 id : SV_DispatchThreadID)
{
  InterlockedAdd(l_out[0], 1);
}

// probe: fma_float; dxc: no matching function
[numthreads(64, 1, 1)]
void fma_float(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = fma(f_out[id.x], 2.0f, 1.0f);
}

// probe: wave_match; dxc: not valid in shader model cs_6_0; glslc: no matching overloaded function
[numthreads(64, 1, 1)]
void wave_match(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveMatch(g_in[id.x]).x;
}

// probe: dot4; dxc: validation errors; glslc: no matching overloaded function
[numthreads(64, 1, 1)]
void dot4(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = dot4add_u8packed(g_in[id.x], g_in[id.x + 1], 0);
}

// probe: inout_atomic; dxc: Atomic operation targets must be; glslc: AtomicIAdd
void add_to(inout uint slot)
{
  InterlockedAdd(slot, 1u);
}
[numthreads(64, 1, 1)]
void inout_atomic(uint3 id : SV_DispatchThreadID)
{
  add_to(g_out[0]);
}

// probe: buffer_array; glslc: not of type array
[[vk::binding(5, 0)]] StructuredBuffer<uint> many[4] : register(t5);
[numthreads(64, 1, 1)]
void buffer_array(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = many[0][id.x];
}

// probe: wave_of_32; dxc: requires shader model 6.6
[WaveSize(32)]
[numthreads(64, 1, 1)]
void wave_of_32(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveGetLaneCount();
}

// probe: lane_count_twice; glslc 2025.2: duplicate input variables
uint lanes_times(uint x)
{
  return x * WaveGetLaneCount();
}
[numthreads(64, 1, 1)]
void lane_count_twice(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = lanes_times(id.x) + WaveGetLaneCount();
}

// probe: threads_2048; dxc: must have a valid numthreads attribute
[numthreads(2048, 1, 1)]
void threads_2048(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = id.x;
}

// probe: large_element; dxc: cannot be larger than 2048 bytes
struct large {
  float4 member[129];
};
[[vk::binding(6, 0)]] StructuredBuffer<large> l_in : register(t6);
[numthreads(64, 1, 1)]
void large_element(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = l_in[id.x].member[3].x;
}

// probe: int64_type; glslc 2023.2: unknown variable
[numthreads(64, 1, 1)]
void int64_type(uint3 id : SV_DispatchThreadID)
{
  const int64_t x = g_in[id.x];
  g_out[id.x] = (uint)(x >> 32);
}

// probe: template_plain; glslc: reserved word
template <typename T> T twice(T x)
{
  return x + x;
}
[numthreads(64, 1, 1)]
void template_plain(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = twice<uint>(g_in[id.x]);
}

// probe: print; dxc: printf
[numthreads(64, 1, 1)]
void print(uint3 id : SV_DispatchThreadID)
{
  printf("%u", g_in[id.x]);
}

// probe: auto_type; dxc: reserved keyword; glslc: Reserved word
[numthreads(64, 1, 1)]
void auto_type(uint3 id : SV_DispatchThreadID)
{
  auto x = g_in[id.x];
  g_out[id.x] = x;
}

// probe: constant_expression; dxc: unknown type name; glslc: unknown variable
[numthreads(64, 1, 1)]
void constant_expression(uint3 id : SV_DispatchThreadID)
{
  constexpr uint x = 3;
  g_out[id.x] = x;
}

// probe: assertion_at_compilation; dxc: undeclared identifier; glslc: no matching overloaded function
[numthreads(64, 1, 1)]
void assertion_at_compilation(uint3 id : SV_DispatchThreadID)
{
  static_assert(1 == 1, "never");
  g_out[id.x] = 1;
}

// probe: union_type; dxc: reserved keyword; glslc: Reserved word
union both {
  uint a;
  float b;
};
[numthreads(64, 1, 1)]
void union_type(uint3 id : SV_DispatchThreadID)
{
  both x;
  x.a = g_in[id.x];
  f_out[id.x] = x.b;
}

// probe: cast_of_cpp; dxc: C++-style cast is unsupported; glslc: Reserved word
[numthreads(64, 1, 1)]
void cast_of_cpp(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = static_cast<uint>(f_out[id.x]);
}

// probe: load_exponent; glslc 2023.2: Ldexp
[numthreads(64, 1, 1)]
void load_exponent(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = ldexp(f_out[id.x], 3.0f);
}

// probe: written_array; dxc-spirv: arrays of RW/append/consume structured buffers unsupported
[[vk::binding(4, 0)]] RWStructuredBuffer<uint> written[4] : register(u4);
[numthreads(64, 1, 1)]
void written_array(uint3 id : SV_DispatchThreadID)
{
  written[2][id.x] = g_in[id.x];
}

// probe: unsigned_alone; dxc: cannot be signed or unsigned; glslc: reserved word
[numthreads(64, 1, 1)]
void unsigned_alone(uint3 id : SV_DispatchThreadID)
{
  unsigned x = g_in[id.x];
  g_out[id.x] = x;
}
