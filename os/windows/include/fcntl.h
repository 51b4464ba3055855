#pragma once

#include_next <fcntl.h>

#define open xb_open
/* The file may be renamed and deleted while it is open. */
int xb_open(const char *path, int flags, ...);

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#define O_NOCTTY 0
#define O_NOFOLLOW 0
#define O_DIRECTORY 0 /* folders cannot be opened: their contents need no fsync() here */
