/* What compilers make of kernels, for GPUs that need not be there. A row of a document is a JSON object: one kernel for
 * one architecture (docs/isa.schema.json). */
#ifndef XB_ISA_H
#define XB_ISA_H

#include "base/arena.h"
#include "benchmarks/choice.h"
#include "formats/output.h"
#include "table/table.h"

#include <jansson.h>

extern const char xb_isa_schema[]; /* (changes.c) */

typedef struct xb_isa_choice {
  const xb_choice *what;
  const char *dtype; /* NULL: each */
  uint32_t block;    /* 0: each */
  bool text;         /* with the code itself */
  bool own;          /* a pair: a case that has no plan is a row, with the reason */
  bool usual;        /* the first element type and its default group size only */
} xb_isa_choice;

/* ---- cases.c ---------------------------------------------------------------------------------------------------- */

/* A kernel to compile. `desc` has its code, group size, bindings and arguments; of a source that its compiler refused,
 * `why`. */
typedef struct xb_isa_case {
  const xb_case *c;
  xb_kernel_desc desc;
  json_t *row;     /* its name, to which the function adds what it learns */
  const char *why; /* it cannot be compiled; else NULL */
} xb_isa_case;
typedef void xb_isa_fn(xb_isa_case *k, void *user);
/* Calls `fn` for each kernel, element type and group size that was chosen, as far as this device takes them; equal code
 * once. The order is the same each time. */
void xb_isa_each(const xb_isa_choice *choice, const xb_device_info *info, xb_isa_fn *fn, void *user);
/* There is no code of it. `lacks`: as the architecture lacks a feature. */
void xb_isa_refuse(json_t *row, const char *why, bool lacks);

/* ---- targets.c, drivers.c, nvidia.c ------------------------------------------------------------------------------ */

enum { XB_ISA_TARGETS = 32 };
/* An architecture, and who compiles for it. */
typedef struct xb_isa_target {
  char name[64];            /* "gfx1100", "sm_90"; of a device: its name */
  const char *family;       /* AMD: as its driver calls it; else NULL */
  uint32_t capability;      /* NVIDIA: 90; else 0 */
  const xb_backend *here;   /* a device of this machine */
  uint32_t here_capability; /* of that device: it is NVIDIA's, whose driver's code can be read; else 0 */
  char missing[256];        /* not here, and why; else empty */
} xb_isa_target;

/* Reads "gfx1100,sm_90,here"; NULL: all that is known here, the GPU of this machine, and its driver of shaders, which
 * may be missing. Returns their number; 0 after it reported a mistake, whose exit code is in `code`. */
size_t xb_isa_targets(const char *text, xb_isa_target targets[XB_ISA_TARGETS], int *code);
/* Of them the one that makes the code which runs here through this API: of several the GPU's own. NULL: none. */
const xb_isa_target *xb_isa_target_of(const xb_isa_target *targets, size_t count, const char *api);
/* Adds rows to the array. What no driver compiles is a row with an error. */
void xb_isa_compile(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
/* The device of this machine that runs shaders, if its driver reports what it compiles. `gpu` is the capability of
 * NVIDIA's GPU here, or 0. (drivers.c) */
void xb_isa_find_here(xb_isa_target *target, uint32_t *gpu);
/* True if the driver compiles for this family. (drivers.c) */
bool xb_isa_driver_knows(const char *family);
void xb_isa_ask_driver(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
void xb_isa_read_binaries(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
/* True for the API whose machine code the program reads from files. (nvidia.c) */
bool xb_isa_reads_binaries_of(const char *api);
/* Capabilities that this program's fat binaries have machine code for; ends with 0. (nvidia.c) */
void xb_isa_capabilities(uint32_t list[XB_ISA_TARGETS]);
/* Adds how many groups of the kernel a multiprocessor of this capability holds, from its registers and shared memory.
 * (nvidia.c) */
void xb_isa_add_groups(const xb_isa_case *k, uint32_t capability);
/* False for a capability whose multiprocessors are unknown. (nvidia.c) */
bool xb_isa_knows_capability(uint32_t capability);

/* ---- cubin.c ---------------------------------------------------------------------------------------------------- */

/* The machine code for this capability: of a fat binary, or made by ptxas from its PTX or from PTX. It lives until the
 * next call. NULL: `why` says what is missing. */
const unsigned char *xb_isa_cubin(const void *code, size_t bytes, uint32_t capability, size_t *count, const char **why);
/* True if a fat binary has machine code for it. */
bool xb_isa_has_cubin(const void *code, size_t bytes, uint32_t capability);
/* Adds what the machine code says of the kernel, or an error. */
void xb_isa_read_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row);
/* The instructions of NVIDIA's machine code that are no NOP. */
int64_t xb_isa_count_code(const unsigned char *code, size_t bytes);
/* Adds the hash by which `diff` finds other code. */
void xb_isa_set_hash(json_t *row, const void *code, size_t bytes);

/* Adds the code as nvdisasm prints it, with the lines of the source between. */
void xb_isa_list_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row);

/* Adds machine code without a file around it, as nvdisasm prints it; in `no_text` why there is none. */
void xb_isa_list_raw(const unsigned char *code, size_t bytes, uint32_t capability, json_t *row);

/* ---- pipeline_data.c -------------------------------------------------------------------------------------------- */

/* The machine code in the data of a pipeline cache of NVIDIA's driver; it lives in the arena. NULL: `why`, a line, says
 * what is missing or unknown. */
const unsigned char *xb_isa_shader_code(const void *data, size_t bytes, xb_arena *arena, size_t *count,
                                        const char **why);

/* ---- counts.c --------------------------------------------------------------------------------------------------- */

typedef enum xb_isa_kind {
  XB_ISA_MATRIX,
  XB_ISA_ATOMICS,
  XB_ISA_LOCAL,
  XB_ISA_SHARED,
  XB_ISA_LANES,
  XB_ISA_BARRIERS,
  XB_ISA_CONSTANTS,
  XB_ISA_LOADS,
  XB_ISA_STORES,
  XB_ISA_BRANCHES,
  XB_ISA_WAITS,
  XB_ISA_MOVES,
  XB_ISA_FLOATS,
  XB_ISA_INTEGERS, /* and all that is none of the others */
  XB_ISA_KINDS
} xb_isa_kind;
const char *xb_isa_kind_name(xb_isa_kind kind);
typedef struct xb_isa_counts {
  size_t of[XB_ISA_KINDS];
  size_t all;        /* but for waits */
  size_t fused;      /* of the floats: a product and a sum in one */
  size_t load_bytes; /* of all loads, for each thread */
  size_t dots, adds; /* dot products of bytes, and those of them that also add (NVIDIA) */
} xb_isa_counts;
/* Counts the instructions of a listing from `text` to `end`. */
void xb_isa_count(const char *text, const char *end, xb_isa_counts *c);
/* The loop with the most instructions of those that have no loop inside. False: there is none. */
bool xb_isa_largest_loop(const char *text, const char **begin, const char **end);

/* ---- explain.c -------------------------------------------------------------------------------------------------- */

/* A kernel's code in numbers; NAN: unknown. Without a listing, `counted` is false and the counts are 0. */
typedef struct xb_isa_code {
  double groups, waves, registers, shared_bytes, local_bytes;
  bool counted;
  xb_isa_counts all, loop; /* loop: the largest one; 0: there is none */
} xb_isa_code;
typedef struct xb_isa_cause {
  const char *what;
  double slow, fast;
} xb_isa_cause;
enum { XB_ISA_CAUSES = 32 };
void xb_isa_code_of(const json_t *row, xb_isa_code *code);
/* The differences that can explain that the first is slower, the strongest kinds first. Returns their number. */
size_t xb_isa_explain(const xb_isa_code *slow, const xb_isa_code *fast, xb_isa_cause causes[XB_ISA_CAUSES]);
/* Prints them for each kernel that both have. */
void xb_isa_print_causes(const json_t *slow_rows, const char *slow_api, const json_t *fast_rows, const char *fast_api);

/* ---- table.c, changes.c ------------------------------------------------------------------------------------------ */

/* What a row may have: its key, as a column and in a sentence; 1: more of it is worse, -1: less of it. */
typedef struct xb_isa_fact {
  const char *key, *title, *name;
  int worse;
  unsigned drop; /* as in xb_column */
} xb_isa_fact;
extern const xb_isa_fact xb_isa_facts[]; /* the last one has no key */
/* Counts the row as one of the two, if it has an error. */
void xb_isa_count_errors(const json_t *row, size_t *refused, size_t *lacking);
/* "" if the row has no such text. */
const char *xb_isa_text(const json_t *row, const char *key);

/* A row of the table, for the functions of its columns. */
typedef struct xb_isa_line {
  const json_t *row;
  bool begins; /* the first of its kernel */
} xb_isa_line;
typedef struct xb_isa_table {
  xb_table table;
  xb_isa_line *lines;
  size_t kernels, spilling, refused, lacking;
} xb_isa_table;
/* The rows of each kernel together. Returns false if there is no memory. */
bool xb_isa_table_make(xb_isa_table *isa, const json_t *rows);
void xb_isa_table_free(xb_isa_table *isa);
void xb_isa_print(const json_t *rows, bool text);
/* The instructions of lines that have a text, by kind, side by side. */
void xb_isa_print_kinds(const xb_isa_line *lines, size_t count, FILE *out);
/* True if registers of the kernel are in memory. */
bool xb_isa_spills(const json_t *row);
/* The rows of a document, checked as those of results are, each kernel once for an architecture. The caller frees them.
 */
xb_code xb_isa_load(const char *path, json_t **rows, xb_error *err);
/* "matmul/10_best float32, groups of 256". `out` has room for 256 bytes. */
const char *xb_isa_name(const json_t *row, char *out);
/* True if the file has the schema that `xbench isa --json` writes. */
bool xb_isa_is_document(const char *path);
/* Compares two such files exactly, prints the changes, and returns the exit code. `force`: also of other compilers. */
int xb_isa_diff(const char *base, const char *now, bool force, xb_output *json);

#endif
