#pragma once

struct pollfd {
  int fd;
  short events, revents;
};

enum { POLLIN = 1 };

static inline int poll(struct pollfd *fds, unsigned long count, int wait_ms)
{
  (void)fds, (void)count, (void)wait_ms;
  return -1;
}
