/* Clocks of members on several hosts. They drift apart, so they are compared before and behind each point. */
#include "scale/team.h"

#include "core/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
