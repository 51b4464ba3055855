/* What compilers make of kernels, for GPUs that need not be there. A row of a document is a JSON object: one kernel for
 * one architecture (docs/isa.schema.json). */
#ifndef XB_ISA_H
#define XB_ISA_H

#include "benchmarks/choice.h"
#include "formats/output.h"
#include "sheet/sheet.h"

#include <jansson.h>

extern const char xb_isa_schema[]; /* (changes.c) */

typedef struct xb_isa_choice {
  const xb_choice *what;
  const char *dtype; /* NULL: each */
  uint32_t block;    /* 0: each */
  bool text;         /* with the code itself */
  bool own;          /* a pair: a case that has no plan is a row, with the reason */
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
  char name[64];          /* "gfx1100", "sm_90"; of a device: its name */
  const char *family;     /* AMD: as its driver calls it; else NULL */
  uint32_t capability;    /* NVIDIA: 90; else 0 */
  const xb_backend *here; /* a device of this machine */
} xb_isa_target;

/* Reads "gfx1100,sm_90,here"; NULL: all that is known here, but no devices. Returns their number; 0 after it reported a
 * mistake, whose exit code is in `code`. */
size_t xb_isa_targets(const char *text, xb_isa_target targets[XB_ISA_TARGETS], int *code);
/* Adds rows to the array. What no driver compiles is a row with an error. */
void xb_isa_compile(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
/* True if the driver compiles for this family. (drivers.c) */
bool xb_isa_driver_knows(const char *family);
void xb_isa_ask_driver(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
void xb_isa_read_binaries(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows);
/* Capabilities that this program's fat binaries have machine code for; ends with 0. (nvidia.c) */
void xb_isa_capabilities(uint32_t list[XB_ISA_TARGETS]);
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

/* Adds the code as nvdisasm prints it, with the lines of the source between. */
void xb_isa_list_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row);

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
  xb_sheet sheet;
  xb_isa_line *lines;
  size_t kernels, spilling, refused, lacking;
} xb_isa_table;
/* The rows of each kernel together. Returns false if there is no memory. */
bool xb_isa_table_make(xb_isa_table *table, const json_t *rows);
void xb_isa_table_free(xb_isa_table *table);
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
