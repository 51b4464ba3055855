/* Fills are copies of a pattern, which works on a copy queue and needs no descriptor. */
#include "dx.h"

#include <stdlib.h>

enum { PATTERN_BYTES = 1 << 16 };

static xb_code find_pattern(xb_be_commands *c, uint32_t word, xb_be_buffer **pattern, xb_error *err)
{
  for (size_t i = 0; i < c->pattern_count; i++)
    if (c->patterns[i].word == word) {
      *pattern = c->patterns[i].buffer;
      return XB_OK;
    }
  if (!xb_grow(&c->patterns, &c->pattern_capacity, c->pattern_count, sizeof *c->patterns))
    return dx_no_host_memory(err, "xb_cmd_fill");
  void *host = NULL;
  const xb_code code =
      dx_buffer_create(c->device, &(xb_buffer_desc){.mem = XB_MEM_UPLOAD, .bytes = PATTERN_BYTES}, pattern, &host, err);
  if (code)
    return code;
  for (uint32_t i = 0; i < PATTERN_BYTES / sizeof word; i++)
    ((uint32_t *)host)[i] = word;
  c->patterns[c->pattern_count++] = (dx_pattern){word, *pattern};
  return XB_OK;
}

void dx_patterns_free(xb_be_commands *c)
{
  for (size_t i = 0; i < c->pattern_count; i++)
    dx_buffer_destroy(c->device, c->patterns[i].buffer);
  free(c->patterns);
}

xb_code dx_cmd_fill(xb_be_commands *c, const xb_be_binding *dst, uint32_t word, xb_error *err)
{
  xb_be_buffer *pattern = NULL;
  xb_code code = find_pattern(c, word, &pattern, err);
  for (uint64_t done = 0; !code && done < dst->size; done += PATTERN_BYTES) {
    const uint64_t left = dst->size - done, size = left < PATTERN_BYTES ? left : PATTERN_BYTES;
    code = dx_cmd_copy(c, &(xb_be_binding){.buffer = dst->buffer, .offset = dst->offset + done, .size = size},
                       &(xb_be_binding){.buffer = pattern, .size = size}, err);
  }
  return code;
}
