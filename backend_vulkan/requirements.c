/* Refuses code that needs more than the device was opened with: SPIR-V capabilities and shared memory. Neither the
 * validator nor most drivers check this. */
#include "features.h"

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
  case SpvCapabilitySubgroupBallotKHR: return traits->ballot;
  case SpvCapabilitySubgroupVoteKHR: return traits->vote;
  case SpvCapabilityShaderNonUniform: return traits->structs >> VK_STRUCT_indexing & 1;
  case SpvCapabilityDenormPreserve:
  case SpvCapabilityDenormFlushToZero:
  case SpvCapabilitySignedZeroInfNanPreserve:
  case SpvCapabilityRoundingModeRTE:
  case SpvCapabilityRoundingModeRTZ: return traits->float_controls >> (capability - SpvCapabilityDenormPreserve) & 1;
  default: return vk_traits_enable(traits, capability);
  }
}

/* The names of what a device lacks that has no such capability. */
static const char *lacking(uint32_t capability, char text[VK_NEED_BYTES])
{
  const bool floats = capability >= SpvCapabilityDenormPreserve && capability <= SpvCapabilityRoundingModeRTZ;
  const bool subgroup = capability >= SpvCapabilityGroupNonUniform && capability <= SpvCapabilityGroupNonUniformQuad;
  return floats                                                    ? "VK_KHR_shader_float_controls, or Vulkan 1.2"
         : subgroup                                                ? "subgroupSupportedOperations"
         : capability == SpvCapabilityGroupNonUniformPartitionedNV ? "VK_NV_shader_subgroup_partitioned"
         : capability == SpvCapabilitySubgroupBallotKHR            ? "VK_EXT_shader_subgroup_ballot"
         : capability == SpvCapabilitySubgroupVoteKHR              ? "VK_EXT_shader_subgroup_vote"
         : capability == SpvCapabilityShaderNonUniform             ? "VK_EXT_descriptor_indexing, or Vulkan 1.2"
                                                                   : vk_capability_needs(capability, text);
}

/* Compilers declare capabilities that the code does not use: DXC 1.8 those of partitions for each reduction of a wave.
 * Then the module is valid without, and the driver gets it without. The validator cannot see which arrays of
 * descriptors are indexed, and how. */
static bool leave_out(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *spirv, const uint32_t *at,
                      const char *name)
{
  uint32_t *words = spirv->words + (at - spirv->words);
  const uint32_t capability = words[1];
  if (strstr(name, "Indexing"))
    return false;
  words[1] = SpvCapabilityShader; /* a second time, which is allowed */
  if (vk_spirv_is_valid(desc, traits->api_version, spirv))
    return true;
  words[1] = capability;
  return false;
}

static xb_code check_capabilities(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *spirv,
                                  xb_error *err)
{
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&spirv->module, at, SpvOpCapability, 2));) {
    char name[VK_CAPABILITY_BYTES], text[VK_NEED_BYTES];
    if (enabled(traits, at[1]))
      continue;
    vk_spirv_capability(at[1], name);
    if (leave_out(desc, traits, spirv, at, name))
      continue;
    const char *needed = lacking(at[1], text);
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc), "the code needs capability %s%s%s", name,
                   needed ? ", which this device lacks: " : ", which is not supported here", needed ? needed : "");
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
  const xb_code code = check_capabilities(desc, traits, spirv, err);
  return code ? code : check_shared(desc, traits, &spirv->module, err);
}
