/* xbench list devices --long. */
#ifndef XB_DEVICE_FACTS_H
#define XB_DEVICE_FACTS_H

#include "xb/gpu.h"

/* Prints every fact of a device as one API tells it, by the names of xb_device_info. "-": unknown, or there is none. */
void xb_list_facts(const xb_device_info *info);

#endif
