/* A user's own pair: sources that compute the same, each a side, and what their buffers, arguments and results are. It
 * is read from a manifest (docs/pair.schema.json); a command line is turned into one. Its kernels are then compiled and
 * linked to it (link.c), and it becomes a benchmark (family.h). */
#ifndef XB_PAIR_H
#define XB_PAIR_H

#include "base/formula.h"
#include "benchmarks/benchmark.h"
#include "compile/compile.h"
#include "pair/fill.h"

#include <jansson.h>

enum {
  XB_PAIR_SOURCES = 4,
  XB_PAIR_SIDES = 2 * XB_PAIR_SOURCES,   /* HLSL may have two: for Vulkan and for Direct3D 12 */
  XB_PAIR_BUFFERS = XB_MAX_BINDINGS - 1, /* and a uniform buffer with arguments */
  XB_PAIR_KERNELS = 64,
  XB_PAIR_ARGUMENTS = 64,
  XB_PAIR_STEPS = 256,
  XB_PAIR_CONSTANTS = 32,
  XB_PAIR_BARRIER = XB_PAIR_KERNELS, /* as a step */
  XB_PAIR_ELEMENT_BYTES = 256,
  XB_PAIR_VALUES = 64, /* numbers of an argument */
  XB_PAIR_MEMORIES = 8,
};

typedef enum xb_pair_access { XB_PAIR_IN, XB_PAIR_OUT, XB_PAIR_INOUT, XB_PAIR_SCRATCH } xb_pair_access;

/* How much results may differ. */
typedef enum xb_pair_rule { XB_PAIR_EXACT, XB_PAIR_ULP, XB_PAIR_EPSILON } xb_pair_rule;

/* What a buffer is in code that has an image for it. */
typedef struct xb_pair_image {
  const char *width, *height; /* formulas; NULL: it is no image */
  xb_sample_mode sampler;
  bool own_coordinates; /* the manifest says which ones; else CUDA's are texels, those of shaders normalized */
} xb_pair_image;

typedef struct xb_pair_buffer {
  const char *name;
  uint32_t only; /* 1 + the place in the manifest of the only side that has it; 0: all have it */
  xb_pair_access access;
  xb_element element;
  const char *length; /* a formula: elements */
  xb_pair_image image;
  const char *fill_text;
  xb_fill fill;      /* IN, INOUT */
  xb_pair_rule rule; /* OUT, INOUT */
  double limit;
  xb_array expected; /* from a file; no data: none */
  bool untouched;    /* OUT: a run may leave elements out, the same ones on each side */
  const char
      *valid; /* OUT, INOUT: a formula: elements that count; NULL: all, or as many as the buffer `valid_in` says */
  uint32_t valid_in;       /* XB_PAIR_BUFFERS: none */
  const char **address_of; /* names: element i is the address of buffer address_of[i]; NULL: no addresses, or those of
                              members (xb_member.address_of) */
  uint32_t address_count;
  uint64_t columns;            /* of a matrix, for messages; 0: it is none */
  uint64_t nans, of;           /* of the results that others are compared with: elements that are NaN, and all */
  uint64_t wrong, compared;    /* elements of the output that was checked last, */
  uint64_t most_ulps, most_at; /* the largest difference of floats, and the element that has it; 0: none */
  /* A bit for each number of an element; the last one for all behind it (compare.c). */
  uint64_t nonzero;      /* a right result is not zero ... */
  uint64_t refuses_zero; /* ... and the tolerance would not take zero for it */
} xb_pair_buffer;

typedef struct xb_pair_value {
  const char *formula; /* NULL: `number` */
  double number;
  uint32_t address_of; /* 1 + a buffer: its address; 0: one of the others */
} xb_pair_value;

/* One number, or those of a vector, a matrix or an array, in the order of memory. */
typedef struct xb_pair_argument {
  const char *name;
  xb_pair_value *values;
  uint32_t count;
} xb_pair_argument;

/* Of one side. */
typedef struct xb_pair_kernel {
  const char *name;  /* in Dispatches; NULL: none */
  const char *path;  /* of its source: the side's, or its own */
  const char *shown; /* its entry, else the pair's name; no two kernels have the same pointer (plan.c) */
  const char *entry; /* NULL: the only one of its source */
  uint32_t group[3]; /* 0: as the code says */
  const char *groups[3];
  uint32_t buffers[XB_PAIR_BUFFERS], buffer_count;
  xb_pair_argument arguments[XB_PAIR_ARGUMENTS];
  uint32_t argument_count;
  const char *parameters[XB_MAX_PARAMETERS]; /* CUDA: their names in order, where there is no source to read them in */
  uint32_t parameter_count;
  const char *shared_bytes; /* a formula: dynamic shared memory of CUDA; NULL: none */
  uint32_t wave;            /* required size of subgroups; 0: any */
  xb_specialization constants[XB_MAX_SPECIALIZATIONS];
  uint32_t constant_count;
  xb_constant memories[XB_PAIR_MEMORIES]; /* CUDA: contents of __constant__ variables */
  uint32_t memory_count;
} xb_pair_kernel;

/* A kernel of one side, compiled (link.c). */
typedef struct xb_pair_code {
  xb_pair_binary binary;
  xb_reflection reflection;
  const xb_code_parameter *buffers[XB_PAIR_BUFFERS];     /* of the kernel's buffers; NULL: unused by the code, */
  bool has_address[XB_PAIR_BUFFERS];                     /* or it gets the buffer's address */
  const xb_code_parameter *arguments[XB_PAIR_ARGUMENTS]; /* of the kernel's arguments, likewise */
  uint32_t value_offsets[XB_PAIR_ARGUMENTS];             /* of the arguments among the dispatch's values */
  uint32_t arg_bytes;
  xb_parameter parameters[XB_MAX_PARAMETERS]; /* CUDA */
  uint32_t parameter_count;
  /* SPIR-V, DXIL: of the kernel's buffers, of the uniform buffer if there is one, and of samplers. */
  xb_location locations[XB_PAIR_BUFFERS + 1 + XB_MOST_SAMPLERS];
  xb_specialization constants[XB_MAX_SPECIALIZATIONS]; /* SPIR-V: for the case whose code was asked for last */
  uint32_t uniform_bytes;                              /* SPIR-V, DXIL: of a uniform buffer with arguments; 0: none */
  _Alignas(4) char uniform[XB_MAX_ARG_BYTES * 2];      /* its contents for the case that was planned last, */
  xb_plan_address addresses[XB_MAX_ADDRESSES];         /* and the addresses among them */
  uint32_t address_count;
} xb_pair_code;

typedef struct xb_pair_side {
  xb_pair_source source;
  const char *name;               /* of its file */
  const char *label;              /* its name, with the compiler if one was asked for */
  const char *format;             /* of its code, as xb_device_info.code */
  const xb_pair_binary *compiled; /* its code, by kernel; NULL: the source is compiled */
  uint32_t of;                    /* its place in the manifest; two sides of one source have the same */
  uint64_t source_hash;           /* of its files with their headers, of its flags and entry points */
  uint32_t variant;               /* of the benchmark, from 0 on (family.c) */
  xb_pair_kernel kernels[XB_PAIR_KERNELS];
  uint32_t kernel_count;
  uint32_t steps[XB_PAIR_STEPS]; /* kernels and barriers */
  uint32_t step_count;
  xb_pair_code codes[XB_PAIR_KERNELS];
  xb_pair_buffer buffers[XB_PAIR_BUFFERS]; /* those of the pair, as this side has them */
  xb_error refused;                        /* by its compiler; XB_OK: it has code */
} xb_pair_side;

typedef struct xb_pair_files xb_pair_files;

typedef struct xb_pair {
  const char *name, *title, *sizes;
  const char *file_length, *file; /* the length of the first .npy file that gives one */
  const char *file_shape;         /* "rows x columns" of those that have both, if it is one */
  const char *unsized;            /* why a size has to be given; NULL: it has not */
  xb_pair_side sides[XB_PAIR_SIDES];
  uint32_t side_count;
  xb_pair_buffer buffers[XB_PAIR_BUFFERS];
  uint32_t buffer_count;
  xb_named_number constants[XB_PAIR_CONSTANTS];
  uint32_t constant_count;
  const char *bytes, *flops;   /* formulas; NULL: of the buffers; none */
  const char *reference;       /* the name of a side, or LIBRARY.so:FUNCTION; NULL: the first side that runs */
  bool unchecked;              /* nothing says what is right */
  bool marks;                  /* what only a person knows may be missing: it gets a mark */
  bool matrix;                 /* a formula has rows or columns */
  struct xb_pair_files *files; /* what the sides read and write, as files (dump.c); NULL: none are asked for */
  xb_arena arena;              /* of everything in here */
} xb_pair;

/* A manifest, with the place of its values for messages. */
typedef struct xb_pair_manifest {
  const char *where;  /* its file; "pair" if it was made from a command line */
  const char *text;   /* of the file; NULL */
  const char *folder; /* of the file, with a slash behind it; "" */
  const char *within; /* the folder that it may name files in; NULL: in any */
  json_t *root;
} xb_pair_manifest;

/* What the user lets a manifest do: give compilers any flags, and name files outside of its folder. (trust.c) */
typedef struct xb_trust {
  bool flags, paths;
} xb_trust;
extern xb_trust xb_pair_trust;
#define XB_TRUST_OPTIONS(type)                                                                                         \
  {"trust-flags", 0, XB_OPT_FLAG, offsetof(type, trust.flags),                                                         \
   .help = "allow any compiler flags in the manifest; some of them write files or run programs"},                      \
  {                                                                                                                    \
    "trust-paths", 0, XB_OPT_FLAG, offsetof(type, trust.paths),                                                        \
        .help = "allow the manifest and its sources to read files outside their folder"                                \
  }
xb_code xb_pair_check_trust(const xb_pair_manifest *manifest, xb_error *err);

/* Reads a file, and refuses what the user does not trust it with. The caller frees `manifest->root` with json_decref.
 */
xb_code xb_pair_open(const char *path, xb_arena *arena, xb_pair_manifest *manifest, xb_error *err);
/* The line of a value such as "Buffers[0].Format"; 0 if the text has none. (read.c) */
int xb_pair_line(const char *text, const char *path);

/* The kernels of a side, from the manifest: those of the pair, with the keys of the side over theirs. The caller frees
 * the list with json_decref. (manifest.c) */
json_t *xb_pair_shaders_of(const json_t *root, const json_t *side);
/* Sets a key of a side over that of the pair: objects are merged member by member, null removes it. (manifest.c) */
void xb_pair_put(json_t *of_pair, const char *key, json_t *value);
/* Side `i` of a manifest, for keys of its own: a source alone becomes an object. NULL: there is none. (manifest.c) */
json_t *xb_pair_own_keys(json_t *root, size_t i);
/* The file of an item of Sides; NULL: it has none. (manifest.c) */
const char *xb_pair_source_of(const json_t *side);
/* First the sources and the names of the kernels, as compiling needs no more; then the rest. XB_INVALID with file, line
 * and key if something is missing, unknown or wrong. (manifest.c) */
xb_code xb_pair_read_sources(const xb_pair_manifest *manifest, xb_pair *pair, xb_error *err);
xb_code xb_pair_read(const xb_pair_manifest *manifest, xb_pair *pair, xb_error *err);

/* Adds for each source in HLSL a side for Direct3D 12, unless a compiler was asked for that makes no DXIL.
 * (compile_side.c) */
void xb_pair_add_d3d12(xb_pair *pair);
/* Makes it a side for a device that emulates the API of its source. (compile_side.c) */
void xb_pair_emulate(xb_pair_side *side, const xb_device_info *device);
/* The name of a kernel in the code of a side; NULL: it is the only one. (compile_side.c) */
const char *xb_pair_entry_of(xb_pair *pair, const xb_pair_side *side, uint32_t kernel);
/* Compiles all kernels of a side and reads their parameters. (compile_side.c) */
xb_code xb_pair_compile_side(xb_pair *pair, xb_pair_side *side, uint32_t capability, xb_error *err);
/* Adds what the compiled sides know and the manifest lacks, and gives each side its list of kernels. What only a person
 * knows is marked with "?"; with `mark`, guesses are, too, and only the pair's list is completed. (complete.c) */
void xb_pair_complete(const xb_pair *pair, json_t *root, bool mark);
/* The format of an image's texels; XB_TEXEL_NONE: there are no such images. (read_buffers.c) */
xb_texel xb_pair_texel(const xb_pair_buffer *buffer);
/* Of the parameters of a kernel of CUDA that are structs: "; p is a struct, its members are arguments: float32 a,
 * uint32 n". Returns `text`; "": there are none. (read.c) */
const char *xb_pair_structs(const xb_pair *pair, uint32_t kernel, char text[240]);
/* "a.cu: waves of 32, a.hlsl: waves of 8; a.cu: ...": what may make right sources differ. `waves`: of each side's
 * device. Returns `out`. (differences.c) */
const char *xb_pair_differences(const xb_pair *pair, const uint32_t *waves, char out[480]);
/* Finds, for each buffer and argument of each side, the parameter of its code. A refused side has none; where the
 * manifest has no group size for it, it has that of the others. (link.c) */
xb_code xb_pair_link_sides(xb_pair *pair, xb_error *err);

#endif
