/* The fake driver's own objects. FAKE_CUDA in the environment names what is wrong with it: see driver.c. */
#ifndef FAKE_H
#define FAKE_H

#include <cuda.h>

#include "control.h"

extern fake_control fake;

/* Counts the call; its result is not CUDA_SUCCESS when the call is the one to fail. */
CUresult fake_enter(const char *name);
CUresult fake_enter_context(const char *name);
void fake_broken(const char *promise);
bool fake_has(const char *what); /* in FAKE_CUDA */

/* Objects stay in memory after their end, so that use after it is seen. */
typedef struct fake_object {
  fake_kind kind;
  bool ended;
  struct fake_object *next;
} fake_object;

void *fake_new(fake_kind kind, size_t bytes);
/* The object, or NULL and a broken promise where it is none of this kind, or has ended. */
void *fake_get(void *handle, fake_kind kind);
void fake_end(void *handle, fake_kind kind);

/* Whether the bytes lie in one live allocation. */
bool fake_memory(CUdeviceptr at, size_t bytes);

typedef struct fake_function {
  unsigned pointers, arg_bytes, max_threads, dynamic_bytes;
} fake_function;
const fake_function *fake_get_function(CUfunction function);

/* One thing that a device does. */
typedef enum fake_work_kind {
  FAKE_NOTHING,
  FAKE_KERNEL,
  FAKE_COPY,
  FAKE_FILL,
  FAKE_RECORD,
  FAKE_WAIT,
  FAKE_LAUNCH
} fake_work_kind;

typedef struct fake_work {
  fake_work_kind kind;
  fake_function function;
  CUdeviceptr pointers[16];
  uint32_t args[64];
  CUdeviceptr dst, src;
  size_t bytes;
  uint32_t word;
  CUevent event;
  uint64_t recording; /* WAIT: which recording of the event */
  CUgraphExec exec;
  struct fake_graph *child;
} fake_work;

void fake_kernel_work(fake_work *work, CUfunction function, void **parameters);
void fake_do(const fake_work *work);

typedef struct fake_node {
  struct fake_graph *owner;
  fake_work work;
  struct fake_node **before;
  size_t before_count;
  bool done;
  struct fake_node *copy; /* while a graph is cloned */
} fake_node;

typedef struct fake_graph {
  fake_object object;
  fake_node **nodes;
  size_t count;
} fake_graph;

typedef struct fake_exec {
  fake_object object;
  fake_graph *graph;
} fake_exec;

/* Give back what such an object holds. */
void fake_clear_stream(fake_object *object);
void fake_clear_exec(fake_object *object);

void fake_run_graph(fake_graph *graph);
void fake_free_nodes(fake_graph *graph);
/* Behind the last node, as capture does. */
CUresult fake_capture(fake_graph *graph, const fake_work *work);
/* Records, or completes, a recording. */
void fake_record_now(CUevent event);

#endif
