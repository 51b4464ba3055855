/* The runtime of Direct3D 12: vkd3d, over Vulkan. It is opened at run time. */
#ifndef XB_D3D12_SYMBOLS_H
#define XB_D3D12_SYMBOLS_H

#define COBJMACROS
#define WIDL_C_INLINE_WRAPPERS
#define VKD3D_NO_PROTOTYPES
#include <vkd3d.h>

#include "xb/error.h"

typedef struct dx_runtime {
  char name[64]; /* "vkd3d 2.1 over Vulkan": results must say that this is not Microsoft's runtime */
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  PFN_vkd3d_create_instance create_instance;
  PFN_vkd3d_instance_decref instance_decref;
  PFN_vkd3d_instance_get_vk_instance instance_get_vk_instance;
  PFN_vkd3d_create_device create_device;
  PFN_vkd3d_serialize_root_signature serialize_root_signature;
} dx_runtime;

/* XB_UNAVAILABLE if it is missing or too old. */
const dx_runtime *dx_runtime_get(xb_error *err);
/* Moves the last message of the runtime on this thread to `text`, which becomes empty if there is none. */
void dx_take_message(char *text, size_t bytes);

#endif
