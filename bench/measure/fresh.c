#include "measure/fresh.h"

#include "benchmarks/input.h"

#include <stdlib.h>
#include <string.h>

xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err)
{
  const uint32_t number = xb_new_number();
  size_t replaced = 0;
  *copy = malloc(desc->code_bytes);
  if (!*copy)
    return xb_fail(err, XB_NOMEM, desc->label, "out of host memory");
  memcpy(*copy, desc->code, desc->code_bytes);
  for (size_t i = 0; i < desc->code_bytes / sizeof number; i++)
    if ((*copy)[i] == XB_FRESH_WORD) {
      (*copy)[i] = number;
      replaced++;
    }
  desc->code = *copy;
  return replaced
             ? XB_OK
             : xb_fail(err, XB_UNSUPPORTED, desc->label, "the code has no constant 0x%X to replace", XB_FRESH_WORD);
}
