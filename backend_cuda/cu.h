/* Types and functions of the CUDA backend. Each .c file is one concept, named as in backend_vulkan. */
#ifndef XB_CUDA_CU_H
#define XB_CUDA_CU_H

#include "core/grow.h"
#include "symbols.h"
#include "xb/backend.h"

/* ---- result.c --------------------------------------------------------------------------------------------------- */

const char *cu_result_name(const cu_symbols *cu, CUresult result);
xb_code cu_code(CUresult result);
xb_code cu_fail(const cu_symbols *cu, xb_error *err, const char *call, CUresult result);
/* What an import returns for a file descriptor that is something else. */
bool cu_refuses_handle(CUresult result);
/* malloc or calloc failed. */
#define cu_no_host_memory(err, where) xb_fail(err, XB_NOMEM, where, "out of host memory")

/* ---- devices.c -------------------------------------------------------------------------------------------------- */

/* Initializes the driver and returns the number of devices that it shows (it reads CUDA_VISIBLE_DEVICES).
 * XB_UNAVAILABLE if there is no driver or no device. */
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
  CUevent *idle;      /* same capacity as flights */
  size_t flight_count, idle_count, capacity;
} cu_queue;

struct xb_be_device {
  const cu_symbols *cu;
  CUdevice handle;
  CUcontext context; /* the primary context, so that vendor libraries can use the same buffers; or one of its own */
  bool own_context, persists;
  xb_launch_mode launch_mode; /* not DEFAULT */
  uint32_t compute_capability, shared_bytes, shared_optin_bytes;
  cu_queue queues[XB_MAX_QUEUES];
  CUstream side; /* for captures and graph uploads, not for submitted work */
  CUmodule hold_module;
  CUfunction hold;          /* for XB_LAUNCH_HELD_STREAM */
  CUevent reference, spare; /* calibrate.c: the reference has the time reference_ns of the host's clock */
  double reference_ns;
  bool dead; /* no more driver calls: they may block behind hung work */
};

xb_code cu_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
xb_code cu_device_close(xb_be_device *device, xb_error *err);
void cu_device_abandon(xb_be_device *device);
/* Makes the device's context current. Every call does it, because the thread may have used another device or a vendor
 * library in between. It costs some tens of nanoseconds. */
xb_code cu_enter(const xb_be_device *device, xb_error *err);
/* The same before freeing. False if no driver call is allowed any more. */
bool cu_enter_to_free(const xb_be_device *device);

/* Polls the event, or the whole stream if `event` is NULL. CUDA_ERROR_NOT_READY if the limit passes. */
CUresult cu_poll(const xb_be_device *device, CUstream stream, CUevent event, uint64_t limit_ns);
/* Time limit for short operations: if it passes, the device hangs. */
extern const uint64_t CU_SETTLE_NS;
xb_code cu_queue_open(xb_be_device *device, cu_queue *queue, xb_error *err);
void cu_queue_close(xb_be_device *device, cu_queue *queue);
xb_code cu_submit(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, const xb_be_handover *handover, xb_error *err);
xb_code cu_wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);

/* ---- semaphore.c ------------------------------------------------------------------------------------------------ */

struct xb_be_semaphore {
  CUexternalSemaphore handle;
};

xb_code cu_semaphore_create(xb_be_device *device, int fd, xb_be_semaphore **semaphore, xb_error *err);
xb_code cu_semaphore_export(xb_be_device *device, xb_be_semaphore *semaphore, int *fd, xb_error *err);
void cu_semaphore_destroy(xb_be_device *device, xb_be_semaphore *semaphore);

/* ---- memory.c, share.c, pageable.c ------------------------------------------------------------------------------- */

struct xb_be_buffer {
  CUdeviceptr address;
  void *host; /* NULL for device memory */
  bool imported;
  CUexternalMemory shared; /* SHARED: another API's memory */
  /* Memory that is exportable, or that CUDA exported: it is mapped at an address of its own. */
  bool mapped;
  CUmemGenericAllocationHandle allocation;
  size_t reserved; /* bytes at `address`, of the allocation */
};

xb_code cu_buffer_create(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                         xb_error *err);
void cu_buffer_destroy(xb_be_device *device, xb_be_buffer *buffer);
xb_code cu_buffer_flush(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
xb_code cu_buffer_invalidate(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
uint64_t cu_buffer_native(xb_be_buffer *buffer);
uint64_t cu_device_free_bytes(xb_be_device *device);
/* Gives a SHARED buffer its address. */
xb_code cu_open_shared(xb_be_device *device, xb_be_buffer *buffer, const xb_buffer_desc *desc, xb_error *err);
/* The same of an exportable buffer. */
xb_code cu_make_exportable(xb_be_device *device, xb_be_buffer *buffer, const xb_buffer_desc *desc, xb_error *err);
void cu_unmap(xb_be_device *device, xb_be_buffer *buffer);
xb_code cu_buffer_export(xb_be_device *device, xb_be_buffer *buffer, xb_shared *shared, xb_error *err);
/* The message has the requested and the free bytes. */
xb_code cu_no_memory(const xb_be_device *device, const char *call, CUresult result, const xb_buffer_desc *desc,
                     xb_error *err);
xb_code cu_upload(xb_be_device *device, const xb_be_binding *to, const void *from, xb_error *err);
xb_code cu_download(xb_be_device *device, void *to, const xb_be_binding *from, xb_error *err);

/* ---- array.c ---------------------------------------------------------------------------------------------------- */

/* An image is an array: the driver knows the order of its texels. */
struct xb_be_image {
  CUarray handle;
  size_t row_bytes, rows, layers;
  uint32_t dimensions;
  bool integers; /* which a kernel reads as such */
};

CUarray_format cu_format(xb_texel format);
xb_code cu_image_create(xb_be_device *device, const xb_image_desc *desc, xb_be_image **image, xb_error *err);
void cu_image_destroy(xb_be_device *device, xb_be_image *image);
xb_code cu_cmd_copy_to_image(xb_be_commands *commands, xb_be_image *dst, const xb_be_binding *src, xb_error *err);
xb_code cu_cmd_copy_from_image(xb_be_commands *commands, const xb_be_binding *dst, xb_be_image *src, xb_error *err);

/* ---- kernel.c, parameters.c, statistics.c ----------------------------------------------------------------------- */

struct xb_be_kernel {
  CUmodule module;
  CUfunction function;
  uint32_t group_size[3];
  uint32_t dynamic_shared_bytes;
  uint32_t tile_bindings; /* bit i: the parameter of binding i is a tensor map */
  uint32_t parameter_count;
  xb_parameter parameters[XB_MAX_PARAMETERS];
};

xb_code cu_kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err);
void cu_kernel_destroy(xb_be_device *device, xb_be_kernel *kernel);
/* The description's parameters; without a list, those of the kernel ABI. */
void cu_parameters_copy(const xb_kernel_desc *desc, xb_be_kernel *kernel);
xb_code cu_parameters_check(const xb_be_device *device, const xb_kernel_desc *desc, const xb_be_kernel *kernel,
                            xb_error *err);
xb_code cu_read_statistics(const xb_be_device *device, const xb_be_kernel *kernel, xb_kernel_info *info, xb_error *err);

/* ---- commands.c, views.c, graph.c, stream.c, hold.c, native.c, timestamps.c -------------------------------------- */

/* One recorded command. */
typedef enum cu_op_kind { CU_OP_DISPATCH, CU_OP_COPY, CU_OP_FILL, CU_OP_STAMP, CU_OP_NATIVE, CU_OP_IMAGE } cu_op_kind;

typedef struct cu_op {
  cu_op_kind kind;
  union {
    struct {
      const xb_be_kernel *kernel;
      uint32_t groups[3];
      CUdeviceptr bindings[XB_MAX_BINDINGS]; /* or texture and surface objects, or where a tensor map is */
      CUaccessPolicyWindow window;           /* num_bytes 0: none */
      bool early;
      _Alignas(16) unsigned char args[XB_MAX_ARG_BYTES];
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
    CUDA_MEMCPY3D image;
    CUevent stamp;
    struct {
      CUgraph graph;   /* for a graph: the captured commands; the op owns it */
      xb_native_fn fn; /* for a stream: called at each submission */
      void *user;
    } native;
  } u;
} cu_op;

/* Sets pointers to the parameters of a dispatch, in the kernel's order; valid as long as `op`. */
void cu_op_parameters(cu_op *op, void *parameters[XB_MAX_PARAMETERS]);

typedef struct cu_nodes {
  CUgraphNode *list;
  size_t count, capacity;
  bool kernels; /* all are kernels */
} cu_nodes;

/* A graph: first recorded, then executable. Nodes between two barriers have no edges between them. */
typedef struct cu_graph {
  CUgraph handle;
  CUgraphExec exec; /* NULL for a list without commands */
  cu_nodes before;  /* new nodes depend on these */
  cu_nodes open;    /* added since the last barrier */
} cu_graph;

xb_code cu_graph_create(xb_be_device *device, cu_graph *graph, xb_error *err);
void cu_graph_free(xb_be_device *device, cu_graph *graph);
xb_code cu_graph_add(xb_be_device *device, cu_graph *graph, cu_op *op, xb_error *err);
void cu_graph_barrier(cu_graph *graph);
/* Instantiates the graph and uploads it to the device, so that the first launch does not include that cost. */
xb_code cu_graph_finish(xb_be_device *device, cu_graph *graph, xb_error *err);

/* The commands that are issued on a stream at each submission. It has no barriers, because a stream keeps order. */
typedef struct cu_list {
  cu_op *ops;
  size_t count, capacity;
} cu_list;

void cu_list_free(cu_list *list);
xb_code cu_list_add(cu_list *list, const cu_op *op, xb_error *err);
xb_code cu_list_play(xb_be_device *device, cu_list *list, CUstream stream, xb_error *err);

/* For XB_LAUNCH_HELD_STREAM. Each list with timestamps has a gate in pinned memory; other lists have none, and other
 * launch modes need nothing: there these functions do nothing. */
xb_code cu_hold_open(xb_be_device *device, xb_error *err);
void cu_hold_close(xb_be_device *device);
xb_code cu_gate_create(xb_be_commands *commands, xb_error *err);
void cu_gate_free(xb_be_commands *commands);
/* The stream waits from here until cu_gate_open, but at most 100 ms. */
xb_code cu_gate_shut(xb_be_commands *commands, CUstream stream, xb_error *err);
void cu_gate_open(xb_be_commands *commands);
/* True if the last submission did not wait until cu_gate_open. */
bool cu_gate_expired(const xb_be_commands *commands);

/* What a dispatch reads and writes texels through; of one list. Dispatches share them. */
typedef struct cu_view {
  xb_be_binding of;
  unsigned long long handle; /* a texture object; of a storage image, a surface object; of tiles, a CUtensorMap * */
} cu_view;

typedef struct cu_views {
  cu_view *list;
  size_t count, capacity;
} cu_views;

xb_code cu_find_view(xb_be_device *device, cu_views *views, const xb_be_binding *binding, unsigned long long *view,
                     xb_error *err);
void cu_views_free(xb_be_device *device, cu_views *views);

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  cu_graph graph; /* the launch mode decides: graph or list */
  cu_list list;
  cu_views views;
  CUevent *stamps;
  uint32_t stamp_count;
  bool *before_first; /* per timestamp: true if recorded before index 0 */
  bool first_stamped;
  void *gate; /* NULL: the submission is not held */
  CUdeviceptr gate_address;
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
/* Calls `fn` with a stream. */
xb_code cu_call_native(xb_be_device *device, CUstream stream, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_cmd_native(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_device_native(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);
xb_code cu_commands_finish(xb_be_commands *commands, xb_error *err);

xb_code cu_timestamps_create(xb_be_commands *commands, uint32_t count, xb_error *err);
void cu_timestamps_free(xb_be_commands *commands);
xb_code cu_cmd_timestamp(xb_be_commands *commands, uint32_t index, xb_error *err);
xb_code cu_timestamps(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

/* ---- window.c --------------------------------------------------------------------------------------------------- */

xb_code cu_persist(xb_be_device *device, uint64_t bytes, uint64_t *set, xb_error *err);
/* Ends what cu_persist set. */
void cu_persist_close(xb_be_device *device);
CUaccessPolicyWindow cu_window_of(const xb_be_dispatch *dispatch);

/* ---- calibrate.c ------------------------------------------------------------------------------------------------ */

void cu_calibration_close(xb_be_device *device);
xb_code cu_calibrate(xb_be_device *device, double *deviation_ns, xb_error *err);
xb_code cu_times(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

#endif
