/* Compiled code, kept in XDG_CACHE_HOME/xbench (else ~/.cache/xbench) under a hash of everything that it was made from.
 * Several processes may use it at once. */
#ifndef XB_PAIR_CACHE_H
#define XB_PAIR_CACHE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct xb_cache_key {
  uint64_t hash[2];
} xb_cache_key;

/* Starts at {{0}}. */
void xb_cache_add(xb_cache_key *key, const void *data, size_t bytes);
/* A program: its path, size and time of change. */
void xb_cache_add_tool(xb_cache_key *key, const char *path);

/* The cache's folder, which exists; NULL if there is no place for one, or another user could have put code there. */
const char *xb_cache_folder(xb_arena *arena);
/* False if the cache does not have it, if it is damaged, or if others may have written it. A zero byte is behind the
 * data. */
bool xb_cache_get(const xb_cache_key *key, xb_arena *arena, const char **data, size_t *bytes);
/* Does nothing if the cache cannot be written. */
void xb_cache_put(const xb_cache_key *key, const char *data, size_t bytes, xb_arena *arena);

#endif
