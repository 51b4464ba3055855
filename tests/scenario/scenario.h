/* A complete use of a device, for tests that make each call inside it fail: listing, opening, buffers of each kind,
 * kernels, images, semaphores, lists with every command on every queue, two rounds with points, waits and timestamps,
 * destruction in flight, closing. A step for which the device reports no support is skipped. The first error ends the
 * scenario, and everything is destroyed in any case. */
#ifndef TEST_SCENARIO_H
#define TEST_SCENARIO_H

#include "../shaders/args.h"
#include "xb/backend.h"

/* Steps that a device may refuse with XB_UNSUPPORTED, whatever it reports: bits of scenario_backend.may_refuse. */
enum { SCENARIO_COMBINED = 1, SCENARIO_IMPORT = 2, SCENARIO_SHARE = 4, SCENARIO_SEMAPHORES = 8 };

/* A kernel that the scenario runs once. Buffers and images are filled in: uniform buffers have 8 bytes; all others are
 * inputs of 256 bytes, or outputs if their access is XB_WRITE. An image with a linear filter has one dimension. */
typedef struct scenario_kernel {
  xb_kernel_desc desc; /* without code: the end of an array of less than four */
  xb_binding bindings[4];
  uint32_t args[3];
  bool indirect; /* its group counts are in a buffer */
} scenario_kernel;

typedef struct scenario_backend {
  xb_device_desc open;
  /* tests/shaders/step.hlsl, or what does the same: two bindings, struct step_args, groups of 64. */
  xb_code (*step)(xb_device *device, xb_kernel **kernel, xb_error *err);
  const scenario_kernel *kernels;    /* more of them; may be NULL */
  xb_native_fn fill;                 /* writes 7 to words 240 to 255 of the buffer `user`; NULL: a fill does */
  uint64_t side_bytes;               /* of a buffer, half of which is copied inside it; 0: 4096 */
  uint32_t may_refuse;               /* SCENARIO_... */
  bool last_first;                   /* waits for the last list first */
  bool coarse;                       /* two timestamps may be equal */
  bool computes_nothing;             /* results and times are not checked */
  bool any_file;                     /* memory and semaphores are imported from any file */
  bool wait_after_failure;           /* for the submitted work, before its objects are destroyed */
  bool again;                        /* repeats the work after an error, if the device still works */
  void (*failed)(xb_device *device); /* called at the first failure, before anything is destroyed; may be NULL */
} scenario_backend;

typedef struct scenario_outcome {
  xb_code code; /* the first error, or XB_OK */
  xb_error error;
  const char *step; /* the one that failed, or the last */
  bool opened;      /* a device was opened */
  xb_code status;   /* of the device, before closing */
  bool tried_again;
  xb_code again;  /* result of repeating the work */
  xb_code closed; /* the result of closing */
} scenario_outcome;

/* Lists, opens, works and closes. */
void scenario_run(const scenario_backend *backend, scenario_outcome *outcome);
/* Only the work, on an open device. `*step` becomes the name of the last step that ran. */
xb_code scenario_work(const scenario_backend *backend, xb_device *device, const char **step, xb_error *err);

#endif
