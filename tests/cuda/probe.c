/* probe list | open INDEX MODE | kernel KIND ARCHITECTURE PAYLOAD ENTRY [SHARED]: runs the command with the
 * libcuda.so.1 that the environment selects, and prints the result. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ended(xb_code code, const xb_error *err)
{
  printf("%s %s\n", xb_code_name(code), code ? err->message : "");
  return code ? 1 : 0;
}

static int list(void)
{
  xb_device_info infos[4];
  uint32_t count = 0;
  xb_error err = {0};
  const xb_code code = xb_enumerate(&xb_backend_cuda, infos, 4, &count, &err);
  for (uint32_t i = 0; i < count; i++)
    printf("%u %s, %s, pci %s, sm_%u, uuid %02x, luid %02x, shared %u/%u, launch %d\n", infos[i].index, infos[i].name,
           infos[i].driver, infos[i].pci, infos[i].compute_capability, infos[i].uuid[15],
           infos[i].has_luid ? infos[i].luid[7] : 0u, infos[i].shared_bytes, infos[i].shared_optin_bytes,
           (int)infos[i].launch_mode);
  return ended(code, &err);
}

static xb_code make_kernel(xb_device *device, int argc, char **argv, xb_error *err)
{
  size_t bytes;
  void *code = make_fatbin((uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), argv[4], &bytes);
  const xb_kernel_desc desc = {.label = "it",
                               .code = code,
                               .code_bytes = bytes,
                               .entry = argv[5],
                               .group_size = {64, 1, 1},
                               .binding_count = 2,
                               .arg_bytes = 12,
                               .dynamic_shared_bytes = argc > 6 ? (uint32_t)atoi(argv[6]) : 0};
  xb_kernel *kernel = NULL;
  const xb_code result = xb_kernel_create(device, &desc, &kernel, err);
  if (!result) {
    const xb_kernel_info *k = xb_kernel_get_info(kernel);
    printf("registers %u, shared %u, spills %u, threads %u, groups %u, subgroup %u\n", k->registers, k->shared_bytes,
           k->spill_bytes, k->max_group_threads, k->groups_per_multiprocessor, k->subgroup_size);
  }
  xb_kernel_destroy(kernel);
  free(code);
  return result;
}

int main(int argc, char **argv)
{
  if (argc < 2 || !strcmp(argv[1], "list"))
    return list();
  xb_error err = {0};
  const bool open = !strcmp(argv[1], "open");
  const xb_device_desc desc = {.backend = &xb_backend_cuda,
                               .index = open && argc > 2 ? (uint32_t)atoi(argv[2]) : 0,
                               .launch_mode = open && argc > 3 ? (xb_launch_mode)atoi(argv[3]) : XB_LAUNCH_DEFAULT};
  xb_device *device;
  xb_code code = xb_device_open(&desc, &device, &err);
  if (code)
    return ended(code, &err);
  printf("launch %d\n", (int)xb_device_get_info(device)->launch_mode);
  if (!open && argc > 5)
    code = make_kernel(device, argc, argv, &err);
  const xb_code closed = xb_device_close(device, code ? NULL : &err);
  return ended(code ? code : closed, &err);
}
