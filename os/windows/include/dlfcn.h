/* dlopen() over LoadLibrary. A name without a folder is looked for beside the program and in the system's folder, never
 * in the current one or in PATH. */
#pragma once

enum { RTLD_LAZY = 0, RTLD_NOW = 0, RTLD_LOCAL = 0 };

typedef struct Dl_info {
  const char *dli_fname; /* valid until the next call of the thread */
} Dl_info;

void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);
int dladdr(const void *symbol, Dl_info *info);
