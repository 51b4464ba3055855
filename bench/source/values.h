/* Values that a source gives to names. */
#ifndef XB_SOURCE_VALUES_H
#define XB_SOURCE_VALUES_H

#include "source/tokens.h"

#include <stdint.h>

/* The value of a macro or a constant that is one number; 0: unknown. */
uint32_t xb_source_number(const xb_tokens *tokens, const xb_token *name);

typedef enum xb_mask { XB_MASK_UNKNOWN, XB_MASK_FULL, XB_MASK_PARTIAL, XB_MASKS } xb_mask;

/* The macros and constants of a source that are masks, or may be. Zero is empty; the list's `slots` are the caller's to
 * free. */
typedef struct xb_mask_names {
  xb_token_names list[XB_MASKS]; /* each name by each of its definitions */
} xb_mask_names;

void xb_mask_names_read(xb_mask_names *names, const xb_tokens *tokens);
void xb_mask_names_free(xb_mask_names *names);

/* What the tokens [from, to) are as the mask of a function of a warp: a number, or one of the names. Unknown: a
 * variable, a call, or a name that the source does not define. */
xb_mask xb_mask_of(const xb_mask_names *names, const xb_tokens *tokens, size_t from, size_t to);

#endif
