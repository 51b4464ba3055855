/* ways MODULE SOURCE: each way of SOURCE to touch memory is run right, and with each fault: a race, a read of what
 * nobody has written, an access outside. Fails if a fault is not found at its line, or if anything is found in a right
 * run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"

enum { WORDS = 16384, GROUPS = 2, THREADS = 64, ROOM = 4096, MOST_SOURCE = 1 << 16 };
typedef enum fault { NONE, RACE, UNWRITTEN, OUTSIDE, FAULTS } fault;
static const char *const faults[FAULTS] = {"nothing", "a race", "a read of what nobody has written",
                                           "an access outside"};

typedef struct bench {
  xb_cpu_team *team;
  xb_cpu_watch *watch;
  module module;
  char source[MOST_SOURCE];
  _Alignas(64) uint32_t memory[3 * WORDS]; /* the buffer, and as much around it */
} bench;

static bool begins(const char *text, const char *with)
{
  return !strncmp(text, with, strlen(with));
}

/* Line of READ(NAME for "read_shared_NAME"; of WRITE(NAME or WRITE_ALL(NAME likewise. 0: none. */
static uint32_t line_of(const bench *b, const char *entry)
{
  const char *name = strchr(strchr(entry, '_') + 1, '_') + 1, *end;
  const char *macro = begins(entry, "read") ? "READ" : "WRITE";
  uint32_t line = 1;
  for (const char *p = b->source; (end = strchr(p, '\n')); p = end + 1, line++) {
    const char *open = p + strcspn(p, "(\n");
    if (begins(p, macro) && *open == '(' && begins(open + 1, name) && open[1 + strlen(name)] == ',')
      return line;
  }
  return 0;
}

static void run(bench *b, const char *name, uint32_t fault, xb_cpu_fault *how)
{
  memset(b->memory, 0, sizeof b->memory);
  uint32_t *data = b->memory + WORDS;
  void *params[] = {&data, &fault};
  const xb_cpu_region region = {.name = "data",
                                .from = data,
                                .bytes = WORDS * sizeof *data,
                                .around = b->memory,
                                .around_bytes = sizeof b->memory};
  xb_cpu_launch l = launch_of(&b->module, b->team, name, GROUPS, THREADS);
  l.params = params;
  l.watch = b->watch;
  l.regions = &region;
  l.region_count = 1;
  l.dynamic_shared_bytes = ROOM;
  xb_cpu_watch_forget(b->watch);
  *how = (xb_cpu_fault){0};
  xb_cpu_run(&l, how);
}

/* The line of the way, or one of a function that it calls. */
static bool names_line(const char *text, const bench *b, const char *entry)
{
  for (const char *p = text; (p = strstr(p, ".cu:")); p++)
    if (strtoul(p + strlen(".cu:"), NULL, 10) == line_of(b, entry))
      return true;
  return strstr(text, "called.cuh:") != NULL;
}

static const char *finding(const bench *b, fault fault, const char *entry)
{
  const bool shared = strstr(entry, "_shared_") != NULL;
  const char *const memory = fault == OUTSIDE ? shared ? "dynamic shared memory" : "of data, which has"
                             : shared         ? "of shared memory '"
                                              : "of data, which has";
  const char *const what = fault == RACE      ? "nothing orders them"
                           : fault == OUTSIDE ? "outside"
                                              : "no thread has written";
  for (uint32_t i = 0; xb_cpu_watch_finding(b->watch, i); i++) {
    const char *text = xb_cpu_watch_finding(b->watch, i);
    if (strstr(text, what) && strstr(text, memory) && names_line(text, b, entry))
      return text;
  }
  return NULL;
}

static unsigned check(bench *b, const char *entry)
{
  unsigned bad = 0;
  xb_cpu_fault how;
  for (int fault = NONE; fault < FAULTS; fault++) {
    if (fault == UNWRITTEN && !begins(entry, "read_shared_"))
      continue;
    run(b, entry, (uint32_t)fault, &how);
    const char *any = xb_cpu_watch_finding(b->watch, 0);
    any = any ? any : how.kind ? how.what : NULL;
    if (fault == NONE ? !any : finding(b, (enum fault)fault, entry) != NULL)
      continue;
    printf("FAILED: %s: expected %s at its line, got %s\n", entry, faults[fault], any ? any : "nothing");
    bad++;
  }
  return bad;
}

static bool read_source(const char *path, bench *b)
{
  FILE *f = fopen(path, "r");
  const size_t length = f ? fread(b->source, 1, sizeof b->source - 1, f) : 0;
  if (f)
    fclose(f);
  return length > 0 && length + 1 < sizeof b->source;
}

int main(int count, char **words)
{
  static bench b;
  if (count != 3 || !read_source(words[2], &b)) {
    fprintf(stderr, "usage: ways MODULE SOURCE\n");
    return 2;
  }
  b.team = xb_cpu_team_create(1);
  b.watch = xb_cpu_watch_create(XB_CPU_RACES | XB_CPU_MEMORY);
  b.module = module_open(words[1]);
  unsigned bad = 0;
  for (uint32_t i = 0; i < b.module.info->entry_count; i++)
    bad += check(&b, b.module.info->entries[i].name);
  printf("%u ways, %u not as expected\n", b.module.info->entry_count, bad);
  xb_cpu_watch_destroy(b.watch);
  xb_cpu_team_destroy(b.team);
  return bad || !b.module.info->entry_count;
}
