/* A fake CUDA driver on host memory, and the test's control of it. It is built as libcuda.so.1; the test finds
 * fake_cuda() in it with dlsym. Streams are lazy: a query makes one step on each stream, the last one first. The nodes
 * of a graph run in the least expected order that its edges allow. Thread rule: one thread. */
#ifndef FAKE_CONTROL_H
#define FAKE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fake_kind {
  FAKE_CONTEXT,
  FAKE_MEMORY,
  FAKE_PINNED,
  FAKE_REGISTERED,
  FAKE_EXTERNAL,
  FAKE_ALLOCATION,
  FAKE_MAPPING,
  FAKE_SEMAPHORE,
  FAKE_MODULE,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_GRAPH,
  FAKE_EXEC,
  FAKE_ARRAY,
  FAKE_TEXTURE,
  FAKE_KINDS
} fake_kind;

typedef struct fake_control {
  void (*reset)(void); /* to the initial state: no objects, no settings */
  /* Set by the test. */
  uint64_t fail_call;   /* counts down: the k-th call from now on fails, 1 is the next; 0 = none */
  int fail_with;        /* a CUresult */
  bool hung;            /* nothing completes */
  bool holds_expire;    /* a kernel that holds a stream gives up at once */
  bool forbidden;       /* any further call breaks the contract */
  int kernels_fault;    /* a CUresult: from the first kernel that runs on, calls of the context return it */
  uint64_t free_memory; /* of the device */
  uint64_t skip_us;     /* the device's clock goes forward by this before the next event */
  /* Read by the test. */
  const char *failed; /* the function that was made to fail */
  const char *broken; /* the first rule of the driver API that was broken */
  int64_t alive[FAKE_KINDS];
  uint64_t graph_nodes, graph_edges, empty_nodes; /* of the last instantiated graph */
  uint64_t
      early_starts; /* kernels launched, or edges added, so that a kernel may start before the one before it ends */
  uint64_t kernels_run;
  uint64_t persisting;            /* bytes of the L2 cache */
  uint64_t windows, window_bytes; /* windows that were set, and the bytes of the last one */
  float window_ratio;
  const void *window_at;
  unsigned char parameters[512]; /* of the last kernel that ran, one after the other */
  size_t parameter_bytes;
  char ptx[128]; /* the last loaded text; empty if it was machine code */
} fake_control;

typedef fake_control *(*fake_cuda_fn)(void);

#endif
