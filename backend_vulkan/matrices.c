/* Shapes of cooperative matrices: each device has a list of its own. */
#include "vk.h"

#include <stdlib.h>

#define E5M2 (1u << 31) /* beside the features: the second format of float8 */

static const struct {
  uint32_t rows, columns, inner;
  VkComponentTypeKHR in, out;
  uint32_t feature;
} shapes[] = {
    {16, 16, 16, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, XB_FEATURE_MATRICES},
    {16, 8, 16, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, XB_FEATURE_MATRICES_16_8_16},
    {16, 8, 8, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, XB_FEATURE_MATRICES_16_8_8},
    {16, 16, 16, VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, XB_FEATURE_BFLOAT16_MATRICES},
    {16, 16, 32, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR, XB_FEATURE_INT8_MATRICES},
    {16, 16, 32, VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT32_KHR, XB_FEATURE_FLOAT8_MATRICES},
    {16, 16, 32, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, VK_COMPONENT_TYPE_FLOAT32_KHR, E5M2},
};

static uint32_t feature_of(const VkCooperativeMatrixPropertiesKHR *p)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes && p->scope == VK_SCOPE_SUBGROUP_KHR; i++)
    if (p->MSize == shapes[i].rows && p->NSize == shapes[i].columns && p->KSize == shapes[i].inner &&
        p->AType == shapes[i].in && p->BType == shapes[i].in && p->CType == shapes[i].out &&
        p->ResultType == shapes[i].out && !p->saturatingAccumulation)
      return shapes[i].feature;
  return 0;
}

uint32_t vk_matrices(const vk_instance *instance, VkPhysicalDevice physical)
{
  const PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR get =
      instance->vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
  uint32_t count = 0, found = 0;
  if (!get || get(physical, &count, NULL))
    return 0;
  const uint32_t room = count;
  VkCooperativeMatrixPropertiesKHR *list = calloc(room + 1u, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++)
    list[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  if (list && get(physical, &count, list) >= 0)
    for (uint32_t i = 0; i < vk_at_most(count, room); i++)
      found |= feature_of(&list[i]);
  free(list);
  return found & ~(found & E5M2 ? E5M2 : (uint32_t)XB_FEATURE_FLOAT8_MATRICES);
}
