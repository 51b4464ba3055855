/* xbench pair --init */
#ifndef XB_PAIR_INIT_H
#define XB_PAIR_INIT_H

#include "pair/pair.h"

/* Writes NAME.json with what the sources say, and xbench_reference.h beside it. Returns the exit code. */
int xb_pair_init(xb_pair *pair, xb_pair_manifest *manifest);

/* For --scaffold: the manifest of the source, if an earlier --init wrote it. `*root` is NULL if there is none; the
 * caller frees it with json_decref. Returns an exit code, after a message, if no side can be added to it. */
int xb_pair_find_manifest(const char *source, char path[160], json_t **root);
/* Makes `side` its second side. Returns the exit code. */
int xb_pair_add_side(const char *path, json_t *root, const json_t *side);

#endif
