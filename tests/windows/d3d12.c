/* d3d12.dll over vkd3d, which is linked to it. Of DXGI's adapters any is the first device of Vulkan.
 * script/fetch vkd3d-windows builds it. */
#define COBJMACROS
#define INITGUID
#include <d3d12.h>
#include <vkd3d.h>

#include <string.h>

static HRESULT signal_event(HANDLE event)
{
  return SetEvent(event) ? S_OK : E_FAIL;
}

static PFN_vkGetInstanceProcAddr open_vulkan(void)
{
  const HMODULE library = LoadLibraryA("vulkan-1.dll");
  const FARPROC symbol = library ? GetProcAddress(library, "vkGetInstanceProcAddr") : NULL;
  PFN_vkGetInstanceProcAddr function;
  memcpy(&function, &symbol, sizeof function);
  return function;
}

__declspec(dllexport) HRESULT WINAPI
    D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL level, REFIID iid, void **device)
{
  const struct vkd3d_application_info application = {
      .type = VKD3D_STRUCTURE_TYPE_APPLICATION_INFO,
      .api_version = VKD3D_API_VERSION_1_2,
  };
  const struct vkd3d_instance_create_info instance = {
      .type = VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .next = &application,
      .pfn_signal_event = signal_event,
      .wchar_size = sizeof(WCHAR),
      .pfn_vkGetInstanceProcAddr = open_vulkan(),
  };
  const struct vkd3d_device_create_info info = {
      .type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .minimum_feature_level = level,
      .instance_create_info = &instance,
  };
  (void)adapter;
  return instance.pfn_vkGetInstanceProcAddr ? vkd3d_create_device(&info, iid, device) : E_FAIL;
}

__declspec(dllexport) HRESULT WINAPI D3D12GetDebugInterface(REFIID iid, void **made)
{
  (void)iid, (void)made;
  return E_NOINTERFACE;
}

__declspec(dllexport) HRESULT WINAPI
    D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                                ID3DBlob **blob, ID3DBlob **message)
{
  return vkd3d_serialize_root_signature(desc, version, blob, message);
}
