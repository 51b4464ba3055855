/* Where the host's memory lies on a machine with several NUMA nodes, by Linux's calls: no library is needed. */
#ifndef XB_NUMA_H
#define XB_NUMA_H

#include <stdbool.h>
#include <stdint.h>

/* Pages that this thread touches first from now on lie on this node. False if there is no such node. */
bool xb_numa_bind(uint32_t node);
/* As before: where the system chooses. */
void xb_numa_free(void);
/* The node of a page that was touched; -1: the system does not tell, as of memory that a driver mapped. */
int xb_numa_node_of(const void *page);
uint32_t xb_numa_nodes(void); /* of this machine */

#endif
