/* Names of files. Inside the program they have slashes on every system: xb_start() replaces those of the command line.
 */
#ifndef XB_PATHS_H
#define XB_PATHS_H

#include <stdbool.h>
#ifndef _WIN32
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

static inline bool xb_is_absolute(const char *path)
{
#ifdef _WIN32
  if (*path && path[1] == ':') /* "C:/..." */
    path += 2;
#endif
  return *path == '/';
}

/* Whether folders have the manifests of Vulkan's drivers and layers; Windows names them in its registry. */
#ifdef _WIN32
enum { XB_HAS_MANIFEST_FOLDERS = false };
#else
enum { XB_HAS_MANIFEST_FOLDERS = true };
#endif

/* For mkstemp() and mkdtemp(), of any number of bytes. On Windows they put the user's folder for such files in its
 * place. */
#ifdef _WIN32
#define XB_X64 "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
#define XB_TEMPORARY XB_X64 XB_X64 XB_X64 XB_X64 XB_X64
#else
#define XB_TEMPORARY "/tmp/xbench-XXXXXX"
#endif

/* A folder in /tmp that only this user can write to; makes it. False if another user has its name, or it cannot be
 * made. Windows has none: its users have folders of their own. */
static inline bool xb_private_folder(char path[64])
{
#ifdef _WIN32
  return path && false;
#else
  struct stat status;
  snprintf(path, 64, "/tmp/xbench-%ld", (long)geteuid());
  mkdir(path, 0700);
  return !lstat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() && !(status.st_mode & 022);
#endif
}

#endif
