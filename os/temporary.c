#define _GNU_SOURCE /* mkstemps, O_TMPFILE */
#include "os/temporary.h"

#include "os/paths.h"
#include "os/trusted.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Those in use ------------------------------------------------------------------------------------------------ */

enum { MOST = 16 }; /* of more, the others are left behind by a signal */
static char in_use[MOST][XB_TEMPORARY_BYTES];
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

/* Puts `now` in the place of `before`; "": nothing. */
static void replace(const char *before, const char *now)
{
  int i = 0;
  pthread_mutex_lock(&one);
  while (i < MOST && strcmp(in_use[i], before) != 0)
    i++;
  if (i < MOST)
    snprintf(in_use[i], sizeof in_use[i], "%s", now);
  pthread_mutex_unlock(&one);
}

static void remove_tree(const char *path)
{
  DIR *folder = unlink(path) ? opendir(path) : NULL;
  for (struct dirent *e; folder && (e = readdir(folder));) {
    char inner[XB_TEMPORARY_BYTES + 300];
    const int n = snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && (size_t)n < sizeof inner)
      remove_tree(inner);
  }
  if (folder) {
    closedir(folder);
    rmdir(path);
  }
}

void xb_temporary_remove(const char *path)
{
  remove_tree(path);
  replace(path, "");
}

void xb_temporary_remove_all(void)
{
  for (int i = 0; i < MOST; i++)
    if (*in_use[i])
      remove_tree(in_use[i]);
}

bool xb_is_temporary(const char *path)
{
  for (int i = 0; i < MOST; i++)
    if (*in_use[i] && !strncmp(in_use[i], path, strlen(in_use[i])))
      return true;
  return false;
}

/* ---- Making them ------------------------------------------------------------------------------------------------- */

#ifdef _WIN32
static void name(char path[XB_TEMPORARY_BYTES], const char *ending)
{
  snprintf(path, XB_TEMPORARY_BYTES, XB_TEMPORARY "%s", ending);
}

bool xb_private_folder(char path[XB_TEMPORARY_BYTES])
{
  return path && false;
}
#else
static const char *folder_of_all(void)
{
  const char *folder = getenv("TMPDIR");
  return folder && xb_is_absolute(folder) && strlen(folder) < XB_TEMPORARY_BYTES - 64 ? folder : "/tmp";
}

static void name(char path[XB_TEMPORARY_BYTES], const char *ending)
{
  snprintf(path, XB_TEMPORARY_BYTES, "%s/xbench-XXXXXX%s", folder_of_all(), ending);
}

FILE *xb_tmpfile(void)
{
  char path[XB_TEMPORARY_BYTES];
  int fd = open(folder_of_all(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) { /* some file systems cannot */
    fd = xb_temporary_file(path, "");
    if (fd >= 0)
      xb_temporary_remove(path);
  }
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
  if (fd >= 0 && !file)
    close(fd);
  return file;
}

bool xb_private_folder(char path[XB_TEMPORARY_BYTES])
{
  struct stat status;
  snprintf(path, XB_TEMPORARY_BYTES, "%s/xbench-%ld", folder_of_all(), (long)geteuid());
  mkdir(path, 0700);
  return !lstat(path, &status) && S_ISDIR(status.st_mode) && xb_is_private(path);
}
#endif

static int failed; /* errno */

const char *xb_temporary_why(void)
{
  static char why[XB_TEMPORARY_BYTES + 128];
  char path[XB_TEMPORARY_BYTES];
  name(path, "");
  char *slash = strrchr(path, '/');
  if (slash)
    *slash = 0;
  snprintf(why, sizeof why, "no temporary file in %s%s: %s", slash ? path : "the user's folder",
           getenv("TMPDIR") ? " (TMPDIR)" : "", strerror(failed));
  return why;
}

int xb_temporary_file(char path[XB_TEMPORARY_BYTES], const char *ending)
{
  name(path, ending);
  const int fd = mkstemps(path, (int)strlen(ending));
  failed = fd < 0 ? errno : failed;
  if (fd >= 0)
    replace("", path);
  return fd;
}

bool xb_temporary_folder(char path[XB_TEMPORARY_BYTES])
{
  name(path, "");
  if (!mkdtemp(path)) {
    failed = errno;
    return false;
  }
  replace("", path);
  return true;
}
