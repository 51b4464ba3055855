/* What a source includes, and the source with all of that in its place. */
#ifndef XB_SOURCE_INCLUDES_H
#define XB_SOURCE_INCLUDES_H

#include "base/arena.h"
#include "source/tokens.h"

/* #include "name" or <name>. `name` is not a C string. */
typedef struct xb_include {
  const char *line; /* its first byte in the text */
  const char *name;
  size_t length;
  bool quoted;
} xb_include;

/* Finds the first #include at or behind token `*at`, and moves `*at` behind it. False: there is none. */
bool xb_include_next(const xb_tokens *tokens, size_t *at, xb_include *include);
/* The file that `path` includes so: beside it, or in a folder that a flag -I names. NULL: it is in none of them. */
const char *xb_include_find(const char *path, const xb_include *include, const char *const *flags, xb_arena *arena);

typedef struct xb_source_options {
  const char *const *flags; /* -I, -D and -U of them are used; ends with NULL; may be NULL */
  const char *headers;      /* the last folder to look for headers in; NULL */
  bool keeps_missing;       /* xb_source_flatten() leaves the #include of what was not found where it is */
} xb_source_options;

/* The text of a source with the headers that were found in place of their #include, each where it is included first;
 * those of the compiler, and those that were not found, are left out. NULL: the file cannot be read. */
char *xb_source_flatten(const char *path, const xb_source_options *options, xb_arena *arena);
/* The same with blanks in place of the branches of #if that are not compiled. Where no preprocessor of C++ can tell
 * which those are, all stay, and a warning is printed. */
char *xb_source_read(const char *path, const xb_source_options *options, xb_arena *arena);
/* The same text with all macros replaced: its lines are others. NULL: there is no preprocessor. */
char *xb_source_expand(const char *text, const xb_source_options *options, xb_arena *arena);

#endif
