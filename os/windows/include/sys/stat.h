/* With a file's number, by which two names of one file are known. */
#pragma once

#include_next <sys/stat.h>

#include <stdint.h>
#include <time.h>

#undef stat
#undef fstat
#define stat xb_stat
#define fstat xb_fstat
#define lstat xb_lstat
#define mkdir(path, mode) xb_make_folder(path)

struct xb_stat {
  uint64_t st_dev, st_ino;
  unsigned short st_mode;
  int64_t st_size;
  struct timespec st_mtim;
};

int xb_stat(const char *path, struct xb_stat *status);
int xb_lstat(const char *path, struct xb_stat *status);
int xb_fstat(int fd, struct xb_stat *status);
int xb_make_folder(const char *path);
int fchmod(int fd, unsigned mode); /* does nothing: a file's rights are its folder's */
