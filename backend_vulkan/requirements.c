/* Refuses code that needs more than the device was opened with: SPIR-V capabilities and shared memory. Neither the
 * validator nor most drivers check this. */
#include "vk.h"

#include <math.h>
#include <string.h>

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

static xb_code check_capabilities(const xb_kernel_desc *desc, const vk_traits *traits, const xb_spirv *m, xb_error *err)
{
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpCapability, 2));) {
    if (enabled(traits, at[1]))
      continue;
    char name[VK_CAPABILITY_BYTES];
    vk_spirv_capability(at[1], name);
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "the code needs capability %s, with which this device was not opened", name);
  }
  return XB_OK;
}

/* Of what the functions of the entry point name; without padding, which drivers may add. NAN: unknown. */
static double shared_bytes(const xb_spirv *m, const char *entry)
{
  double total = 0;
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpEntryPoint, 4));)
    if (at[1] == SpvExecutionModelGLCompute && xb_spirv_text(at, 3) && !strcmp(xb_spirv_text(at, 3), entry))
      xb_spirv_mark_used(m, at[2]);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpVariable, 4));)
    if (at[3] == SpvStorageClassWorkgroup && xb_spirv_facts(m, at[2])->used)
      total += xb_spirv_facts(m, at[1])->number;
  return total;
}

static xb_code check_shared(const xb_kernel_desc *desc, const vk_traits *traits, const xb_spirv *m, xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  const double bytes = shared_bytes(m, desc->entry);
  if (m->empty_array)
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
  const xb_code code = check_capabilities(desc, traits, &spirv->module, err);
  return code ? code : check_shared(desc, traits, &spirv->module, err);
}
