/* A Vulkan loader between the backend and the real one: it makes calls fail, shows other devices than there are, and
 * counts objects. It is named libvulkan.so.1 and lies in a folder of its own, which only a test process looks into.
 *
 * Besides the test's own control (`xb_shim`, below), XB_SHIM_FAIL=FUNCTION:K:RESULT makes the K-th call and all later
 * ones fail (FUNCTION:K:RESULT:once only the K-th), as in XB_SHIM_FAIL=vkAllocateMemory:3:-2. XB_SHIM_LOADER is the
 * path of the real loader where it is in no usual place.
 *
 * Thread rule: one thread, and one open device at a time.
 */
#ifndef XB_SHIM_H
#define XB_SHIM_H

#include <stdbool.h>
#include <stdint.h>

enum { XB_SHIM_TICKS = 4 };

typedef enum xb_shim_memory {
  XB_SHIM_MEMORY_AS_IS,
  /* Host-visible memory is not coherent: the host sees a copy, which only flushes and invalidates carry over. */
  XB_SHIM_MEMORY_NON_COHERENT,
  /* Four types in two heaps instead of one type: see XB_SHIM_TYPE_*. Devices with more than one type stay as they are.
   */
  XB_SHIM_MEMORY_TWO_HEAPS,
  XB_SHIM_MEMORY_NO_HOST, /* the host sees no memory */
} xb_shim_memory;

enum { XB_SHIM_TYPE_DEVICE, XB_SHIM_TYPE_HOST, XB_SHIM_TYPE_HOST_CACHED, XB_SHIM_TYPE_DEVICE_HOST, XB_SHIM_TYPES };

/* What the device looks like; zero: as it is. */
typedef struct xb_shim_fake {
  uint32_t loader_version, device_version; /* at most */
  uint32_t layer_version;                  /* of every layer, whatever it has */
  const char *no_function;                 /* cannot be found */
  const char *no_extension;                /* the device lacks it; "" all of them */
  bool no_devices, no_compute;
  bool copy_queue; /* a queue family that only copies, where there is none: it is family 0 again */
  bool set_timestamp_bits;
  uint32_t timestamp_bits;
  uint32_t tick_count; /* > 0: what timestamp queries give */
  uint64_t ticks[XB_SHIM_TICKS];
  xb_shim_memory memory;
  bool no_barriers; /* vkCmdPipelineBarrier does nothing */
} xb_shim_fake;

typedef struct xb_shim_control {
  /* Nothing fails, nothing is faked, nothing was called. */
  void (*reset)(void);
  /* From its `from`-th call on (the first is 1), `function` is not called and gives `result`; `once`: only that call.
   * What it should have created is then a handle that does not exist. */
  void (*make_fail)(const char *function, uint32_t from, int32_t result, bool once);
  void (*fake)(const xb_shim_fake *fake);

  /* One can ask for every function that the backend calls. */
  bool (*can_fail)(const char *function);
  uint32_t (*calls)(const char *function);
  uint64_t (*all_calls)(void);      /* since the reset */
  uint32_t (*failures)(void);       /* since the reset */
  uint64_t (*calls_after)(void);    /* since the last failure */
  uint32_t (*alive)(void);          /* objects that were created and not destroyed */
  const char *(*first_alive)(void); /* what would destroy the oldest of them: "vkDestroyBuffer" */
  /* The first wrong call, such as the destruction of what does not exist; NULL if there was none. */
  const char *(*fault)(void);
  uint32_t (*last_memory_type)(void);
  bool (*enabled)(const char *extension); /* of the last device that was created */
  /* Destroys what is still alive, as the end of the process would. */
  void (*bury)(void);
} xb_shim_control;

/* "xb_shim" in the library: the one control. */
typedef const xb_shim_control *(*xb_shim_get)(void);

#endif
