#define _GNU_SOURCE /* dladdr1 */
#include "cpu.h"

#include "core/clock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
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
    const uint32_t found = e->param_bytes[i] & ~XB_CPU_POINTER;
    if (found != expected)
      return xb_fail(err, XB_INVALID, cpu_kernel_label(desc),
                     "parameter %u has %u bytes in the code, %u in the description (%s)", i, found, expected,
                     bytes ? "a value" : "an address");
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

/* The program headers of the module at `base` say that the loader left this range writable. */
static bool is_writable(const void *base, const void *at, uint64_t bytes)
{
  const ElfW(Ehdr) *head = base;
  const ElfW(Phdr) *part = (const void *)((const char *)base + head->e_phoff);
  const uint64_t from = (uint64_t)((const char *)at - (const char *)base);
  bool writable = false;
  for (int i = 0; i < head->e_phnum; i++) {
    const uint64_t into = from - part[i].p_vaddr;
    const bool inside = from >= part[i].p_vaddr && bytes <= part[i].p_memsz && into <= part[i].p_memsz - bytes;
    if (part[i].p_type == PT_GNU_RELRO && inside)
      return false;
    writable |= part[i].p_type == PT_LOAD && part[i].p_flags & PF_W && inside;
  }
  return writable;
}

/* The size of a variable that the kernel's source declares; 0: there is none of this name, or it never changes. A
 * module's own symbols, and those of the libraries that it needs, are none. */
static uint64_t variable_bytes(const xb_be_kernel *k, const char *name, void **at)
{
  Dl_info where, module;
  const ElfW(Sym) *symbol = NULL;
  *at = strncmp(name, "xb_cpu_", 7) != 0 ? dlsym(k->library, name) : NULL;
  if (!*at || !dladdr(k->module, &module) || !dladdr1(*at, &where, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return 0;
  return where.dli_fbase == module.dli_fbase && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT &&
                 is_writable(where.dli_fbase, *at, symbol->st_size)
             ? symbol->st_size
             : 0;
}

/* [kernel] Fill the arrays of constant memory: each kernel has its own copy of the module. */
static xb_code set_constants(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  for (uint32_t i = 0; i < desc->constant_count; i++) {
    const xb_constant *c = &desc->constants[i];
    void *at;
    if (variable_bytes(k, c->symbol, &at) < c->bytes)
      return xb_fail(err, XB_INVALID, cpu_kernel_label(desc), "the code has no __constant__ array '%s' of %llu bytes",
                     c->symbol, (unsigned long long)c->bytes);
    memcpy(at, c->data, c->bytes);
  }
  return XB_OK;
}

/* Where the module says for which groups its entry is written (XB_CPU_GROUP_SIZE). */
static xb_code check_group(const xb_kernel_desc *desc, const xb_be_kernel *k, xb_error *err)
{
  char symbol[160];
  snprintf(symbol, sizeof symbol, "xb_cpu_group_%s", desc->entry);
  const uint32_t *has = dlsym(k->library, symbol), *asked = desc->group_size;
  if (!has || !memcmp(has, asked, sizeof desc->group_size))
    return XB_OK;
  return xb_fail(err, XB_INVALID, cpu_kernel_label(desc),
                 "the code has groups of %u x %u x %u threads, the description has %u x %u x %u", has[0], has[1],
                 has[2], asked[0], asked[1], asked[2]);
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
  xb_code code = !strcmp(d->info.code, "spv") ? cpu_shader_load(d, desc, k, info, err) : cpu_module_load(desc, k, err);
  info->create_ns = xb_clock_ns() - begin;
  if (!code && k->wave) {
    *kernel = k;
    return XB_OK;
  }
  if (!code)
    code = find_entry(desc, k, err);
  if (!code)
    code = check_group(desc, k, err);
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
  if (k->file && !(k->library && cpu_module_stays(k->file)))
    close(k->file);
  free(k);
}
