/* The embedded sources that `xbench show` finds for a name: a kernel in both languages, or in one if it has no twin. */
#ifndef XB_TWINS_H
#define XB_TWINS_H

#include "benchmarks/registry.h"
#include "show/languages.h"

enum { XB_PATH_BYTES = 160 };

typedef struct xb_twins {
  char name[96];                      /* "reduce/7_many_elements" */
  char title[128];                    /* "many elements a thread"; "" if none */
  const xb_variant *variant;          /* NULL: a pair of files that is not a variant */
  const xb_language *shown[XB_SIDES]; /* NULL: this side is not shown */
  char path[XB_SIDES][XB_PATH_BYTES]; /* from the root of the project, or a file; "" if there is no source */
  const char *reason;                 /* why a side is missing; NULL if none is */
} xb_twins;

void xb_twins_of_variant(const xb_variant *v, xb_twins *pair);
/* FOLDER/NAME in each language, for a folder that is not a benchmark. NAME may be the number or the name of the file,
 * as for variants. Returns false if no such files are embedded. */
bool xb_twins_of_files(const char *folder, const char *name, xb_twins *pair);
/* One or two files of the user: CUDA on the left, two of one language in the order given. Returns false if the names
 * are too long. */
bool xb_twins_of_paths(const char *first, const char *second, xb_twins *pair);
/* Writes at most `capacity` names of such a folder. Returns their number. */
size_t xb_twins_names(const char *folder, char (*names)[96], size_t capacity);
/* Keeps only the language of this backend. Returns false if it has none. */
bool xb_twins_keep(xb_twins *pair, const char *backend);

/* Whether results are of the same source: of the variant's source for this backend, the other kernels that plans of its
 * benchmark may use, and the compiler's flags, as the build found them (source/fingerprint.h). 0: no source is
 * embedded. */
uint64_t xb_source_hash(const xb_variant *variant, const char *backend);
uint64_t xb_source_hash_in(const xb_variant *variant, const xb_language *language); /* NULL: 0 */

#endif
