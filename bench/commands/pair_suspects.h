/* `xbench pair --suspects`: each side in each way in which it can be compiled and run here. */
#ifndef XB_PAIR_SUSPECTS_H
#define XB_PAIR_SUSPECTS_H

#include "commands/pair_command.h"
#include "core/spirv.h"
#include "suspects/suspects.h"

#include <limits.h>

/* A device as one driver shows it. */
typedef struct xb_way_driver {
  char name[200], backend[16], code[16];
  char manifest[PATH_MAX]; /* of the Vulkan driver; "": another API */
  uint32_t wave;
  bool emulates; /* CUDA and shaders, on the processor */
} xb_way_driver;

/* How a cell is compiled and run. */
typedef struct xb_way {
  xb_suspect cell; /* before it ran */
  uint32_t side;
  const xb_way_driver *driver;
  xb_pair_source source;       /* with its compiler, flags and optimization */
  xb_spirv_floats floats;      /* what was done to its code */
  const xb_pair_binary *codes; /* of its kernels; NULL: the process that runs it compiles them */
  uint32_t wave, width;        /* of the emulation; of lavapipe's vectors, in bits; 0: its own */
  uint32_t order;              /* seed of the emulation's order */
} xb_way;

/* The state of a command. */
typedef struct xb_ways {
  xb_pair_command *c;
  xb_suspects m;
  xb_way *list; /* of each cell of the matrix */
  xb_way_driver drivers[32];
  size_t driver_count;
  xb_text_list references; /* as --reference: those of the user, or files of a right way */
  xb_arena arena;
} xb_ways;

/* Compiles and runs a pair in another process, as `xbench pair` does without other options. Returns the exit code. */
int xb_pair_run_in_child(xb_pair_command *c);
/* The command with --suspects. Returns the exit code: XB_EXIT_WRONG if a way is wrong. */
int xb_pair_suspects(xb_pair_command *c);
/* Runs a way in a process of its own, with the references. `dump`: a folder for what it reads and writes, which is then
 * not checked; NULL: none. */
xb_suspect_result xb_way_run(xb_ways *w, const xb_way *way, const char *dump, char why[512]);
/* Runs a way, and makes what it writes into the folder, BUFFER.SIDE.N.npy, the references. False: `why`. */
bool xb_ways_make_results(xb_ways *w, const xb_way *way, const char *folder, char why[512]);
/* True if the way runs this code. */
bool xb_ways_same_code(const xb_way *way, const xb_pair_binary *codes, uint32_t kernels);

/* Makes the list, and compiles what can be kept: SPIR-V. Returns an exit code, after a message; -1: done.
 * (suspects_ways.c) */
int xb_ways_find(xb_ways *w);
/* Lets the loader of this process find this driver only; "": all. */
void xb_use_vulkan_driver(const char *manifest);
/* The same code in waves of other sizes, and in other orders. */
void xb_ways_add_threads(xb_ways *w, const xb_way *way);
/* Compiles the code of a way again, where it has code. False: it does not compile. */
bool xb_ways_compile(xb_ways *w, xb_way *way);

/* Of wrong ways that are right unoptimized, finds the pass of spirv-opt. (suspects_passes.c) */
void xb_ways_find_passes(xb_ways *w);
/* Prints the instructions that a right and a wrong way of one side differ in. (suspects_reduce.c) */
void xb_ways_print_changes(xb_ways *w, FILE *out);
/* Makes a small case of a right and a wrong way, and writes it into a folder. Returns an exit code, after a message;
 * -1: done, or nothing to do. */
int xb_ways_reduce(xb_ways *w, const char *explanation, uint64_t limit_s);

#endif
