/* A Vulkan loader between the backend and the real one: it makes calls fail, simulates other devices, and counts
 * objects. It is named libvulkan.so.1, in a folder that only a test process searches.
 *
 * A test controls it with `xb_shim` (below). Also, XB_SHIM_FAIL=FUNCTION:K:RESULT makes the K-th call and all later
 * ones fail (FUNCTION:K:RESULT:once: only the K-th; FUNCTION:K:0:crash: it crashes), for example
 * XB_SHIM_FAIL=vkAllocateMemory:3:-2. XB_SHIM_LOADER is the path of the real loader if it is not in a usual place.
 * XB_SHIM_QUEUES=N simulates N queues of each family, and a family for copies. XB_SHIM_SEMAPHORES=1 simulates
 * semaphores that several devices share. XB_SHIM_TWICE=1 lists a device twice, if it is the only one.
 * XB_SHIM_LIE=N simulates a damaged driver (xb_shim_lie).
 * XB_SHIM_HALF_WAVES=1 simulates a driver whose waves are full only where a kernel asks for it.
 *
 * Thread rule: one thread, and one open device at a time.
 */
#ifndef XB_SHIM_H
#define XB_SHIM_H

#include <stdbool.h>
#include <stdint.h>

enum { XB_SHIM_TICKS = 4, XB_SHIM_EXTENSIONS = 32 };

typedef enum xb_shim_memory {
  XB_SHIM_MEMORY_AS_IS,
  /* Host-visible memory is not coherent: the host sees a copy, which only flush and invalidate update. */
  XB_SHIM_MEMORY_NON_COHERENT,
  /* Four types in two heaps instead of one type: see XB_SHIM_TYPE_*. Devices with more than one type are unchanged. */
  XB_SHIM_MEMORY_TWO_HEAPS,
  XB_SHIM_MEMORY_INTEGRATED, /* two types of one heap, that of the host, all of it device-local: XB_SHIM_TYPE_LOCAL* */
  XB_SHIM_MEMORY_NO_HOST,    /* the host sees no memory */
} xb_shim_memory;

enum { XB_SHIM_TYPE_DEVICE, XB_SHIM_TYPE_HOST, XB_SHIM_TYPE_HOST_CACHED, XB_SHIM_TYPE_DEVICE_HOST, XB_SHIM_TYPES };
enum { XB_SHIM_TYPE_LOCAL, XB_SHIM_TYPE_LOCAL_CACHED };

/* What a damaged driver reports, or does. */
typedef enum xb_shim_lie {
  XB_SHIM_HONEST,
  XB_SHIM_NO_GROUPS,       /* 0 groups in each dimension */
  XB_SHIM_NO_ALIGNMENT,    /* 0 and 48 bytes */
  XB_SHIM_NO_SUBGROUPS,    /* of 0 threads */
  XB_SHIM_NO_RANGE,        /* storage buffers of 0 bytes */
  XB_SHIM_MANY_TYPES,      /* 99 types of memory */
  XB_SHIM_MANY_HEAPS,      /* 99 heaps */
  XB_SHIM_NO_SUCH_HEAP,    /* types of memory in heap 77 */
  XB_SHIM_NO_MAPS,         /* memory is mapped at no address */
  XB_SHIM_NO_FAMILIES,     /* 0 queue families */
  XB_SHIM_NO_QUEUES,       /* queues without a handle */
  XB_SHIM_GROWING_LISTS,   /* lists are longer when they are read than when they were counted */
  XB_SHIM_SHRINKING_LISTS, /* and then they are empty */
  XB_SHIM_STOPPED_CLOCK,   /* all timestamps are equal */
  XB_SHIM_FAST_CLOCK,      /* it counts a thousand times too fast */
  XB_SHIM_BACKWARD_CLOCK,  /* later timestamps are smaller */
} xb_shim_lie;

/* Properties of the simulated device; 0: those of the real device. */
typedef struct xb_shim_fake {
  uint32_t loader_version, device_version; /* at most */
  uint32_t layer_version;                  /* the version of every layer */
  const char *no_function;                 /* a function that is missing */
  const char *more_extension;              /* one that the device lacks, and lists */
  const char *no_extension;                /* an extension that the device lacks; "" all of them */
  bool no_devices, no_compute;
  bool portability;             /* the device is listed only to instances that ask for drivers over other APIs */
  bool no_features;             /* none that kernels may need: types, atomics */
  uint32_t subgroup_operations; /* VkSubgroupFeatureFlags */
  uint64_t max_allocation_bytes;
  uint32_t queue_count; /* of each family: they are queue 0 again */
  bool copy_queue;      /* adds a copy-only queue family if there is none: it is family 0 again */
  bool fills_families;  /* the driver lists as many queue families as there is room for */
  bool set_timestamp_bits;
  uint32_t timestamp_bits;
  uint32_t copy_timestamp_bits; /* of the copy queue that is added */
  float timestamp_period;
  uint32_t tick_count; /* > 0: results of timestamp queries */
  uint64_t ticks[XB_SHIM_TICKS];
  bool raw_clock; /* timestamps can be compared with CLOCK_MONOTONIC_RAW only */
  xb_shim_memory memory;
  bool twice;       /* the only device is listed twice */
  bool semaphores;  /* that leave the device, if it has none */
  bool no_barriers; /* vkCmdPipelineBarrier does nothing */
  /* Sizes of subgroups that it reports. Kernels run with those of the real device. */
  uint32_t least_waves, waves, most_waves, most_waves_of_group;
  bool no_sizes; /* kernels may ask for full subgroups, but for no size */
  xb_shim_lie lie;
  bool half_waves; /* half of the lanes of a wave are missing, unless a kernel asks for full waves */
} xb_shim_fake;

typedef struct xb_shim_control {
  /* Resets: no failures, no simulated device, no counted calls. */
  void (*reset)(void);
  /* From its `from`-th call on (the first is 1), `function` is not called and returns `result`; `once`: only that call.
   * Its output is then an invalid handle. */
  void (*make_fail)(const char *function, uint32_t from, int32_t result, bool once);
  void (*fake)(const xb_shim_fake *fake);

  /* Valid for every function that the backend calls. */
  bool (*can_fail)(const char *function);
  uint32_t (*calls)(const char *function);
  uint64_t (*all_calls)(void);      /* since the reset */
  uint32_t (*failures)(void);       /* since the reset */
  uint64_t (*calls_after)(void);    /* since the last failure */
  uint32_t (*alive)(void);          /* objects that were created and not destroyed */
  const char *(*first_alive)(void); /* the function that destroys the oldest: "vkDestroyBuffer" */
  /* The first invalid call, such as a destruction of an unknown object; NULL if there was none. */
  const char *(*fault)(void);
  uint32_t (*last_memory_type)(void);
  uint32_t (*last_barrier)(void); /* VkAccessFlags that it makes writes visible to */
  /* How often a buffer was given to another device, or taken from one, since the start. */
  uint32_t (*owners)(bool external);
  bool (*enabled)(const char *extension); /* on the last created device */
  /* The size of subgroups that the last pipeline requires, or 0; and whether it asks for full ones. */
  uint32_t (*waves_asked)(bool *full);
  /* Destroys all live objects, as the end of the process would. */
  void (*bury)(void);
} xb_shim_control;

/* The type of "xb_shim" in the library, which returns the control. */
typedef const xb_shim_control *(*xb_shim_get)(void);

#endif
