#define _GNU_SOURCE /* dladdr1 */
#include "cpu.h"

#include "core/clock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cpu_kernel_label(const xb_kernel_desc *desc)
{
  return desc->label && *desc->label ? desc->label : desc->entry;
}

/* Without a list, the kernel ABI's: one pointer per binding, then the struct. */
static void copy_parameters(const xb_kernel_desc *desc, xb_be_kernel *k)
{
  k->parameter_count = desc->parameter_count;
  for (uint32_t i = 0; i < desc->parameter_count; i++)
    k->parameters[i] = desc->parameters[i];
  if (desc->parameter_count)
    return;
  for (uint32_t i = 0; i < desc->binding_count; i++)
    k->parameters[k->parameter_count++] = (xb_parameter){.binding = i};
  if (desc->arg_bytes)
    k->parameters[k->parameter_count++] = (xb_parameter){.bytes = desc->arg_bytes};
}

static xb_code other_count(const xb_kernel_desc *desc, uint32_t found, xb_error *err)
{
  if (desc->parameter_count)
    return xb_fail(err, XB_INVALID, cpu_kernel_label(desc), "the code has %u parameters, the description has %u", found,
                   desc->parameter_count);
  return xb_fail(err, XB_INVALID, cpu_kernel_label(desc),
                 "the code has %u parameters, the description has %u bindings and %s", found, desc->binding_count,
                 desc->arg_bytes ? "arguments" : "no arguments");
}

static xb_code check_parameters(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  const xb_cpu_entry *e = k->entry;
  if (e->param_count + 1 == k->parameter_count && !desc->parameter_count && desc->args_unused)
    k->parameter_count--; /* the code dropped the arguments */
  if (e->param_count != k->parameter_count)
    return other_count(desc, e->param_count, err);
  for (uint32_t i = 0; i < k->parameter_count; i++) {
    const uint32_t bytes = k->parameters[i].bytes;
    const uint32_t expected = bytes ? bytes : (uint32_t)sizeof(void *);
    if (e->param_bytes[i] != expected)
      return xb_fail(err, XB_INVALID, cpu_kernel_label(desc),
                     "parameter %u has %u bytes in the code, %u in the description (%s)", i, e->param_bytes[i],
                     expected, bytes ? "a value" : "an address");
  }
  return XB_OK;
}

/* [kernel] Find an entry point. Its signature defines its bindings, so no layout is needed. */
static xb_code find_entry(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  for (uint32_t i = 0; i < k->module->entry_count && !k->entry; i++)
    if (!strcmp(k->module->entries[i].name, desc->entry))
      k->entry = &k->module->entries[i];
  if (!k->entry)
    return xb_fail(err, XB_INVALID, cpu_kernel_label(desc), "the code has no entry point '%s'", desc->entry);
  return check_parameters(desc, k, err);
}

/* The size of a symbol; 0: there is none. */
static uint64_t symbol_bytes(void *library, const char *name, void **at)
{
  Dl_info where;
  const ElfW(Sym) *symbol = NULL;
  *at = dlsym(library, name);
  if (!*at || !dladdr1(*at, &where, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return 0;
  return symbol->st_size;
}

/* [kernel] Fill the arrays of constant memory: each kernel has its own copy of the module. */
static xb_code set_constants(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  for (uint32_t i = 0; i < desc->constant_count; i++) {
    const xb_constant *c = &desc->constants[i];
    void *at;
    if (symbol_bytes(k->library, c->symbol, &at) < c->bytes)
      return xb_fail(err, XB_INVALID, cpu_kernel_label(desc), "the code has no __constant__ array '%s' of %llu bytes",
                     c->symbol, (unsigned long long)c->bytes);
    memcpy(at, c->data, c->bytes);
  }
  return XB_OK;
}

static xb_code check_limits(const xb_be_device *d, const xb_kernel_desc *desc, xb_kernel_info *info, xb_error *err)
{
  info->max_group_threads = d->info.max_group_threads; /* __launch_bounds__ cannot be read */
  info->subgroup_size = XB_CPU_WARP;
  if (desc->dynamic_shared_bytes > d->info.shared_optin_bytes)
    return xb_fail(err, XB_UNSUPPORTED, cpu_kernel_label(desc),
                   "%u bytes of dynamic shared memory, this device allows %u", desc->dynamic_shared_bytes,
                   d->info.shared_optin_bytes);
  return XB_OK;
}

/* Code that was compiled to be watched says for what. */
static xb_code watch(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  const unsigned char *checks = dlsym(k->library, XB_CPU_WATCHED_SYMBOL);
  if (checks && !(k->watch = xb_cpu_watch_create(*checks)))
    return xb_fail(err, XB_NOMEM, cpu_kernel_label(desc), "out of host memory");
  return XB_OK;
}

xb_code cpu_kernel_create(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                          xb_error *err)
{
  xb_be_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return xb_fail(err, XB_NOMEM, cpu_kernel_label(desc), "out of host memory");
  memcpy(k->group_size, desc->group_size, sizeof k->group_size);
  k->dynamic_shared_bytes = desc->dynamic_shared_bytes;
  copy_parameters(desc, k);
  const double begin = xb_clock_ns();
  xb_code code = cpu_module_load(desc, k, err);
  info->create_ns = xb_clock_ns() - begin;
  if (!code)
    code = find_entry(desc, k, err);
  if (!code)
    code = set_constants(desc, k, err);
  if (!code)
    code = check_limits(d, desc, info, err);
  if (!code)
    code = watch(desc, k, err);
  if (code) {
    cpu_kernel_destroy(d, k);
    return code;
  }
  *kernel = k;
  return XB_OK;
}

void cpu_kernel_destroy(xb_be_device *d, xb_be_kernel *k)
{
  if (d->stuck)
    return;
  xb_cpu_watch_destroy(k->watch);
  if (k->library)
    dlclose(k->library);
  if (k->file)
    close(k->file);
  free(k);
}
