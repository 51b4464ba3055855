/* A CUDA driver on host memory: what a test can turn and look at. It is built as libcuda.so.1, and fake_cuda() is found
 * in it with dlsym. Streams are lazy: a query makes one step on each stream, the last one first; the nodes of a graph
 * run in the most unhelpful order that its edges allow. One thread. */
#ifndef FAKE_CONTROL_H
#define FAKE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fake_kind {
  FAKE_CONTEXT,
  FAKE_MEMORY,
  FAKE_PINNED,
  FAKE_MODULE,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_GRAPH,
  FAKE_EXEC,
  FAKE_KINDS
} fake_kind;

typedef struct fake_control {
  void (*reset)(void); /* as new: nothing is left, nothing is set */
  /* To be set. */
  uint64_t fail_call;   /* counts down: the k-th call from now on fails, 1 is the next; 0 = none */
  int fail_with;        /* a CUresult */
  bool hung;            /* nothing completes */
  bool forbidden;       /* any further call is a broken promise */
  uint64_t free_memory; /* of the device */
  /* To be read. */
  const char *failed; /* the function that was made to fail */
  const char *broken; /* the first promise of the driver API that was broken */
  int64_t alive[FAKE_KINDS];
  uint64_t graph_nodes, graph_edges, empty_nodes; /* of the graph instantiated last */
  uint64_t kernels_run;
  char ptx[128]; /* the text that was loaded last; empty where it was machine code */
} fake_control;

typedef fake_control *(*fake_cuda_fn)(void);

#endif
