/* What a driver keeps of a pipeline, and listings: their instructions and loops. */
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *copy = malloc(size + 1); /* on the heap: a sanitizer sees a read past its end */
  xb_arena arena = {0};
  xb_isa_counts counts;
  size_t count;
  const char *why, *begin, *end;
  if (!copy)
    return 0;
  memcpy(copy, data, size);
  copy[size] = 0;
  const unsigned char *code = xb_isa_shader_code(copy, size, &arena, &count, &why);
  if (!code == !why || (code && xb_isa_count_code(code, count) < 0))
    abort();
  if (xb_isa_largest_loop(copy, &begin, &end)) {
    if (begin >= end || end > copy + strlen(copy))
      abort();
    xb_isa_count(begin, end, &counts);
  }
  xb_arena_free(&arena);
  free(copy);
  return 0;
}
