/* What the driver made of a kernel's code, given back to it. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static void runs(xb_kernel *kernel)
{
  const struct index_args args = {.count = 64, .grid_x = 1, .mul = 3, .add = 5};
  uint32_t got[64];
  output_of(kernel, "index", &args, 1, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i * 3 + 5);
}

static void there_and_back(xb_binary_form form)
{
  xb_error err;
  xb_kernel *kernel;
  xb_kernel_desc desc = desc_of("index");
  const void *data;
  size_t bytes;
  desc.binary_form = form;
  if (!(suite_info->binary_forms >> form & 1)) {
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_UNSUPPORTED, " has no pipeline ");
    print_message("%s\n", err.message);
    skip();
  }
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  keep_kernel(kernel);
  CHECK(xb_kernel_binary(kernel, &data, &bytes, &err), &err);
  assert_true(data && bytes);
  runs(kernel);
  desc.binary = data;
  desc.binary_bytes = bytes;
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  keep_kernel(kernel);
  runs(kernel);
  REFUSED(xb_kernel_binary(kernel, &data, &bytes, &err), &err, XB_INVALID, "keeps no binary");
  if (form == XB_BINARY_PIPELINE) { /* a cache that is no good is only a slow one */
    desc.binary_bytes--;
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "the binary is damaged");
  }
}

CASE(cache)
{
  there_and_back(XB_BINARY_CACHE);
}

CASE(pipeline)
{
  there_and_back(XB_BINARY_PIPELINE);
}

CASE(refused_binaries)
{
  xb_error err;
  xb_kernel *kernel;
  xb_kernel_desc desc = desc_of("index");
  const void *data;
  size_t bytes;
  REFUSED(xb_kernel_binary(kernel_of("index"), &data, &bytes, &err), &err, XB_INVALID, "keeps no binary");
  desc.binary = "text";
  desc.binary_bytes = 4;
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "the result of xb_kernel_binary");
  desc.binary_form = XB_BINARY_CACHE;
  desc.binary_bytes = 0;
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, "the result of xb_kernel_binary");
}

TEST_SOURCE(SUITE);
