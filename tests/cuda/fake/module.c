/* Modules. The first bytes of a fat binary's only entry decide whether it loads (cubins and PTX always do). The name of
 * an entry point has its parameters: p2a12t64 takes 2 pointers, 12 bytes of arguments, at most 64 threads; 4,8,p takes
 * a value of 4 bytes, one of 8, a pointer, and any number of threads. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct module {
  fake_object object;
  fake_function function;
} module;

static CUresult look_at_fatbin(const void *image)
{
  const char *payload = (const char *)image + 16 + 64;
  uint32_t architecture;
  memcpy(&architecture, (const char *)image + 16 + 28, sizeof architecture);
  if (architecture != (fake_has("ampere") ? 80 : 90))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (!strncmp(payload, "new PTX", 7))
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  return strncmp(payload, "good", 4) != 0 ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *loaded, const void *image, unsigned count, CUjit_option *options, void **values)
{
  const char *const text = image;
  CUresult result = fake_enter_context("cuModuleLoadDataEx");
  if (result)
    return result;
  if ((uintptr_t)image % 8)
    fake_broken("code at an address that is no multiple of 8");
  const bool is_ptx = *text == '.' || *text == '/', is_cubin = !memcmp(text,
                                                                       "\x7f"
                                                                       "ELF",
                                                                       4);
  snprintf(fake.ptx, sizeof fake.ptx, "%s", is_ptx ? text : "");
  for (unsigned i = 0; i < count; i++)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      strcpy(values[i], "line 1; no such thing");
  if (!is_ptx && !is_cubin)
    result = look_at_fatbin(image);
  if (result)
    return result;
  *loaded = fake_new(FAKE_MODULE, sizeof(module));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule handle, const char *name)
{
  module *m = fake_get(handle, FAKE_MODULE);
  const CUresult result = fake_enter_context("cuModuleGetGlobal");
  if (!m || result)
    return result;
  *at = (CUdeviceptr)(uintptr_t)fake_table;
  *bytes = 64;
  return strcmp(name, "table") != 0 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle)
{
  fake_end(handle, FAKE_MODULE);
  return fake_enter_context("cuModuleUnload");
}

static bool parse_name(const char *name, fake_function *f)
{
  unsigned pointers, bytes;
  *f = (fake_function){.max_threads = 1024};
  if (sscanf(name, "p%ua%ut%u", &pointers, &bytes, &f->max_threads) == 3) {
    f->count = pointers + (bytes ? 1 : 0);
    f->bytes[pointers] = bytes;
    return f->count <= FAKE_MAX_PARAMETERS;
  }
  for (const char *at = name; f->count < FAKE_MAX_PARAMETERS; at++) {
    char *end = (char *)at + 1;
    f->bytes[f->count] = *at == 'p' ? 0 : (unsigned)strtoul(at, &end, 10);
    if (*at != 'p' && !f->bytes[f->count])
      return false;
    f->count++;
    at = end;
    if (*at != ',')
      return !*at;
  }
  return false;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
  module *m = fake_get(handle, FAKE_MODULE);
  const CUresult result = fake_enter_context("cuModuleGetFunction");
  if (!m || result)
    return result;
  if (!parse_name(name, &m->function))
    return CUDA_ERROR_NOT_FOUND;
  m->function.steps = strstr(name, "step");
  m->function.holds = strstr(name, "hold");
  *function = (CUfunction)(void *)m;
  return CUDA_SUCCESS;
}

const fake_function *fake_get_function(CUfunction handle)
{
  static const fake_function none;
  const module *m = fake_get((void *)handle, FAKE_MODULE);
  return m ? &m->function : &none;
}

CUresult cuFuncLoad(CUfunction function)
{
  fake_get_function(function);
  return fake_enter_context("cuFuncLoad");
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
  const fake_function *f = fake_get_function(function);
  const CUresult result = fake_enter_context("cuFuncGetParamInfo");
  if (result)
    return result;
  if (index >= f->count)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = index * 8;
  *bytes = f->bytes[index] ? f->bytes[index] : 8;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
  const fake_function *f = fake_get_function(function);
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? (int)f->max_threads
           : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 40
           : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES   ? 512
                                                                : 8;
  return fake_enter_context("cuFuncGetAttribute");
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
  fake_function *f = (fake_function *)fake_get_function(function);
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    f->dynamic_bytes = (unsigned)value;
  else if (attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT || value != 75)
    return CUDA_ERROR_INVALID_VALUE; /* what cuda/scenario.c asks for */
  return fake_enter_context("cuFuncSetAttribute");
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, CUfunction function, int threads,
                                                     size_t dynamic_bytes)
{
  (void)dynamic_bytes;
  fake_get_function(function);
  *groups = 2048 / threads;
  return fake_enter_context("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}

void fake_kernel_work(fake_work *work, CUfunction function, void **parameters)
{
  *work = (fake_work){.kind = FAKE_KERNEL, .function = *fake_get_function(function)};
  const fake_function *f = &work->function;
  for (unsigned i = 0; i < f->count; i++) {
    const size_t bytes = f->bytes[i] ? f->bytes[i] : sizeof(CUdeviceptr);
    if (bytes > sizeof work->parameters - work->parameter_bytes)
      fake_broken("the parameters are too large");
    else
      memcpy(work->parameters + work->parameter_bytes, parameters[i], bytes);
    work->parameter_bytes += bytes;
  }
}
