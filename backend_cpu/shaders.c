/* A shader as a kernel: SPIR-V is translated (shader/), compiled (compile.c), loaded as a module, and held against the
 * description. */
#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_of(const cpu_resource *r)
{
  static const char *const names[] = {"buffer", "uniform buffer", "texel buffer", "image", "sampler"};
  return names[r->kind];
}

/* The description's binding at the place that the code names. */
static xb_code find_binding(const xb_kernel_desc *desc, const cpu_resource *r, uint32_t *binding, xb_error *err)
{
  for (*binding = 0; *binding < desc->binding_count; ++*binding) {
    const xb_location at = desc->locations ? desc->locations[*binding] : (xb_location){.binding = *binding};
    if (at.set == r->set && at.binding == r->binding)
      return XB_OK;
  }
  if (!r->set && !desc->locations)
    return xb_fail(err, XB_INVALID, cpu_kernel_label(desc), "the code uses binding %u, the description has %u bindings",
                   r->binding, desc->binding_count);
  return xb_fail(err, XB_INVALID, cpu_kernel_label(desc),
                 "the code uses set %u, binding %u, where the description has no binding", r->set, r->binding);
}

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
  if (r->count != 1) {
    char count[16] = "";
    if (r->count)
      snprintf(count, sizeof count, "%u ", r->count);
    return xb_fail(err, XB_INVALID, where,
                   "the code has an array of %s%ss at binding %u, only single buffers are allowed", count, kind_of(r),
                   binding);
  }
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

/* One parameter for each resource, then the push constants. */
static xb_code set_parameters(const xb_kernel_desc *desc, const cpu_shader *shader, xb_be_kernel *k,
                              xb_kernel_info *info, xb_error *err)
{
  uint32_t used = 0, written = 0;
  k->parameter_count = 0;
  info->access_known = true;
  for (uint32_t i = 0; i < shader->resource_count; i++) {
    uint32_t binding;
    xb_code code = find_binding(desc, &shader->resources[i], &binding, err);
    code = code ? code : check_resource(desc, shader, i, binding, err);
    if (code)
      return code;
    if (k->parameter_count + 1 >= XB_MAX_PARAMETERS)
      return xb_fail(err, XB_UNSUPPORTED, cpu_kernel_label(desc), "more than %d buffers and images",
                     XB_MAX_PARAMETERS - 1);
    note_resource(&shader->resources[i], binding, info);
    k->parameters[k->parameter_count++] = (xb_parameter){.binding = binding};
    used |= 1u << binding;
    written |= shader->resources[i].kind == CPU_BUFFER_RESOURCE && !shader->resources[i].read_only ? 1u << binding : 0;
  }
  info->read_only_bindings &= ~written; /* one view of a buffer may write it */
  info->sampler_bindings &= ~info->image_bindings;
  for (uint32_t i = 0; i < desc->binding_count; i++)
    if (!((used | desc->unused_bindings) >> i & 1))
      return xb_fail(
          err, XB_INVALID, cpu_kernel_label(desc),
          "of the %u bindings that are described, the code does not use binding %u: leave it out, or mark it as unused",
          desc->binding_count, i);
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
