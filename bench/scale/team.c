#define _GNU_SOURCE /* memfd_create */
#include "scale/team.h"

#include "core/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* "member 3 on node7". */
static const char *name_of(const xb_team *team, uint32_t rank, char out[XB_HOST_BYTES + 32])
{
  snprintf(out, XB_HOST_BYTES + 32, "member %u on %s", rank, team->hosts[rank]);
  return out;
}

static xb_code judge(xb_team *team, int64_t missing, xb_error *err)
{
  char name[XB_HOST_BYTES + 32];
  if (missing == XB_NOBODY)
    return XB_OK;
  *team->gone = true;
  return xb_fail(err, XB_LOST, "scale", "%s has not answered for %g s", name_of(team, (uint32_t)missing, name),
                 team->limit_s);
}

xb_code xb_team_gather(xb_team *team, const void *mine, void *all, size_t bytes, xb_error *err)
{
  return judge(team, team->calls->gather(team->state, mine, all, bytes, team->limit_s), err);
}

xb_code xb_team_exchange(xb_team *team, const void *out, int64_t to, void *in, int64_t from, size_t bytes,
                         xb_error *err)
{
  return judge(team, team->calls->exchange(team->state, out, to, in, from, bytes, team->limit_s), err);
}

xb_code xb_team_narrow(xb_team *team, uint32_t count, xb_error *err)
{
  team->active = count;
  return judge(team, team->calls->narrow(team->state, count, team->limit_s), err);
}

typedef struct ending {
  xb_code code;
  char message[256];
} ending;

static const char *strip(const char *message)
{
  return strncmp(message, "scale: ", 7) ? message : message + 7;
}

/* What the members agreed on before has its member's name already; a member alone needs none. */
static xb_code fail_as(xb_error *err, const ending *e, const char *member)
{
  const bool named = !member || !strncmp(e->message, "member ", 7);
  return named ? xb_fail(err, e->code, "scale", "%s", e->message)
               : xb_fail(err, e->code, "scale", "%s: %s", member, e->message);
}

/* Messages are told only if there is one: this is done in each run. */
xb_code xb_team_agree(xb_team *team, xb_code code, xb_error *err)
{
  char name[XB_HOST_BYTES + 32], failed = code != XB_OK, any[XB_MOST_MEMBERS];
  ending mine = {.code = code}, all[XB_MOST_MEMBERS];
  if (code)
    snprintf(mine.message, sizeof mine.message, "%.255s", strip(err->message));
  xb_code gone = xb_team_gather(team, &failed, any, sizeof failed, err);
  if (gone && code) { /* the others may wait for this one inside a library */
    char missing[256];
    snprintf(missing, sizeof missing, "%.255s", strip(err->message));
    return xb_fail(err, gone, "scale", "%s: %s; then %s", name_of(team, team->rank, name), mine.message, missing);
  }
  if (gone || !memchr(any, true, team->active))
    return gone;
  gone = xb_team_gather(team, &mine, all, sizeof mine, err);
  for (uint32_t m = 0; m < team->active && !gone; m++)
    if (all[m].code)
      return fail_as(err, &all[m], team->active > 1 ? name_of(team, m, name) : NULL);
  return gone;
}

/* ---- Shared memory ---------------------------------------------------------------------------------------------- */

/* What member 0 tells: a file that it has opened. */
typedef struct offer {
  pid_t pid;
  int fd;
} offer;

/* Each member maps the file, and unmaps it when it likes: a thread, too. */
static void *open_offer(const offer *o, size_t bytes)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)o->pid, o->fd);
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  void *memory =
      fd < 0 || ftruncate(fd, (off_t)bytes) ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0)
    close(fd);
  return memory == MAP_FAILED ? NULL : memory;
}

xb_code xb_team_memory(xb_team *team, size_t bytes, void **memory, xb_error *err)
{
  offer mine = {.fd = -1}, all[XB_MOST_MEMBERS];
  *memory = NULL;
  for (uint32_t m = 1; m < team->active; m++)
    if (strcmp(team->hosts[m], team->hosts[0]) != 0)
      return xb_fail(err, XB_UNSUPPORTED, "scale", "members on several hosts share no memory: use --route message");
  if (!team->rank)
    mine = (offer){getpid(), memfd_create("xbench", MFD_CLOEXEC)};
  xb_code code = xb_team_gather(team, &mine, all, sizeof mine, err);
  if (code)
    return code;
  *memory = open_offer(&all[0], bytes);
  code = *memory ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "no memory of %zu bytes for all members", bytes);
  code = xb_team_agree(team, code, err);
  if (mine.fd >= 0)
    close(mine.fd);
  return code;
}

void xb_team_memory_free(void *memory, size_t bytes)
{
  if (memory)
    munmap(memory, bytes);
}

/* ---- Descriptors ------------------------------------------------------------------------------------------------- */

/* File descriptors for other members: within a process they are copied, between processes of a host they are sent over
 * sockets of the abstract namespace (unix(7)). */

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
  for (uint32_t m = 0; m < team->active; m++)
    fds[m] = -1;
  if (team->one_process)
    return copy(team, fd, fds, err);
  const identity mine = {(long)getpid(), ++team->sockets};
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

/* ---- Clocks ------------------------------------------------------------------------------------------------------ */

/* Clocks of members on several hosts. They drift apart, so they are compared before and behind each point. */

enum { ROUNDS = 64 };

/* Who has the same text has the same CLOCK_MONOTONIC. A file that cannot be read makes texts differ. */
void xb_clock_name(uint32_t rank, char name[XB_CLOCK_BYTES])
{
  char boot[40] = "", space[40] = "", host[XB_HOST_BYTES] = "";
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  const bool known = file && fgets(boot, sizeof boot, file) && readlink("/proc/self/ns/time", space, 39) > 0;
  if (file)
    fclose(file);
  gethostname(host, sizeof host - 1);
  memset(name, 0, XB_CLOCK_BYTES);
  if (known)
    snprintf(name, XB_CLOCK_BYTES, "%s %s %s", boot, space, host);
  else
    snprintf(name, XB_CLOCK_BYTES, "unknown, of member %u", rank);
}

/* The shortest of several round trips (Cristian, "Probabilistic clock synchronization", 1989): the answer was given at
 * its middle, within half of it. */
static xb_code compare(xb_team *team, uint32_t member, double *error_ns, xb_error *err)
{
  double mine = 0, theirs = 0, best = INFINITY;
  xb_code code = XB_OK;
  for (int i = 0; i < ROUNDS && !code; i++) {
    const double from = mine = xb_clock_ns();
    if (team->rank) {
      code = xb_team_exchange(team, &mine, 0, NULL, XB_NOBODY, sizeof mine, err);
      code = code ? code : xb_team_exchange(team, NULL, XB_NOBODY, &theirs, 0, sizeof theirs, err);
    } else {
      code = xb_team_exchange(team, NULL, XB_NOBODY, &theirs, member, sizeof theirs, err);
      mine = xb_clock_ns();
      code = code ? code : xb_team_exchange(team, &mine, member, NULL, XB_NOBODY, sizeof mine, err);
    }
    const double to = xb_clock_ns();
    if (code || !team->rank || to - from >= best)
      continue;
    best = to - from;
    team->offset_ns = (from + to) / 2 - theirs;
    *error_ns = best / 2;
  }
  return code;
}

xb_code xb_team_clocks(xb_team *team, bool again, double *error_ns, xb_error *err)
{
  const double before_ns = team->offset_ns;
  double mine = 0, all[XB_MOST_MEMBERS];
  xb_code code = XB_OK;
  if (!team->clocks)
    return XB_OK;
  for (uint32_t m = 1; m < team->active && !code; m++)
    if (strcmp(team->clocks[m], team->clocks[0]) && (!team->rank || team->rank == m))
      code = compare(team, m, &mine, err);
  mine += again ? fabs(team->offset_ns - before_ns) : 0;
  code = code ? code : xb_team_gather(team, &mine, all, sizeof mine, err);
  for (uint32_t m = 0; m < team->active && !code; m++)
    *error_ns = fmax(*error_ns, all[m]);
  return code;
}
