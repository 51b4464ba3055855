/* Memory that is given back all at once. */
#ifndef XB_ARENA_H
#define XB_ARENA_H

#include <stddef.h>

typedef struct xb_arena {
  struct xb_arena_block *blocks;
} xb_arena;

/* Zeroed, and aligned for anything. NULL: out of host memory. */
void *xb_arena_take(xb_arena *arena, size_t count, size_t bytes);
/* "printf" into the arena. NULL: out of host memory. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
xb_arena_text(xb_arena *arena, const char *format, ...);
void xb_arena_free(xb_arena *arena);

#endif
