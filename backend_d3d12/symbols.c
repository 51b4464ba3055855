#define INITGUID /* defines the IID_* here */
#include "symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dx_runtime runtime;
static char missing[256]; /* the reason if there is no runtime, else empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local char message[256];

/* Without it, vkd3d writes to stderr. */
static void keep_message(const char *format, va_list arguments)
{
  vsnprintf(message, sizeof message, format, arguments);
  message[strcspn(message, "\n")] = '\0';
}

void dx_take_message(char *text, size_t bytes)
{
  snprintf(text, bytes, "%s", message);
  *message = '\0';
}

static void *open_library(const char *name, const char *what_to_do)
{
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library && !*missing)
    snprintf(missing, sizeof missing, "%.120s: %s", dlerror(), what_to_do);
  return library;
}

static void keep_missing(const char *name)
{
  if (!*missing)
    snprintf(missing, sizeof missing, "vkd3d or the Vulkan loader has no %s: install newer ones", name);
}

/* ISO C has no cast from dlsym's data pointer to a function. */
static void find(void *library, const char *name, void *function)
{
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  if (!symbol)
    keep_missing(name);
}

static void open_vkd3d(void)
{
  static const char GET[] = "script/fetch vkd3d gets vkd3d 2, and build/vkd3d/run starts programs with it";
  const char *(*version)(unsigned int *major, unsigned int *minor) = NULL;
  void (*set_log)(void (*)(const char *, va_list)) = NULL;
  unsigned int major = 0, minor = 0;
  void *const vkd3d = open_library("libvkd3d.so.1", GET);
  void *const shaders = open_library("libvkd3d-shader.so.1", GET);
  if (*missing)
    return;
  find(shaders, "vkd3d_shader_get_version", &version);
  if (version)
    version(&major, &minor);
  if (major < 2) {
    snprintf(missing, sizeof missing, "libvkd3d.so.1 is vkd3d %u.%u, which does not read DXIL: %s", major, minor, GET);
    return;
  }
  snprintf(runtime.name, sizeof runtime.name, "vkd3d %u.%u over Vulkan", major, minor);
  find(vkd3d, "vkd3d_create_instance", &runtime.create_instance);
  find(vkd3d, "vkd3d_instance_decref", &runtime.instance_decref);
  find(vkd3d, "vkd3d_instance_get_vk_instance", &runtime.instance_get_vk_instance);
  find(vkd3d, "vkd3d_create_device", &runtime.create_device);
  find(vkd3d, "vkd3d_serialize_root_signature", &runtime.serialize_root_signature);
  find(vkd3d, "vkd3d_set_log_callback", &set_log);
  if (set_log)
    set_log(keep_message);
}

/* It has the functions of d3d12.dll, and no version. */
static bool open_proton(void)
{
  void *const proton = dlopen("libvkd3d-proton-d3d12.so", RTLD_NOW | RTLD_LOCAL);
  if (!proton)
    return false;
  *missing = '\0';
  snprintf(runtime.name, sizeof runtime.name, "vkd3d-proton over Vulkan");
  find(proton, "D3D12CreateDevice", &runtime.D3D12CreateDevice);
  find(proton, "D3D12SerializeRootSignature", &runtime.D3D12SerializeRootSignature);
  return true;
}

static void open_once(void)
{
  open_vkd3d();
  if (*missing && !open_proton())
    return;
  void *const vulkan = open_library("libvulkan.so.1", "install libvulkan1");
  if (vulkan)
    find(vulkan, "vkGetInstanceProcAddr", &runtime.GetInstanceProcAddr);
}

HRESULT dx_serialize_root(const dx_runtime *r, const D3D12_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob,
                          ID3DBlob **message_blob)
{
  return r->D3D12SerializeRootSignature
             ? r->D3D12SerializeRootSignature(desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, message_blob)
             : r->serialize_root_signature(desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, message_blob);
}

const dx_runtime *dx_runtime_get(xb_error *err)
{
  pthread_once(&once, open_once);
  if (!*missing)
    return &runtime;
  xb_fail(err, XB_UNAVAILABLE, "d3d12", "%s", missing);
  return NULL;
}
