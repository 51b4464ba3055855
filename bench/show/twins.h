/* What there is to show under a name: the source of a kernel in two languages, or in one that has no twin, found by
 * path among the embedded ones. */
#ifndef XB_TWINS_H
#define XB_TWINS_H

#include "benchmarks/registry.h"
#include "show/languages.h"

enum { XB_PATH_BYTES = 160 };

typedef struct xb_twins {
  char name[96];                      /* "reduce/7_many_elements" */
  char title[128];                    /* "many elements a thread"; "" where there is none */
  const xb_variant *variant;          /* NULL: no row of the table, but a pair of files */
  const xb_language *shown[XB_SIDES]; /* NULL: not this side */
  char path[XB_SIDES][XB_PATH_BYTES]; /* from the root of the project; "" where there is none */
  const char *reason;                 /* why a side, or both, are missing; NULL: none is */
} xb_twins;

void xb_twins_of_variant(const xb_variant *v, xb_twins *pair);
/* FOLDER/NAME in each language, for a folder that is no benchmark. NAME may be its number or
 * what follows it, as with variants. False: no such files were embedded. */
bool xb_twins_of_files(const char *folder, const char *name, xb_twins *pair);
/* The names in such a folder, at most `capacity`. Returns how many. */
size_t xb_twins_names(const char *folder, char (*names)[96], size_t capacity);
/* Of a pair, only the language of this backend. False: it has none. */
bool xb_twins_keep(xb_twins *pair, const char *backend);

#endif
