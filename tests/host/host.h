/* A backend without a driver: kernels are C functions, the device is this process. It lets core be tested anywhere,
 * can hold work back, make each call fail in turn, and notes every promise of xb/backend.h that core breaks.
 *
 * Host memory and device memory are two copies, so a forgotten flush or invalidate shows. Fresh memory is poisoned.
 * Device 0 has everything; device 1 has no copy queue, no timestamps, one subgroup size, few argument
 * bytes, and does not say what a kernel can write.
 * Thread rule: one thread.
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
  HOST_POISON = 0xA5,
  HOST_CREATE_NS = 4321, /* what each kernel says that its creation took */
};

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* Runs one group. */
typedef void (*host_fn)(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                        const void *args);

/* What xb_kernel_desc.code points to. */
typedef struct host_code {
  uint64_t magic, sum; /* by host_seal */
  char entry[16];
  host_fn run;
  uint32_t group_size[3];
  uint32_t used_bindings, read_only_bindings; /* bit i: binding i */
  uint32_t arg_bytes;                         /* 0: the code does not look at them */
} host_code;

void host_seal(host_code *code);
/* Of the kernel that is running: the size of its subgroups. */
uint32_t host_subgroup_size(void);

/* ---- What a test can turn --------------------------------------------------------------------------------------- */

typedef enum host_mode {
  HOST_LAZY,      /* a wait works until its limit has passed, a poll does one step */
  HOST_IMMEDIATE, /* all work is done when xb_submit returns */
  HOST_WAITED,    /* only a wait with a limit above 0 works; a poll never does */
  HOST_HUNG,      /* nothing completes; waits return at once */
} host_mode;

void host_set_mode(host_mode mode);
/* Calls counted from now, 1 is the next: the k-th that can fail fails with `code`. 0: none. */
void host_fail_call(uint64_t k, xb_code code);
/* The next wait or poll that reaches its point gives `code` all the same, as a validation layer's message does. */
void host_report_at_wait(xb_code code);
/* Whether that call came. */
bool host_failed(void);
/* The name of the function that failed. */
const char *host_failed_name(void);
/* Calls of the table since the start, the ones that only free included. */
uint64_t host_calls(void);
/* The description that the last device was opened with. */
xb_device_desc host_opened_with(void);

typedef struct host_live {
  size_t devices, buffers, kernels, commands, submissions;
  uint64_t device_bytes;
} host_live;
host_live host_alive(void);

/* The first promise of xb/backend.h that was broken; NULL = none. */
const char *host_broken_promise(void);
/* Back to HOST_LAZY, no fault, no broken promise, nothing counted as alive: a test that failed spoils no other. */
void host_reset(void);

#endif
