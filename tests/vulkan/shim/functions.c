/* The wrappers that only count, and the table of all wrappers. */
#include "internal.h"

#include <string.h>

#define RESULT(name, params, args)                                                                                     \
  VKAPI_ATTR VkResult VKAPI_CALL shim_##name params                                                                    \
  {                                                                                                                    \
    const VkResult result = shim_enter(FN_##name);                                                                     \
    return result ? result : NEXT(name) args;                                                                          \
  }
#define VOID(name, params, args)                                                                                       \
  VKAPI_ATTR void VKAPI_CALL shim_##name params                                                                        \
  {                                                                                                                    \
    shim_enter(FN_##name);                                                                                             \
    NEXT(name) args;                                                                                                   \
  }
#define OWN_RESULT(name, params)
#define OWN_VOID(name, params)
#include "functions.def"
#undef RESULT
#undef VOID
#undef OWN_RESULT
#undef OWN_VOID

/* The kind of each function; a symbol of the backend without a row does not compile. */
#define RESULT(name, params, args) RESULT_##name = 1,
#define VOID(name, params, args) RESULT_##name = 0,
#define OWN_RESULT(name, params) RESULT_##name = 1,
#define OWN_VOID(name, params) RESULT_##name = 0,
enum {
#include "functions.def"
  RESULT_GetDeviceProcAddr = 0,
  RESULT_GetBufferDeviceAddress = 0,
  RESULT_GetBufferDeviceAddressKHR = 0,
};

/* Checks that each row has Vulkan's type. */
#define SAME_TYPE(name) _Static_assert(__builtin_types_compatible_p(__typeof__(&shim_##name), PFN_vk##name), #name);
SHIM_SYMBOLS(SAME_TYPE)
#undef SAME_TYPE

#define ROW(fn) [FN_##fn] = {"vk" #fn, (PFN_vkVoidFunction)shim_##fn, RESULT_##fn},
const shim_function shim_functions[FN_COUNT] = {SHIM_SYMBOLS(ROW)};
#undef ROW

shim_fn shim_find(const char *name)
{
  int fn = 0;
  while (fn < FN_COUNT && strcmp(shim_functions[fn].name, name) != 0)
    fn++;
  return (shim_fn)fn;
}
