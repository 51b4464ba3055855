#include "dx.h"

#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

enum { ROOT_WORDS = 64 }; /* D3D12_MAX_ROOT_COST; an address costs 2 */

const char *dx_kernel_label(const xb_kernel_desc *desc)
{
  return desc->label && *desc->label ? desc->label : desc->entry;
}

static xb_code check_device(const xb_be_device *d, const xb_kernel_desc *desc, const dx_reflection *found,
                            xb_error *err)
{
  const char *const label = dx_kernel_label(desc);
  const uint64_t threads = (uint64_t)desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
  const uint32_t words = 2 * found->count + (found->has_arguments ? desc->arg_bytes / 4 : 0);
  if (threads > d->max_group_threads)
    return xb_fail(err, XB_UNSUPPORTED, label, "groups of %llu threads, this device allows %u",
                   (unsigned long long)threads, d->max_group_threads);
  if (words > ROOT_WORDS)
    return xb_fail(err, XB_UNSUPPORTED, label,
                   "%u buffers and %u bytes of arguments need %u words of the root signature, which has only %d",
                   found->count, desc->arg_bytes, words, ROOT_WORDS);
  return XB_OK;
}

/* [kernel] Create the root signature: an address for each buffer, or a table with the descriptor of a typed one; then
 * the arguments as constants. */
static xb_code create_root(xb_be_device *d, xb_be_kernel *k, xb_error *err)
{
  static const D3D12_ROOT_PARAMETER_TYPE TYPES[] = {
      [DX_CBV] = D3D12_ROOT_PARAMETER_TYPE_CBV,
      [DX_SRV] = D3D12_ROOT_PARAMETER_TYPE_SRV,
      [DX_UAV] = D3D12_ROOT_PARAMETER_TYPE_UAV,
  };
  D3D12_ROOT_PARAMETER parameters[XB_MAX_BINDINGS + 1];
  D3D12_DESCRIPTOR_RANGE ranges[XB_MAX_BINDINGS];
  memset(parameters, 0, sizeof parameters);
  for (uint32_t i = 0; i < k->count; i++) {
    ranges[i] = (D3D12_DESCRIPTOR_RANGE){.RangeType = k->registers[i].class == DX_UAV ? D3D12_DESCRIPTOR_RANGE_TYPE_UAV
                                                                                      : D3D12_DESCRIPTOR_RANGE_TYPE_SRV,
                                         .NumDescriptors = 1,
                                         .BaseShaderRegister = k->registers[i].number,
                                         .RegisterSpace = k->registers[i].space};
    if (k->registers[i].typed) {
      parameters[i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
      parameters[i].DescriptorTable.NumDescriptorRanges = 1;
      parameters[i].DescriptorTable.pDescriptorRanges = &ranges[i];
      continue;
    }
    parameters[i].ParameterType = TYPES[k->registers[i].class];
    parameters[i].Descriptor.ShaderRegister = k->registers[i].number;
    parameters[i].Descriptor.RegisterSpace = k->registers[i].space;
  }
  parameters[k->count].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameters[k->count].Constants.Num32BitValues = k->arg_words;
  const D3D12_ROOT_SIGNATURE_DESC desc = {
      .NumParameters = k->count + (k->arg_words ? 1 : 0),
      .pParameters = parameters,
  };
  ID3DBlob *blob = NULL, *message = NULL;
  HRESULT result = dx_serialize_root(d->instance.runtime, &desc, &blob, &message);
  DX_RELEASE(message);
  if (FAILED(result))
    return dx_device_fail(d, err, "D3D12SerializeRootSignature", result);
  void *root = NULL;
  result = ID3D12Device_CreateRootSignature(d->handle, 0, ID3D10Blob_GetBufferPointer(blob),
                                            ID3D10Blob_GetBufferSize(blob), &IID_ID3D12RootSignature, &root);
  DX_RELEASE(blob);
  k->root = FAILED(result) ? NULL : root;
  return FAILED(result) ? dx_device_fail(d, err, "ID3D12Device::CreateRootSignature", result) : XB_OK;
}

/* [kernel] Create the pipeline; `*ns` is the time of the call. The code's checksum protects the runtime. */
static xb_code create_pipeline(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel *k, double *ns, xb_error *err)
{
  const char *const call = "ID3D12Device::CreateComputePipelineState";
  void *code = malloc(desc->code_bytes), *pipeline = NULL; /* aligned, which desc->code need not be */
  if (!code)
    return dx_no_host_memory(err, call);
  memcpy(code, desc->code, desc->code_bytes);
  const D3D12_COMPUTE_PIPELINE_STATE_DESC info = {
      .pRootSignature = k->root,
      .CS = {.pShaderBytecode = code, .BytecodeLength = desc->code_bytes},
  };
  const double begin = xb_clock_ns();
  const HRESULT result = ID3D12Device_CreateComputePipelineState(d->handle, &info, &IID_ID3D12PipelineState, &pipeline);
  *ns = xb_clock_ns() - begin;
  free(code);
  k->pipeline = FAILED(result) ? NULL : pipeline;
  if (!FAILED(result))
    return XB_OK;
  if (result != E_FAIL && result != E_INVALIDARG)
    return dx_device_fail(d, err, call, result);
  char message[256];
  dx_take_message(message, sizeof message);
  return xb_fail_native(err, XB_UNSUPPORTED, call, (int)result, dx_result_name(result), "%s rejects the code of %s%s%s",
                        d->instance.runtime->name, dx_kernel_label(desc), *message ? ": " : "", message);
}

xb_code dx_kernel_create(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err)
{
  dx_reflection found;
  double create_ns = 0;
  xb_be_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return dx_no_host_memory(err, dx_kernel_label(desc));
  xb_code code = dx_reflect(desc, &found, err);
  if (!code)
    code = check_device(d, desc, &found, err);
  if (!code) {
    memcpy(k->registers, found.registers, sizeof k->registers);
    k->count = found.count;
    k->arg_words = found.has_arguments ? desc->arg_bytes / 4 : 0;
    code = create_root(d, k, err);
  }
  if (!code)
    code = create_pipeline(d, desc, k, &create_ns, err);
  if (code) {
    dx_kernel_destroy(d, k);
    return code;
  }
  *info = (xb_kernel_info){
      .access_known = true,
      .read_only_bindings = found.read_only_bindings,
      .uniform_bindings = found.uniform_bindings,
      .texel_bindings = found.texel_bindings,
      .storage_texel_bindings = found.storage_texel_bindings,
      .subgroup_size = d->subgroup_size,
      .max_group_threads = d->max_group_threads,
      .create_ns = create_ns,
  };
  memcpy(info->uniform_bytes, found.uniform_bytes, sizeof info->uniform_bytes);
  *kernel = k;
  return XB_OK;
}

void dx_kernel_destroy(xb_be_device *d, xb_be_kernel *k)
{
  if (!d->dead) {
    DX_RELEASE(k->pipeline);
    DX_RELEASE(k->root);
  }
  free(k);
}
