#pragma once

#include_next <unistd.h>

#include <io.h>
#include <sys/types.h>

enum { _SC_PAGESIZE, _SC_NPROCESSORS_ONLN };

#define rename xb_rename
#define unlink xb_unlink
#define access(path, how) xb_has_access(path, how)
#define gethostname xb_gethostname /* that of Winsock needs a call before it */

int xb_rename(const char *from, const char *to); /* replaces a file */
int xb_unlink(const char *path);
int xb_has_access(const char *path, int how);
ssize_t readlink(const char *path, char *out, size_t bytes);
int fsync(int fd);
ssize_t pread(int fd, void *out, size_t bytes, off_t offset);
long sysconf(int name);
unsigned alarm(unsigned seconds);
int xb_gethostname(char *name, size_t bytes);
