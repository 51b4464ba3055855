/* File descriptors for other members: within a process they are copied, between processes of a host they are sent over
 * sockets of the abstract namespace (unix(7)). */
#define _GNU_SOURCE
#include "scale/team.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct address {
  struct sockaddr_un name;
  socklen_t length;
} address;

/* A member's socket has a number, as it may have had others before. */
typedef struct identity {
  long pid;
  unsigned number;
} identity;

static address address_of(const identity *of)
{
  address a = {.name.sun_family = AF_UNIX};
  const int length = snprintf(a.name.sun_path + 1, sizeof a.name.sun_path - 1, "xbench-%ld-%u", of->pid, of->number);
  a.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  return a;
}

/* One message: the sender's rank and its descriptor. */
typedef struct parcel {
  uint32_t rank;
  struct iovec part;
  union {
    size_t aligned;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message;
} parcel;

static void pack(parcel *p)
{
  p->part = (struct iovec){&p->rank, sizeof p->rank};
  p->message = (struct msghdr){
      .msg_iov = &p->part, .msg_iovlen = 1, .msg_control = p->control.bytes, .msg_controllen = sizeof p->control.bytes};
}

static bool send_to(int socket, const address *to, uint32_t rank, int fd)
{
  parcel p = {.rank = rank};
  pack(&p);
  p.message.msg_name = (void *)&to->name;
  p.message.msg_namelen = to->length;
  struct cmsghdr *c = CMSG_FIRSTHDR(&p.message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(c), &fd, sizeof fd);
  return sendmsg(socket, &p.message, 0) == (ssize_t)sizeof rank;
}

static bool receive(int socket, double limit_s, uint32_t count, int *fds)
{
  parcel p;
  struct pollfd waiting = {.fd = socket, .events = POLLIN};
  int ready;
  pack(&p);
  do /* a timer's signal ends it */
    ready = poll(&waiting, 1, (int)(limit_s * 1e3));
  while (ready < 0 && errno == EINTR);
  if (ready != 1 || recvmsg(socket, &p.message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof p.rank)
    return false;
  const struct cmsghdr *c = CMSG_FIRSTHDR(&p.message);
  if (!c || c->cmsg_type != SCM_RIGHTS || p.rank >= count || fds[p.rank] >= 0)
    return false;
  memcpy(&fds[p.rank], CMSG_DATA(c), sizeof fds[0]);
  return true;
}

static xb_code exchange(xb_team *team, int socket, const identity *mine, int fd, int *fds, xb_error *err)
{
  identity all[XB_MOST_MEMBERS];
  const xb_code code = xb_team_gather(team, mine, all, sizeof *mine, err); /* all sockets are there now */
  bool good = true;
  for (uint32_t m = 0; m < team->active && !code; m++) {
    const address to = address_of(&all[m]);
    good &= m == team->rank || send_to(socket, &to, team->rank, fd);
  }
  for (uint32_t m = 1; m < team->active && !code && good; m++)
    good = receive(socket, team->limit_s, team->active, fds);
  return code ? code : good ? XB_OK : xb_fail(err, XB_UNSUPPORTED, "scale", "members cannot send each other memory");
}

static xb_code copy(xb_team *team, int fd, int *fds, xb_error *err)
{
  int all[XB_MOST_MEMBERS];
  const xb_code code = xb_team_gather(team, &fd, all, sizeof fd, err);
  for (uint32_t m = 0; m < team->active && !code; m++)
    fds[m] = m == team->rank ? -1 : dup(all[m]);
  return code;
}

xb_code xb_team_descriptors(xb_team *team, int fd, int *fds, xb_error *err)
{
  static unsigned number;
  for (uint32_t m = 0; m < team->active; m++)
    fds[m] = -1;
  if (team->one_process)
    return copy(team, fd, fds, err);
  const identity mine = {(long)getpid(), ++number};
  const address own = address_of(&mine);
  const int server = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  xb_code code = server >= 0 && !bind(server, (const struct sockaddr *)&own.name, own.length)
                     ? XB_OK
                     : xb_fail(err, XB_UNSUPPORTED, "scale", "no socket to send memory to other members");
  code = xb_team_agree(team, code, err);
  code = code ? code : exchange(team, server, &mine, fd, fds, err);
  if (server >= 0)
    close(server);
  return code;
}
