#include "pair/scaffold/carry.h"

#include <ctype.h>
#include <string.h>

/* What the lane number is compared with keeps CUDA's rule: beyond the end of the wave, a lane gets its own value. */
#define UP "WaveReadLaneAt($2, WaveGetLaneIndex() >= ($3) ? WaveGetLaneIndex() - ($3) : WaveGetLaneIndex())"
#define DOWN                                                                                                           \
  "WaveReadLaneAt($2, WaveGetLaneIndex() + ($3) < WaveGetLaneCount() ? WaveGetLaneIndex() + ($3) : "                   \
  "WaveGetLaneIndex())"

static const xb_carry words[] = {
    {"__restrict__", XB_CARRY_WORD, "", 0},
    {"__restrict", XB_CARRY_WORD, "", 0},
    {"__device__", XB_CARRY_WORD, "", 0},
    {"__host__", XB_CARRY_WORD, "", 0},
    {"__forceinline__", XB_CARRY_WORD, "", 0},
    {"__noinline__", XB_CARRY_WORD, "", 0},
    {"__inline__", XB_CARRY_WORD, "", 0},
    {"inline", XB_CARRY_WORD, "", 0},
    {"constexpr", XB_CARRY_WORD, "const", 0},
    {"unsigned", XB_CARRY_WORD, "uint", 0}, /* alone */
    {"and", XB_CARRY_WORD, "&&", 0},
    {"or", XB_CARRY_WORD, "||", 0},
    {"not", XB_CARRY_WORD, "!", 0},
    {"int32_t", XB_CARRY_WORD, "int", 0},
    {"uint32_t", XB_CARRY_WORD, "uint", 0},
    {"std::int32_t", XB_CARRY_WORD, "int", 0},
    {"std::uint32_t", XB_CARRY_WORD, "uint", 0},
    {"__half", XB_CARRY_WORD, "float16_t", 0},
    {"half", XB_CARRY_WORD, "float16_t", 0}, /* a type */
    {"__half2", XB_CARRY_WORD, "float16_t2", 0},
    {"half2", XB_CARRY_WORD, "float16_t2", 0},
    {"dim3", XB_CARRY_WORD, "uint3", 0},
    {"warpSize", XB_CARRY_WORD, "WaveGetLaneCount()", 0},
    {"INFINITY", XB_CARRY_WORD, "asfloat(0x7f800000)", 0},
    {"CUDART_INF_F", XB_CARRY_WORD, "asfloat(0x7f800000)", 0},
    {"FLT_MAX", XB_CARRY_WORD, "asfloat(0x7f7fffff)", 0},
    {"FLT_MIN", XB_CARRY_WORD, "asfloat(0x00800000)", 0},
    {"FLT_EPSILON", XB_CARRY_WORD, "asfloat(0x34000000)", 0},
    {"INT_MAX", XB_CARRY_WORD, "0x7fffffff", 0},
    {"UINT_MAX", XB_CARRY_WORD, "0xffffffffu", 0},

    {"__syncthreads", XB_CARRY_WORD, "AllMemoryBarrierWithGroupSync", 0},
    {"__threadfence_block", XB_CARRY_WORD, "AllMemoryBarrier", 0},

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
    {"__float_as_uint", XB_CARRY_WORD, "asuint", 0},
    {"__float_as_int", XB_CARRY_WORD, "asint", 0},
    {"__uint_as_float", XB_CARRY_WORD, "asfloat", 0},
    {"__int_as_float", XB_CARRY_WORD, "asfloat", 0},
    {"__half2float", XB_CARRY_WORD, "float", 0},
    {"__float2half", XB_CARRY_WORD, "float16_t", 0},
    {"__half22float2", XB_CARRY_CALL, "((float2)($1))", 1},
    {"__hadd", XB_CARRY_CALL, "(($1) + ($2))", 2},
    {"__hsub", XB_CARRY_CALL, "(($1) - ($2))", 2},
    {"__hmul", XB_CARRY_CALL, "(($1) * ($2))", 2},
    {"__popc", XB_CARRY_WORD, "countbits", 0},
    {"__brev", XB_CARRY_WORD, "reversebits", 0},
    {"__clz", XB_CARRY_CALL, "(31 - firstbithigh((uint)($1)))", 1},
    {"__ffs", XB_CARRY_CALL, "(firstbitlow($1) + 1)", 1},
    {"__saturatef", XB_CARRY_WORD, "saturate", 0},
    {"__fdividef", XB_CARRY_CALL, "(($1) / ($2))", 2},
    {"sincosf", XB_CARRY_CALL, "sincos($1, $*2, $*3)", 3},
    {"__sincosf", XB_CARRY_CALL, "sincos($1, $*2, $*3)", 3},
    {"rintf", XB_CARRY_WORD, "round", 0},
    {"__float2int_rn", XB_CARRY_CALL, "((int)round($1))", 1},

    {"fminf", XB_CARRY_WORD, "min", 0},
    {"fmaxf", XB_CARRY_WORD, "max", 0},
    {"fmin", XB_CARRY_WORD, "min", 0},
    {"fmax", XB_CARRY_WORD, "max", 0},
    {"std::min", XB_CARRY_WORD, "min", 0},
    {"std::max", XB_CARRY_WORD, "max", 0},
    {"umin", XB_CARRY_WORD, "min", 0},
    {"umax", XB_CARRY_WORD, "max", 0},
    {"fabsf", XB_CARRY_WORD, "abs", 0},
    {"fabs", XB_CARRY_WORD, "abs", 0},
    {"__expf", XB_CARRY_WORD, "exp", 0},
    {"__exp2f", XB_CARRY_WORD, "exp2", 0},
    {"__logf", XB_CARRY_WORD, "log", 0},
    {"__log2f", XB_CARRY_WORD, "log2", 0},
    {"__sinf", XB_CARRY_WORD, "sin", 0},
    {"__cosf", XB_CARRY_WORD, "cos", 0},
    {"__tanf", XB_CARRY_WORD, "tan", 0},
    {"__powf", XB_CARRY_WORD, "pow", 0},
};

/* With f behind them they are CUDA's. */
static const char *const functions[] = {"abs",   "acos", "asin", "atan", "atan2", "ceil", "cos",   "cosh",
                                        "exp",   "exp2", "fmod", "log",  "log10", "log2", "floor", "pow",
                                        "rsqrt", "sin",  "sinh", "sqrt", "tan",   "tanh", "trunc"};
static const char *const keywords[] = {"break",  "case",    "const",     "continue", "default",  "do",
                                       "else",   "false",   "for",       "if",       "return",   "struct",
                                       "switch", "true",    "void",      "while",    "min",      "max",
                                       "static", "typedef", "threadIdx", "blockIdx", "blockDim", "gridDim"};
static const char *const reserved[] = {"half",
                                       "in",
                                       "out",
                                       "inout",
                                       "line",
                                       "lineadj",
                                       "point",
                                       "triangle",
                                       "sample",
                                       "sampler",
                                       "texture",
                                       "matrix",
                                       "vector",
                                       "linear",
                                       "centroid",
                                       "uniform",
                                       "shared",
                                       "precise",
                                       "pass",
                                       "technique",
                                       "string",
                                       "export",
                                       "groupshared",
                                       "register",
                                       "snorm",
                                       "unorm",
                                       "cbuffer",
                                       "tbuffer",
                                       "compile",
                                       "interface",
                                       "pixelfragment",
                                       "fxgroup",
                                       "stateblock",
                                       "packoffset",
                                       "discard",
                                       "lib",
                                       "globallycoherent",
                                       "payload"};

static bool is_listed(const xb_token *word, size_t length, const char *const *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strlen(list[i]) == length && !memcmp(word->text, list[i], length))
      return true;
  return false;
}
#define LISTED(word, length, list) is_listed(word, length, list, sizeof(list) / sizeof *(list))

const xb_carry *xb_carry_of(const xb_token *word)
{
  static xb_carry found; /* of a family of words */
  static char name[24];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (xb_token_is(word, words[i].cuda))
      return &words[i];
  const xb_token behind = {.text = word->text + 5, .length = word->length > 5 ? word->length - 5 : 0};
  size_t length = 0;
  const char *from = word->text;
  if (word->length > 5 && !memcmp(word->text, "make_", 5) && xb_is_hlsl_type(&behind)) /* make_float4 */
    from += 5, length = behind.length;
  else if (word->length > 2 && word->text[word->length - 1] == 'f' && LISTED(word, word->length - 1, functions))
    length = word->length - 1; /* sqrtf */
  if (!length || length >= sizeof name)
    return NULL;
  memcpy(name, from, length);
  name[length] = 0;
  found = (xb_carry){.kind = XB_CARRY_WORD, .hlsl = name};
  return &found;
}

bool xb_is_hlsl_type(const xb_token *word)
{
  static const char *const types[] = {"float", "int", "uint", "double", "bool"};
  const char last = word->length ? word->text[word->length - 1] : 0;
  return LISTED(word, word->length - (last >= '2' && last <= '4'), types);
}

bool xb_is_of_hlsl(const xb_token *word)
{
  return xb_is_hlsl_type(word) || LISTED(word, word->length, functions) || LISTED(word, word->length, keywords);
}

bool xb_is_hlsl_keyword(const xb_token *word)
{
  return LISTED(word, word->length, reserved);
}
