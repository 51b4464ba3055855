/* A module of SPIR-V as a list of instructions, and what they say of each id, for the backends and the program. Nothing
 * in it is trusted: it may be read before the validator sees it. Layout: the SPIR-V specification, section 2.3. */
#ifndef XB_CORE_SPIRV_H
#define XB_CORE_SPIRV_H

#include "xb/gpu.h"

#include <spirv_cross/spirv.h>

typedef struct xb_spirv_id {
  const uint32_t *at; /* the instruction that makes it: a type, a constant or a variable; NULL: another one, or none */
  const char *name;
  uint32_t set, binding, stride;
  uint32_t builtin; /* its number + 1 */
  uint32_t spec;    /* the number of the specialization constant + 1 */
  uint32_t open;    /* the number + 1 of a specialization constant that the value depends on and that nobody has set */
  double number;    /* a constant's value; a type's bytes without padding, a pointer's of what it points to. 0, NAN:
                       unknown. A double cannot overflow. */
  bool buffer_block, read_only, called, used;
} xb_spirv_id;

typedef struct xb_spirv {
  const uint32_t *words, *end; /* without the header */
  uint32_t bound, generator;
  bool
      empty_array; /* an array has no elements, which newer validators accept where a specialization constant says so */
  xb_spirv_id *ids;
} xb_spirv;

static inline uint32_t xb_spirv_op(const uint32_t *at)
{
  return *at & SpvOpCodeMask;
}

static inline uint32_t xb_spirv_length(const uint32_t *at)
{
  return *at >> SpvWordCountShift;
}

/* What is known of an id; of id 0 if the number is wrong. */
static inline xb_spirv_id *xb_spirv_facts(const xb_spirv *m, uint32_t id)
{
  return &m->ids[id < m->bound ? id : 0];
}

/* Reads a module; names and instructions stay in the code. `values`: of specialization constants, in place of their
 * defaults. XB_INVALID if it is not SPIR-V, or ends inside an instruction. The caller frees it in each case. */
xb_code xb_spirv_read(xb_spirv *m, const char *where, const void *code, size_t bytes, const xb_specialization *values,
                      uint32_t value_count, xb_error *err);
void xb_spirv_free(xb_spirv *m);
/* The next instruction of this kind that has at least `length` words; after NULL the first. NULL: there is none. */
const uint32_t *xb_spirv_next(const xb_spirv *m, const uint32_t *after, uint32_t op, uint32_t length);
/* Marks the functions that an entry point calls, and the ids that they name. Numbers look like ids: too many are marked
 * rather than too few. */
void xb_spirv_mark_used(const xb_spirv *m, uint32_t entry);
/* The instruction that makes the id, if it is of this kind and has at least `length` words. */
const uint32_t *xb_spirv_made(const xb_spirv *m, uint32_t id, uint32_t op, uint32_t length);
/* A text of the instruction, from this word on. NULL if it does not end. */
const char *xb_spirv_text(const uint32_t *at, uint32_t word);
/* The type of an array's elements, and their number; 0: the array has no length, or the number is unknown. Returns 0,
 * and 1 element, if the type is no array. */
uint32_t xb_spirv_array(const xb_spirv *m, uint32_t type, uint32_t *count);
/* A constant that is a size; 0: unknown. */
uint32_t xb_spirv_count(const xb_spirv *m, uint32_t id);
/* The value of a member's decoration; `otherwise` if it has none. */
uint32_t xb_spirv_member_value(const xb_spirv *m, uint32_t type, uint32_t member, uint32_t decoration,
                               uint32_t otherwise);
const char *xb_spirv_member_name(const xb_spirv *m, uint32_t type, uint32_t member);
/* How the floating-point operations of a module are written again. (spirv_floats.c) */
typedef enum xb_spirv_floats {
  XB_FLOATS_AS_COMPILED,
  XB_FLOATS_SEPARATE,   /* NoContraction on all */
  XB_FLOATS_FREE,       /* on none */
  XB_FLOATS_FUSED,      /* where NoContraction is missing: multiply-adds of one rounding, */
  XB_FLOATS_SIMPLIFIED, /* or (a + b) - a taken for b, as Vulkan allows a driver to do */
  XB_FLOATS
} xb_spirv_floats;
/* The caller frees `*to`; NULL: nothing changes. XB_INVALID if it is no module. */
xb_code xb_spirv_rewrite_floats(const char *where, const void *code, size_t bytes, xb_spirv_floats floats, void **to,
                                size_t *to_bytes, xb_error *err);
/* HLSL's Buffer<float> reads texels of any format. glslang and DXC name R32f all the same, and reading a view of
 * another format is then undefined ("Format Validation" in Vulkan's chapter on textures). So the format of a texel
 * buffer that is read is forgotten, unless the module has a second type that differs in nothing else, as for
 * Buffer<float> and Buffer<float4>: without their formats they would be one type, twice. `image`: an OpTypeImage of at
 * least 9 words. */
bool xb_spirv_keeps_format(const xb_spirv *m, const uint32_t *image);

/* The words of an OpTypeImage, and its values of `sampled`. */
enum {
  XB_SPIRV_IMAGE_OF = 2,
  XB_SPIRV_DIM,
  XB_SPIRV_DEPTH,
  XB_SPIRV_ARRAYED,
  XB_SPIRV_MULTISAMPLED,
  XB_SPIRV_SAMPLED,
  XB_SPIRV_FORMAT,
  XB_SPIRV_IMAGE_WORDS
};
enum { XB_SPIRV_IS_READ = 1, XB_SPIRV_IS_WRITTEN = 2 };

#endif
