/* Refuses code that needs more than the device was opened with: SPIR-V capabilities and shared memory. Neither the
 * validator nor most drivers check this. */
#include "vk.h"

#include <math.h>
#include <spirv_cross/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND = 3, HEADER_WORDS = 5 }; /* ids are less than the header's bound */

/* The capabilities that vk_traits_create_device enables. */
static bool enabled(const vk_traits *traits, uint32_t capability)
{
  const VkSubgroupFeatureFlags groups = traits->subgroup_operations;
  switch (capability) {
  case SpvCapabilityMatrix:
  case SpvCapabilityShader: return true;
  case SpvCapabilitySampled1D: /* images need no feature; vk_reflect refuses them and names the binding */
  case SpvCapabilityImage1D:
  case SpvCapabilitySampledBuffer:
  case SpvCapabilityImageBuffer:
  case SpvCapabilityImageQuery: return true;
  case SpvCapabilityFloat64: return traits->features & XB_FEATURE_FLOAT64;
  case SpvCapabilityFloat16: return traits->features & XB_FEATURE_FLOAT16;
  case SpvCapabilityInt64: return traits->features & XB_FEATURE_INT64;
  case SpvCapabilityInt16: return traits->features & XB_FEATURE_INT16;
  case SpvCapabilityInt8: return traits->features & XB_FEATURE_INT8;
  case SpvCapabilityStorageBuffer16BitAccess: return traits->features & (XB_FEATURE_FLOAT16 | XB_FEATURE_INT16);
  case SpvCapabilityStorageBuffer8BitAccess: return traits->features & XB_FEATURE_INT8;
  case SpvCapabilityInt64Atomics: return traits->features & XB_FEATURE_INT64_ATOMICS;
  case SpvCapabilityAtomicFloat32AddEXT: return traits->features & XB_FEATURE_FLOAT32_ATOMIC_ADD;
  case SpvCapabilityAtomicFloat64AddEXT: return traits->features & XB_FEATURE_FLOAT64_ATOMIC_ADD;
  case SpvCapabilityVulkanMemoryModel:
  case SpvCapabilityVulkanMemoryModelDeviceScope:
  case VK_SPV_CAPABILITY_COOPERATIVE_MATRIX: return traits->features & XB_FEATURE_MATRICES;
  case VK_SPV_CAPABILITY_BFLOAT16_TYPE:
  case VK_SPV_CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX: return traits->features & XB_FEATURE_BFLOAT16_MATRICES;
  case SpvCapabilityDotProduct:
  case SpvCapabilityDotProductInput4x8BitPacked: return traits->features & XB_FEATURE_INT8_DOT;
  case SpvCapabilityGroupNonUniform: return groups & VK_SUBGROUP_FEATURE_BASIC_BIT;
  case SpvCapabilityGroupNonUniformVote: return groups & VK_SUBGROUP_FEATURE_VOTE_BIT;
  case SpvCapabilityGroupNonUniformArithmetic: return groups & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  case SpvCapabilityGroupNonUniformBallot: return groups & VK_SUBGROUP_FEATURE_BALLOT_BIT;
  case SpvCapabilityGroupNonUniformShuffle: return groups & VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  case SpvCapabilityGroupNonUniformShuffleRelative: return groups & VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
  case SpvCapabilityGroupNonUniformClustered: return groups & VK_SUBGROUP_FEATURE_CLUSTERED_BIT;
  case SpvCapabilityGroupNonUniformQuad: return groups & VK_SUBGROUP_FEATURE_QUAD_BIT;
  case SpvCapabilityGroupNonUniformPartitionedNV:
    return traits->partitioned && groups & VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV;
  default: return vk_traits_enable(traits, capability);
  }
}

static xb_code check_capabilities(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *s, xb_error *err)
{
  const uint32_t *const end = s->words + s->count;
  for (const uint32_t *w = s->words + HEADER_WORDS; w < end; w += *w >> SpvWordCountShift) {
    if ((*w & SpvOpCodeMask) != SpvOpCapability)
      return XB_OK; /* they come first */
    if (enabled(traits, w[1]))
      continue;
    char name[VK_CAPABILITY_BYTES];
    vk_spirv_capability(w[1], name);
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "the code needs capability %s, with which this device was not opened", name);
  }
  return XB_OK;
}

/* Marks what the functions of the entry point name. Literals are taken for ids: that marks too many rather than too
 * few. */
static void mark_used(const vk_spirv *s, const char *entry, bool *used)
{
  const uint32_t *const end = s->words + s->count;
  for (bool more = true; more;) {
    more = false;
    bool inside = false;
    for (const uint32_t *w = s->words + HEADER_WORDS; w < end; w += *w >> SpvWordCountShift) {
      const uint32_t op = *w & SpvOpCodeMask;
      if (op == SpvOpEntryPoint && w[1] == SpvExecutionModelGLCompute && !strcmp((const char *)(w + 3), entry))
        used[w[2]] = true;
      if (op == SpvOpFunction)
        inside = used[w[2]];
      more |= inside && op == SpvOpFunctionCall && !used[w[3]];
      for (uint32_t i = 1; inside && i < *w >> SpvWordCountShift; i++)
        if (w[i] < s->words[BOUND])
          used[w[i]] = true;
    }
  }
}

/* The value of an expression of constants, as far as sizes of arrays need it. NAN: unknown. */
static double fold(const vk_spirv *s, const uint32_t *w, const double *number)
{
  const double a = number[w[4]], b = (*w >> SpvWordCountShift) > 5 && w[5] < s->words[BOUND] ? number[w[5]] : NAN;
  switch (w[3]) {
  case SpvOpIAdd: return a + b;
  case SpvOpISub: return a - b;
  case SpvOpIMul: return a * b;
  case SpvOpUDiv:
  case SpvOpSDiv: return b ? trunc(a / b) : NAN;
  case SpvOpUMod: return b ? fmod(a, b) : NAN;
  case SpvOpShiftLeftLogical: return ldexp(a, (int)b);
  case SpvOpShiftRightLogical: return floor(ldexp(a, -(int)b));
  case SpvOpCompositeExtract: /* gl_WorkGroupSize.x */
    for (const uint32_t *c = s->words + HEADER_WORDS; c < w; c += *c >> SpvWordCountShift) {
      const uint32_t op = *c & SpvOpCodeMask, parts = (*c >> SpvWordCountShift) - 3;
      if ((op == SpvOpSpecConstantComposite || op == SpvOpConstantComposite) && c[2] == w[4] &&
          *w >> SpvWordCountShift == 6 && w[5] < parts)
        return number[c[3 + w[5]]];
    }
    return NAN;
  default: return NAN;
  }
}

/* Without padding, which drivers may add. NAN if it is unknown. `number` has, by id, the size of a type or of what a
 * pointer points to, and the value of a constant; a double cannot overflow. `*empty`: an array has no elements, which
 * newer validators accept where a specialization constant says so. */
static double shared_bytes(const vk_spirv *s, const bool *used, double *number, bool *empty)
{
  double total = 0;
  const uint32_t *const end = s->words + s->count;
  for (const uint32_t *w = s->words + HEADER_WORDS; w < end; w += *w >> SpvWordCountShift) {
    switch (*w & SpvOpCodeMask) {
    case SpvOpTypeBool: number[w[1]] = 4; break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat: number[w[1]] = w[2] / 8; break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix: number[w[1]] = number[w[2]] * w[3]; break;
    case SpvOpTypeArray:
      number[w[1]] = number[w[2]] * number[w[3]];
      *empty |= number[w[3]] == 0;
      break;
    case SpvOpTypeStruct:
      for (uint32_t i = 2; i < *w >> SpvWordCountShift; i++)
        number[w[1]] += number[w[i]];
      break;
    case SpvOpTypePointer: number[w[1]] = number[w[3]]; break;
    case SpvOpConstant:
    case SpvOpSpecConstant: number[w[2]] = w[3] + (*w >> SpvWordCountShift > 4 ? 0x1p32 * w[4] : 0); break;
    case SpvOpSpecConstantOp: number[w[2]] = fold(s, w, number); break;
    case SpvOpVariable:
      if (w[3] == SpvStorageClassWorkgroup && used[w[2]])
        total += number[w[1]];
      break;
    }
  }
  return total;
}

static xb_code check_shared(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *s, xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  bool empty = false;
  bool *used = calloc(s->words[BOUND], sizeof *used);
  double *number = calloc(s->words[BOUND], sizeof *number), bytes = 0;
  if (used && number) {
    mark_used(s, desc->entry, used);
    bytes = shared_bytes(s, used, number, &empty);
  }
  const bool done = used && number;
  free(used);
  free(number);
  if (!done)
    return vk_no_host_memory(err, label);
  if (empty)
    return xb_fail(err, XB_INVALID, label, "the code is not valid SPIR-V: an array has no elements");
  if (isnan(bytes))
    return xb_fail(err, XB_INVALID, label,
                   "the size of the code's shared memory is an expression of specialization constants: write it as a "
                   "number");
  if (bytes > traits->shared_bytes)
    return xb_fail(err, XB_UNSUPPORTED, label, "the code needs %.0f bytes of shared memory, this device allows %u",
                   bytes, traits->shared_bytes);
  return XB_OK;
}

xb_code vk_check_requirements(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *spirv, xb_error *err)
{
  const xb_code code = check_capabilities(desc, traits, spirv, err);
  return code ? code : check_shared(desc, traits, spirv, err);
}
