#include "show/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct xb_arena_block {
  struct xb_arena_block *next;
  alignas(max_align_t) unsigned char data[];
} xb_arena_block;

void *xb_arena_take(xb_arena *arena, size_t count, size_t bytes)
{
  if (count && bytes > (SIZE_MAX - sizeof(xb_arena_block)) / count)
    return NULL;
  xb_arena_block *block = calloc(1, sizeof *block + count * bytes);
  if (!block)
    return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  return block->data;
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
  while (arena->blocks) {
    xb_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}
