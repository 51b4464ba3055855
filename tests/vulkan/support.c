#include "support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blob.h"
#include "shaders/args.h"

const xb_shim_control *shim;
const xb_backend *vulkan;

static bool find_shim(void)
{
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "xb_shim") : NULL;
  xb_shim_get get;
  memcpy(&get, &symbol, sizeof symbol);
  if (symbol)
    shim = get();
  return shim;
}

/* Only this process searches the shim's folder, which is beside the program. */
static void restart(void)
{
  char path[4096], variable[sizeof path + 4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0 || getenv("XB_SHIM_STARTED"))
    return;
  path[length] = '\0';
  const char *before = getenv("LD_LIBRARY_PATH");
  const int folder = (int)(strrchr(path, '/') - path);
  snprintf(variable, sizeof variable, "%.*s/vulkan_shim%s%s", folder, path, before ? ":" : "", before ? before : "");
  setenv("LD_LIBRARY_PATH", variable, 1);
  setenv("XB_SHIM_STARTED", "1", 1);
  execv(path, test_command_line);
}

static xb_code try_open(bool validation, xb_error *err)
{
  xb_device *device;
  const xb_code code = xb_device_open(&(xb_device_desc){.backend = vulkan, .validation = validation}, &device, err);
  return code ? code : xb_device_close(device, err);
}

bool support_has_layer(void)
{
  xb_error err;
  return !try_open(true, &err);
}

int support_start(bool layer_needed)
{
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (!find_shim()) {
    restart();
    printf("FAILED: vulkan_shim/libvulkan.so.1 is not beside this program\n");
    return 1;
  }
  vulkan = xb_backend_find("vulkan");
  if (!vulkan)
    return test_unavailable("vulkan", "this build has no Vulkan backend");
  xb_error err;
  xb_code code = try_open(false, &err);
  /* The layer stays loaded: a report of its leaks then names it, and lsan.supp knows it by its name. */
  dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_LOCAL);
  if (!code && shim->alive() != 1) {
    printf("FAILED: a device was opened and closed, and %u objects are left instead of one instance\n", shim->alive());
    return 1;
  }
  shim->bury(); /* tests count their own objects */
  if (!code && layer_needed)
    code = try_open(true, &err);
  if (code == XB_UNAVAILABLE)
    return test_unavailable("vulkan", err.message);
  if (code)
    printf("FAILED: %s\n", err.message);
  return code ? 1 : 0;
}

int support_begin(void)
{
  return support_start(false);
}

void expect_ok(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s: %s", xb_code_name(code), err->message);
}

void expect_error(xb_code code, const xb_error *err, xb_code wanted, const char *text)
{
  if (code != wanted || !strstr(err->message, text))
    fail_msg("expected %s with '%s', got %s: %s", xb_code_name(wanted), text, xb_code_name(code),
             code ? err->message : "");
}

void expect_clean(void)
{
  if (shim->fault())
    fail_msg("%s", shim->fault());
  if (shim->alive())
    fail_msg("%u objects left, the first one needs %s", shim->alive(), shim->first_alive());
}

xb_device *open_device(bool validation)
{
  xb_device *device;
  xb_error err;
  expect_ok(xb_device_open(&(xb_device_desc){.backend = vulkan, .validation = validation}, &device, &err), &err);
  return device;
}

void close_device(xb_device *device)
{
  xb_error err;
  expect_ok(xb_device_close(device, &err), &err);
  expect_clean();
}

static xb_kernel_desc blob_desc(int blob, uint32_t bindings, uint32_t arg_bytes)
{
  return (xb_kernel_desc){.label = xb_blobs[blob].name,
                          .code = xb_blobs[blob].data,
                          .code_bytes = xb_blobs[blob].bytes,
                          .entry = "main",
                          .group_size = {64, 1, 1},
                          .binding_count = bindings,
                          .arg_bytes = arg_bytes};
}

xb_kernel_desc step_desc(void)
{
  return blob_desc(0, 2, sizeof(struct step_args));
}

xb_kernel_desc places_desc(void)
{
  static const xb_location places[] = {{2, 7, 0}, {0, 3, 0}, {3, 1000, 0}, {2, 1, 0}};
  xb_kernel_desc desc = blob_desc(1, 4, 0);
  desc.locations = places;
  return desc;
}

xb_kernel_desc texels_desc(void)
{
  return blob_desc(2, 4, sizeof(struct texels_args));
}

/* With full subgroups where the device has them. */
xb_code step_kernel(xb_device *device, xb_kernel **kernel, xb_error *err)
{
  xb_kernel_desc desc = step_desc();
  desc.subgroup_size = xb_device_get_info(device)->subgroup_size;
  const xb_code code = xb_kernel_create(device, &desc, kernel, err);
  desc.subgroup_size = 0;
  return code == XB_UNSUPPORTED ? xb_kernel_create(device, &desc, kernel, err) : code;
}
