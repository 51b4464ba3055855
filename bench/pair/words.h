/* The command line of `xbench pair`, as a manifest. */
#ifndef XB_PAIR_WORDS_H
#define XB_PAIR_WORDS_H

#include "base/word_list.h"
#include "pair/pair.h"

typedef struct xb_pair_words {
  const char *const *sources; /* ends with NULL */
  const char *entry, *group, *groups, *bytes, *flops;
  xb_text_list buffers;   /* "in x:float32:n:uniform(0,1)": the name of the option, then its value */
  xb_text_list arguments; /* "n", "a=0.5f" */
  xb_text_list compilers, flags, references, tolerances;
  xb_text_list defines; /* "BLOCK=256" */
} xb_pair_words;

/* The name of a pair with this first source. */
json_t *xb_pair_name_of(const char *source);
/* XB_INVALID if a word is wrong. The caller frees `manifest->root` with json_decref. */
xb_code xb_pair_from_words(const xb_pair_words *words, xb_pair_manifest *manifest, xb_error *err);
/* Adds --define, and the defaults of ConfigurationSpace: a macro for each side, and a constant. */
xb_code xb_pair_add_defines(const xb_pair_words *words, json_t *root, xb_error *err);
/* Adds compilers and flags of the command line to the sides of a manifest: a side for each compiler that is given and
 * knows its language. */
xb_code xb_pair_add_compilers(const xb_pair_words *words, json_t *root, xb_error *err);
/* Adds --reference and --tolerance. */
xb_code xb_pair_add_results(const xb_pair_words *words, json_t *root, xb_error *err);

/* ---- xbench pair --init (init.c) -------------------------------------------------------------------------------- */

/* Writes NAME.json with what the sources say, and xbench_reference.h beside it. Returns the exit code. */
int xb_pair_init(xb_pair *pair, xb_pair_manifest *manifest);

/* For --scaffold: the manifest of the source, if an earlier --init wrote it. `*root` is NULL if there is none; the
 * caller frees it with json_decref. Returns an exit code, after a message, if no side can be added to it. */
int xb_pair_find_manifest(const char *source, char path[160], json_t **root);
/* Makes `side` its second side. Returns the exit code. */
int xb_pair_add_side(const char *path, json_t *root, const json_t *side);

#endif
