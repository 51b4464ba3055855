#include "os/cpu.h"

#include <stdio.h>
#include <string.h>

void xb_cpu_info(const char *words, char *out, size_t out_bytes)
{
  char line[256];
  *out = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && !*out && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (colon && !strncmp(line, words, strlen(words)))
      snprintf(out, out_bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
  }
  if (file)
    fclose(file);
}
