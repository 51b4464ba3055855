/* Translates the SPIR-V of a compute shader to C for the runtime (runtime/xb_cpu.h). What the C is written with is in
 * words/.
 *
 * A value is a local variable, a block a label, an OpPhi a copy on each edge that leads to it. A pointer is an address.
 * Where lanes of a wave meet is described in flow.c.
 *
 * Nothing in the module is trusted: words beyond an instruction are 0, an id that nothing makes is an instruction of
 * one word, and what a type or a constant is made from must stand before it. So no walk along ids is endless. */
#ifndef XB_CPU_SHADER_H
#define XB_CPU_SHADER_H

#include "core/spirv.h"
#include "shader/translate.h"

#include <stdarg.h>
#include <stdio.h>

enum {
  MOST_LOOPS = 24,             /* around each other in a function */
  MOST_VALUE_BYTES = 32 << 10, /* of a variable of a thread: its stack has XB_CPU_SLOT_BYTES */
  MOST_TEXT_BYTES = 64 << 20,  /* of the C */
  MOST_SIZE = 1 << 30          /* of any type */
};

/* SPV_KHR_cooperative_matrix, which the build's header may be too old for. */
enum { OP_TYPE_COOPERATIVE_MATRIX = 4456, OP_MATRIX_LOAD, OP_MATRIX_STORE, OP_MATRIX_MULADD, OP_MATRIX_LENGTH };

/* How a matrix, or a vector of a row of one, lies in memory. stride 0: one number behind the other. */
typedef struct layout {
  uint32_t stride;
  bool row_major;
} layout;

/* What is known of an id, beside core/spirv.h's xb_spirv_id. */
typedef struct fact {
  const uint32_t *made; /* the instruction that makes it; NULL: none */
  uint32_t size, align; /* of a type, in memory */
  uint32_t end;         /* a struct: behind its last member */
  bool plain;           /* a type that lies in memory as the C compiler lays it out */
  bool value;           /* a type that values have: no runtime array, no function */
  bool forward;         /* OpTypeForwardPointer */
  bool meets;           /* a function that has operations of waves or barriers, or calls one that has */
  uint32_t path;        /* such a function: words of its rows, with those of the functions that it calls */
  layout layout;        /* a pointer: of the matrix or vector that it points to */
  uint32_t block;       /* a label: its place in `blocks` + 1 */
  const char *text;     /* OpString */
  uint32_t uses;        /* words that name it, in functions */
  uint32_t waits;       /* a load whose site + 1 is touched where an OpSelect takes it; 0: at once */
} fact;

typedef struct block {
  uint32_t label;
  const uint32_t *first, *end; /* behind OpLabel; behind the terminator */
  uint32_t merge, proceed; /* OpLoopMerge, OpSelectionMerge: labels; `proceed`, the continue target, only a loop's */
  uint32_t order;          /* structured: a construct comes before its merge block */
  bool seen;
} block;

typedef struct shader {
  xb_spirv module;
  fact *facts;
  const uint32_t **decorations; /* OpDecorate and OpMemberDecorate */
  uint32_t decoration_count;
  const xb_kernel_desc *desc;
  const uint32_t *entry; /* OpEntryPoint */
  cpu_shader *made;
  uint32_t glsl, debug; /* sets of extended instructions */
  uint32_t sites;       /* accesses so far, in a shader that is watched */
  /* The C. `works`: functions that run once for the lanes that meet; they stand before the others. */
  FILE *out, *works;
  size_t written;
  /* The current function. */
  block *blocks;
  uint32_t block_count, block_capacity;
  bool meets;
  const block *now;
  uint32_t meetings; /* in the current block, so far */
  const char *file;
  uint32_t line;
  xb_code code; /* the first mistake; all else is left out then */
  xb_error *err;
} shader;

/* The first mistake counts. */
void shader_refuse(shader *s, xb_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Appends to the C. Formats may number their arguments (%1$u). */
void say(shader *s, const char *format, ...);
void say_work(shader *s, const char *format, ...);

/* ---- Instructions and ids (module.c) ---------------------------------------------------------------------------- */

static inline uint32_t word(const uint32_t *at, uint32_t i)
{
  return i < xb_spirv_length(at) ? at[i] : 0;
}
static inline fact *fact_of(const shader *s, uint32_t id)
{
  return &s->facts[id < s->module.bound ? id : 0];
}
const uint32_t *made_by(const shader *s, uint32_t id); /* never NULL */
static inline uint32_t op_of(const shader *s, uint32_t id)
{
  return xb_spirv_op(made_by(s, id));
}
/* Word `n` of the instruction that makes the id; 1: the first behind the opcode. */
static inline uint32_t arg(const shader *s, uint32_t id, uint32_t n)
{
  return word(made_by(s, id), n);
}
static inline uint32_t args(const shader *s, uint32_t id)
{
  return xb_spirv_length(made_by(s, id));
}
/* 0 for one that has no type. */
uint32_t type_of(const shader *s, uint32_t value);
bool shader_read(shader *s);
bool decorated(const shader *s, uint32_t id, uint32_t decoration, uint32_t *value);
/* Member ~0: any. */
bool member_decorated(const shader *s, uint32_t type, uint32_t member, uint32_t decoration, uint32_t *value);
const char *opcode_name(uint32_t op);
/* The text without characters that end a C literal, in `out`. */
const char *quoted(const char *text, char out[256]);

/* ---- Types (types.c) -------------------------------------------------------------------------------------------- */

bool read_type(shader *s, const uint32_t *at);     /* false: refused */
uint32_t elements(const shader *s, uint32_t type); /* of a vector, a matrix or an array; else 1 */
bool is_vector(const shader *s, uint32_t type);
bool is_matrix(const shader *s, uint32_t type);
bool is_array(const shader *s, uint32_t type);
bool is_composite(const shader *s, uint32_t type);
uint32_t scalar_of(const shader *s, uint32_t type); /* of a scalar, a vector or a matrix */
uint32_t width_of(const shader *s, uint32_t type);  /* bits; a bool has 32 */
bool is_float(const shader *s, uint32_t type);      /* the scalar is one */
bool is_type(uint32_t op);
bool is_cooperative(const shader *s, uint32_t type);           /* cooperative.c */
uint32_t cooperative_elements(const shader *s, uint32_t type); /* of a lane, at most */
bool read_cooperative(shader *s, const uint32_t *at, fact *f);
uint32_t stride_of(const shader *s, uint32_t array);
uint32_t offset_of(const shader *s, uint32_t type, uint32_t member);
layout member_layout(const shader *s, uint32_t type, uint32_t member);
/* Bytes from the first to the last of a value in memory. */
uint32_t extent_of(const shader *s, uint32_t type, layout l);
void say_type(shader *s, uint32_t type);
/* "ld12(ADDRESS)", with the layout where there is one. */
void say_load(shader *s, uint32_t type, layout l, const char *address);
void say_store(shader *s, uint32_t type, layout l, const char *address, const char *value);

/* ---- Constants (constants.c) ------------------------------------------------------------------------------------ */

/* The bits of a scalar constant. *known false, if it is none. */
uint64_t constant_bits(const shader *s, uint32_t id, bool *known);
uint32_t constant(const shader *s, uint32_t id); /* 0: none */
bool is_constant(uint32_t op);
void say_constant(shader *s, uint32_t id);

/* ---- Instructions: each returns false for one of another kind ---------------------------------------------------- */

/* Component by component, by a formula: $A to $D: the operands' components; $T, $S: the result's scalar type, and the
 * signed one of its width; $U, $V: those of operand A; $N and $M: bits of A and of the result. */
void say_formula(shader *s, uint32_t id, const char *formula, const uint32_t *operands);
bool numbers(shader *s, const uint32_t *at);  /* numbers.c */
bool vectors(shader *s, const uint32_t *at);  /* vectors.c */
bool matrices(shader *s, const uint32_t *at); /* vectors.c */
bool extended(shader *s, const uint32_t *at); /* extended.c */
bool memory(shader *s, const uint32_t *at);   /* memory.c */
bool atomics(shader *s, const uint32_t *at);  /* atomics.c */
bool images(shader *s, const uint32_t *at);   /* images.c */
/* "runtime->texel(&site3, v12, ...)": the image is the operand `n`, its coordinates the next one. */
void say_texel(shader *s, uint32_t site, const uint32_t *at, uint32_t n);
bool cooperative(shader *s, const uint32_t *at); /* cooperative.c */
bool waves(shader *s, const uint32_t *at);       /* waves.c */
bool flow(shader *s, const uint32_t *at);        /* flow.c */

/* ---- Memory (memory.c) ------------------------------------------------------------------------------------------ */

uint32_t root_of(const shader *s, uint32_t pointer); /* the variable that it points into; 0: not known */
uint32_t storage_of(const shader *s, uint32_t pointer);
uint32_t image_variable(const shader *s, uint32_t image); /* that the value was loaded from */
uint32_t pointee(const shader *s, uint32_t pointer);
bool is_buffer(uint32_t storage);
/* The variable is an array of buffers, whose first index chooses one; and how many it has. */
bool is_buffer_array(const shader *s, uint32_t pointer);
uint32_t elements_of(const shader *s, uint32_t variable);
/* The C of the buffer that an address lies in, in `text`: "b12", or "q14" of an array. NULL: not known, or no buffer.
 */
const char *pointed_buffer(const shader *s, uint32_t pointer, char text[16]);
/* The variables of the module that a function uses, as locals. */
void say_globals(shader *s, const uint32_t *from, const uint32_t *end);
void find_resources(shader *s);

/* True if the C begins an `if`: the load or store may be left out, as it would be outside. */
bool say_inside(shader *s, uint32_t pointer, uint32_t type, uint32_t op, uint32_t access);
bool is_coherent(const shader *s, uint32_t pointer, uint32_t access);
void say_index(shader *s, uint32_t index);

/* ---- What a watched shader does (accesses.c, order.c) ------------------------------------------------------------ */

static inline bool is_watched(const shader *s)
{
  return s->made->checks;
}
bool makes_address(uint32_t op);
void count_uses(shader *s);
void say_bad_indices(shader *s, const uint32_t *at); /* behind an address */
bool say_touched(shader *s, uint32_t pointer, uint32_t bytes, uint32_t op, bool coherent);
/* A load whose value matters only where an OpSelect takes it, which is where it is touched: HLSL's `?:` loads both. */
bool say_load_for_select(shader *s, const uint32_t *at);
void say_select(shader *s, const uint32_t *at);
bool waits_for_select(shader *s, uint32_t id, uint32_t site); /* likewise, of a texel */
uint32_t texel_site(shader *s, uint32_t image, uint32_t op, bool coherent);
/* The C of an atomic's address, NULL where it would be outside. */
const char *touched_place(shader *s, const uint32_t *at, uint32_t pointer, uint32_t bytes, char text[96]);
uint32_t memory_of(const shader *s, uint32_t semantics); /* xb_cpu_memory that an id of semantics names */
int order_of(const shader *s, uint32_t semantics);       /* __ATOMIC_RELAXED or stronger */
bool is_of_group(const shader *s, uint32_t scope);       /* no other group takes part */
void say_order(shader *s, const uint32_t *at);           /* before a barrier */
void say_fence(shader *s, const uint32_t *at);

/* ---- Flow (flow.c) ---------------------------------------------------------------------------------------------- */

bool wave_meets(uint32_t op); /* the lanes of a wave meet */
void find_meetings(shader *s);
void find_blocks(shader *s, const uint32_t *from, const uint32_t *end);
/* Writes where this is into the row; returns the number of its words beyond `base`. */
uint32_t say_row(shader *s);

/* ---- Functions (functions.c) ------------------------------------------------------------------------------------ */

void say_head(shader *s, const uint32_t *function, const char *end);
void say_function(shader *s, const uint32_t *function);
/* "t12 l34": a variable in memory; of bytes, where the module lays out its type in its own way. */
void say_variable(shader *s, uint32_t type, const char *name, uint32_t id);
void say_builtin(shader *s, uint32_t variable); /* builtins.c */

#endif
