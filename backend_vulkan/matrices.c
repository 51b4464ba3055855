/* Shapes of cooperative matrices: each device has a list of its own. */
#include "vk.h"

#include <stdlib.h>

enum { SIDE = 16 };

static uint32_t feature_of(const VkCooperativeMatrixPropertiesKHR *p)
{
  if (p->MSize != SIDE || p->NSize != SIDE || p->KSize != SIDE || p->scope != VK_SCOPE_SUBGROUP_KHR ||
      p->CType != VK_COMPONENT_TYPE_FLOAT32_KHR || p->ResultType != VK_COMPONENT_TYPE_FLOAT32_KHR ||
      p->AType != p->BType)
    return 0;
  return p->AType == VK_COMPONENT_TYPE_FLOAT16_KHR    ? XB_FEATURE_MATRICES
         : p->AType == VK_COMPONENT_TYPE_BFLOAT16_KHR ? XB_FEATURE_BFLOAT16_MATRICES
                                                      : 0;
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
  return found;
}
