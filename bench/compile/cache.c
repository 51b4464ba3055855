#include "compile/cache.h"

#include "base/exit_codes.h"
#include "base/fnv.h"
#include "base/whole_file.h"
#include "os/paths.h"
#include "os/trusted.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TRAILER = sizeof(uint64_t) };

void xb_cache_add(xb_cache_key *key, const void *data, size_t bytes)
{
  for (unsigned i = 0; i < 2; i++) {
    if (!key->hash[i])
      key->hash[i] = xb_fnv1a(XB_FNV_START + i, XB_VERSION, sizeof XB_VERSION);
    key->hash[i] = xb_fnv1a(xb_fnv1a(key->hash[i], &bytes, sizeof bytes), data, bytes);
  }
}

void xb_cache_add_tool(xb_cache_key *key, const char *path)
{
  struct stat status;
  xb_cache_add(key, path, strlen(path));
  if (stat(path, &status))
    return;
  const int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  xb_cache_add(key, facts, sizeof facts);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* True if nobody else can have put code there; else one line says so, and there is no cache. */
static bool is_trusted(const char *path)
{
  static bool told;
  const bool is = xb_is_private(path);
  if (!is && !told)
    xb_report_error(0,
                    "%s: others own it or may write to it: no code is taken from there, and none is kept: remove it, "
                    "or name another folder in XDG_CACHE_HOME",
                    path);
  told |= !is;
  return is;
}

/* NULL if there is no place for a cache, or another user could write to it. With `make`, creates the folders. */
static const char *folder_of(xb_arena *arena, bool make)
{
  const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
  const char *base = cache && xb_is_absolute(cache) ? xb_arena_text(arena, "%s", cache)
                     : home && *home                ? xb_arena_text(arena, "%s/.cache", home)
                                                    : NULL;
  const char *folder = base ? xb_arena_text(arena, "%s/xbench", base) : NULL;
  if (folder && make) {
    mkdir(base, 0700);
    mkdir(folder, 0700);
  }
  return folder && is_trusted(folder) ? folder : NULL;
}

const char *xb_cache_folder(xb_arena *arena)
{
  const char *folder = folder_of(arena, true);
  struct stat status;
  return folder && !stat(folder, &status) ? folder : NULL;
}

static const char *file_of(const xb_cache_key *key, xb_arena *arena, bool make)
{
  const char *folder = folder_of(arena, make);
  return folder ? xb_arena_text(arena, "%s/%016llx%016llx", folder, (unsigned long long)key->hash[0],
                                (unsigned long long)key->hash[1])
                : NULL;
}

bool xb_cache_get(const xb_cache_key *key, xb_arena *arena, const char **data, size_t *bytes)
{
  const char *path = file_of(key, arena, false);
  char *found;
  uint64_t hash;
  if (!path || !is_trusted(path) || xb_read_whole_file(path, arena, &found, bytes, NULL) || *bytes <= TRAILER)
    return false;
  *bytes -= TRAILER;
  memcpy(&hash, found + *bytes, TRAILER);
  found[*bytes] = 0;
  *data = found;
  return hash == xb_fnv1a(key->hash[0], found, *bytes);
}

void xb_cache_put(const xb_cache_key *key, const char *data, size_t bytes, xb_arena *arena)
{
  const char *path = file_of(key, arena, true);
  char *file = xb_arena_take(arena, bytes + TRAILER, 1);
  if (!path || !file)
    return;
  const uint64_t hash = xb_fnv1a(key->hash[0], data, bytes); /* another kernel's file is none */
  memcpy(file, data, bytes);
  memcpy(file + bytes, &hash, TRAILER);
  xb_write_private(path, file, bytes + TRAILER);
}
