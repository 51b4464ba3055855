/* Pages, which are private to the process: memory of several processes is left out. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MS_ASYNC = 1 };
enum { MFD_CLOEXEC = 1 };
#define MAP_FAILED ((void *)-1)

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int munmap(void *pages, size_t bytes);
/* Fails if a page of the range is not mapped; does nothing. */
int msync(void *begin, size_t bytes, int flags);
/* A file that the system deletes when it is closed, and writes to the disk only if memory is short. */
int memfd_create(const char *name, unsigned flags);
