/* What a device imports of the process, looked at before a driver is given it: pages of host memory, file descriptors.
 * Define _GNU_SOURCE before any header. */
#ifndef XB_IMPORTS_H
#define XB_IMPORTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef _WIN32
#include <sys/sysmacros.h>
#endif

/* msync only looks here: it fails if a page of the range is not mapped. */
static inline bool xb_pages_are_mapped(const char *begin, uint64_t bytes)
{
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), into = (uintptr_t)begin % page;
  return !msync((void *)(begin - into), bytes + into, MS_ASYNC);
}

/* True if all of a mapped range can be read and written, as far as the system tells. */
static inline bool xb_pages_are_open(const char *begin, uint64_t bytes)
{
#ifdef MADV_POPULATE_READ /* behind the end of a mapped file nothing can be read */
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), into = (uintptr_t)begin % page;
  if (madvise((void *)(begin - into), bytes + into, MADV_POPULATE_READ) && errno == EFAULT)
    return false;
#endif
  FILE *file = fopen("/proc/self/maps", "r");
  unsigned long long from, to;
  char rights[5];
  bool open = true;
  while (file && open && fscanf(file, "%llx-%llx %4s%*[^\n]", &from, &to, rights) == 3)
    open = to <= (uintptr_t)begin || from >= (uintptr_t)begin + bytes || !strncmp(rights, "rw", 2);
  if (file)
    fclose(file);
  return open;
}

/* What a descriptor is that no driver exports, as the rest of a sentence; NULL: anything else. `bytes`: that it has to
 * have; 0: any number. */
static inline const char *xb_plain_descriptor(int fd, uint64_t bytes)
{
  struct stat s;
  if (fstat(fd, &s))
    return "is not open";
#ifndef _WIN32
  const unsigned memory_devices = 1; /* /dev/zero and its like */
  char path[32], name[32] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (readlink(path, name, sizeof name - 1) > 0 && strstr(name, "anon_inode:[event"))
    return "is an event of the system"; /* eventfd, epoll */
  if (S_ISREG(s.st_mode) && (s.st_nlink || fcntl(fd, F_GET_SEALS) < 0))
    return "is a file on a disk";
  if (S_ISREG(s.st_mode) && (uint64_t)s.st_size < bytes)
    return "is a file with fewer bytes";
  if (S_ISBLK(s.st_mode) || (S_ISCHR(s.st_mode) && (major(s.st_rdev) == memory_devices || isatty(fd))))
    return "is a device file of the system";
  return S_ISDIR(s.st_mode)    ? "is a folder"
         : S_ISFIFO(s.st_mode) ? "is a pipe"
         : S_ISSOCK(s.st_mode) ? "is a socket"
                               : NULL;
#else
  (void)bytes;
  return NULL;
#endif
}

#endif
