/* xbench list devices --long. */
#ifndef XB_DEVICE_FACTS_H
#define XB_DEVICE_FACTS_H

#include "xb/gpu.h"

/* Prints every fact of a device that is known, by the names of xb_device_info: as an API tells it; what it does not
 * tell is another API's. */
void xb_list_facts(const xb_device_info *info);
/* xbench list capabilities: what is published of each compute capability. */
void xb_list_capabilities(void);

#endif
