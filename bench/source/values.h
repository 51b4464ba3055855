/* Values that a source gives to names. */
#ifndef XB_SOURCE_VALUES_H
#define XB_SOURCE_VALUES_H

#include "source/tokens.h"

#include <stdint.h>

/* The value of a macro or a constant that is one number; 0: unknown. */
uint32_t xb_source_number(const xb_tokens *tokens, const xb_token *name);

typedef enum xb_mask { XB_MASK_UNKNOWN, XB_MASK_FULL, XB_MASK_PARTIAL } xb_mask;

/* What the tokens [from, to) are as the mask of a function of a warp: a number, or a macro or constant, of which each
 * definition is looked at. Unknown: a variable, a call, or a name that the source does not define. */
xb_mask xb_source_mask(const xb_tokens *tokens, size_t from, size_t to);

#endif
