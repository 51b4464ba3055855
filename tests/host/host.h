/* A backend without a driver: kernels are C functions, the device is this process. With it, core can be tested
 * anywhere. It can delay work, make each call fail in turn, and it notes every rule of xb/backend.h that core breaks.
 *
 * Host memory and device memory are two copies, so a missing flush or invalidate gives wrong data. New memory is
 * poisoned. Device 0 has every feature; device 1 has no copy queue, no timestamps, one subgroup size, few argument
 * bytes, and does not report which bindings a kernel can write. Thread rule: one thread.
 */
#ifndef HOST_H
#define HOST_H

#include "xb/backend.h"

extern const xb_backend xb_backend_host;

enum {
  HOST_MAX_BINDING = 1 << 20,
  HOST_MAX_BUFFER = 48 << 20,
  HOST_MEMORY = 64 << 20,
  HOST_MAX_GROUPS = 64,
  HOST_MAX_THREADS = 256,
  HOST_BINDING_ALIGN = 64,
  HOST_MAX_UNIFORM = 512,
  HOST_UNIFORM_ALIGN = 128,
  HOST_POISON = 0xA5,
  HOST_QUEUES = 3, /* of each kind */
  HOST_DEVIATION_NS = 5,
  HOST_CREATE_NS = 4321, /* what each kernel says that its creation took */
};

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* Runs one group. */
typedef void (*host_fn)(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                        const void *args);

/* xb_kernel_desc.code points to this. */
typedef struct host_code {
  uint64_t magic, sum; /* set by host_seal */
  char entry[16];
  host_fn run;
  uint32_t group_size[3];
  uint32_t used_bindings, read_only_bindings, uniform_bindings; /* bit i: binding i */
  uint32_t uniform_bytes;                                       /* of each uniform buffer */
  uint32_t arg_bytes;                                           /* 0: the code does not read them */
} host_code;

void host_seal(host_code *code);
/* Seals a copy of the code, and makes it that of the kernel; it stays until the next call. */
void host_describe(host_code code, xb_kernel_desc *desc);
/* The subgroup size of the kernel that is running. */
uint32_t host_subgroup_size(void);

/* ---- Control for tests ------------------------------------------------------------------------------------------ */

typedef enum host_mode {
  HOST_LAZY,      /* a wait works until its limit is over, a poll makes one step */
  HOST_IMMEDIATE, /* all work is done when xb_submit returns */
  HOST_WAITED,    /* only a wait with a limit above 0 works; a poll never does */
  HOST_HUNG,      /* nothing completes; waits return at once */
} host_mode;

void host_set_mode(host_mode mode);
/* Makes the k-th call from now on that can fail (1 is the next) fail with `code`. 0: none. */
void host_fail_call(uint64_t k, xb_code code);
/* The next wait or poll that reaches its point returns `code`, as it does after a validation message. */
void host_report_at_wait(xb_code code);
/* The next times that are read are NAN, as those of a held stream that was not held. */
void host_lose_times(void);
/* True if that call was made. */
bool host_failed(void);
/* The name of the function that failed. */
const char *host_failed_name(void);
/* Calls of the table since the start, including those that only free. */
uint64_t host_calls(void);
/* The description that the last device was opened with. */
xb_device_desc host_opened_with(void);

typedef struct host_live {
  size_t devices, buffers, kernels, commands, submissions, semaphores;
  uint64_t device_bytes;
} host_live;
host_live host_alive(void);

/* The first rule of xb/backend.h that was broken; NULL = none. */
const char *host_broken_promise(void);
/* Resets to HOST_LAZY, no fault, no broken rule, no live objects: so a failed test does not affect others. */
void host_reset(void);

#endif
