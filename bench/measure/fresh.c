#include "measure/fresh.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A number that differs between calls, and between processes that start in different microseconds. */
static uint32_t new_number(void)
{
  static uint32_t count;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const uint64_t us = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
  return ((uint32_t)us + 0x9E3779B9u * ++count) | 0x80000000u; /* larger than any thread index */
}

xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err)
{
  const uint32_t number = new_number();
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
