#include "core/location.h"

uint32_t xb_binding_at(const xb_kernel_desc *desc, xb_location at)
{
  uint32_t i = 0;
  for (; i < desc->binding_count; i++) {
    const xb_location own = xb_location_of(desc, i);
    if (own.set == at.set && own.binding == at.binding && own.element == at.element)
      break;
  }
  return i;
}

xb_code xb_find_bindings(const char *where, const xb_kernel_desc *desc, xb_location at, uint32_t *count,
                         uint32_t *binding, xb_error *err)
{
  const uint32_t wanted = *count;
  *binding = xb_binding_at(desc, at);
  for (*count = 0; xb_binding_at(desc, at) < desc->binding_count; at.element++)
    ++*count;
  if (!*count && !at.set && !desc->locations)
    return xb_fail(err, XB_INVALID, where, "the code uses binding %u, the description has %u bindings", at.binding,
                   desc->binding_count);
  if (!*count)
    return xb_fail(err, XB_INVALID, where, "the code uses set %u, binding %u, where the description has no binding",
                   at.set, at.binding);
  if (wanted && wanted != *count)
    return xb_fail(err, XB_INVALID, where,
                   wanted == 1
                       ? "the code has %u buffer at set %u, binding %u, the description has %u: it is not an array"
                       : "the code has an array of %u buffers at set %u, binding %u, the description has %u: "
                         "each element is a binding (xb_location.element)",
                   wanted, at.set, at.binding, *count);
  return XB_OK;
}
