/* Microsoft's runtime: d3d12.dll, the adapters of DXGI, and the debug layer. It has no UUID: these devices are merged
 * with those of other APIs by their LUID. */
#define INITGUID /* defines the IID_* here */
#include "dx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXELS_POWER = 27 }; /* D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP */

static dx_runtime runtime;
static char missing[128]; /* the reason if there is no runtime, else empty */
static INIT_ONCE once = INIT_ONCE_STATIC_INIT;

/* ISO C has no cast from one function to another of any type. */
static void find(const char *library, const char *name, void *function)
{
  const HMODULE module = LoadLibraryExA(library, NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
  const FARPROC symbol = module ? GetProcAddress(module, name) : NULL;
  memcpy(function, &symbol, sizeof symbol);
  if (!symbol && !*missing)
    snprintf(missing, sizeof missing, "%s has no %s: Direct3D 12 needs Windows 10", library, name);
}

/* Results must say that this is not Microsoft's runtime. */
static void name_runtime(void)
{
  const HMODULE ntdll = GetModuleHandleA("ntdll.dll");
  const FARPROC symbol = ntdll ? GetProcAddress(ntdll, "wine_get_version") : NULL;
  const char *(*version)(void);
  memcpy(&version, &symbol, sizeof version);
  snprintf(runtime.name, sizeof runtime.name, "d3d12.dll%s%s", version ? " of Wine " : "", version ? version() : "");
}

static BOOL CALLBACK open_once(PINIT_ONCE control, void *unused, void **context)
{
  (void)control, (void)unused, (void)context;
  find("d3d12.dll", "D3D12CreateDevice", &runtime.D3D12CreateDevice);
  find("d3d12.dll", "D3D12SerializeRootSignature", &runtime.D3D12SerializeRootSignature);
  find("d3d12.dll", "D3D12GetDebugInterface", &runtime.D3D12GetDebugInterface);
  find("dxgi.dll", "CreateDXGIFactory1", &runtime.CreateDXGIFactory1);
  name_runtime();
  return TRUE;
}

const dx_runtime *dx_runtime_get(xb_error *err)
{
  InitOnceExecuteOnce(&once, open_once, NULL, NULL);
  if (!*missing)
    return &runtime;
  xb_fail(err, XB_UNAVAILABLE, "d3d12", "%s", missing);
  return NULL;
}

HRESULT dx_serialize_root(const dx_runtime *r, const D3D12_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob,
                          ID3DBlob **message)
{
  return r->D3D12SerializeRootSignature(desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, message);
}

void dx_take_message(char *text, size_t bytes)
{
  if (bytes)
    *text = '\0';
}

/* ---- Why a device was removed (DRED) ----------------------------------------------------------------------------- */

/* The parts that are used of interfaces that older headers lack: ID3D12DeviceRemovedExtendedDataSettings and
 * ID3D12DeviceRemovedExtendedData, of Windows 10 1903. */
#define UNKNOWN(type)                                                                                                  \
  HRESULT(STDMETHODCALLTYPE *QueryInterface)(type *, REFIID, void **);                                                 \
  ULONG(STDMETHODCALLTYPE *AddRef)(type *);                                                                            \
  ULONG(STDMETHODCALLTYPE *Release)(type *)

typedef struct dred_settings {
  struct {
    UNKNOWN(struct dred_settings);
    void(STDMETHODCALLTYPE *SetAutoBreadcrumbsEnablement)(struct dred_settings *, int);
    void(STDMETHODCALLTYPE *SetPageFaultEnablement)(struct dred_settings *, int);
  } * lpVtbl;
} dred_settings;

typedef struct dred_fault {
  UINT64 address; /* 0: there was none */
  const void *allocated, *freed;
} dred_fault;

typedef struct dred_data {
  struct {
    UNKNOWN(struct dred_data);
    HRESULT(STDMETHODCALLTYPE *GetAutoBreadcrumbsOutput)(struct dred_data *, void *);
    HRESULT(STDMETHODCALLTYPE *GetPageFaultAllocationOutput)(struct dred_data *, dred_fault *);
  } * lpVtbl;
} dred_data;

static const IID DRED_SETTINGS = {0x82bc481c, 0x6b9b, 0x4030, {0xae, 0xdb, 0x7e, 0xe3, 0xd1, 0xdf, 0x1e, 0x63}};
static const IID DRED_DATA = {0x98931d33, 0x5ae8, 0x4791, {0xaa, 0x3c, 0x1a, 0x73, 0xa2, 0x93, 0x4e, 0x71}};

/* It takes time, so it is only done with the debug layer. */
static void record_faults(const dx_runtime *r)
{
  enum { FORCED_ON = 2 };
  void *found = NULL;
  if (FAILED(r->D3D12GetDebugInterface(&DRED_SETTINGS, &found)))
    return;
  dred_settings *const settings = found;
  settings->lpVtbl->SetPageFaultEnablement(settings, FORCED_ON);
  settings->lpVtbl->Release(settings);
}

void dx_removal_details(ID3D12Device *device, char *text, size_t bytes)
{
  void *found = NULL;
  dred_fault fault = {0};
  *text = '\0';
  if (FAILED(ID3D12Device_QueryInterface(device, &DRED_DATA, &found)))
    return;
  dred_data *const data = found;
  if (SUCCEEDED(data->lpVtbl->GetPageFaultAllocationOutput(data, &fault)) && fault.address)
    snprintf(text, bytes, "; a kernel reached address 0x%llx, where %s", (unsigned long long)fault.address,
             fault.freed       ? "memory had been freed"
             : fault.allocated ? "memory is allocated"
                               : "no memory was");
  data->lpVtbl->Release(data);
}

/* ---- The debug layer -------------------------------------------------------------------------------------------- */

static xb_code enable_validation(const dx_runtime *r, xb_error *err)
{
  void *debug = NULL;
  const HRESULT result = r->D3D12GetDebugInterface(&IID_ID3D12Debug, &debug);
  ID3D12Debug *const layer = debug;
  if (FAILED(result))
    return xb_fail_native(err, XB_UNAVAILABLE, "D3D12GetDebugInterface", (int)result, dx_result_name(result),
                          "there is no debug layer: install the optional feature 'Graphics Tools' of Windows");
  ID3D12Debug_EnableDebugLayer(layer);
  ID3D12Debug_Release(layer);
  record_faults(r);
  return XB_OK;
}

/* The first error that the queue holds. */
static xb_code report(ID3D12InfoQueue *queue, xb_error *err)
{
  const UINT64 count = ID3D12InfoQueue_GetNumStoredMessages(queue);
  xb_code code = XB_OK;
  for (UINT64 i = 0; i < count && !code; i++) {
    SIZE_T bytes = 0;
    D3D12_MESSAGE *message = NULL;
    if (FAILED(ID3D12InfoQueue_GetMessage(queue, i, NULL, &bytes)) || !(message = malloc(bytes)))
      continue;
    if (SUCCEEDED(ID3D12InfoQueue_GetMessage(queue, i, message, &bytes)) &&
        message->Severity <= D3D12_MESSAGE_SEVERITY_ERROR)
      code = xb_fail(err, XB_INTERNAL, "the debug layer", "%s", message->pDescription);
    free(message);
  }
  ID3D12InfoQueue_ClearStoredMessages(queue);
  return code;
}

xb_code dx_validated(ID3D12Device *device, xb_error *err)
{
  void *queue = NULL;
  if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, &queue)))
    return XB_OK; /* the layer is off */
  const xb_code code = report(queue, err);
  ID3D12InfoQueue_Release((ID3D12InfoQueue *)queue);
  return code;
}

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

xb_code dx_instance_create(bool validation, dx_instance *instance, xb_error *err)
{
  *instance = (dx_instance){.runtime = dx_runtime_get(err)};
  if (!instance->runtime)
    return XB_UNAVAILABLE;
  const xb_code code = validation ? enable_validation(instance->runtime, err) : XB_OK;
  if (code)
    return code;
  void *made = NULL;
  const HRESULT result = instance->runtime->CreateDXGIFactory1(&IID_IDXGIFactory4, &made);
  if (FAILED(result))
    return dx_fail(err, "CreateDXGIFactory1", result);
  instance->factory = made;
  for (IDXGIAdapter1 *adapter; SUCCEEDED(IDXGIFactory4_EnumAdapters1(instance->factory, instance->count, &adapter));) {
    IDXGIAdapter1 **more = realloc(instance->devices, (instance->count + 1) * sizeof *more);
    if (!more) {
      IDXGIAdapter1_Release(adapter);
      return dx_no_host_memory(err, "IDXGIFactory1::EnumAdapters1");
    }
    instance->devices = more;
    more[instance->count++] = adapter;
  }
  return instance->count ? XB_OK : xb_fail(err, XB_UNAVAILABLE, "d3d12", "DXGI lists no adapter");
}

void dx_instance_destroy(dx_instance *instance)
{
  for (uint32_t i = 0; i < instance->count; i++)
    IDXGIAdapter1_Release(instance->devices[i]);
  free(instance->devices);
  DX_RELEASE(instance->factory);
  *instance = (dx_instance){0};
}

xb_code dx_instance_open(const dx_instance *instance, uint32_t index, ID3D12Device **device, xb_error *err)
{
  void *made = NULL;
  const HRESULT result = instance->runtime->D3D12CreateDevice((IUnknown *)instance->devices[index],
                                                              D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &made);
  *device = FAILED(result) ? NULL : made;
  return FAILED(result) ? dx_fail(err, "D3D12CreateDevice", result) : XB_OK;
}

static void describe_shaders(const dx_instance *instance, uint32_t index, xb_device_info *info)
{
  D3D12_FEATURE_DATA_D3D12_OPTIONS options = {0};
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 waves = {0};
  D3D12_FEATURE_DATA_ARCHITECTURE kind = {0};
  ID3D12Device *device;
  if (dx_instance_open(instance, index, &device, NULL))
    return;
  ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options);
  ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_D3D12_OPTIONS1, &waves, sizeof waves);
  ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_ARCHITECTURE, &kind, sizeof kind);
  ID3D12Device_Release(device);
  info->features |= (options.DoublePrecisionFloatShaderOps ? XB_FEATURE_FLOAT64 : 0u) |
                    (waves.Int64ShaderOps ? XB_FEATURE_INT64 : 0u);
  if (!waves.WaveOps) /* its lane counts are 0 then: each thread is a wave of its own */
    waves.WaveLaneCountMin = waves.WaveLaneCountMax = 1;
  info->subgroup_size = info->subgroup_min = waves.WaveLaneCountMin;
  info->subgroup_max = waves.WaveLaneCountMin == waves.WaveLaneCountMax ? waves.WaveLaneCountMax : 128;
  info->type = info->type != XB_DEVICE_CPU && kind.UMA ? XB_DEVICE_INTEGRATED : info->type;
}

void dx_describe_device(const dx_instance *instance, uint32_t index, xb_device_info *info)
{
  DXGI_ADAPTER_DESC1 adapter = {0};
  LARGE_INTEGER driver = {0};
  IDXGIAdapter1_GetDesc1(instance->devices[index], &adapter);
  IDXGIAdapter1_CheckInterfaceSupport(instance->devices[index], &IID_IDXGIDevice, &driver);
  const bool software = adapter.Flags & DXGI_ADAPTER_FLAG_SOFTWARE; /* WARP, which Windows lists behind the GPUs */
  *info = (xb_device_info){
      .backend = "d3d12",
      .code = "dxil",
      .index = index,
      .type = software ? XB_DEVICE_CPU : XB_DEVICE_DISCRETE,
      .features = XB_FEATURE_INDIRECT,
      .memory_bytes = software ? adapter.SharedSystemMemory : adapter.DedicatedVideoMemory,
      .queues = {[XB_QUEUE_COMPUTE] = {.present = true, .timestamp_bits = 64, .count = 1},
                 [XB_QUEUE_COPY] = {.present = true, .count = 1}},
      .launch_modes = 1u << XB_LAUNCH_COMMAND_BUFFER,
      .max_binding_bytes = (UINT64_C(1) << TEXELS_POWER) * 4,
      .binding_align = 16,
      .max_group_threads = DX_MOST_THREADS,
  };
  info->has_luid = true;
  memcpy(info->luid, &adapter.AdapterLuid, sizeof info->luid);
  info->max_buffer_bytes = info->max_binding_bytes;
  WideCharToMultiByte(CP_UTF8, 0, adapter.Description, -1, info->name, sizeof info->name, NULL, NULL);
  info->name[sizeof info->name - 1] = '\0';
  snprintf(info->driver, sizeof info->driver, "%u.%u.%u.%u", HIWORD(driver.HighPart), LOWORD(driver.HighPart),
           HIWORD(driver.LowPart), LOWORD(driver.LowPart));
  snprintf(info->api_version, sizeof info->api_version, "through %.40s", instance->runtime->name);
  dx_describe_limits(info);
  describe_shaders(instance, index, info);
}
