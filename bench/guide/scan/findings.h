/* What a source in CUDA C++ uses: words, and phrases for what only the context tells ("atomicAdd float"). */
#ifndef XB_SCAN_FINDINGS_H
#define XB_SCAN_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xb_finding {
  char text[80]; /* cut */
  bool on_device;
  size_t *lines, count, capacity; /* each line once */
} xb_finding;

typedef struct xb_findings {
  xb_finding *list;
  size_t count, capacity, lines; /* of the source */
  size_t *slots, slot_count;     /* a hash table of indices + 1 */
  bool out_of_memory;
} xb_findings;

/* Reads a source, or a header for the device (.cuh). With out_of_memory set, findings are missing. */
void xb_findings_read(xb_findings *findings, const char *source, bool is_header);
void xb_findings_free(xb_findings *findings);

#endif
