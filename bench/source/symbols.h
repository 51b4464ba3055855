/* The types of the variables of a source, as far as its tokens tell. */
#ifndef XB_SOURCE_SYMBOLS_H
#define XB_SOURCE_SYMBOLS_H

#include "source/tokens.h"

typedef enum xb_symbol_type {
  XB_TYPE_UNKNOWN,
  XB_TYPE_FLOAT,
  XB_TYPE_DOUBLE,
  XB_TYPE_PACKED, /* half2 or two bfloat16 */
  XB_TYPE_HALF,   /* or bfloat16 */
  XB_TYPE_INT,    /* signed, 32 bits or fewer */
  XB_TYPE_UINT,
  XB_TYPE_INT64,
  XB_TYPE_UINT64,
  XB_TYPE_BLOCK, /* groups of cooperative_groups */
  XB_TYPE_TILE,
  XB_TYPE_GRID,
  XB_TYPE_COALESCED,
  XB_TYPE_CLUSTER,
  XB_TYPE_BARRIER, /* cuda::barrier */
} xb_symbol_type;

typedef struct xb_symbol {
  const xb_token *name;
  xb_symbol_type type;
  bool is_type;         /* of typedef or using */
  bool is_shared;       /* __shared__ */
  bool has_stride;      /* computed from the size of the grid */
  bool has_thread;      /* computed from the index of the thread */
  bool has_block;       /* computed from the index of the block */
  size_t before, after; /* others of this name, and one more; 0: none */
} xb_symbol;

typedef struct xb_symbols {
  xb_symbol *list;
  size_t count, capacity;
  size_t *looked_at; /* by xb_token.first: the symbol of this name that was found last, and one more; 0: none */
} xb_symbols;

/* Returns false if there is no memory. */
bool xb_symbols_read(xb_symbols *symbols, const xb_tokens *tokens);
void xb_symbols_free(xb_symbols *symbols);

/* The last declaration of the name before the token, which is one of those that were read, else the first one behind
 * it; NULL if there is none. */
const xb_symbol *xb_symbol_of(const xb_symbols *symbols, const xb_token *name);

/* The type that the name of a type, or a function that returns a group, stands for. */
xb_symbol_type xb_type_named(const xb_token *name);

#endif
