/* The backend "cpu": CUDA C++ kernels that the host's compiler made, and shaders, run by runtime/. One file a concept,
 * as in backend_cuda/. A list's commands run one after another on the thread of its queue; only a dispatch uses more
 * threads.
 */
#ifndef XB_CPU_BACKEND_H
#define XB_CPU_BACKEND_H

#include "core/grow.h"
#include "runtime/xb_cpu.h"
#include "shader/translate.h"
#include "xb/backend.h"

#include <pthread.h>

enum { CPU_LABEL = 48, CPU_MESSAGE = 448 };

struct xb_be_buffer {
  uint64_t bytes;
  uint8_t *data;
  uint8_t *mapped; /* with the closed pages; NULL: the caller's own memory */
  uint64_t mapped_bytes;
  uint64_t front, behind; /* bytes of the pattern before `data`, and behind the buffer */
  char label[CPU_LABEL];
  xb_be_buffer *next; /* of the device's addressable ones */
};

struct xb_be_image {
  xb_texel format;
  uint32_t width, height, depth; /* 0: it has none */
  uint32_t channels;
  uint8_t *texels; /* row after row */
  size_t bytes;
};

struct xb_be_semaphore {
  int file;
  uint64_t *value; /* in the file */
};

struct xb_be_kernel {
  int file; /* of the code; 0: none. Open as long as the library: the loader takes another one of its path for the same
             */
  void *library;
  const xb_cpu_module_info *module;
  const xb_cpu_entry *entry;
  uint32_t wave;       /* a shader's: lanes of a wave; 0: CUDA */
  bool full_waves;     /* it asks for them */
  xb_cpu_watch *watch; /* NULL: not compiled to be watched */
  uint32_t group_size[3], dynamic_shared_bytes;
  xb_parameter parameters[XB_MAX_PARAMETERS]; /* bytes 0: the address of a binding, else a value */
  uint32_t parameter_count;
  /* A shader's: the place of each binding among the buffers, where those of an array follow each other. */
  uint32_t places[XB_MAX_BINDINGS], place_count;
};

typedef enum cpu_op_kind { CPU_DISPATCH, CPU_COPY, CPU_FILL, CPU_STAMP, CPU_IMAGE, CPU_FROM_IMAGE } cpu_op_kind;

typedef struct cpu_op {
  cpu_op_kind kind;
  xb_be_kernel *kernel;
  xb_be_binding bindings[XB_MAX_BINDINGS]; /* of a copy: destination, source */
  uint32_t binding_count;
  xb_be_binding *uses; /* of a dispatch: by their addresses; NULL: none */
  uint32_t use_count;
  uint32_t groups[3];
  xb_be_binding counts; /* with a buffer: the groups are read from it when the command begins */
  xb_be_image *image;   /* CPU_IMAGE: the destination; CPU_FROM_IMAGE: the source */
  uint32_t word;        /* of a fill; index of a timestamp */
  _Alignas(16) uint8_t args[XB_MAX_ARG_BYTES];
} cpu_op;

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  cpu_op *ops;
  size_t op_count, op_capacity;
  double *stamps; /* of the last submission */
  uint32_t timestamp_count;
};

typedef struct cpu_work {
  xb_be_commands *commands;
  uint64_t value;
  xb_point after[XB_MAX_AFTER];
  uint32_t after_count;
  xb_be_handover handover;
} cpu_work;

typedef struct cpu_queue {
  xb_be_device *device;
  pthread_t thread;
  bool started;
  cpu_work *work; /* the first one is running */
  size_t count, capacity;
  uint64_t reached;
  xb_cpu_team *team;   /* made by the first dispatch */
  uint64_t stop_up_to; /* lists up to this value end, or do not begin */
  bool runs;
  xb_code code;              /* of the message */
  char message[CPU_MESSAGE]; /* what went wrong, until a wait reports it; the first one counts */
} cpu_queue;

struct xb_be_device {
  xb_device_info info;
  uint32_t checks;      /* what shaders are watched for: xb_cpu_check */
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t changed;
  cpu_queue queues[XB_MAX_QUEUES];
  xb_be_buffer *addressable; /* all that exist */
  bool closing;
  bool stuck; /* a kernel could not be stopped: it may still run, so what it may use stays */
};

/* devices.c, device.c */
xb_code cpu_enumerate(xb_device_info *, uint32_t, uint32_t *, xb_error *);
void cpu_describe(uint32_t wave, xb_device_info *info); /* 0: for CUDA */
xb_code cpu_device_open(const xb_device_desc *, xb_be_device **, xb_device_info *, xb_error *);
xb_code cpu_device_close(xb_be_device *, xb_error *);
void cpu_device_abandon(xb_be_device *);

/* memory.c */
uint64_t cpu_available_bytes(void);
uint64_t cpu_device_free_bytes(xb_be_device *);
xb_code cpu_buffer_create(xb_be_device *, const xb_buffer_desc *, xb_be_buffer **, void **, xb_error *);
void cpu_buffer_destroy(xb_be_device *, xb_be_buffer *);
xb_code cpu_buffer_flush(xb_be_device *, xb_be_buffer *, xb_error *);
uint64_t cpu_buffer_native(xb_be_buffer *);
/* False if something wrote beside the buffer: at `offset`, relative to its first byte. The pattern is whole again. */
bool cpu_buffer_intact(xb_be_buffer *, int64_t *offset);
/* True if the address is in the buffer or in its closed pages. */
bool cpu_buffer_near(const xb_be_buffer *, const void *address);

/* kernel.c, module.c */
xb_code cpu_kernel_create(xb_be_device *, const xb_kernel_desc *, xb_be_kernel **, xb_kernel_info *, xb_error *);
void cpu_kernel_destroy(xb_be_device *, xb_be_kernel *);
const char *cpu_kernel_label(const xb_kernel_desc *desc);
/* Loads the code from memory. */
xb_code cpu_module_load(const xb_kernel_desc *, xb_be_kernel *, xb_error *);
/* True if the loader kept the closed library of this file. The file's number must not be used again: the loader would
 * take another file of that number for the same library. */
bool cpu_module_stays(int file);

/* shaders.c: SPIR-V in place of a module. Sets the kernel's parameters and its entry. */
xb_code cpu_shader_load(const xb_be_device *, const xb_kernel_desc *, xb_be_kernel *, xb_kernel_info *, xb_error *);
/* compile.c: the bytes of a module, which the caller frees. `name`: the entry's. */
xb_code cpu_shader_compile(const char *where, const char *name, const cpu_shader *shader, char **module, size_t *bytes,
                           xb_error *err);

/* commands.c */
xb_code cpu_commands_create(xb_be_device *, const xb_commands_desc *, xb_be_commands **, xb_error *);
void cpu_commands_destroy(xb_be_device *, xb_be_commands *);
xb_code cpu_cmd_dispatch(xb_be_commands *, const xb_be_dispatch *, xb_error *);
xb_code cpu_cmd_dispatch_indirect(xb_be_commands *, const xb_be_dispatch *, const xb_be_binding *, xb_error *);
xb_code cpu_cmd_copy(xb_be_commands *, const xb_be_binding *, const xb_be_binding *, xb_error *);
xb_code cpu_cmd_fill(xb_be_commands *, const xb_be_binding *, uint32_t, xb_error *);
xb_code cpu_cmd_barrier(xb_be_commands *, xb_error *);
xb_code cpu_cmd_timestamp(xb_be_commands *, uint32_t, xb_error *);
xb_code cpu_cmd_native(xb_be_commands *, xb_native_fn, void *, xb_error *);
xb_code cpu_cmd_copy_to_image(xb_be_commands *, xb_be_image *, const xb_be_binding *, xb_error *);
xb_code cpu_cmd_copy_from_image(xb_be_commands *, const xb_be_binding *, xb_be_image *, xb_error *);
xb_code cpu_commands_finish(xb_be_commands *, xb_error *);

/* queue.c */
xb_code cpu_queues_start(xb_be_device *, xb_error *);
/* Ends what runs, drops what waits, and ends the threads. */
void cpu_queues_stop(xb_be_device *);
xb_code cpu_submit(xb_be_device *, xb_be_commands *, uint64_t, const xb_point *, uint32_t, const xb_be_handover *,
                   xb_error *);
xb_code cpu_wait(xb_be_device *, xb_point, uint64_t, bool *, xb_error *);
xb_code cpu_timestamps(xb_be_commands *, double *, uint32_t, xb_error *);
xb_code cpu_calibrate(xb_be_device *, double *, xb_error *);
xb_code cpu_times(xb_be_commands *, double *, uint32_t, xb_error *);

/* run.c: XB_INTERNAL, and `message` gets what a kernel did wrong, or where it was stopped; XB_UNSUPPORTED if it came to
 * a word that is not emulated. `*team` is made if it is NULL. */
xb_code cpu_run(xb_be_device *device, const cpu_op *op, xb_cpu_team **team, char message[CPU_MESSAGE]);

/* image.c */
xb_code cpu_image_create(xb_be_device *, const xb_image_desc *, xb_be_image **, xb_error *);
void cpu_image_destroy(xb_be_device *, xb_be_image *);

/* semaphore.c */
xb_code cpu_semaphore_create(xb_be_device *, int, xb_be_semaphore **, xb_error *);
xb_code cpu_semaphore_export(xb_be_device *, xb_be_semaphore *, int *, xb_error *);
void cpu_semaphore_destroy(xb_be_device *, xb_be_semaphore *);

#endif
