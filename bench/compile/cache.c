/* The cache's folder: compiled code, and sources that the program carries, for a compiler to read. */
#include "base/exit_codes.h"
#include "base/fnv.h"
#include "base/whole_file.h"
#include "blob.h"
#include "compile/compile.h"
#include "os/paths.h"
#include "os/temporary.h"
#include "os/trusted.h"
#include "os/written_file.h"
#include "version.h"

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
                    "%s is owned or writable by others, so it is not used: remove it, or set XDG_CACHE_HOME to another "
                    "folder",
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

/* ---- Sources that the program carries --------------------------------------------------------------------------- */

#define HEADERS "cpu_headers/"
#define KERNELS "carried/" /* those that `xbench show` has not */
#define PUBLIC "core/include/"

typedef const char *path_of(const xb_blob *blob); /* NULL: not one of these */

static bool begins(const char *name, const char *with)
{
  return !strncmp(name, with, strlen(with));
}

static const char *header_path(const xb_blob *blob)
{
  return begins(blob->name, HEADERS) ? blob->name + strlen(HEADERS) : NULL;
}

/* xbench's own headers for kernels, as they are included: "xb/abi.h". */
static const char *public_path(const xb_blob *blob)
{
  return begins(blob->name, PUBLIC) ? blob->name + strlen(PUBLIC) : NULL;
}

/* Kernels, and the arguments that they share with their benchmarks. */
static const char *kernel_path(const xb_blob *blob)
{
  const char *name = blob->name, *dot = strrchr(name, '.');
  if (begins(name, KERNELS))
    return name + strlen(KERNELS);
  const bool code = dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh") || !strcmp(dot, ".h"));
  return code && (begins(name, "kernels/") || begins(name, "bench/benchmarks/") || begins(name, "bench/guide/") ||
                  begins(name, PUBLIC))
             ? name
             : NULL;
}

static uint64_t hash_of(path_of *path)
{
  uint64_t hash = XB_FNV_START;
  for (const xb_blob *b = xb_blobs; b->name; b++)
    if (path(b))
      hash = xb_fnv1a(xb_fnv1a(hash, b->name, strlen(b->name)), b->data, b->bytes);
  return hash;
}

void xb_make_folders(char *path)
{
  for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
    *p = '\0';
    mkdir(path, 0700);
    *p = '/';
  }
}

/* The contents are compared once a process. */
static bool is_there(const char *file, const xb_blob *b, bool checked)
{
  struct stat status;
  if (checked && !stat(file, &status) && (size_t)status.st_size == b->bytes)
    return true;
  xb_arena arena = {0};
  char *data;
  size_t bytes;
  const bool there =
      !xb_read_whole_file(file, &arena, &data, &bytes, NULL) && bytes == b->bytes && !memcmp(data, b->data, bytes);
  xb_arena_free(&arena);
  return there;
}

/* Writes what is missing, was cut short, or has other contents: folders of this kind are cleaned up by age. Other
 * processes may write the same files. */
static bool write_missing(const char *folder, path_of *path, bool *checked, xb_arena *arena)
{
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    char *file = path(b) ? xb_arena_text(arena, "%s/%s", folder, path(b)) : NULL;
    if (!path(b) || (file && is_there(file, b, *checked)))
      continue;
    if (!file)
      return false;
    xb_make_folders(file);
    if (!xb_write_private(file, b->data, b->bytes))
      return false;
  }
  *checked = true;
  return true;
}

/* The folder of the files, in the cache or else in a folder of this user; NULL if neither can be written. */
static const char *write_files(const char *name, path_of *path, bool *checked, xb_arena *arena)
{
  char own[XB_TEMPORARY_BYTES];
  for (int i = 0; i < 2; i++) {
    const char *place = !i ? xb_cache_folder(arena) : xb_private_folder(own) ? own : NULL;
    const char *folder =
        place ? xb_arena_text(arena, "%s/%s-%016llx", place, name, (unsigned long long)hash_of(path)) : NULL;
    if (folder && write_missing(folder, path, checked, arena))
      return folder;
  }
  return NULL;
}

const char *xb_cpu_headers(xb_arena *arena)
{
  static bool checked;
  return write_files("cuda", header_path, &checked, arena);
}

const char *xb_public_headers(xb_arena *arena)
{
  static bool checked;
  return write_files("include", public_path, &checked, arena);
}

const char *xb_carried_kernels(xb_arena *arena)
{
  static bool checked;
  return write_files("kernels", kernel_path, &checked, arena);
}
