#include "scale/exchange.h"

#include "benchmarks/allreduce/schedule.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENT_BYTES = 4, AT_ONCE = 1 << 22 }; /* elements */

typedef struct sums {
  const xb_case *c;
  uint32_t members;
} sums;

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const sums *s = user;
  xb_allreduce_sums(s->c->dtype, s->c->seed, 0, s->members, first, count, expected);
}

xb_code xb_vector_fill(const xb_case *c, xb_buffer *vector, uint32_t member, xb_error *err)
{
  const uint64_t length = xb_buffer_bytes(vector) / ELEMENT_BYTES;
  void *words = malloc((length < AT_ONCE ? length : AT_ONCE) * ELEMENT_BYTES);
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint64_t first = 0; first < length && !code; first += AT_ONCE) {
    const uint64_t some = length - first < AT_ONCE ? length - first : AT_ONCE;
    xb_allreduce_sums(c->dtype, c->seed, member, member + 1, first, some, words);
    code = xb_upload(vector, first * ELEMENT_BYTES, words, some * ELEMENT_BYTES, err);
  }
  free(words);
  return code;
}

xb_code xb_vector_check(const xb_case *c, xb_buffer *vector, uint32_t members, xb_error *err)
{
  const uint64_t length = xb_buffer_bytes(vector) / ELEMENT_BYTES;
  const sums all = {c, members};
  void *words = malloc((length < AT_ONCE ? length : AT_ONCE) * ELEMENT_BYTES);
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint64_t first = 0; first < length && !code; first += AT_ONCE) {
    const uint64_t some = length - first < AT_ONCE ? length - first : AT_ONCE;
    uint64_t element;
    char bits[64], why[128];
    code = xb_download(vector, first * ELEMENT_BYTES, words, some * ELEMENT_BYTES, err);
    const xb_chunk chunk = {.first = first, .count = some, .data = words};
    if (!code && !xb_words_match(&chunk, expect, &all, &element, bits)) {
      snprintf(why, sizeof why, "element %" PRIu64 " %s", element, bits);
      code = xb_scale_wrong(err, why);
    }
  }
  free(words);
  return code;
}
