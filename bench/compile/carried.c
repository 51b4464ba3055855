/* Sources that the program carries, written into the cache's folder for a compiler to read. */
#include "base/fnv.h"
#include "base/whole_file.h"
#include "blob.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "os/temporary.h"
#include "os/trusted.h"

#include <string.h>
#include <sys/stat.h>

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
