/* The forms of code that nvcc writes, without the project's checksum. CUDA only: Vulkan has one form. */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include "blob.h"

static void set_code(xb_kernel_desc *desc, const char *form)
{
  char path[64];
  snprintf(path, sizeof path, "cuda/index.%s", form);
  for (const xb_blob *blob = xb_blobs; blob->name; blob++)
    if (!strcmp(blob->name, path)) {
      desc->code = blob->data;
      desc->code_bytes = blob->bytes;
      return;
    }
  fail_msg("%s is not embedded", path);
}

static void runs(const char *form)
{
  const struct index_args args = {.count = 64, .grid_x = 1, .mul = 3, .add = 5};
  uint32_t got[64];
  xb_kernel_desc desc = desc_of("index");
  xb_kernel *kernel = NULL;
  xb_error err = {0};
  set_code(&desc, form);
  const xb_code code = xb_kernel_create(suite_device, &desc, &kernel, &err);
  if (!strcmp(form, "cubin") && suite_info->compute_capability / 10 != XB_TEST_CUBIN / 10) {
    REFUSED(code, &err, XB_UNSUPPORTED, "was built for another architecture");
    return;
  }
  CHECK(code, &err);
  keep_kernel(kernel);
  output_of(kernel, "index", &args, 1, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i * 3 + 5);
}

CASE(fatbin)
{
  runs("fatbin");
}

CASE(cubin)
{
  runs("cubin");
}

CASE(ptx)
{
  runs("ptx");
}

static int begin(void)
{
  return strcmp(xb_backend_name(suite_backend), "cuda") ? TEST_SKIPPED : 0;
}

TEST_SOURCE(SUITE, .begin = begin);
