#include "launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *found, const char *what)
{
  if (!found) {
    fprintf(stderr, "%s: %s\n", what, dlerror());
    exit(1);
  }
  return found;
}

module module_open(const char *path)
{
  module m = {.handle = need(dlopen(path, RTLD_NOW | RTLD_LOCAL), path)};
  const xb_cpu_module_info *info = need(dlsym(m.handle, XB_CPU_MODULE_SYMBOL), XB_CPU_MODULE_SYMBOL);
  m.info = info;
  *info->runtime = &xb_cpu_runtime_table;
  return m;
}

void module_close(module *m)
{
  dlclose(m->handle);
}

const xb_cpu_entry *module_entry(const module *m, const char *name)
{
  for (uint32_t i = 0; i < m->info->entry_count; i++)
    if (strcmp(m->info->entries[i].name, name) == 0)
      return &m->info->entries[i];
  fprintf(stderr, "the module has no entry %s\n", name);
  exit(1);
}

xb_cpu_launch launch_of(const module *m, xb_cpu_team *team, const char *name, uint32_t groups, uint32_t threads)
{
  return (xb_cpu_launch){.team = team,
                         .module = m->info,
                         .entry = module_entry(m, name),
                         .groups = {groups, 1, 1},
                         .threads = {threads, 1, 1}};
}
