/* The fake driver's own objects. The environment variable FAKE_CUDA names the faults of the driver: see driver.c. */
#ifndef FAKE_H
#define FAKE_H

#include "backend_cuda/symbols.h"

#include "control.h"

extern fake_control fake;
enum { FAKE_DEVICE_BYTES = 1 << 30 }; /* memory of the device */

#define DECLARE(name, version, arguments) CUresult cu##name arguments;
CU_SYMBOLS(DECLARE)
CU_OPTIONAL_SYMBOLS(DECLARE)
#undef DECLARE
CUresult cuDriverGetVersion(int *version);
CUresult cuGetExportTable(const void **table, const CUuuid *id);
CUresult cuGetProcAddress_v2(const char *name, void **pointer, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *status);

/* Counts the call. Returns an error if this is the call that has to fail, else CUDA_SUCCESS. */
CUresult fake_enter(const char *name);
CUresult fake_enter_context(const char *name);
void fake_broken(const char *promise);
bool fake_has(const char *what); /* in FAKE_CUDA */

/* Objects stay in memory after they are destroyed, so that later use of them is found. */
typedef struct fake_object {
  fake_kind kind;
  bool ended;
  struct fake_object *next;
} fake_object;

extern fake_object *fake_objects; /* of all kinds, the newest first */

typedef struct fake_memory_object {
  fake_object object;
  size_t bytes;
  void *data;
} fake_memory_object;

void *fake_new(fake_kind kind, size_t bytes);
/* Returns the object; if it has another kind or was destroyed, returns NULL and notes a broken rule. */
void *fake_get(void *handle, fake_kind kind);
void fake_end(void *handle, fake_kind kind);

/* Takes note of a window that was set. */
void fake_window(const CUaccessPolicyWindow *window);
/* True if the bytes are in one live allocation. */
bool fake_memory(CUdeviceptr at, size_t bytes);
/* The only global of each module: "table". */
extern unsigned char fake_table[64];

/* Arrays, texture and surface objects. */
typedef struct fake_array {
  fake_object object;
  bool surface; /* kernels may write it */
  bool line;    /* of one dimension */
  size_t bytes;
  void *data;
} fake_array;
typedef struct fake_texture {
  fake_object object;
  fake_array *array; /* NULL: linear memory */
  CUdeviceptr data;
} fake_texture;
/* The memory that a kernel's parameter means: an address, or what a texture object reads. */
CUdeviceptr fake_behind(CUdeviceptr parameter);

enum { FAKE_MAX_PARAMETERS = 32 };
typedef struct fake_function {
  unsigned count, bytes[FAKE_MAX_PARAMETERS]; /* of each parameter; 0: a pointer */
  unsigned max_threads, dynamic_bytes;
  bool steps; /* tests/shaders/step.hlsl */
  bool holds; /* waits until the first word of its first buffer is set */
} fake_function;
const fake_function *fake_get_function(CUfunction function);

/* One piece of work of a device. */
typedef enum fake_work_kind {
  FAKE_NOTHING,
  FAKE_KERNEL,
  FAKE_COPY,
  FAKE_FILL,
  FAKE_RECORD,
  FAKE_WAIT,
  FAKE_SIGNAL,
  FAKE_AWAIT,
  FAKE_LAUNCH
} fake_work_kind;

typedef struct fake_work {
  fake_work_kind kind;
  fake_function function;
  unsigned char parameters[512]; /* one after the other */
  size_t parameter_bytes;
  CUexternalSemaphore semaphore;
  CUdeviceptr dst, src;
  size_t bytes;
  uint32_t word;
  CUevent event;
  uint64_t recording; /* WAIT: which recording of the event */
  CUgraphExec exec;
  struct fake_graph *child;
} fake_work;

void fake_kernel_work(fake_work *work, CUfunction function, void **parameters);
fake_work fake_copy_work(const CUDA_MEMCPY3D *p);
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

/* Free what the object owns. */
void fake_clear_stream(fake_object *object);
void fake_clear_exec(fake_object *object);

void fake_run_graph(fake_graph *graph);
void fake_free_nodes(fake_graph *graph);
/* Adds the work after the last node, as capture does. */
CUresult fake_capture(fake_graph *graph, const fake_work *work);
/* Start and complete a recording. */
void fake_record_now(CUevent event);

#endif
