#include <string.h>

#include "shaders/args.h"
#include "support.h"
#include "xb/backend.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* Fills the tail of a buffer. */
static xb_code fill_tail(const xb_native *native, void *user, xb_error *err)
{
  const PFN_vkCmdFillBuffer fill = (PFN_vkCmdFillBuffer)native->proc(native->device, "vkCmdFillBuffer");
  if (!fill)
    return xb_fail(err, XB_INTERNAL, "scenario", "no vkCmdFillBuffer");
  fill(native->commands, (VkBuffer)(uintptr_t)xb_buffer_native(user), 240 * 4, 16 * 4, 7);
  return XB_OK;
}

/* Several descriptor sets, a uniform buffer, and group counts that the list has written; then an image, its sampler and
 * a texel buffer. */
scenario_backend vulkan_scenario(void)
{
  static scenario_kernel kernels[] = {
      {.bindings = {{.kind = XB_BINDING_UNIFORM}, {0}, {.access = XB_WRITE}, {.access = XB_WRITE}}, .indirect = true},
      {.bindings = {{.kind = XB_BINDING_IMAGE},
                    {.kind = XB_BINDING_TEXELS, .format = XB_TEXEL_UNORM8},
                    {0},
                    {.access = XB_WRITE}},
       .args = {16, 16}},
      {.desc = {0}}};
  kernels[0].desc = places_desc();
  kernels[1].desc = texels_desc();
  return (scenario_backend){.open = {.backend = vulkan},
                            .step = step_kernel,
                            .kernels = kernels,
                            .fill = fill_tail,
                            .coarse = true,
                            .may_refuse = SCENARIO_COMBINED | SCENARIO_IMPORT | SCENARIO_SHARE | SCENARIO_SEMAPHORES};
}
