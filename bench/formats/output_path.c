#include "formats/output_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool xb_in_system_folder(const char *path)
{
  return (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9)) || !strncmp(path, "/proc/", 6);
}

/* The folder of a path, which ends with a slash, and the name in it. */
static int split(const char *path, char folder[PATH_MAX], const char **name)
{
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  const int n = snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
  return n >= PATH_MAX ? ENAMETOOLONG : **name ? 0 : EISDIR;
}

int xb_output_place(const char *path, char place[PATH_MAX])
{
  char folder[PATH_MAX], link[PATH_MAX], target[2 * PATH_MAX];
  const char *name = "";
  if (realpath(path, place))
    return 0;
  int error = errno == ENOENT ? split(path, folder, &name) : errno;
  if (error)
    return error;
  const ssize_t length = readlink(path, link, sizeof link);
  if (length > 0) { /* for a loop of links, realpath returned ELOOP */
    snprintf(target, sizeof target, "%s%.*s", *link == '/' ? "" : folder, (int)length, link);
    return xb_output_place(target, place);
  }
  if (!realpath(folder, place))
    return errno;
  const size_t at = strlen(place);
  const int n = snprintf(place + at, PATH_MAX - at, "%s%s", at > 1 ? "/" : "", name);
  return (size_t)n < PATH_MAX - at ? 0 : ENAMETOOLONG;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool xb_same_file(const char *a, const char *b)
{
  struct stat x, y;
  char places[2][PATH_MAX], folders[2][PATH_MAX];
  const char *names[2];
  const bool has_a = !stat(a, &x), has_b = !stat(b, &y);
  if (has_a || has_b || !strcmp(a, b))
    return !strcmp(a, b) || (has_a && has_b && S_ISREG(x.st_mode) && same_inode(&x, &y));
  for (int i = 0; i < 2; i++)
    if (xb_output_place(i ? b : a, places[i]) || split(places[i], folders[i], &names[i]))
      return false;
  return !strcmp(names[0], names[1]) && !stat(folders[0], &x) && !stat(folders[1], &y) && same_inode(&x, &y);
}

xb_contents xb_contents_of(const char *path)
{
  char text[128] = "";
  int from = 0, version;
  struct stat status;
  FILE *file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "r") : NULL;
  if (!file)
    return XB_CONTENTS_NONE;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  sscanf(text, " { \"schema\" : \"xbench%n", &from);
  if (from)
    return sscanf(text + from, "/%d", &version) == 1 ? XB_CONTENTS_RESULTS : XB_CONTENTS_OWN;
  const bool own = *text == '<' || !strncmp(text, "benchmark,variant,", 18);
  return !*text ? XB_CONTENTS_NONE : own ? XB_CONTENTS_OWN : XB_CONTENTS_FOREIGN;
}
