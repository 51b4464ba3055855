/* A number for what a source says, by which a result shows later whether it is of the same source. No compiler takes
 * part, so the number is the same on every machine.
 *
 * It is made of the tokens of the source and of the headers that were found, each where it is included first. These do
 * not change it: comments and layout; branches of #if that are not compiled, as far as conditions.c knows; object-like
 * macros without a text that no condition asks for; the names of parameters and local variables of functions, unless
 * a directive has the name. Macros are not replaced: a changed definition changes the number, used or not. */
#ifndef XB_SOURCE_FINGERPRINT_H
#define XB_SOURCE_FINGERPRINT_H

#include "source/includes.h"

#include <inttypes.h>

/* How a file says it, with the version of what is described above; "fnv1a64:" was of another way. */
#define XB_SOURCE_HASH_START "fnv1a64/2:"
#define XB_SOURCE_HASH_FORMAT XB_SOURCE_HASH_START "%016" PRIx64

/* 0: the file cannot be read, or there is no memory. */
uint64_t xb_source_fingerprint(const char *path, const xb_source_options *options);

/* ---- Parts of it ------------------------------------------------------------------------------------------------ */

/* Removes the tokens of branches that are not compiled, with their conditions, and macros without a text where they are
 * defined and used. They were read with keeps_left_out. What is known: macros of the flags -D and -U; those that the
 * source itself defines; `defined`, `!`, `&&`, `||`, brackets, 0 and 1. An include guard, or a default for a macro, is
 * taken as code. A condition with anything else stays, with all its branches. */
bool xb_tokens_keep_compiled(xb_tokens *tokens, const char *const *flags, xb_arena *arena);
/* The number of each token that names a parameter or a local variable of a function, in the order of their
 * declarations, from 1; 0: it does not, or is not recognised. NULL: no memory. */
const uint32_t *xb_tokens_number_locals(const xb_tokens *tokens, xb_arena *arena);

#endif
