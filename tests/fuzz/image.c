/* Code for CUDA: fat binaries, cubins and PTX. If the first byte is above 127, the test adds a valid checksum, so that
 * the code after the checksum's test is reached. */
#include "backend_cuda/image.h"
#include "backend_cuda/seal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const char *cu_kernel_label(const xb_kernel_desc *desc)
{
  return desc->label;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!size)
    return 0;
  const bool seal = data[0] > 127;
  const cu_seal right = cu_seal_of(data + 1, size - 1);
  const size_t bytes = size - 1 + (seal ? sizeof right : 0);
  char *code = malloc(bytes ? bytes : 1), text[64]; /* on the heap: a sanitizer sees a read past its end */
  if (!code)
    return 0;
  memcpy(code, data + 1, size - 1);
  if (seal)
    memcpy(code + size - 1, &right, sizeof right);
  xb_error error;
  cu_image image;
  const xb_kernel_desc desc = {.label = "fuzz", .code = code, .code_bytes = bytes};
  if (!cu_image_open(&desc, &image, &error)) {
    cu_fatbin_architectures(&desc, text, sizeof text);
    cu_image_close(&image);
  }
  free(code);
  return 0;
}
