/* Code for CUDA: fat binaries, cubins and PTX. */
#include "backend_cuda/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *code = malloc(size ? size : 1), text[64]; /* on the heap: a sanitizer sees a read past its end */
  if (!code)
    return 0;
  if (size)
    memcpy(code, data, size);
  xb_error error;
  cu_image image;
  const xb_kernel_desc desc = {.label = "fuzz", .code = code, .code_bytes = size};
  if (!cu_image_open(&desc, &image, &error)) {
    cu_fatbin_architectures(&desc, text, sizeof text);
    cu_image_close(&image);
  }
  free(code);
  return 0;
}
