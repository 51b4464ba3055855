/* A shader as a kernel: SPIR-V is translated (shader/), compiled (compile.c), loaded as a module, and held against the
 * description. */
#include "cpu.h"

#include "core/location.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image and its sampler may share a binding, and two views of one buffer. */
static bool may_share(const cpu_resource *a, const cpu_resource *b)
{
  return (a->kind == CPU_BUFFER_RESOURCE && b->kind == CPU_BUFFER_RESOURCE) ||
         (a->kind == CPU_IMAGE_RESOURCE && b->kind == CPU_SAMPLER_RESOURCE) ||
         (a->kind == CPU_SAMPLER_RESOURCE && b->kind == CPU_IMAGE_RESOURCE);
}

static xb_code check_resource(const xb_kernel_desc *desc, const cpu_shader *shader, uint32_t i, uint32_t binding,
                              xb_error *err)
{
  const cpu_resource *r = &shader->resources[i];
  const char *where = cpu_kernel_label(desc);
  for (uint32_t k = 0; k < i; k++)
    if (shader->resources[k].set == r->set && shader->resources[k].binding == r->binding &&
        !may_share(r, &shader->resources[k]))
      return xb_fail(err, XB_INVALID, where, "the code has two buffers at binding %u", binding);
  if (desc->unused_bindings >> binding & 1)
    return xb_fail(err, XB_INVALID, where, "the description says that binding %u is unused, but the code uses it",
                   binding);
  return XB_OK;
}

static void note_resource(const cpu_resource *r, uint32_t binding, xb_kernel_info *info)
{
  const uint32_t bit = 1u << binding;
  info->read_only_bindings |= r->read_only ? bit : 0;
  switch (r->kind) {
  case CPU_BUFFER_RESOURCE: break;
  case CPU_UNIFORM_RESOURCE:
    info->uniform_bindings |= bit;
    info->uniform_bytes[binding] = r->bytes;
    break;
  case CPU_TEXELS_RESOURCE: *(r->storage ? &info->storage_texel_bindings : &info->texel_bindings) |= bit; break;
  case CPU_IMAGE_RESOURCE:
    *(r->storage ? &info->storage_image_bindings : &info->image_bindings) |= bit;
    info->line_bindings |= r->dimensions == 1 ? bit : 0;
    info->volume_bindings |= r->dimensions == 3 ? bit : 0;
    break;
  case CPU_SAMPLER_RESOURCE: info->sampler_bindings |= bit; break;
  }
}

/* The bindings of a resource. Its parameter points to the first one's buffer, and those of an array follow. */
static xb_code take_bindings(const xb_kernel_desc *desc, const cpu_shader *shader, uint32_t i, xb_be_kernel *k,
                             xb_kernel_info *info, uint32_t *used, uint32_t *written, xb_error *err)
{
  const cpu_resource *r = &shader->resources[i];
  xb_location at = {r->set, r->binding, 0};
  uint32_t count = r->count, binding;
  xb_code code = xb_find_bindings(cpu_kernel_label(desc), desc, at, &count, &binding, err);
  if (!code)
    k->parameters[k->parameter_count++] = (xb_parameter){.binding = binding};
  for (; !code && at.element < count; at.element++) {
    binding = xb_binding_at(desc, at);
    code = check_resource(desc, shader, i, binding, err);
    if (code)
      return code;
    note_resource(r, binding, info);
    k->places[binding] = *used >> binding & 1 ? k->places[binding] : k->place_count++;
    *used |= 1u << binding;
    *written |= r->kind == CPU_BUFFER_RESOURCE && !r->read_only ? 1u << binding : 0;
  }
  return code;
}

/* One parameter for each resource, then the push constants. */
static xb_code set_parameters(const xb_kernel_desc *desc, const cpu_shader *shader, xb_be_kernel *k,
                              xb_kernel_info *info, xb_error *err)
{
  uint32_t used = 0, written = 0;
  k->parameter_count = 0;
  info->access_known = true;
  for (uint32_t i = 0; i < shader->resource_count; i++) {
    if (k->parameter_count + 1 >= XB_MAX_PARAMETERS)
      return xb_fail(err, XB_UNSUPPORTED, cpu_kernel_label(desc), "more than %d buffers and images",
                     XB_MAX_PARAMETERS - 1);
    const xb_code code = take_bindings(desc, shader, i, k, info, &used, &written, err);
    if (code)
      return code;
  }
  info->read_only_bindings &= ~written; /* one view of a buffer may write it */
  info->sampler_bindings &= ~info->image_bindings;
  for (uint32_t i = 0; i < desc->binding_count; i++) {
    if (used >> i & 1)
      continue;
    k->places[i] = k->place_count++;
    if (!(desc->unused_bindings >> i & 1))
      return xb_fail(
          err, XB_INVALID, cpu_kernel_label(desc),
          "the description has %u bindings, but the code does not use binding %u: leave it out, or mark it as unused",
          desc->binding_count, i);
  }
  if (shader->push_bytes)
    k->parameters[k->parameter_count++] = (xb_parameter){.bytes = shader->push_bytes};
  return XB_OK;
}

static xb_code check_shape(const xb_be_device *d, const xb_kernel_desc *desc, const cpu_shader *shader, xb_error *err)
{
  const uint32_t *has = shader->group_size, *asked = desc->group_size;
  const char *where = cpu_kernel_label(desc);
  if (memcmp(has, asked, sizeof desc->group_size) != 0)
    return xb_fail(err, XB_INVALID, where,
                   "the code has groups of %u x %u x %u threads, the description has %u x %u x %u", has[0], has[1],
                   has[2], asked[0], asked[1], asked[2]);
  if (!shader->push_bytes && desc->arg_bytes && !desc->args_unused)
    return xb_fail(err, XB_INVALID, where,
                   "%u bytes of arguments are described, but the code uses none: leave them out, or mark them as "
                   "unused",
                   desc->arg_bytes);
  if (shader->push_bytes && shader->push_bytes != desc->arg_bytes)
    return xb_fail(err, XB_INVALID, where, "the code has %u bytes of arguments, the description has %u",
                   shader->push_bytes, desc->arg_bytes);
  if (shader->shared_bytes > d->info.shared_optin_bytes)
    return xb_fail(err, XB_UNSUPPORTED, where, "the code needs %u bytes of shared memory, this device allows %u",
                   shader->shared_bytes, d->info.shared_optin_bytes);
  return XB_OK;
}

xb_code cpu_shader_load(const xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel *k, xb_kernel_info *info,
                        xb_error *err)
{
  cpu_shader shader;
  xb_kernel_desc module = *desc;
  char *data = NULL;
  xb_code code = cpu_shader_translate(desc, d->checks, &shader, err);
  code = code ? code : check_shape(d, desc, &shader, err);
  code = code ? code : set_parameters(desc, &shader, k, info, err);
  if (!code)
    code = cpu_shader_compile(cpu_kernel_label(desc), desc->entry, &shader, &data, &module.code_bytes, err);
  module.code = data;
  code = code ? code : cpu_module_load(&module, k, err);
  if (!code && d->checks && !(k->watch = xb_cpu_watch_create(d->checks)))
    code = xb_fail(err, XB_NOMEM, cpu_kernel_label(desc), "out of host memory");
  if (!code) {
    k->entry = &k->module->entries[0];
    k->wave = d->info.subgroup_size;
    k->full_waves = desc->subgroup_size != 0;
    info->shared_bytes = shader.shared_bytes;
    info->subgroup_size = k->wave;
    info->max_group_threads = d->info.max_group_threads;
  }
  free(data);
  free(shader.text);
  return code;
}
