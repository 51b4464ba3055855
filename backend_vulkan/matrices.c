/* Shapes of cooperative matrices: each device has a list of its own. */
#include "vk.h"

#include <stdlib.h>

enum { SIDE = 16 };

static bool is_wanted(const VkCooperativeMatrixPropertiesKHR *p)
{
  return p->MSize == SIDE && p->NSize == SIDE && p->KSize == SIDE && p->AType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
         p->BType == VK_COMPONENT_TYPE_FLOAT16_KHR && p->CType == VK_COMPONENT_TYPE_FLOAT32_KHR &&
         p->ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR && p->scope == VK_SCOPE_SUBGROUP_KHR;
}

bool vk_has_matrices(const vk_instance *instance, VkPhysicalDevice physical)
{
  const PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR get =
      instance->vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
  uint32_t count = 0;
  bool found = false;
  if (!get || get(physical, &count, NULL))
    return false;
  VkCooperativeMatrixPropertiesKHR *list = calloc(count + 1u, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++)
    list[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  if (list && get(physical, &count, list) >= 0)
    for (uint32_t i = 0; i < count && !found; i++)
      found = is_wanted(&list[i]);
  free(list);
  return found;
}
