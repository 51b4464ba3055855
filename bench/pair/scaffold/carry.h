/* Words of CUDA that HLSL has a counterpart for, by the letter. */
#ifndef XB_SCAFFOLD_CARRY_H
#define XB_SCAFFOLD_CARRY_H

#include "source/tokens.h"

typedef enum xb_carry_kind {
  XB_CARRY_WORD,   /* `hlsl` stands for the word; "" leaves it out */
  XB_CARRY_CALL,   /* `hlsl` stands for the call: $1 is its first argument, $*1 what its first argument points to */
  XB_CARRY_MASKED, /* the same, and the first argument must be a mask of all lanes */
  XB_CARRY_ATOMIC, /* the same, as a statement; where the old value is asked for, it is a last argument */
  XB_CARRY_OLD,    /* the same, which HLSL has only with the old value */
} xb_carry_kind;

typedef struct xb_carry {
  const char *cuda;
  xb_carry_kind kind;
  const char *hlsl;
  int arguments; /* of a call */
} xb_carry;

/* NULL: it is not carried over. */
const xb_carry *xb_carry_of(const xb_token *word);
/* True for words that HLSL has, too: keywords, types, functions. */
bool xb_is_of_hlsl(const xb_token *word);
/* True for a type of HLSL, such as float4. */
bool xb_is_hlsl_type(const xb_token *word);
/* True for words that a variable of CUDA may be called, and one of HLSL may not. */
bool xb_is_hlsl_keyword(const xb_token *word);

#endif
