#define _GNU_SOURCE /* memfd_create */
#include "scale/team.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *xb_team_name(const xb_team *team, uint32_t rank, char out[XB_HOST_BYTES + 32])
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
  return xb_fail(err, XB_LOST, "scale", "%s has not answered for %g s", xb_team_name(team, (uint32_t)missing, name),
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

xb_code xb_team_agree(xb_team *team, xb_code code, xb_error *err)
{
  char name[XB_HOST_BYTES + 32];
  ending mine = {.code = code}, all[XB_MOST_MEMBERS];
  if (code)
    snprintf(mine.message, sizeof mine.message, "%.255s", strip(err->message));
  const xb_code gone = xb_team_gather(team, &mine, all, sizeof mine, err);
  if (gone)
    return gone;
  for (uint32_t m = 0; m < team->active; m++)
    if (all[m].code)
      return fail_as(err, &all[m], team->active > 1 ? xb_team_name(team, m, name) : NULL);
  return XB_OK;
}

/* ---- Shared memory ---------------------------------------------------------------------------------------------- */

/* What member 0 tells: a thread of its process takes the address, another process opens the file. */
typedef struct offer {
  pid_t pid;
  int fd;
  void *address;
} offer;

static void *open_offer(const offer *o, size_t bytes)
{
  char path[64];
  if (o->pid == getpid())
    return o->address;
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)o->pid, o->fd);
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0)
    close(fd);
  return memory == MAP_FAILED ? NULL : memory;
}

static offer make_offer(size_t bytes)
{
  offer o = {getpid(), memfd_create("xbench", MFD_CLOEXEC), NULL};
  void *memory = o.fd < 0 || ftruncate(o.fd, (off_t)bytes)
                     ? MAP_FAILED
                     : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, o.fd, 0);
  o.address = memory == MAP_FAILED ? NULL : memory;
  return o;
}

xb_code xb_team_memory(xb_team *team, size_t bytes, void **memory, xb_error *err)
{
  offer mine = {.fd = -1}, all[XB_MOST_MEMBERS];
  *memory = NULL;
  for (uint32_t m = 1; m < team->active; m++)
    if (strcmp(team->hosts[m], team->hosts[0]) != 0)
      return xb_fail(err, XB_UNSUPPORTED, "scale", "members on several hosts share no memory: use --route message");
  if (!team->rank)
    mine = make_offer(bytes);
  xb_code code = xb_team_gather(team, &mine, all, sizeof mine, err);
  if (code)
    return code;
  *memory = team->rank ? open_offer(&all[0], bytes) : mine.address;
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
