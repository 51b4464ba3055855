/* What compiled code says about its parameters. */
#ifndef XB_PAIR_REFLECT_H
#define XB_PAIR_REFLECT_H

#include "base/arena.h"
#include "benchmarks/benchmark.h"
#include "compile/compile.h"
#include "core/spirv.h"

enum { XB_MOST_MEMBERS = 32, XB_MOST_CONSTANTS = 8 };

/* A part of an element: `count` numbers of one type, one behind the other. In arguments there may be gaps: then `row`
 * numbers lie together, and rows begin every `stride` bytes. */
typedef struct xb_member {
  const char *name; /* NULL: the element has no other members */
  xb_dtype dtype;
  uint32_t count, offset; /* offset in bytes */
  uint32_t row, stride;   /* 0: no gaps */
  bool pointer;           /* of a struct: it is the address of a buffer */
  const char *address_of; /* of a manifest: the numbers are the addresses of this buffer; NULL: they are none */
  bool fractions;         /* of an image: its integers are read as 0 to 1 */
} xb_member;

/* One element of a buffer, or one argument. */
typedef struct xb_element {
  xb_member members[XB_MOST_MEMBERS];
  uint32_t member_count; /* 0: unknown */
  uint32_t bytes;        /* from one element to the next */
} xb_element;

/* What the code has for a buffer of the pair: the buffer, or an image of two dimensions. */
typedef enum xb_code_image { XB_CODE_BUFFER, XB_CODE_SAMPLED_IMAGE, XB_CODE_STORAGE_IMAGE } xb_code_image;

enum { XB_MOST_SAMPLERS = 4 };

typedef struct xb_code_parameter {
  const char *name; /* NULL: unknown */
  bool is_buffer;   /* or an image; else a value */
  xb_code_image image;
  bool texels, storage; /* a typed buffer: Buffer<float>, tex1Dfetch; or one that shaders write: RWBuffer<float> */
  bool is_uniform;      /* a value in a uniform buffer */
  bool read_only;
  bool only_read;           /* it may be written, but no instruction writes it */
  bool pointer;             /* a value that is the address of a buffer; SPIR-V: */
  const xb_element *target; /* with these elements */
  uint32_t set, binding;    /* SPIR-V, DXIL: of a buffer, or of the uniform buffer that a value is in */
  uint32_t array_element;   /* SPIR-V: of an array of buffers, whose elements are parameters of their own: "b[1]" */
  bool open;                /* SPIR-V: "b[0]" of an array without a length, which the pair's buffers give it (link.c) */
  uint32_t offset;          /* of a value: SPIR-V, DXIL: in its block; CUDA: among the parameters, or in its struct */
  bool optional;            /* CUDA: its default argument is zero, */
  bool is_default;          /* and the pair gives it no other value (link.c) */
  const struct xb_code_parameter *view; /* SPIR-V: the next variable at the same binding; NULL: there is none */
  bool is_struct;                       /* CUDA: a struct by value; its members are parameters of their own, */
  uint32_t in_struct;                   /* with 1 + the index of the struct; 0: not a member (link.c) */
  xb_element element;
} xb_code_parameter;

/* SPIR-V: a specialization constant with a name, which is no part of the group's size. */
typedef struct xb_named_constant {
  const char *name;
  uint32_t id;
  xb_dtype dtype;
} xb_named_constant;

/* The parameters of one entry point: buffers in the order of their bindings, values in the order of their offsets; in
 * CUDA all in the order of the declaration. */
typedef struct xb_reflection {
  const char *entry;     /* as the code calls it; NULL: unknown, the code is a binary of CUDA */
  const char *unwatched; /* CUDA for the processor, with --check: functions whose structs are not watched; NULL: none */
  uint32_t group[3];     /* 0: the code does not say */
  uint32_t open_group;   /* SPIR-V: 1 + the number of the specialization constant that sets it, and has no value */
  xb_code_parameter *parameters;
  size_t count;
  uint32_t value_bytes;                   /* SPIR-V: of all values; CUDA: of all parameters */
  xb_location samplers[XB_MOST_SAMPLERS]; /* SPIR-V: those that are no part of an image's binding */
  uint32_t sampler_count;
  bool asks_length;    /* it reads the lengths of its buffers, so that a binding must end where the buffer ends */
  uint32_t functions;  /* SPIR-V, for messages (differences.c): bits of those whose precision Vulkan limits, */
  bool fuses, divides; /* products with a sum that the driver may round once, and divisions, */
  bool uses_waves;     /* operations of waves */
  bool dynamic_shared; /* CUDA: it has extern __shared__ memory */
  xb_code_parameter *constants; /* CUDA: __constant__ variables that the source gives no value */
  size_t constant_count;
  xb_named_constant named[XB_MAX_SPECIALIZATIONS];
  uint32_t named_count;
} xb_reflection;

/* Values of specialization constants. */
typedef struct xb_constants {
  const xb_specialization *values;
  uint32_t count;
} xb_constants;

enum { XB_MOST_REFLECTED = XB_MAX_ARG_BYTES + 64 }; /* values and buffers */
/* A reflection of nothing, with room for so many parameters. (compile_side.c) */
xb_code xb_reflection_begin(const char *where, xb_arena *arena, xb_reflection *reflection, xb_error *err);
/* `entry`: as in the source; NULL: the only one. XB_INVALID if the code lacks it or is none. */
xb_code xb_reflect_spirv(const char *where, const void *code, size_t bytes, const char *entry, xb_constants constants,
                         xb_arena *arena, xb_reflection *reflection, xb_error *err);
/* The same for PTX; C++ names match without their arguments. */
xb_code xb_reflect_ptx(const char *where, const char *code, const char *entry, xb_arena *arena,
                       xb_reflection *reflection, xb_error *err);
/* The same for a module of CUDA C++ for the processor, which has one entry. */
xb_code xb_reflect_module(const char *where, const char *code, size_t bytes, xb_arena *arena, xb_reflection *reflection,
                          xb_error *err);
/* The same for DXIL. `listing`: what `dxc -dumpbin` prints; `source`: its HLSL, or "". Completes the container, as no
 * runtime takes it without its checksum. */
xb_code xb_reflect_dxil(const char *where, const char *listing, const char *source, const char *entry, xb_arena *arena,
                        xb_pair_binary *binary, xb_reflection *reflection, xb_error *err);
/* What the functions of a module do with its variables, by their ids; NULL: out of memory. (only_reads.c) */
const uint8_t *xb_spirv_uses(const xb_spirv *m, xb_arena *arena);
bool xb_spirv_only_reads(const uint8_t *uses, uint32_t variable);
/* Sets `functions` and what follows it. (differences.c) */
void xb_spirv_note_floats(const xb_spirv *m, xb_arena *arena, xb_reflection *reflection);
/* For qsort: the order in which a reflection of SPIR-V or DXIL has its parameters. (reflect_dxil.c) */
int xb_by_binding(const void *a, const void *b);
/* Adds what only the source says, or a file that it includes: names of parameters, which of them are pointers to what,
 * members of structs, memory that is declared outside of parameters. Does nothing if it finds no such kernel with as
 * many parameters. `flags`: -I of the compiler. */
void xb_reflect_cuda_source(const char *path, const char *const *flags, const char *entry, xb_arena *arena,
                            xb_reflection *reflection);
/* The same for the text of a source; `entry` has no namespace. False: the text has no such kernel. */
bool xb_reflect_cuda_text(const char *text, const char *entry, xb_arena *arena, xb_reflection *reflection);

#endif
