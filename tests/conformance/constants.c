/* Constant memory of CUDA, which the host fills. */
#include "suite.h"

CASE(constants)
{
  uint32_t contents[16], got[64];
  for (uint32_t i = 0; i < COUNT(contents); i++)
    contents[i] = i * i + 7;
  xb_constant given = {.symbol = "table", .data = contents, .bytes = sizeof contents};
  xb_kernel_desc desc = desc_of("index");
  xb_kernel *kernel;
  xb_error err;
  desc.constants = &(xb_constant){.symbol = "", .data = contents, .bytes = 4};
  desc.constant_count = 1;
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "constant 0 of 1 has no name");
  if (!(suite_info->features & XB_FEATURE_CONSTANTS)) {
    desc.constants = &given;
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_UNSUPPORTED,
            "has no constants that belong to a kernel");
    return;
  }
  desc = desc_of("constants");
  desc.constants = &given;
  desc.constant_count = 1;
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  keep_kernel(kernel);
  output_of(kernel, "constants", NULL, 1, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], contents[i % 16]);
  given.bytes += 4;
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID,
          "no __constant__ array 'table' of 68");
  given.symbol = "nothing";
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "no __constant__ array 'nothing'");
}

TEST_SOURCE(SUITE);
