/* Memory that is freed all at once. */
#ifndef XB_ARENA_H
#define XB_ARENA_H

#include <stddef.h>

typedef struct xb_arena {
  struct xb_arena_block *newest;
} xb_arena;

/* Zeroed, aligned for anything; not NULL for no elements either. NULL: out of memory. */
void *xb_arena_take(xb_arena *arena, size_t count, size_t element_bytes);
/* printf, into new memory. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
xb_arena_text(xb_arena *arena, const char *format, ...);
void xb_arena_free(xb_arena *arena);

#endif
