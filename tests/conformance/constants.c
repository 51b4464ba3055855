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
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_UNSUPPORTED, "has no __constant__ arrays");
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

/* Symbols of a module that are no constant memory, and those of the libraries that it needs. */
CASE(constants_of_others)
{
  static const char *const names[] = {"xb_cpu_module", "environ", "memcpy", "__start_xb_cpu_entries"};
  const uint32_t word = 0;
  xb_kernel *kernel;
  xb_error err;
  if (!(suite_info->features & XB_FEATURE_CONSTANTS))
    skip();
  for (size_t i = 0; i < COUNT(names); i++) {
    xb_kernel_desc desc = desc_of("constants");
    desc.constants = &(xb_constant){.symbol = names[i], .data = &word, .bytes = sizeof word};
    desc.constant_count = 1;
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "no __constant__ array");
  }
}

/* Kernels of the same code have constant memory of their own, while both exist and one after the other. */
static void expect_own_constants(const char *name)
{
  enum { KERNELS = 3 };
  uint32_t contents[KERNELS][16], got[64];
  xb_kernel *kernels[KERNELS];
  xb_error err;
  for (uint32_t k = 0; k < KERNELS; k++) {
    xb_kernel_desc desc = desc_of(name);
    for (uint32_t i = 0; i < 16; i++)
      contents[k][i] = 100 * k + i;
    desc.constants = &(xb_constant){.symbol = "table", .data = contents[k], .bytes = sizeof contents[k]};
    desc.constant_count = 1;
    CHECK(xb_kernel_create(suite_device, &desc, &kernels[k], &err), &err);
    keep_kernel(kernels[k]);
  }
  for (uint32_t k = 0; k < KERNELS; k++) {
    output_of(kernels[k], name, NULL, 1, got, sizeof got);
    for (uint32_t i = 0; i < COUNT(got); i++)
      SAME_WORD(i, got[i], contents[k][i % 16]);
  }
  suite_end_case(NULL);
  output_of(kernel_of("index"), "index", &(struct index_args){.count = 64, .mul = 3, .add = 1}, 1, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], 3 * i + 1);
  suite_end_case(NULL);
}

CASE(constants_are_a_kernel_s_own)
{
  if (!(suite_info->features & XB_FEATURE_CONSTANTS))
    skip();
  expect_own_constants("constants");
  if (suite_info->emulates) /* g++ makes one symbol of all inline variables of a name */
    expect_own_constants("inline_constants");
}

TEST_SOURCE(SUITE);
