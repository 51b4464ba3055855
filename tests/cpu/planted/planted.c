/* planted SANITIZER.txt MODULE...: kernels with faults, and for each a right twin NAME_right. Prints a table of what
 * finds which fault; SANITIZER.txt says what compute-sanitizer found on a GPU (script/gpu planted). Fails if the
 * watched run misses a fault or names another file, or if anything is found in a right twin. */
#include <stdio.h>
#include <string.h>

#include "launch.h"

enum { WORDS = 8192, GROUPS = 4, THREADS = 256, SEEDS = 8 };

static const char *path; /* of the module */
static xb_cpu_team *team;
static xb_cpu_watch *watch;

typedef struct outcome {
  xb_cpu_fault fault;
  _Alignas(64) uint32_t room[3 * WORDS]; /* the buffer, and as much around it */
} outcome;

/* Each run has the module's variables as they are at first. */
static void run(const char *name, uint32_t seed, bool watched, outcome *o)
{
  module m = module_open(path);
  memset(o->room, 0, sizeof o->room);
  uint32_t *data = o->room + WORDS;
  void *params[] = {&data};
  const xb_cpu_region region = {
      .name = "data", .from = data, .bytes = WORDS * sizeof *data, .around = o->room, .around_bytes = sizeof o->room};
  xb_cpu_launch l = launch_of(&m, team, name, GROUPS, THREADS);
  l.params = params;
  l.seed = seed;
  l.shuffle_blocks = seed != 0;
  l.watch = watched ? watch : NULL;
  l.regions = &region;
  l.region_count = 1;
  l.dynamic_shared_bytes = THREADS * 4;
  xb_cpu_run(&l, &o->fault);
  module_close(&m);
}

/* The first finding of each kind; empty: none. A fault of the launch counts as one of memory. */
typedef struct heard {
  char race[1024], memory[1024];
} heard;

static void listen(const char *name, heard *h)
{
  static outcome o;
  *h = (heard){0};
  xb_cpu_watch_forget(watch);
  run(name, 0, true, &o);
  for (uint32_t i = 0; xb_cpu_watch_finding(watch, i); i++) {
    char *to = xb_cpu_watch_kind(watch, i) == XB_CPU_RACES ? h->race : h->memory;
    if (!*to)
      snprintf(to, sizeof h->race, "%s", xb_cpu_watch_finding(watch, i));
  }
  if (o.fault.kind && !*h->memory)
    snprintf(h->memory, sizeof h->memory, "%s", o.fault.what);
}

static bool differs(const outcome *o, const outcome *right)
{
  return o->fault.kind || memcmp(o->room, right->room, sizeof o->room) != 0;
}

/* The smallest seed of an order that gives another result; 0: none. */
static uint32_t first_seed(const char *name, const outcome *right)
{
  static outcome o;
  for (uint32_t seed = 1; seed <= SEEDS; seed++) {
    run(name, seed, false, &o);
    if (differs(&o, right))
      return seed;
  }
  return 0;
}

typedef struct counts {
  uint32_t planted, by_result, by_order, by_races, by_memory, by_sanitizer, bad;
} counts;

static char sanitizer_lines[16384]; /* "NAME TOOL...", one a line */

static bool read_sanitizer(const char *file)
{
  FILE *f = fopen(file, "r");
  const size_t length = f ? fread(sanitizer_lines, 1, sizeof sanitizer_lines - 1, f) : 0;
  if (f)
    fclose(f);
  return length > 0 && length + 1 < sizeof sanitizer_lines;
}

/* What compute-sanitizer's tools said of this kernel; empty: nothing. */
static const char *of_sanitizer(const char *name)
{
  static char tools[64];
  const size_t length = strlen(name);
  *tools = '\0';
  for (const char *line = sanitizer_lines; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (!strncmp(line, name, length) && line[length] == ' ')
      snprintf(tools, sizeof tools, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
  return tools;
}

/* The finding is of the kind that the module is for, and names a line of it. */
static bool is_found(const heard *h)
{
  const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *text = !strncmp(file, "races", 5) ? h->race : h->memory;
  char place[64];
  snprintf(place, sizeof place, "%.*s.cu:", (int)strcspn(file, "."), file);
  return *text && (strstr(text, place) || strstr(text, "outside of all buffers"));
}

static bool is_silent(const char *twin, const outcome *right)
{
  heard h;
  listen(twin, &h);
  if (!*h.race && !*h.memory && !right->fault.kind)
    return true;
  printf("FAILED: %s: expected nothing, got %s\n", twin, *h.race ? h.race : *h.memory ? h.memory : right->fault.what);
  return false;
}

static void check(const char *name, counts *all)
{
  static outcome right, wrong;
  char twin[128], order[16] = "";
  heard h;
  snprintf(twin, sizeof twin, "%s_right", name);
  run(twin, 0, false, &right);
  run(name, 0, false, &wrong);
  listen(name, &h);
  const bool open = first_seed(twin, &right) > 0, result = !open && differs(&wrong, &right);
  const uint32_t seed = open || result ? 0 : first_seed(name, &right);
  if (seed)
    snprintf(order, sizeof order, "seed %u", seed);
  const char *tools = of_sanitizer(name);
  printf("| %s | %s | %s | %s | %s | %s |\n", name,
         open     ? "open"
         : result ? "found"
                  : "",
         open || result ? "-" : order, *h.race ? "found" : "", *h.memory ? "found" : "", tools);
  all->planted++;
  all->by_result += result;
  all->by_order += seed > 0;
  all->by_races += *h.race != '\0';
  all->by_memory += *h.memory != '\0';
  all->by_sanitizer += strstr(tools, "check") != NULL;
  if (!is_found(&h)) {
    printf("FAILED: %s: races: '%s', memory: '%s'\n", name, h.race, h.memory);
    all->bad++;
  }
  all->bad += !is_silent(twin, &right);
}

static void check_module(counts *all)
{
  enum { MOST = 256 };
  static char names[MOST][128];
  uint32_t count = 0;
  module m = module_open(path);
  for (uint32_t i = m.info->entry_count; i-- > 0 && count < MOST;) { /* in the order of the source */
    const char *name = m.info->entries[i].name;
    const size_t length = strlen(name);
    if (length < 6 || strcmp(name + length - 6, "_right") != 0)
      snprintf(names[count++], sizeof names[0], "%s", name);
  }
  module_close(&m);
  for (uint32_t i = 0; i < count; i++)
    check(names[i], all);
}

int main(int count, char **words)
{
  counts all = {0};
  team = xb_cpu_team_create(1); /* one OS thread: each run gives the same */
  watch = xb_cpu_watch_create(XB_CPU_RACES | XB_CPU_MEMORY);
  if (count < 3 || !read_sanitizer(words[1])) {
    fprintf(stderr, "usage: planted SANITIZER.txt MODULE...\n");
    return 2;
  }
  printf("| planted fault | result | order | races | memory | compute-sanitizer |\n|---|---|---|---|---|---|\n");
  for (int i = 2; i < count; i++) {
    path = words[i];
    check_module(&all);
  }
  printf(
      "\nOf %u faults, the result alone shows %u, another order %u more, races %u, memory %u; compute-sanitizer %u.\n",
      all.planted, all.by_result, all.by_order, all.by_races, all.by_memory, all.by_sanitizer);
  xb_cpu_watch_destroy(watch);
  xb_cpu_team_destroy(team);
  return all.planted && !all.bad ? 0 : 1;
}
