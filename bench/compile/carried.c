/* Sources that the program carries, written into the cache's folder for a compiler to read. */
#include "base/fnv.h"
#include "base/whole_file.h"
#include "blob.h"
#include "compile/cache.h"
#include "compile/compile.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADERS "cpu_headers/"
#define KERNELS "carried/" /* those that `xbench show` has not */
#define PUBLIC "core/include/"

typedef const char *path_of(const xb_blob *blob); /* NULL: not one of these */

static const char *header_path(const xb_blob *blob)
{
  return strncmp(blob->name, HEADERS, strlen(HEADERS)) != 0 ? NULL : blob->name + strlen(HEADERS);
}

static bool begins(const char *name, const char *with)
{
  return !strncmp(name, with, strlen(with));
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

static void make_folders(char *path)
{
  for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
    *p = '\0';
    mkdir(path, 0777);
    *p = '/';
  }
}

/* The folder of the files; NULL if it cannot be written. Other processes may write the same files. */
static const char *write_files(const char *name, path_of *path, xb_arena *arena)
{
  const char *cache = xb_cache_folder(arena);
  const char *folder =
      xb_arena_text(arena, "%s/%s-%016llx", cache ? cache : "/tmp/xbench", name, (unsigned long long)hash_of(path));
  const char *done = folder ? xb_arena_text(arena, "%s/complete", folder) : NULL;
  if (!done || !access(done, F_OK))
    return folder;
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    if (!path(b))
      continue;
    char *file = xb_arena_text(arena, "%s/%s", folder, path(b));
    if (!file)
      return NULL;
    make_folders(file);
    if (!xb_write_whole_file(file, b->data, b->bytes))
      return NULL;
  }
  return xb_write_whole_file(done, "", 0) ? folder : NULL;
}

const char *xb_cpu_headers(xb_arena *arena)
{
  return write_files("cuda", header_path, arena);
}

const char *xb_public_headers(xb_arena *arena)
{
  return write_files("include", public_path, arena);
}

const char *xb_carried_kernels(xb_arena *arena)
{
  return write_files("kernels", kernel_path, arena);
}
