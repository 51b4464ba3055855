/* A team of ranks. */
#include "scale/team.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const xb_mpi_calls *part;

/* As the launchers of Open MPI, MPICH and PMIx have it; NULL: none has started this process. */
static const char *launcher_says(const char *open_mpi, const char *pmi)
{
  const char *text = getenv(open_mpi);
  text = text ? text : getenv(pmi);
  return text ? text : getenv("PMIX_RANK");
}

bool xb_under_mpi(void)
{
  return launcher_says("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
}

bool xb_is_first_rank(void)
{
  const char *rank = launcher_says("OMPI_COMM_WORLD_RANK", "PMI_RANK");
  return !rank || !strcmp(rank, "0");
}

void xb_wait_for_first_rank(void)
{
  if (!xb_is_first_rank())
    sleep(20);
}

static xb_code open_part(xb_error *err)
{
  void *library = dlopen("libxb_mpi.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return xb_fail(err, XB_UNSUPPORTED, "scale",
                   "%s: if MPI was installed after xbench was built, configure and build again (%s)", dlerror(),
                   "Debian: libopenmpi-dev, openmpi-bin; then cmake --preset release && cmake --build build/release");
  void *symbol = dlsym(library, "xb_mpi_part");
  if (!symbol)
    return xb_fail(err, XB_UNSUPPORTED, "scale", "libxb_mpi.so is from another build, build it again");
  xb_mpi_part_fn *get;
  memcpy(&get, &symbol, sizeof get);
  part = get();
  return XB_OK;
}

/* What all ranks tell each other once. On one host they have one clock. */
static xb_code meet(xb_team *team, const char *host, xb_error *err)
{
  char clock[XB_CLOCK_BYTES];
  xb_clock_name(team->rank, clock);
  const xb_code code = xb_team_gather(team, host, team->hosts, XB_HOST_BYTES, err);
  return code ? code : xb_team_gather(team, clock, team->clocks, sizeof clock, err);
}

xb_code xb_team_of_ranks(double limit_s, xb_member_fn *member, void *user, xb_error *err)
{
  char host[XB_HOST_BYTES];
  atomic_bool gone = false;
  xb_team team = {.limit_s = limit_s, .gone = &gone};
  xb_code code = open_part(err);
  if (code)
    return code;
  team.calls = &part->team;
  part->begin(&team.rank, &team.size, host, sizeof host);
  team.active = team.size;
  team.hosts = calloc(team.size, sizeof *team.hosts);
  team.clocks = calloc(team.size, sizeof *team.clocks);
  if (!team.hosts || !team.clocks || team.size > XB_MOST_MEMBERS)
    return xb_fail(err, XB_UNSUPPORTED, "scale", "at most %d ranks work, not %u", XB_MOST_MEMBERS, team.size);
  memcpy(team.hosts[team.rank], host, sizeof host);
  code = meet(&team, host, err);
  if (!code)
    member(&team, user);
  free(team.hosts);
  free(team.clocks);
  if (!gone && !code)
    part->end();
  return code;
}

void xb_team_abort(int exit_code)
{
  if (part)
    part->abort(exit_code);
}
