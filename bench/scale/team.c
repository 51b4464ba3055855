#define _GNU_SOURCE /* memfd_create */
#include "scale/team.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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
