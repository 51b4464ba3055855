/* Types and functions of the Vulkan backend. Each .c file is one concept. */
#ifndef XB_VULKAN_VK_H
#define XB_VULKAN_VK_H

#include "core/grow.h"
#include "core/spirv.h"
#include "symbols.h"
#include "xb/backend.h"

enum { VK_LABEL_BYTES = 64 };

/* ---- result.c --------------------------------------------------------------------------------------------------- */

const char *vk_result_name(VkResult result);
xb_code vk_code(VkResult result);
xb_code vk_fail(xb_error *err, const char *call, VkResult result);
/* The same for a vkCreate* or vkAllocate* call. Sets `handle` to null, because it is undefined after a failure. */
#define vk_fail_made(err, call, result, handle) ((handle) = VK_NULL_HANDLE, vk_fail(err, call, result))
/* malloc or calloc failed. */
#define vk_no_host_memory(err, where) xb_fail(err, XB_NOMEM, where, "out of host memory")

/* ---- instance.c, validation.c ----------------------------------------------------------------------------------- */

typedef struct vk_validation vk_validation; /* messages of the validation layer; NULL if it is off */

typedef struct vk_instance {
  const vk_loader *loader;
  VkInstance handle;
  uint32_t api_version; /* requested; devices offer at most this version */
  vk_instance_symbols vk;
  vk_validation *validation;
  VkDebugUtilsMessengerEXT messenger;
  bool compile_only; /* lists null devices, which only compile, and no others */
} vk_instance;

/* The caller destroys the instance, also on failure. XB_UNAVAILABLE if no driver is installed. */
xb_code vk_instance_create(bool validation, vk_instance *instance, xb_error *err);
/* Destroys the driver's objects only; `validation` stays. */
void vk_instance_destroy(vk_instance *instance);

/* XB_UNAVAILABLE if the layer is not installed. */
xb_code vk_validation_create(const vk_loader *loader, vk_validation **validation, xb_error *err);
void vk_validation_free(vk_validation *validation);
/* Adds the layer, its messenger and its synchronization checks to the instance. */
void vk_validation_enable(const vk_validation *validation, VkInstanceCreateInfo *info);
xb_code vk_validation_listen(vk_instance *instance, xb_error *err);
/* True if command buffers should have labels. Only the layer's messages use them. */
bool vk_takes_labels(const vk_validation *validation);
/* Returns `code`; if that is XB_OK and the layer has new messages, XB_INTERNAL with the first of them. */
xb_code vk_validated(vk_validation *validation, xb_code code, const char *where, xb_error *err);

/* ---- devices.c, traits.c, features.c, matrices.c ------------------------------------------------------------------
 */

/* Optional features and limits of a physical device. */
typedef struct vk_traits {
  uint32_t api_version;
  bool subgroup_sizes; /* kernels can ask for full subgroups, and for a size if the device has several */
  bool executable_properties;
  bool memory_budget;
  bool external_memory_fd;    /* XB_MEM_SHARED */
  bool external_memory_host;  /* XB_MEM_IMPORTED */
  bool pipeline_binary;       /* XB_BINARY_PIPELINE */
  bool external_semaphore_fd; /* xb_semaphore */
  bool host_query_reset;
  bool timeline;
  bool partitioned;                     /* VK_NV_shader_subgroup_partitioned */
  bool ballot, vote;                    /* VK_EXT_shader_subgroup_ballot, VK_EXT_shader_subgroup_vote */
  bool derivatives_nv, derivatives_khr; /* compute shader derivatives, by either extension */
  bool portability;                     /* a driver over another API */
  bool raw_clock;                       /* of those: only CLOCK_MONOTONIC_RAW */
  bool calibrated;                      /* timestamps of the device and of the host's clock, taken together */
  bool pci, sm_builtins, driver_properties, maintenance4; /* properties only: nothing to enable */
  uint32_t max_subgroups;                                 /* per group, for a required size */
  uint32_t max_storage_buffers, max_uniform_buffers;      /* per kernel */
  uint32_t max_images, max_samplers, max_storage_images;  /* the same; a texel buffer counts as an image */
  uint32_t shared_bytes;                                  /* per group */
  uint64_t max_allocation_bytes;
  VkSubgroupFeatureFlags subgroup_operations;
  uint32_t features;        /* xb_feature: all are enabled */
  uint32_t float_controls;  /* bit i: SpvCapabilityDenormPreserve + i */
  uint64_t structs;         /* of features, that the device knows: features.h */
  uint64_t capabilities[2]; /* see vk_traits_enable */
} vk_traits;

/* The device has VK_KHR_cooperative_matrix: the features that name a shape which it has (`shapes` in matrices.c). */
uint32_t vk_matrices(const vk_instance *instance, VkPhysicalDevice physical);
/* features.c. True if this capability of SPIR-V follows from a feature of the API, which the device has and is opened
 * with. */
bool vk_traits_enable(const vk_traits *traits, uint32_t capability);
enum { VK_NEED_BYTES = 160 };
/* The feature that the capability takes, by the names that people know: "bufferDeviceAddress
 * (VK_KHR_buffer_device_address, or Vulkan 1.2)". Returns `text`; NULL: no feature of a kernel. */
const char *vk_capability_needs(uint32_t capability, char text[VK_NEED_BYTES]);
void vk_traits_read(const vk_instance *instance, VkPhysicalDevice physical, vk_traits *traits);
/* vkCreateDevice with the features and extensions of `traits`, and the queues that are present. */
xb_code vk_traits_create_device(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *traits,
                                const xb_queue_info queues[XB_MAX_QUEUES], VkDevice *device, xb_error *err);

/* The environment variable that names the drivers' manifests; NULL if none is set. */
const char *vk_driver_variable(void);
xb_code vk_no_device(xb_error *err);
/* The devices with Vulkan 1.1 or newer; XB_UNAVAILABLE if there is none. The caller frees the list. */
/* A driver's second answer about a list may be larger than its first, for which there is room. */
static inline uint32_t vk_at_most(uint32_t count, uint32_t room)
{
  return count < room ? count : room;
}
/* False if the driver reports what cannot be; it is then cut. */
bool vk_memory_of(const vk_instance *instance, VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *memory);
xb_code vk_list_devices(const vk_instance *instance, VkPhysicalDevice **list, uint32_t *count, xb_error *err);
void vk_describe_device(const vk_instance *instance, VkPhysicalDevice physical, uint32_t index, vk_traits *traits,
                        xb_device_info *info);
xb_code vk_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err);

/* ---- device.c, families.c, queue.c ------------------------------------------------------------------------------- */

typedef struct vk_flight {
  uint64_t value;
  VkFence fence;
} vk_flight;

typedef struct vk_queue {
  VkQueue handle;
  uint32_t family, timestamp_bits;
  VkSemaphore timeline; /* its counter is the last reached value; only if the device has several queues */
  uint64_t reached;
  vk_flight *flights; /* oldest first */
  VkFence *idle;      /* unsignalled fences; same capacity as flights */
  size_t flight_count, idle_count, capacity;
} vk_queue;

struct xb_be_device {
  vk_instance instance;
  VkPhysicalDevice physical;
  VkDevice handle;
  vk_device_symbols vk;
  vk_traits traits;
  VkPhysicalDeviceMemoryProperties memory;
  uint32_t families[2]; /* of the kinds of queues; the first family_count are valid */
  uint32_t family_count;
  vk_queue queues[XB_MAX_QUEUES];
  double timestamp_period_ns;
  uint64_t calibrated_ticks; /* calibrate.c: the device's time at calibrated_ns of the host's clock */
  double calibrated_ns;
  uint32_t subgroup_size, subgroup_min, subgroup_max, max_group_threads;
  bool dead; /* no more driver calls: they may block behind hung work */
};

xb_code vk_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
xb_code vk_device_close(xb_be_device *device, xb_error *err);
void vk_device_abandon(xb_be_device *device);
/* Sets the name in debuggers and in the validation layer's messages. `handle` has the type `type`. */
void vk_name_object(xb_be_device *device, VkObjectType type, uint64_t handle, const char *label);

/* Fills info->queues: a compute queue, if possible without graphics, and a copy queue if there is one. */
void vk_choose_queues(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *traits,
                      xb_device_info *info);
xb_code vk_choose_compute_family(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *traits,
                                 uint32_t family, xb_device_info *info, xb_error *err);
xb_code vk_queue_open(xb_be_device *device, const xb_queue_info *info, uint32_t index, bool timeline, vk_queue *queue,
                      xb_error *err);
void vk_queue_close(xb_be_device *device, vk_queue *queue);
xb_code vk_submit(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, const xb_be_handover *handover, xb_error *err);
xb_code vk_wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);

/* ---- semaphore.c ------------------------------------------------------------------------------------------------ */

struct xb_be_semaphore {
  VkSemaphore handle; /* a timeline */
};

/* True if timeline semaphores leave the device, and come back, as file descriptors. */
bool vk_exports_semaphores(const vk_instance *instance, VkPhysicalDevice physical);
xb_code vk_semaphore_create(xb_be_device *device, int fd, xb_be_semaphore **semaphore, xb_error *err);
xb_code vk_semaphore_export(xb_be_device *device, xb_be_semaphore *semaphore, int *fd, xb_error *err);
void vk_semaphore_destroy(xb_be_device *device, xb_be_semaphore *semaphore);

/* ---- memory.c, import.c ----------------------------------------------------------------------------------------- */

struct xb_be_buffer {
  VkBuffer handle;
  VkDeviceMemory memory;
  xb_mem mem;
  bool coherent, external; /* external: other devices use the memory, too */
  uint64_t bytes;          /* of the memory */
  VkDeviceAddress address; /* of an addressable one; else 0 */
};

xb_code vk_buffer_create(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                         xb_error *err);
/* Gives an IMPORTED buffer its memory: desc->host. */
xb_code vk_import(xb_be_device *device, xb_be_buffer *buffer, const xb_buffer_desc *desc, xb_error *err);
/* The structs that follow in an allocation whose memory is exported, or was exported; NULL for others. share.c */
typedef union vk_share {
  VkExportMemoryAllocateInfo out;
  VkImportMemoryFdInfoKHR in;
} vk_share;
const void *vk_share_chain(const xb_buffer_desc *desc, vk_share *share);
xb_code vk_buffer_export(xb_be_device *device, xb_be_buffer *buffer, xb_shared *shared, xb_error *err);
/* XB_NOMEM, with what was requested. */
xb_code vk_no_memory(const xb_be_device *device, VkResult result, uint64_t bytes, uint32_t heap, xb_error *err);
xb_code vk_choose_memory_type(const xb_be_device *device, uint32_t allowed, xb_mem mem, uint32_t *type, xb_error *err);
void vk_buffer_destroy(xb_be_device *device, xb_be_buffer *buffer);
xb_code vk_buffer_flush(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
xb_code vk_buffer_invalidate(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
uint64_t vk_buffer_native(xb_be_buffer *buffer);
uint64_t vk_buffer_address(xb_be_buffer *buffer);
uint64_t vk_device_free_bytes(xb_be_device *device);

/* ---- image.c ---------------------------------------------------------------------------------------------------- */

struct xb_be_image {
  VkImage handle;
  VkDeviceMemory memory;
  VkImageView view;
  VkExtent3D extent;
  VkImageLayout layout; /* between commands: for reading, or for all of a storage image's uses */
};

VkFormat vk_format(xb_texel format, uint32_t channels);
bool vk_has_texel_buffers(const xb_be_device *d, VkFormat format, bool storage);
/* Bit i: xb_texel i can be filtered. */
uint32_t vk_linear_formats(const vk_instance *instance, VkPhysicalDevice physical);
xb_code vk_image_create(xb_be_device *device, const xb_image_desc *desc, xb_be_image **image, xb_error *err);
void vk_image_destroy(xb_be_device *device, xb_be_image *image);
xb_code vk_cmd_copy_to_image(xb_be_commands *commands, xb_be_image *dst, const xb_be_binding *src, xb_error *err);
xb_code vk_cmd_copy_from_image(xb_be_commands *commands, const xb_be_binding *dst, xb_be_image *src, xb_error *err);

/* ---- kernel.c, cache.c, binary.c, spirv.c, requirements.c, reflect.c, statistics.c ------------------------------- */

struct xb_be_kernel {
  VkDescriptorSetLayout set_layouts[XB_MAX_SETS];
  uint32_t set_count; /* sets without bindings in between have an empty layout */
  VkPipelineLayout layout;
  VkPipeline pipeline;
  /* Bit i: binding i. */
  uint32_t used_bindings, uniform_bindings, texel_bindings, storage_texel_bindings, image_bindings,
      storage_image_bindings, sampler_bindings;
  xb_location locations[XB_MAX_BINDINGS];
  uint32_t push_bytes; /* 0 if the code has no arguments */
  void *binary;        /* that it keeps; NULL: none */
  size_t binary_bytes;
  char *text; /* of the machine code; NULL: not asked for, or none */
  char label[VK_LABEL_BYTES];
};

/* Calls `work`, which calls a library that is C++. False if it threw: out of host memory. What the library held then is
 * lost; what `work` holds must be released behind this call. (guard.cpp) */
bool vk_guarded(void (*work)(void *user), void *user);

/* A valid SPIR-V module. */
typedef struct vk_spirv {
  uint32_t *words;
  size_t count;
  xb_spirv module; /* what the words say */
} vk_spirv;

/* Copies the code to aligned words, specializes and validates it: damaged code can crash SPIRV-Cross and drivers. The
 * caller frees it in each case. */
xb_code vk_spirv_read(const xb_kernel_desc *desc, uint32_t api_version, vk_spirv *spirv, xb_error *err);
void vk_spirv_free(vk_spirv *spirv);
/* The validator knows all of it and takes it. */
bool vk_spirv_is_valid(const xb_kernel_desc *desc, uint32_t api_version, const vk_spirv *spirv);

enum { VK_CAPABILITY_BYTES = 64 };
/* Writes the capability's name: "Float16"; its number if SPIRV-Tools does not know it. */
void vk_spirv_capability(uint32_t capability, char name[VK_CAPABILITY_BYTES]);

/* XB_UNSUPPORTED if the code needs a capability that the device lacks, or too much shared memory. Capabilities that the
 * device lacks and the code does not use are removed from it. */
xb_code vk_check_requirements(const xb_kernel_desc *desc, const vk_traits *traits, const vk_spirv *spirv,
                              xb_error *err);

/* Resources that one entry point uses. */
typedef struct vk_reflection {
  /* Bit i: binding i. Lines and volumes are image_bindings. */
  uint32_t used_bindings, read_only_bindings, uniform_bindings, texel_bindings, storage_texel_bindings, image_bindings,
      storage_image_bindings, sampler_bindings, line_bindings, volume_bindings;
  uint32_t push_bytes, uniform_bytes[XB_MAX_BINDINGS];
} vk_reflection;

/* XB_INVALID if code and description differ; the message names both values. */
xb_code vk_reflect(const xb_kernel_desc *desc, const vk_spirv *spirv, vk_reflection *reflection, xb_error *err);
/* The kernel's name in messages. */
const char *vk_kernel_label(const xb_kernel_desc *desc);
xb_code vk_kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err);
void vk_kernel_destroy(xb_be_device *device, xb_be_kernel *kernel);
/* Null unless XB_PIPELINE_CACHE is set, or the description wants a cache's data or has it. vk_cache_take writes the
 * file, keeps the data, and destroys the cache. */
VkPipelineCache vk_cache_create(const xb_be_device *device, const xb_kernel_desc *desc);
void vk_cache_take(const xb_be_device *device, VkPipelineCache cache, const xb_kernel_desc *desc, xb_be_kernel *kernel);
void vk_kernel_binary(const xb_be_kernel *kernel, const void **data, size_t *bytes);
/* binary.c. Creates the pipeline from the description's binary: no compiler runs. */
xb_code vk_pipeline_from_binary(const xb_be_device *device, const xb_kernel_desc *desc,
                                VkComputePipelineCreateInfo *info, VkPipeline *pipeline, xb_error *err);
/* Of a pipeline that was created with VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR. */
xb_code vk_keep_binary(const xb_be_device *device, xb_be_kernel *kernel, xb_error *err);
/* Adds the driver's statistics of the compiled code, if it has any. */
void vk_read_statistics(const xb_be_device *device, VkPipeline pipeline, xb_kernel_info *info);
/* The machine code as text, which the caller frees; NULL: the driver gives none. */
char *vk_read_text(const xb_be_device *device, VkPipeline pipeline);

/* ---- commands.c, descriptors.c, timestamps.c -------------------------------------------------------------------- */

void vk_take_bindings(const xb_kernel_desc *desc, const vk_reflection *found, xb_be_kernel *kernel);
/* The layouts of the sets and of the pipeline. */
xb_code vk_create_layouts(xb_be_device *device, xb_be_kernel *kernel, xb_error *err);

/* The descriptor sets of one dispatch. Dispatches of a list with the same kernel and bindings share them. */
typedef struct vk_set {
  const xb_be_kernel *kernel;
  xb_be_binding bindings[XB_MAX_BINDINGS];
  VkDescriptorSet handles[XB_MAX_SETS];
} vk_set;

/* What a texel buffer is read through. */
typedef struct vk_texel_view {
  xb_be_binding of;
  VkBufferView handle;
} vk_texel_view;

typedef struct vk_sampler {
  xb_sample_mode of;
  VkSampler handle;
} vk_sampler;

typedef struct vk_sets {
  vk_set *sets;
  size_t set_count, set_capacity;
  VkDescriptorPool *pools; /* new sets come from the last one */
  size_t pool_count, pool_capacity;
  vk_texel_view *views;
  size_t view_count, view_capacity;
  vk_sampler *samplers;
  size_t sampler_count, sampler_capacity;
} vk_sets;

/* `*set` is valid until the next call. */
xb_code vk_sets_find(xb_be_device *device, vk_sets *sets, const xb_be_dispatch *dispatch, const vk_set **set,
                     xb_error *err);
void vk_sets_free(xb_be_device *device, vk_sets *sets);
/* views.c: those of one command list. */
bool vk_same_sampler(xb_sample_mode a, xb_sample_mode b);
xb_code vk_find_view(xb_be_device *device, vk_sets *sets, const xb_be_binding *binding, VkBufferView *view,
                     xb_error *err);
xb_code vk_find_sampler(xb_be_device *device, vk_sets *sets, xb_sample_mode sampler, VkSampler *found, xb_error *err);
void vk_views_free(xb_be_device *device, vk_sets *sets);

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  VkCommandPool pool;
  VkCommandBuffer handle;
  VkQueryPool queries;
  uint32_t timestamp_count;
  bool *before_first; /* per timestamp: true if recorded before index 0 */
  bool first_stamped;
  bool host_reads;           /* it may write READBACK memory */
  const xb_be_kernel *bound; /* currently bound in the command buffer */
  VkDescriptorSet bound_set; /* the first of a dispatch's sets */
  bool barrier_pending;      /* recorded with the next command */
  VkAccessFlags special;     /* reads of uniform buffers and group counts that the last barrier ordered */
  vk_sets sets;
  const xb_be_buffer **taken; /* external buffers that the list has from their other users */
  size_t taken_count, taken_capacity;
  char label[VK_LABEL_BYTES];
};

/* Takes an external buffer from its other users before the list uses it; others need nothing. share.c */
xb_code vk_take(xb_be_commands *commands, const xb_be_buffer *buffer, xb_error *err);
/* The list may write the buffer, which the host may read afterwards. NULL: nothing. */
void vk_note_write(xb_be_commands *commands, const xb_be_buffer *buffer);
/* Gives back what the list took. */
void vk_give_back(xb_be_commands *commands);

xb_code vk_commands_create(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                           xb_error *err);
void vk_commands_destroy(xb_be_device *device, xb_be_commands *commands);
xb_code vk_cmd_dispatch(xb_be_commands *commands, const xb_be_dispatch *dispatch, xb_error *err);
xb_code vk_cmd_dispatch_indirect(xb_be_commands *commands, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                                 xb_error *err);
xb_code vk_cmd_copy(xb_be_commands *commands, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err);
xb_code vk_cmd_fill(xb_be_commands *commands, const xb_be_binding *dst, uint32_t word, xb_error *err);
xb_code vk_cmd_barrier(xb_be_commands *commands, xb_error *err);
xb_code vk_cmd_native(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
xb_code vk_device_native(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);
xb_code vk_commands_finish(xb_be_commands *commands, xb_error *err);
/* Records the pending barrier. The next command reads uniform buffers or group counts: `special`, VK_ACCESS_*. */
void vk_settle_barrier(xb_be_commands *commands, VkAccessFlags special);
/* All later work waits for all earlier work and sees its writes. */
void vk_full_barrier(xb_be_commands *commands);

xb_code vk_timestamps_create(xb_be_commands *commands, uint32_t count, xb_error *err);
/* Called before each submission. Resets a copy queue's queries: its command list cannot do that. */
void vk_timestamps_reset(xb_be_commands *commands);
xb_code vk_cmd_timestamp(xb_be_commands *commands, uint32_t index, xb_error *err);
xb_code vk_timestamps(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);
/* The stamps of the last submission, in ticks. */
xb_code vk_ticks(xb_be_commands *commands, uint64_t *ticks, uint32_t count, xb_error *err);
/* The ticks from one stamp to a later one, of this list's queue. */
uint64_t vk_ticks_between(const xb_be_commands *commands, uint64_t from, uint64_t to);

/* ---- calibrate.c ------------------------------------------------------------------------------------------------ */

/* True if the device's clock and a clock of the host can be read together: CLOCK_MONOTONIC or, `*raw`, only
 * CLOCK_MONOTONIC_RAW. The device has VK_EXT_calibrated_timestamps. */
bool vk_has_clocks(const vk_instance *instance, VkPhysicalDevice physical, bool *raw);
xb_code vk_calibrate(xb_be_device *device, double *deviation_ns, xb_error *err);
xb_code vk_times(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

#endif
