/* A benchmark for tests on the host backend: its variants copy words, each with its own kernel. */
#ifndef COPIES_H
#define COPIES_H

#include "host/host.h"
#include "measure/cell.h"

enum {
  COPIES_N = 1000,
  COPIES_VARIANTS = 5,
  COPIES_BY_HOST = 4, /* the host times it */
  COPIES_AGAIN = 5    /* reads its bytes eight times */
};

extern const xb_benchmark copies;
/* What the kernels run: bindings[0] is copied to bindings[1]. copies_run by default. */
extern host_fn copies_kernel;
extern int copies_checks; /* how often an output was checked */
void copies_run(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                const void *args);

/* Opens the device and makes the input; the rest of the workload is that of `copies`. Ends the test if that fails. */
xb_workload copies_workload(const xb_backend *backend);
void copies_close(xb_workload *w);
/* A cell of variant 1, 2, ... */
xb_cell copies_cell(const xb_workload *w, uint32_t variant);

#endif
