/* Memory that is freed all at once. */
#ifndef XB_ARENA_H
#define XB_ARENA_H

#include <stddef.h>

typedef struct xb_arena {
  struct xb_arena_block *newest;
} xb_arena;

/* Zeroed memory, aligned for every type. NULL only if out of memory: a request for no elements succeeds, too. */
void *xb_arena_take(xb_arena *arena, size_t count, size_t element_bytes);
/* Formats text as printf does, into memory of the arena. NULL: out of memory. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
xb_arena_text(xb_arena *arena, const char *format, ...);
void xb_arena_free(xb_arena *arena);

#endif
