#define _DEFAULT_SOURCE /* syscall */
#include "os/numa.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEFAULT = 0, BIND = 2, OF_ADDRESS = 1 | 2, MOST_NODES = 64 }; /* of linux/mempolicy.h */

bool xb_numa_bind(uint32_t node)
{
  const unsigned long mask[2] = {node < MOST_NODES ? 1ul << node : 0};
  return !syscall(SYS_set_mempolicy, BIND, mask, MOST_NODES + 1ul);
}

void xb_numa_free(void)
{
  syscall(SYS_set_mempolicy, DEFAULT, NULL, 0ul);
}

int xb_numa_node_of(const void *page)
{
  int node;
  return syscall(SYS_get_mempolicy, &node, NULL, 0ul, page, (unsigned long)OF_ADDRESS) ? -1 : node;
}

uint32_t xb_numa_nodes(void)
{
  uint32_t count = 0;
  char path[64];
  do
    snprintf(path, sizeof path, "/sys/devices/system/node/node%u", count);
  while (!access(path, F_OK) && ++count < MOST_NODES);
  return count;
}
