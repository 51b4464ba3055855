/* Declarations at the level of a file or a namespace. */
#ifndef XB_SOURCE_DECLARATIONS_H
#define XB_SOURCE_DECLARATIONS_H

#include "source/tokens.h"

/* True if the brackets behind the word at `at` hold no parameters of a function: those of an attribute, and of what
 * HLSL and GLSL bind. A function may be named layout: behind GLSL's word stands another one. */
bool xb_is_attribute(const xb_tokens *tokens, size_t at);
/* One behind the `{` of a namespace or of extern "C" that begins at `at`; 0: nothing of that begins there. */
size_t xb_namespace_open(const xb_tokens *tokens, size_t at);
/* One behind the declaration that begins at `at`. `*body`: the brace that opens a function; 0: it is none, or has no
 * body. */
size_t xb_declaration_end(const xb_tokens *tokens, size_t at, size_t *body);
/* The name that [begin, end) declares: of a macro, a type, a function or a variable. */
size_t xb_declaration_name(const xb_tokens *tokens, size_t begin, size_t end);

#endif
