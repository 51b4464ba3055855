#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct xb_arena_block {
  struct xb_arena_block *older;
  max_align_t memory[];
} xb_arena_block;

void *xb_arena_take(xb_arena *arena, size_t count, size_t element_bytes)
{
  if (element_bytes && count > (SIZE_MAX - sizeof(xb_arena_block)) / element_bytes)
    return NULL;
  xb_arena_block *block = calloc(1, sizeof *block + count * element_bytes);
  if (!block)
    return NULL;
  block->older = arena->newest;
  arena->newest = block;
  return block->memory;
}

char *xb_arena_text(xb_arena *arena, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  char *text = length < 0 ? NULL : xb_arena_take(arena, (size_t)length + 1, 1);
  if (text)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

void xb_arena_free(xb_arena *arena)
{
  while (arena->newest) {
    xb_arena_block *block = arena->newest;
    arena->newest = block->older;
    free(block);
  }
}
