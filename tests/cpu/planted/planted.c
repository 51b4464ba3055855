/* Runs each kernel of a module and its right twin NAME_right, watched: the first has findings of the kind, all of them
 * in its own file; the second has none. Prints a table. */
#include <stdio.h>
#include <string.h>

#include "launch.h"

enum { WORDS = 8192, GROUPS = 4, THREADS = 256 };

static module m;
static xb_cpu_team *team;
static xb_cpu_watch *watch;

/* The findings; a fault of the launch counts as one of memory. */
static const char *look(const char *name, xb_cpu_check kind, xb_cpu_fault *fault)
{
  static uint32_t room[3 * WORDS];
  memset(room, 0, sizeof room);
  uint32_t *data = room + WORDS;
  void *params[] = {&data};
  const xb_cpu_region region = {
      .name = "data", .from = data, .bytes = WORDS * sizeof *data, .around = room, .around_bytes = sizeof room};
  xb_cpu_launch l = launch_of(&m, team, name, GROUPS, THREADS);
  l.params = params;
  l.watch = watch;
  l.regions = &region;
  l.region_count = 1;
  l.dynamic_shared_bytes = THREADS * 4;
  xb_cpu_watch_forget(watch);
  const bool whole = xb_cpu_run(&l, fault);
  for (uint32_t i = 0; xb_cpu_watch_finding(watch, i); i++)
    if (xb_cpu_watch_kind(watch, i) == kind)
      return xb_cpu_watch_finding(watch, i);
  const char *other = xb_cpu_watch_finding(watch, 0);
  return whole || other ? other : fault->what;
}

int main(int count, char **words)
{
  if (count != 3) {
    fprintf(stderr, "usage: %s races|memory MODULE\n", words[0]);
    return 2;
  }
  const bool races = !strcmp(words[1], "races");
  const xb_cpu_check kind = races ? XB_CPU_RACES : XB_CPU_MEMORY;
  uint32_t planted = 0, found = 0, loud = 0;
  char file[64];
  snprintf(file, sizeof file, "%s.cu:", words[1]);
  m = module_open(words[2]);
  team = xb_cpu_team_create(0);
  watch = xb_cpu_watch_create(XB_CPU_RACES | XB_CPU_MEMORY);
  for (uint32_t i = m.info->entry_count; i-- > 0;) { /* in the order of the source */
    const char *name = m.info->entries[i].name;
    const size_t length = strlen(name);
    const bool right = length > 6 && !strcmp(name + length - 6, "_right");
    xb_cpu_fault fault;
    const char *text = look(name, kind, &fault);
    const bool fits =
        text && (strstr(text, file) || fault.kind == XB_CPU_BAD_ACCESS) && !strncmp(text, "race: ", 6) == races;
    planted += !right;
    found += !right && fits;
    loud += right && text;
    if (right ? text != NULL : !fits)
      printf("FAILED ");
    printf("%-40s %s\n", name, text ? text : "silent");
  }
  printf("%u of %u found; %u false reports on %u right twins\n", found, planted, loud, planted);
  xb_cpu_watch_destroy(watch);
  xb_cpu_team_destroy(team);
  module_close(&m);
  return found == planted && !loud && planted ? 0 : 1;
}
