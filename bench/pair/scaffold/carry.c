#include "pair/scaffold/scaffold.h"

#include "base/word_list.h"

#include <string.h>

/* What the lane number is compared with keeps CUDA's rule: beyond the end of the wave, a lane gets its own value. */
#define UP "WaveReadLaneAt($2, WaveGetLaneIndex() >= ($3) ? WaveGetLaneIndex() - ($3) : WaveGetLaneIndex())"
#define DOWN                                                                                                           \
  "WaveReadLaneAt($2, WaveGetLaneIndex() + ($3) < WaveGetLaneCount() ? WaveGetLaneIndex() + ($3) : "                   \
  "WaveGetLaneIndex())"

static const char LEFT_OUT[] =
    "__restrict__ __restrict __device__ __host__ __forceinline__ __noinline__ __inline__ inline";

/* `unsigned` stands alone, `half` is a type. */
static const char *const words[][2] = {
    {"constexpr", "const"},
    {"unsigned", "uint"},
    {"and", "&&"},
    {"or", "||"},
    {"not", "!"},
    {"int32_t", "int"},
    {"uint32_t", "uint"},
    {"std::int32_t", "int"},
    {"std::uint32_t", "uint"},
    {"__half", "float16_t"},
    {"half", "float16_t"},
    {"__half2", "float16_t2"},
    {"half2", "float16_t2"},
    {"dim3", "uint3"},
    {"warpSize", "WaveGetLaneCount()"},
    {"INFINITY", "asfloat(0x7f800000)"},
    {"CUDART_INF_F", "asfloat(0x7f800000)"},
    {"FLT_MAX", "asfloat(0x7f7fffff)"},
    {"FLT_MIN", "asfloat(0x00800000)"},
    {"FLT_EPSILON", "asfloat(0x34000000)"},
    {"INT_MAX", "0x7fffffff"},
    {"UINT_MAX", "0xffffffffu"},
    {"__syncthreads", "AllMemoryBarrierWithGroupSync"},
    {"__threadfence_block", "AllMemoryBarrier"},
    {"__float_as_uint", "asuint"},
    {"__float_as_int", "asint"},
    {"__uint_as_float", "asfloat"},
    {"__int_as_float", "asfloat"},
    {"__half2float", "float"},
    {"__float2half", "float16_t"},
    {"__popc", "countbits"},
    {"__brev", "reversebits"},
    {"__saturatef", "saturate"},
    {"rintf", "round"},
    {"fminf", "min"},
    {"fmaxf", "max"},
    {"fmin", "min"},
    {"fmax", "max"},
    {"std::min", "min"},
    {"std::max", "max"},
    {"umin", "min"},
    {"umax", "max"},
    {"fabsf", "abs"},
    {"fabs", "abs"},
};

static const xb_carry calls[] = {
    {"__shfl_sync", XB_CARRY_MASKED, "WaveReadLaneAt($2, $3)", 3},
    {"__shfl_xor_sync", XB_CARRY_MASKED, "WaveReadLaneAt($2, WaveGetLaneIndex() ^ ($3))", 3},
    {"__shfl_up_sync", XB_CARRY_MASKED, UP, 3},
    {"__shfl_down_sync", XB_CARRY_MASKED, DOWN, 3},
    {"__ballot_sync", XB_CARRY_MASKED, "WaveActiveBallot($2).x", 2},
    {"__any_sync", XB_CARRY_MASKED, "WaveActiveAnyTrue($2)", 2},
    {"__all_sync", XB_CARRY_MASKED, "WaveActiveAllTrue($2)", 2},
    {"__reduce_add_sync", XB_CARRY_MASKED, "WaveActiveSum($2)", 2},
    {"__reduce_min_sync", XB_CARRY_MASKED, "WaveActiveMin($2)", 2},
    {"__reduce_max_sync", XB_CARRY_MASKED, "WaveActiveMax($2)", 2},
    {"__activemask", XB_CARRY_CALL, "WaveActiveBallot(true).x", 0},
    {"atomicAdd", XB_CARRY_ATOMIC, "InterlockedAdd($*1, $2)", 2},
    {"atomicSub", XB_CARRY_ATOMIC, "InterlockedAdd($*1, -($2))", 2},
    {"atomicMin", XB_CARRY_ATOMIC, "InterlockedMin($*1, $2)", 2},
    {"atomicMax", XB_CARRY_ATOMIC, "InterlockedMax($*1, $2)", 2},
    {"atomicAnd", XB_CARRY_ATOMIC, "InterlockedAnd($*1, $2)", 2},
    {"atomicOr", XB_CARRY_ATOMIC, "InterlockedOr($*1, $2)", 2},
    {"atomicXor", XB_CARRY_ATOMIC, "InterlockedXor($*1, $2)", 2},
    {"atomicExch", XB_CARRY_OLD, "InterlockedExchange($*1, $2)", 2},
    {"atomicCAS", XB_CARRY_OLD, "InterlockedCompareExchange($*1, $2, $3)", 3},
    {"__ldg", XB_CARRY_CALL, "$*1", 1},
    {"__half22float2", XB_CARRY_CALL, "((float2)($1))", 1},
    {"__hadd", XB_CARRY_CALL, "(($1) + ($2))", 2},
    {"__hsub", XB_CARRY_CALL, "(($1) - ($2))", 2},
    {"__hmul", XB_CARRY_CALL, "(($1) * ($2))", 2},
    {"__clz", XB_CARRY_CALL, "(31 - firstbithigh((uint)($1)))", 1},
    {"__ffs", XB_CARRY_CALL, "(firstbitlow($1) + 1)", 1},
    {"__fdividef", XB_CARRY_CALL, "(($1) / ($2))", 2},
    {"sincosf", XB_CARRY_CALL, "sincos($1, $*2, $*3)", 3},
    {"__sincosf", XB_CARRY_CALL, "sincos($1, $*2, $*3)", 3},
    {"__float2int_rn", XB_CARRY_CALL, "((int)round($1))", 1},
};

/* With f behind them, and perhaps __ before them, they are CUDA's. */
static const char FUNCTIONS[] =
    "abs acos asin atan atan2 ceil cos cosh exp exp2 fmod log log10 log2 floor pow rsqrt sin sinh sqrt tan tanh trunc";
static const char KEYWORDS[] = "break case const continue default do else false for if return struct switch true void "
                               "while min max static typedef threadIdx blockIdx blockDim gridDim";
static const char RESERVED[] =
    "half in out inout line lineadj point triangle sample sampler texture matrix vector linear centroid uniform shared "
    "precise pass technique string export groupshared register snorm unorm cbuffer tbuffer compile interface "
    "pixelfragment fxgroup stateblock packoffset discard lib globallycoherent payload";

const xb_carry *xb_carry_of(const xb_token *word)
{
  static xb_carry found; /* of a word for a word */
  static char name[24];
  size_t from = 0, end = word->length;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (xb_token_is(word, calls[i].cuda))
      return &calls[i];
  found = (xb_carry){.kind = XB_CARRY_WORD};
  for (size_t i = 0; i < sizeof words / sizeof *words && !found.hlsl; i++)
    found.hlsl = xb_token_is(word, words[i][0]) ? words[i][1] : NULL;
  if (xb_token_in(word, LEFT_OUT))
    found.hlsl = "";
  if (found.hlsl)
    return &found;
  if (end > 5 && !memcmp(word->text, "make_", 5)) /* make_float4 */
    from = 5;
  else if (end > 2 && word->text[end - 1] == 'f') { /* sqrtf, __sinf */
    from = memcmp(word->text, "__", 2) ? 0 : 2;
    end--;
  }
  const xb_token part = {.text = word->text + from, .length = end - from};
  if (end - from >= sizeof name ||
      !(from == 5 ? xb_is_hlsl_type(&part) : end < word->length && xb_token_in(&part, FUNCTIONS)))
    return NULL;
  memcpy(name, part.text, part.length);
  name[part.length] = 0;
  found.hlsl = name;
  return &found;
}

bool xb_is_hlsl_type(const xb_token *word)
{
  const char last = word->length ? word->text[word->length - 1] : 0;
  return xb_is_listed("float int uint double bool", word->text, word->length - (last >= '2' && last <= '4'));
}

bool xb_is_of_hlsl(const xb_token *word)
{
  return xb_is_hlsl_type(word) || xb_token_in(word, FUNCTIONS) || xb_token_in(word, KEYWORDS);
}

bool xb_is_hlsl_keyword(const xb_token *word)
{
  return xb_token_in(word, RESERVED);
}
