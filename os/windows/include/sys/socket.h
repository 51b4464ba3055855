/* Sockets between processes of a host, which carry files on Linux. On Windows none can be made. */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

typedef unsigned socklen_t;
struct sockaddr {
  unsigned short sa_family;
};
struct iovec {
  void *iov_base;
  size_t iov_len;
};
struct msghdr {
  void *msg_name, *msg_control;
  struct iovec *msg_iov;
  size_t msg_iovlen, msg_controllen;
  socklen_t msg_namelen;
};
struct cmsghdr {
  size_t cmsg_len;
  int cmsg_level, cmsg_type;
};

enum { AF_UNIX = 1, SOCK_DGRAM = 2, SOCK_CLOEXEC = 0, SOL_SOCKET = 1, SCM_RIGHTS = 1, MSG_CMSG_CLOEXEC = 0 };
#define CMSG_SPACE(bytes) (sizeof(struct cmsghdr) + (bytes))
#define CMSG_LEN(bytes) (sizeof(struct cmsghdr) + (bytes))
#define CMSG_FIRSTHDR(message) ((struct cmsghdr *)(message)->msg_control)
#define CMSG_DATA(head) ((unsigned char *)((head) + 1))

static inline int socket(int family, int type, int protocol)
{
  (void)family, (void)type, (void)protocol;
  errno = ENOSYS;
  return -1;
}

static inline int bind(int fd, const struct sockaddr *name, socklen_t bytes)
{
  (void)fd, (void)name, (void)bytes;
  return -1;
}

static inline ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
  (void)fd, (void)message, (void)flags;
  return -1;
}

static inline ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
  (void)fd, (void)message, (void)flags;
  return -1;
}
