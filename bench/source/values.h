/* Values that a source gives to names. */
#ifndef XB_SOURCE_VALUES_H
#define XB_SOURCE_VALUES_H

#include "source/tokens.h"

#include <stdint.h>

/* The value of a macro or a constant that is one number; 0: unknown. */
uint32_t xb_source_number(const xb_tokens *tokens, const xb_token *name);

typedef enum xb_mask { XB_MASK_UNKNOWN, XB_MASK_FULL, XB_MASK_PARTIAL } xb_mask;

/* The macros and constants of a source that are masks, or may be: by xb_token.first, a bit for each kind of a
 * definition. free() frees them. NULL: no memory. */
unsigned char *xb_mask_names_read(const xb_tokens *tokens);

/* What the tokens [from, to) are as the mask of a function of a warp: a number, or one of the names. Unknown: a
 * variable, a call, or a name that the source does not define. */
xb_mask xb_mask_of(const unsigned char *names, const xb_tokens *tokens, size_t from, size_t to);

#endif
