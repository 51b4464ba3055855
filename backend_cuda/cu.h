/* The CUDA backend's own objects. Each .c file is one concept, under the name that it has in backend_vulkan; what they
 * share is here. */
#ifndef XB_CUDA_CU_H
#define XB_CUDA_CU_H

#include "core/grow.h"
#include "symbols.h"
#include "xb/backend.h"

/* ---- result.c --------------------------------------------------------------------------------------------------- */

const char *cu_result_name(const cu_symbols *cu, CUresult result);
xb_code cu_code(CUresult result);
xb_code cu_fail(const cu_symbols *cu, xb_error *err, const char *call, CUresult result);
/* Out of host memory of our own. */
#define cu_no_host_memory(err, where) xb_fail(err, XB_NOMEM, where, "out of host memory")

/* ---- devices.c -------------------------------------------------------------------------------------------------- */

/* The driver, started, and how many devices it shows (CUDA_VISIBLE_DEVICES is its business). XB_UNAVAILABLE where one
 * of the two is missing. */
xb_code cu_start(const cu_symbols **cu, uint32_t *count, xb_error *err);
xb_code cu_describe_device(const cu_symbols *cu, uint32_t index, CUdevice *device, xb_device_info *info, xb_error *err);
xb_code cu_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err);

/* ---- device.c, queue.c ------------------------------------------------------------------------------------------ */

typedef struct cu_flight {
  uint64_t value;
  CUevent done;
} cu_flight;

typedef struct cu_queue {
  CUstream stream;
  cu_flight *flights; /* oldest first */
  CUevent *idle;      /* as many places as flights has */
  size_t flight_count, idle_count, capacity;
} cu_queue;

struct xb_be_device {
  const cu_symbols *cu;
  CUdevice handle;
  CUcontext context;          /* the primary one, so that vendor libraries work on the same buffers */
  xb_launch_mode launch_mode; /* GRAPH or STREAM */
  uint32_t compute_capability, shared_bytes, shared_optin_bytes;
  cu_queue queues[XB_MAX_QUEUES];
  CUstream side; /* for what is not work: captures, uploads of graphs */
  bool dead;     /* no more driver calls: they may block behind hung work */
};

xb_code cu_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
xb_code cu_device_close(xb_be_device *device, xb_error *err);
void cu_device_abandon(xb_be_device *device);
/* Makes the device's context current. Done in every call, because the thread may have used another device, or a vendor
 * library, since; it costs some tens of nanoseconds. */
xb_code cu_enter(const xb_be_device *device, xb_error *err);
/* The same for what only frees: false where nothing may be called any more. */
bool cu_enter_to_free(const xb_be_device *device);

/* Asks for the event, or for all of the stream where `event` is NULL, until the limit has passed; then NOT_READY. */
CUresult cu_poll(const xb_be_device *device, CUstream stream, CUevent event, uint64_t limit_ns);
/* For what is over in a moment unless the device hangs. */
extern const uint64_t CU_SETTLE_NS;
xb_code cu_queue_open(xb_be_device *device, cu_queue *queue, xb_error *err);
void cu_queue_close(xb_be_device *device, cu_queue *queue);
xb_code cu_submit(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, xb_error *err);
xb_code cu_wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);

/* ---- memory.c --------------------------------------------------------------------------------------------------- */

struct xb_be_buffer {
  CUdeviceptr address;
  void *host; /* NULL for device memory */
};

xb_code cu_buffer_create(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                         xb_error *err);
void cu_buffer_destroy(xb_be_device *device, xb_be_buffer *buffer);
xb_code cu_buffer_flush(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
xb_code cu_buffer_invalidate(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
uint64_t cu_buffer_native(xb_be_buffer *buffer);
uint64_t cu_device_free_bytes(xb_be_device *device);

/* ---- kernel.c, statistics.c ------------------------------------------------------------------------------------- */

struct xb_be_kernel {
  CUmodule module;
  CUfunction function;
  uint32_t group_size[3];
  uint32_t dynamic_shared_bytes;
};

xb_code cu_kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err);
void cu_kernel_destroy(xb_be_device *device, xb_be_kernel *kernel);
xb_code cu_read_statistics(const xb_be_device *device, const xb_be_kernel *kernel, xb_kernel_info *info, xb_error *err);

/* ---- commands.c, graph.c, stream.c, native.c, timestamps.c ------------------------------------------------------ */

/* One recorded command. */
typedef enum cu_op_kind { CU_OP_DISPATCH, CU_OP_COPY, CU_OP_FILL, CU_OP_STAMP, CU_OP_NATIVE } cu_op_kind;

typedef struct cu_op {
  cu_op_kind kind;
  union {
    struct {
      const xb_be_kernel *kernel;
      uint32_t groups[3];
      uint32_t binding_count;
      CUdeviceptr bindings[XB_MAX_BINDINGS];
      uint32_t args[XB_MAX_ARG_BYTES / 4];
    } dispatch;
    struct {
      CUdeviceptr dst, src;
      void *dst_host, *src_host; /* NULL for device memory */
      size_t bytes;
    } copy;
    struct {
      CUdeviceptr dst;
      size_t words;
      uint32_t word;
    } fill;
    CUevent stamp;
    struct {
      CUgraph graph;   /* for a graph: what was captured; owned by whoever holds the op */
      xb_native_fn fn; /* for a stream: called at each submission */
      void *user;
    } native;
  } u;
} cu_op;

/* Points at the parameters of a dispatch, in the kernel's order; valid while `op` is. */
enum { CU_MAX_PARAMETERS = XB_MAX_BINDINGS + 1 };
void cu_op_parameters(cu_op *op, void *parameters[CU_MAX_PARAMETERS]);

typedef struct cu_nodes {
  CUgraphNode *list;
  size_t count, capacity;
} cu_nodes;

/* A graph in the making, then ready. Work between two barriers has no edges among itself. */
typedef struct cu_graph {
  CUgraph handle;
  CUgraphExec exec; /* NULL for a list without commands */
  cu_nodes before;  /* what new work waits for */
  cu_nodes open;    /* added since the last barrier */
} cu_graph;

xb_code cu_graph_create(xb_be_device *device, cu_graph *graph, xb_error *err);
void cu_graph_free(xb_be_device *device, cu_graph *graph);
xb_code cu_graph_add(xb_be_device *device, cu_graph *graph, cu_op *op, xb_error *err);
void cu_graph_barrier(cu_graph *graph);
/* Instantiates it and brings it to the device, so that the first launch does not pay for that. */
xb_code cu_graph_finish(xb_be_device *device, cu_graph *graph, xb_error *err);

/* The list of commands that is played to a stream at each submission. A stream orders everything, so there are no
 * barriers in it. */
typedef struct cu_list {
  cu_op *ops;
  size_t count, capacity;
} cu_list;

void cu_list_free(cu_list *list);
xb_code cu_list_add(cu_list *list, const cu_op *op, xb_error *err);
xb_code cu_list_play(xb_be_device *device, cu_list *list, CUstream stream, xb_error *err);

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  cu_graph graph; /* one of the two, by launch mode */
  cu_list list;
  CUevent *stamps;
  uint32_t stamp_count;
  bool *before_first; /* per timestamp: recorded before index 0 */
  bool first_stamped;
};

xb_code cu_commands_create(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                           xb_error *err);
void cu_commands_destroy(xb_be_device *device, xb_be_commands *commands);
/* Adds one command to the graph or to the list. */
xb_code cu_record(xb_be_commands *commands, cu_op *op, xb_error *err);
xb_code cu_cmd_dispatch(xb_be_commands *commands, const xb_be_dispatch *dispatch, xb_error *err);
xb_code cu_cmd_copy(xb_be_commands *commands, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err);
xb_code cu_cmd_fill(xb_be_commands *commands, const xb_be_binding *dst, uint32_t word, xb_error *err);
xb_code cu_cmd_barrier(xb_be_commands *commands, xb_error *err);
/* Lets a library work on a stream. */
xb_code cu_call_native(xb_be_device *device, CUstream stream, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_cmd_native(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_device_native(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_commands_finish(xb_be_commands *commands, xb_error *err);

xb_code cu_timestamps_create(xb_be_commands *commands, uint32_t count, xb_error *err);
void cu_timestamps_free(xb_be_commands *commands);
xb_code cu_cmd_timestamp(xb_be_commands *commands, uint32_t index, xb_error *err);
xb_code cu_timestamps(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

#endif
