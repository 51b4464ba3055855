/* What a compiled CUDA kernel, or a shader (backend_cpu/shader), and the program that runs it on the CPU know of each
 * other. Valid as C11 and as C++17.
 *
 * A kernel file is compiled as C++ into a module, a shared object that needs libc and libm only:
 *
 *   unit.cpp:  #include "kernel.cu"
 *              XB_CPU_ENTRY(scale)                            // an entry: its parameters follow from its type
 *              XB_CPU_ENTRY_AS(sum_256, &ns::sum<256, float>)  // one whose expression is no plain name
 *              XB_CPU_MODULE                                  // last: the table of all entries
 *
 *   c++ -std=c++17 -O2 -g1 -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-exceptions -fno-rtti -fwrapv
 *       -fno-finite-loops -fstack-clash-protection -pthread -w  (g++: also -fno-gnu-unique)
 *       -I backend_cpu/cuda -I backend_cpu/runtime -include cuda_runtime.h -c unit.cpp -o unit.o
 *   c++ -shared -Wl,-Bsymbolic unit.o -o unit.so
 *
 * If unit.o has undefined TLS symbols (readelf -sW), these are its variables `extern __shared__`. The last command then
 * also has backend_cpu/cuda/extern_shared.cpp, and -Wl,--defsym=SYMBOL=xb_cpu_dynamic_shared for each of them. The
 * module exports xb_cpu_module and its __constant__ variables, which dlsym finds by name.
 *
 * A block of threads runs on one OS thread, each CUDA thread on a stack of its own (a fiber). All stacks of an OS
 * thread lie in one aligned arena, so code in a kernel finds its block and its thread from the stack pointer. */
#ifndef XB_CPU_H
#define XB_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XB_CPU_ABI 4
#define XB_CPU_OLDEST_ABI 3
#define XB_CPU_WARP 32
#define XB_CPU_MOST_THREADS 1024        /* of a block */
#define XB_CPU_MOST_SHARED (227u << 10) /* bytes of `extern __shared__` */
#define XB_CPU_SLOT_BYTES (128u << 10)  /* a thread's stack with its guard page */
#define XB_CPU_ARENA_BYTES (256u << 20) /* and its alignment: it begins with the running block */

/* A thread of the running block. What it waits for is the runtime's. */
typedef struct xb_cpu_thread {
  uint32_t index[3]; /* threadIdx */
  uint32_t linear;   /* its lane is linear % 32 */
  uint32_t lane;     /* of a shader: its lane is lane % wave, and its wave lane / wave */
} xb_cpu_thread;

/* The running block. Kernels read it; only the runtime writes, except for `patience`. Debuggers read `now` and `block`,
 * too (docs/cuda-without-a-gpu.md). */
typedef struct xb_cpu_block {
  const xb_cpu_thread *now;            /* the running thread */
  uint32_t block[3], grid[3], size[3]; /* blockIdx, gridDim, blockDim */
  uint32_t dynamic_shared_bytes;
  int32_t patience; /* counted down by atomics and volatile reads; at 0 the thread lets others run */
  uint32_t watched; /* order and accesses are told to the runtime (xb_cpu_runtime.edge) */
  uint32_t scope;   /* xb_cpu_scope of the atomic that comes next, in modules that are watched */
  uint32_t wave;    /* lanes of a shader's wave; of a CUDA kernel's warp, XB_CPU_WARP */
  uint32_t waves;   /* of a shader's group */
  uint32_t memory;  /* xb_cpu_memory that a shader's next barrier or fence orders, while it is watched */
} xb_cpu_block;

/* What a shader's barrier or fence orders. */
typedef enum xb_cpu_memory {
  XB_CPU_SHARED_MEMORY = 1,
  XB_CPU_BUFFER_MEMORY = 2,
  XB_CPU_DEVICE_FENCE = 4, /* a barrier that is a fence for other groups, too */
  XB_CPU_IMAGE_MEMORY = 8  /* images and texel buffers */
} xb_cpu_memory;

/* A parameter of a shader: a buffer with its length. Images are xb_cpu_texture, push constants their bytes. */
typedef struct xb_cpu_buffer {
  const void *base;
  uint64_t bytes;
} xb_cpu_buffer;

/* The lanes that are together at an operation of a shader's wave: what each gave; NULL: the lane is not there. */
#define XB_CPU_LEAST_WAVE 4
#define XB_CPU_MOST_WAVE 128
typedef struct xb_cpu_wave {
  uint32_t size;
  void *lanes[XB_CPU_MOST_WAVE];
  uint32_t first; /* xb_cpu_thread.lane of the first one */
} xb_cpu_wave;

/* XB_CPU_OLD_ATOMIC: atomicAdd and its kin, which the guide lets take what a fence gave without a fence of their own.
 */
typedef enum xb_cpu_scope { XB_CPU_SCOPE_DEVICE, XB_CPU_SCOPE_BLOCK = 1, XB_CPU_OLD_ATOMIC = 2 } xb_cpu_scope;
/* XB_CPU_TEXEL beside one of them: the memory is an image's. */
typedef enum xb_cpu_atomic_op {
  XB_CPU_LOAD = 1,
  XB_CPU_STORE = 2,
  XB_CPU_MODIFY = 3,
  XB_CPU_TEXEL = 4
} xb_cpu_atomic_op;

/* A place in a watched shader that accesses memory: what the runtime is told of it. */
typedef struct xb_cpu_site {
  const char *file;
  uint32_t line, bytes; /* bytes 0: a texel, as its image has them */
  const char *of;       /* the variable's name */
  uint8_t op;           /* xb_cpu_atomic_op */
  uint8_t kind;         /* xb_cpu_site_kind */
  uint8_t scope;        /* of an atomic: xb_cpu_scope */
  uint8_t memory;       /* of an atomic that is a fence, too: xb_cpu_memory */
  int order;            /* of an atomic: __ATOMIC_RELAXED or stronger */
} xb_cpu_site;
/* Coherent: other groups see it, once something orders it. */
typedef enum xb_cpu_site_kind { XB_CPU_PLAIN, XB_CPU_COHERENT, XB_CPU_ATOMIC } xb_cpu_site_kind;

typedef enum xb_cpu_barrier_op { XB_CPU_SYNC, XB_CPU_COUNT, XB_CPU_AND, XB_CPU_OR } xb_cpu_barrier_op;

typedef enum xb_cpu_warp_op {
  XB_CPU_SYNCWARP,
  XB_CPU_SHUFFLE, /* extra: the lane to read, resolved by the caller */
  XB_CPU_BALLOT,
  XB_CPU_ANY,
  XB_CPU_ALL,
  XB_CPU_MATCH_ANY,
  XB_CPU_MATCH_ALL,
  XB_CPU_REDUCE_ADD,
  XB_CPU_REDUCE_MIN, /* extra: 1 if signed */
  XB_CPU_REDUCE_MAX,
  XB_CPU_REDUCE_AND,
  XB_CPU_REDUCE_OR,
  XB_CPU_REDUCE_XOR,
  XB_CPU_GATHER, /* value: the address of a xb_cpu_gathered of the lane */
  XB_CPU_ACTIVE, /* __activemask: does not wait; the lanes that are neither ended nor waiting */
} xb_cpu_warp_op;

typedef struct xb_cpu_gathered {
  uint64_t own, all[XB_CPU_WARP];
} xb_cpu_gathered;

/* What orders memory. `at` is the atomic's address, NULL for a fence. */
typedef enum xb_cpu_edge {
  XB_CPU_ACQUIRE = 1,
  XB_CPU_RELEASE = 2,
  XB_CPU_FENCE_BLOCK = 4,
  XB_CPU_FENCE_DEVICE = 8
} xb_cpu_edge;

struct xb_cpu_texture;

/* The functions that a kernel calls. `file` and `line` are the place of call, for messages. */
typedef struct xb_cpu_runtime {
  /* Returns when all threads of the block that have not ended are here; `number` tells places apart. */
  uint32_t (*barrier)(xb_cpu_barrier_op op, uint32_t predicate, uint32_t number, const char *file, uint32_t line);
  /* Returns when all lanes of the mask that have not ended are here. */
  uint64_t (*warp)(xb_cpu_warp_op op, uint32_t mask, uint64_t value, uint32_t extra, const char *file, uint32_t line);
  void (*grid_barrier)(const char *file, uint32_t line);
  void (*yield)(void);
  void (*edge)(const void *at, uint32_t edges);                               /* called if block->watched */
  void (*access)(const void *at, uint32_t bytes, bool write, const void *pc); /* likewise */
  int (*print)(const char *format, ...);
  /* An assertion or a trap; a word that is not emulated. Neither returns. */
  void (*fail)(const char *what, const char *file, uint32_t line);
  void (*unsupported)(const char *what, const char *file, uint32_t line);
  uint64_t (*clock)(void); /* ns */
  /* Called by modules that are watched (cuda/watch.cpp). `order` is __ATOMIC_RELAXED or stronger. */
  void (*atomic)(const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc);
  void (*undefined)(const char *what, const void *pc);
  /* An operation of a shader's wave. Its active lanes are those that are at this place, which `row` names: rows are
   * compared word by word, and the least goes first, once no lane of the wave can go on otherwise. `work` is called
   * once for all of them, and leaves each lane's result in what the lane gave (`own`). NULL: a barrier of the wave. */
  void (*wave)(void (*work)(const xb_cpu_wave *lanes), void *own, const uint32_t *row, uint32_t words, const char *file,
               uint32_t line);
  /* Of watched shaders: an access, which must not be made if this returns false, because it lies outside of the buffer;
   * an index that an array of `length` elements has not; and what `lane` reads from a lane that is not there. `buffer`
   * may be NULL. */
  bool (*touch)(const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at);
  void (*beyond)(const xb_cpu_site *site, int64_t index, uint64_t length);
  uint64_t (*absent)(const xb_cpu_wave *lanes, uint32_t lane, uint32_t from);
  /* Like `touch`, of a texel of an image or of a texel buffer. False: it lies outside. */
  bool (*texel)(const xb_cpu_site *site, const struct xb_cpu_texture *image, const int32_t at[3]);
} xb_cpu_runtime;

typedef struct xb_cpu_entry {
  const char *name;
  void (*call)(void *const *params); /* runs one thread */
  uint32_t param_count;
  const uint32_t *param_bytes; /* with XB_CPU_POINTER, which modules of version 3 do not say */
} xb_cpu_entry;

#define XB_CPU_POINTER (UINT32_C(1) << 31) /* in param_bytes: the parameter is a pointer */

typedef struct xb_cpu_module_info {
  uint32_t abi;
  const char *compiler;
  const xb_cpu_entry *entries;
  uint32_t entry_count;
  const xb_cpu_runtime **runtime; /* to be set by whoever loads the module: &xb_cpu_runtime_table */
  void *(*shared)(void);          /* some address in this OS thread's copy of the module's shared memory */
  void *(*dynamic_shared)(void);  /* this OS thread's `extern __shared__`, XB_CPU_MOST_SHARED bytes; NULL: has none */
} xb_cpu_module_info;

/* The only symbol of a module that is not a __constant__ variable. */
#define XB_CPU_MODULE_SYMBOL "xb_cpu_module"

/* What cudaTextureObject_t points to. Rows are `pitch` bytes apart; height 0: a texel buffer. */
typedef enum xb_cpu_format { XB_CPU_UINT, XB_CPU_SINT, XB_CPU_FLOAT, XB_CPU_UNORM, XB_CPU_SNORM } xb_cpu_format;
typedef enum xb_cpu_address { XB_CPU_WRAP, XB_CPU_CLAMP, XB_CPU_MIRROR, XB_CPU_BORDER } xb_cpu_address; /* as in CUDA */
typedef struct xb_cpu_texture {
  const void *data;
  uint64_t pitch;
  uint32_t width, height; /* in texels */
  uint32_t depth;         /* 0: none */
  uint32_t channels;      /* 1, 2 or 4 */
  uint32_t bits;          /* of a channel: 8, 16 or 32 */
  uint32_t format;        /* xb_cpu_format; float with 16 bits is half */
  uint32_t address[3];    /* xb_cpu_address, of x, y and z */
  bool linear;            /* filter: linear, else nearest */
  bool normalized;        /* coordinates are 0 to 1 across */
} xb_cpu_texture;

/* ---- the side of the program ---- */

extern const xb_cpu_runtime xb_cpu_runtime_table;

/* OS threads and their arenas. The thread that calls xb_cpu_run is one of the workers. One launch at a time a team. */
typedef struct xb_cpu_team xb_cpu_team;

/* `workers` 0: as many as processors that this process may use. NULL: out of memory or threads. The first team installs
 * handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGURG, which pass on what does not come from a kernel; the last
 * takes them back. */
xb_cpu_team *xb_cpu_team_create(uint32_t workers);
void xb_cpu_team_destroy(xb_cpu_team *team);

/* Finds races and wrong accesses in modules that are compiled with -fsanitize=thread and linked with cuda/watch.cpp. A
 * watched launch runs on one OS thread. What it finds it keeps, and goes on. */
typedef struct xb_cpu_watch xb_cpu_watch;
typedef enum xb_cpu_check { XB_CPU_RACES = 1, XB_CPU_MEMORY = 2 } xb_cpu_check;
#define XB_CPU_WATCHED_SYMBOL "xb_cpu_watched"      /* only such modules export it */
xb_cpu_watch *xb_cpu_watch_create(uint32_t checks); /* NULL: out of memory */
void xb_cpu_watch_destroy(xb_cpu_watch *watch);
/* The findings of all launches so far, each one line; NULL behind the last. */
const char *xb_cpu_watch_finding(const xb_cpu_watch *watch, uint32_t index);
xb_cpu_check xb_cpu_watch_kind(const xb_cpu_watch *watch, uint32_t index);
void xb_cpu_watch_forget(xb_cpu_watch *watch); /* the findings */

/* Memory that a launch may access, and around it what belongs to nobody. */
typedef struct xb_cpu_region {
  char name[80];
  const void *from, *around;
  uint64_t bytes, around_bytes;
  bool fresh;                  /* nothing has written it before the launch: it is a result */
  bool unnamed;                /* the launch may not access it: it is a buffer that the launch was not given */
  const xb_cpu_texture *image; /* its shape; NULL: a buffer */
} xb_cpu_region;

typedef struct xb_cpu_launch {
  xb_cpu_team *team;
  const xb_cpu_module_info *module;
  const xb_cpu_entry *entry;
  uint32_t groups[3], threads[3];
  uint32_t dynamic_shared_bytes;
  void *const *params; /* an address for each parameter */
  uint32_t seed;       /* 0: threads run as numbered; else their order, block by block, follows from it */
  bool shuffle_blocks; /* the seed is for the order of blocks, too */
  xb_cpu_watch *watch; /* may be NULL */
  const xb_cpu_region *regions;
  uint32_t region_count;
  /* Lanes of a shader's wave, a power of two from XB_CPU_LEAST_WAVE to XB_CPU_MOST_WAVE; 0: it is a CUDA kernel. A
   * shader's barriers are for all threads of the group, also for those that have ended, and order what they name. */
  uint32_t wave;
  uint32_t lanes; /* xb_cpu_lanes: legal choices of an implementation, in place of the usual ones */
} xb_cpu_launch;

/* Which thread is which lane, and which lanes go on together. */
typedef enum xb_cpu_lanes {
  XB_CPU_LOWEST_FIRST =
      1,               /* lanes that part meet again at barriers of the group only by chance: the lowest goes first */
  XB_CPU_PARTIAL = 2,  /* each wave lacks its last lane */
  XB_CPU_REVERSED = 4, /* the last thread is the first lane */
} xb_cpu_lanes;

#define XB_CPU_MOST_RESIDENT 64 /* blocks of a launch that has a barrier of the whole grid; fewer if they are large */

typedef enum xb_cpu_fault_kind {
  XB_CPU_NO_FAULT,
  XB_CPU_BAD_LAUNCH,     /* too many threads, too much shared memory, no threads */
  XB_CPU_DEAD_END,       /* threads wait for others that never come */
  XB_CPU_APART,          /* threads of a block wait at different barriers */
  XB_CPU_BAD_MASK,       /* a lane that is not in its own mask, lanes with different masks or operations */
  XB_CPU_OVERFLOW,       /* a thread's stack is full */
  XB_CPU_BAD_ACCESS,     /* SIGSEGV or SIGBUS at `address` */
  XB_CPU_BAD_ARITHMETIC, /* SIGFPE: an integer is divided by zero */
  XB_CPU_ILLEGAL,        /* SIGILL */
  XB_CPU_STOPPED,        /* xb_cpu_stop */
  XB_CPU_FAILED,         /* an assertion, a trap */
  XB_CPU_UNSUPPORTED,    /* a word that this runtime has not */
  XB_CPU_ORDER,          /* a thread waits for a block that comes later in this order of blocks */
} xb_cpu_fault_kind;

/* The first fault of a launch. Other blocks stop at their next switch. */
typedef struct xb_cpu_fault {
  xb_cpu_fault_kind kind;
  uint32_t block[3], thread[3];
  bool has_thread;     /* else the whole block is meant */
  const void *address; /* of a bad access */
  bool write;
  const void *pc; /* code address of a bad access, an overflow or where a stopped thread was; NULL: unknown */
  char what[384]; /* one line: kernel, block, thread, what happened and where, without the buffer's name */
} xb_cpu_fault;

/* Runs all blocks. false: *fault has what happened. */
bool xb_cpu_run(const xb_cpu_launch *launch, xb_cpu_fault *fault);

/* From any other thread: the launch that this team runs now, if any, ends with XB_CPU_STOPPED, also if its threads
 * spin. Returns when the launch has ended, or after 0.1 s: a kernel that waits in the system does not end. */
void xb_cpu_stop(xb_cpu_team *team);

#ifdef __cplusplus
}
#endif
#endif
