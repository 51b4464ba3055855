#include "vk.h"

#include "core/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *vk_kernel_label(const xb_kernel_desc *desc)
{
  return desc->label && *desc->label ? desc->label : desc->entry;
}

static uint32_t count_bits(uint32_t bits)
{
  uint32_t count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

static xb_code check_counts(const vk_traits *traits, const xb_kernel_desc *desc, const vk_reflection *found,
                            xb_error *err)
{
  const uint32_t combined = count_bits(found->image_bindings), images = count_bits(found->texel_bindings) + combined;
  const uint32_t alone = count_bits(found->sampler_bindings), samplers = combined + alone;
  const uint32_t uniform = count_bits(found->uniform_bindings),
                 written = count_bits(found->storage_texel_bindings | found->storage_image_bindings);
  const uint32_t storage = count_bits(found->used_bindings) - uniform - images - written - alone;
  if (images > traits->max_images || samplers > traits->max_samplers)
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "%u images and texel buffers and %u samplers, this device allows %u and %u", images, samplers,
                   traits->max_images, traits->max_samplers);
  if (written > traits->max_storage_images)
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "%u storage images and storage texel buffers, this device allows %u", written,
                   traits->max_storage_images);
  if (storage <= traits->max_storage_buffers && uniform <= traits->max_uniform_buffers)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                 "%u storage buffers and %u uniform buffers, this device allows %u and %u", storage, uniform,
                 traits->max_storage_buffers, traits->max_uniform_buffers);
}

static bool wants_statistics(const xb_be_device *d, const xb_kernel_desc *desc)
{
  return d->traits.executable_properties && !desc->no_statistics;
}

static bool wants_text(const xb_be_device *d, const xb_kernel_desc *desc)
{
  return d->traits.executable_properties && desc->keep_text;
}

/* Requires subgroups of this size, all of them full. A request adds a limit on the number of subgroups per group. The
 * device's own size needs none: full subgroups have it. */
static xb_code require_subgroups(const xb_be_device *d, const xb_kernel_desc *desc,
                                 VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size,
                                 VkPipelineShaderStageCreateInfo *stage, xb_error *err)
{
  if (!desc->subgroup_size)
    return XB_OK;
  const uint64_t threads = (uint64_t)desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
  if (!d->traits.subgroup_sizes)
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "full subgroups of %u: this device cannot promise them (VK_EXT_subgroup_size_control is missing)",
                   desc->subgroup_size);
  stage->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  const bool too_many = threads > (uint64_t)desc->subgroup_size * d->traits.max_subgroups;
  if (d->subgroup_min == d->subgroup_max || (too_many && desc->subgroup_size == d->subgroup_size))
    return XB_OK;
  if (too_many)
    return xb_fail(err, XB_UNSUPPORTED, vk_kernel_label(desc),
                   "%llu threads in subgroups of %u, this device allows %u subgroups per group",
                   (unsigned long long)threads, desc->subgroup_size, d->traits.max_subgroups);
  *size = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = desc->subgroup_size,
  };
  stage->pNext = size;
  return XB_OK;
}

/* [kernel] Create the pipeline; `*ns` is the time of the two calls. The shader module is not needed afterwards. */
static xb_code create_pipeline(xb_be_device *d, const xb_kernel_desc *desc, const vk_spirv *spirv, xb_be_kernel *k,
                               double *ns, xb_error *err)
{
  const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = spirv->count * 4,
      .pCode = spirv->words,
  };
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = (wants_statistics(d, desc) ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0) |
               (wants_text(d, desc) ? VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR : 0),
      .stage =
          {
              .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
              .stage = VK_SHADER_STAGE_COMPUTE_BIT,
              .pName = desc->entry,
          },
      .layout = k->layout,
  };
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size;
  const xb_code code = require_subgroups(d, desc, &size, &info.stage, err);
  if (code)
    return code;
  const double begin = xb_clock_ns();
  if (desc->binary_form == XB_BINARY_PIPELINE && desc->binary) {
    const xb_code made = vk_pipeline_from_binary(d, desc, &info, &k->pipeline, err);
    *ns = xb_clock_ns() - begin;
    return made;
  }
  VkResult result = d->vk.CreateShaderModule(d->handle, &module, NULL, &info.stage.module);
  if (result)
    return vk_fail(err, "vkCreateShaderModule", result);
  const VkPipelineCache cache = vk_cache_create(d, desc); /* null in all measurements but those of caches */
  const VkPipelineCreateFlags2CreateInfoKHR capture = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
      .flags = info.flags | VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR,
  };
  if (desc->binary_form == XB_BINARY_PIPELINE)
    info.pNext = &capture;
  result = d->vk.CreateComputePipelines(d->handle, cache, 1, &info, NULL, &k->pipeline);
  *ns = xb_clock_ns() - begin;
  vk_cache_take(d, cache, desc, k);
  d->vk.DestroyShaderModule(d->handle, info.stage.module, NULL);
  if (result)
    return vk_fail(err, "vkCreateComputePipelines", result);
  return desc->binary_form == XB_BINARY_PIPELINE ? vk_keep_binary(d, k, err) : XB_OK;
}

static xb_kernel_info describe(const xb_be_device *d, const xb_kernel_desc *desc, const vk_reflection *found,
                               VkPipeline pipeline, double create_ns)
{
  xb_kernel_info info = {
      .access_known = true,
      .read_only_bindings = found->read_only_bindings,
      .uniform_bindings = found->uniform_bindings,
      .texel_bindings = found->texel_bindings,
      .storage_texel_bindings = found->storage_texel_bindings,
      .image_bindings = found->image_bindings,
      .line_bindings = found->line_bindings,
      .volume_bindings = found->volume_bindings,
      .storage_image_bindings = found->storage_image_bindings,
      .sampler_bindings = found->sampler_bindings,
      .subgroup_size = desc->subgroup_size ? desc->subgroup_size : d->subgroup_size,
      .max_group_threads = d->max_group_threads,
      .create_ns = create_ns,
  };
  memcpy(info.uniform_bytes, found->uniform_bytes, sizeof info.uniform_bytes);
  if (wants_statistics(d, desc))
    vk_read_statistics(d, pipeline, &info);
  return info;
}

xb_code vk_kernel_create(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  vk_spirv spirv = {0};
  vk_reflection found;
  double create_ns = 0;
  xb_be_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return vk_no_host_memory(err, label);
  xb_code code = vk_spirv_read(desc, d->traits.api_version, &spirv, err);
  if (!code)
    code = vk_check_requirements(desc, &d->traits, &spirv, err);
  if (!code)
    code = vk_reflect(desc, &spirv, &found, err);
  if (!code)
    code = check_counts(&d->traits, desc, &found, err);
  if (code)
    goto fail;
  vk_take_bindings(desc, &found, k);
  snprintf(k->label, sizeof k->label, "%s", label);
  code = vk_create_layouts(d, k, err);
  if (!code)
    code = create_pipeline(d, desc, &spirv, k, &create_ns, err);
  if (!code)
    vk_name_object(d, VK_OBJECT_TYPE_PIPELINE, (uint64_t)k->pipeline, label);
  code = vk_validated(d->instance.validation, code, label, err);
  if (code)
    goto fail;
  vk_spirv_free(&spirv);
  *info = describe(d, desc, &found, k->pipeline, create_ns);
  if (wants_text(d, desc))
    info->text = k->text = vk_read_text(d, k->pipeline);
  *kernel = k;
  return XB_OK;

fail:
  vk_spirv_free(&spirv);
  vk_kernel_destroy(d, k);
  return code;
}

void vk_kernel_destroy(xb_be_device *d, xb_be_kernel *k)
{
  if (!d->dead) {
    d->vk.DestroyPipeline(d->handle, k->pipeline, NULL);
    d->vk.DestroyPipelineLayout(d->handle, k->layout, NULL);
    for (uint32_t set = 0; set < k->set_count; set++)
      d->vk.DestroyDescriptorSetLayout(d->handle, k->set_layouts[set], NULL);
  }
  free(k->binary);
  free(k->text);
  free(k);
}
