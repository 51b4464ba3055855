/* jansson's memory. A document loses a field when jansson runs out of memory, and its functions often do not say so. */
#ifndef XB_JSON_MEMORY_H
#define XB_JSON_MEMORY_H

#include <stdbool.h>

/* Call once, before anything uses jansson. */
void xb_json_watch_memory(void);
/* True if jansson ran out of memory since the last call: what was built or read in between is not complete. One thread
 * uses jansson. */
bool xb_json_ran_out(void);

#endif
