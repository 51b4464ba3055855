/* The runtime of Direct3D 12, opened at run time: on Windows d3d12.dll; elsewhere vkd3d, or vkd3d-proton, over Vulkan.
 */
#ifndef XB_D3D12_SYMBOLS_H
#define XB_D3D12_SYMBOLS_H

#define COBJMACROS
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <d3d12.h>
#include <d3d12sdklayers.h>
#include <dxgi1_4.h>
#else
#define WIDL_C_INLINE_WRAPPERS
#define VKD3D_NO_PROTOTYPES
#include <vkd3d.h>
#endif

#include "xb/error.h"

typedef struct dx_runtime {
  char name[64]; /* "vkd3d 2.1 over Vulkan": results must say that this is not Microsoft's runtime */
  /* Of d3d12.dll and vkd3d-proton. NULL: it is vkd3d. */
  HRESULT(WINAPI *D3D12CreateDevice)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
  HRESULT(WINAPI *D3D12SerializeRootSignature)
  (const D3D12_ROOT_SIGNATURE_DESC *, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob **, ID3DBlob **);
#ifdef _WIN32
  HRESULT(WINAPI *D3D12GetDebugInterface)(REFIID, void **);
  HRESULT(WINAPI *CreateDXGIFactory1)(REFIID, void **);
#else
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  PFN_vkd3d_create_instance create_instance;
  PFN_vkd3d_instance_decref instance_decref;
  PFN_vkd3d_instance_get_vk_instance instance_get_vk_instance;
  PFN_vkd3d_create_device create_device;
  PFN_vkd3d_serialize_root_signature serialize_root_signature;
#endif
} dx_runtime;

/* XB_UNAVAILABLE if it is missing or too old. */
const dx_runtime *dx_runtime_get(xb_error *err);
HRESULT dx_serialize_root(const dx_runtime *runtime, const D3D12_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob,
                          ID3DBlob **message);
/* Moves the last message of the runtime on this thread to `text`, which becomes empty if there is none. */
void dx_take_message(char *text, size_t bytes);

#endif
