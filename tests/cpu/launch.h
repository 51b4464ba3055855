/* Loads a module and runs its entries, for the tests of the runtime. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "xb_cpu.h"

typedef struct module {
  void *handle;
  const xb_cpu_module_info *info;
} module;

module module_open(const char *path);
void module_close(module *m);
const xb_cpu_entry *module_entry(const module *m, const char *name);

/* One-dimensional, with one pointer as parameter. */
xb_cpu_launch launch_of(const module *m, xb_cpu_team *team, const char *name, uint32_t groups, uint32_t threads);

#endif
