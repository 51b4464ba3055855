/* SPIR-V from a caller, as kernel creation reads it: it is checked, validated and reflected. The first bytes are the
 * kernel's description. */
#include "backend_vulkan/vk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROW_BYTES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size < ROW_BYTES)
    return 0;
  char *code = malloc(size - ROW_BYTES + 1);
  if (!code)
    return 0;
  memcpy(code, data + ROW_BYTES, size - ROW_BYTES);
  const uint32_t bindings = (uint8_t)(data[0] - '0') % (XB_MAX_BINDINGS + 1u);
  const uint32_t group = (uint8_t)(data[1] - '0'), unused = (uint8_t)(data[2] - '0'), args = (uint8_t)(data[3] - '0');
  const xb_specialization special = {.id = args & 15, .bytes = group & 8, .value = unused};
  const xb_kernel_desc desc = {.label = "fuzz",
                               .code = code,
                               .code_bytes = size - ROW_BYTES,
                               .entry = "main",
                               .group_size = {1u << (group & 15), 1, 1},
                               .binding_count = bindings,
                               .unused_bindings = unused & (uint32_t)((UINT64_C(1) << bindings) - 1),
                               .arg_bytes = 4 * (args & 31),
                               .args_unused = args >> 5 & 1,
                               .specializations = &special,
                               .specialization_count = unused >> 7};
  static const uint32_t versions[] = {VK_API_VERSION_1_1, VK_API_VERSION_1_2, VK_API_VERSION_1_3};
  xb_error error;
  vk_spirv spirv;
  vk_reflection found;
  static const vk_traits traits = {.shared_bytes = 32768,
                                   .subgroup_operations = 0xFF,
                                   .features = UINT32_MAX,
                                   .capabilities = {UINT64_MAX, UINT64_MAX}};
  if (!vk_spirv_read(&desc, versions[(args >> 6) % 3], &spirv, &error) &&
      !vk_check_requirements(&desc, &traits, &spirv, &error))
    vk_reflect(&desc, &spirv, &found, &error);
  vk_spirv_free(&spirv);
  free(code);
  return 0;
}
