/* A module of SPIR-V as a list of instructions, and what they say of each id. It trusts nothing: the file may be the
 * user's. Layout: the SPIR-V specification, section 2.3. */
#ifndef XB_PAIR_SPIRV_MODULE_H
#define XB_PAIR_SPIRV_MODULE_H

#include "pair/layout.h"

#include <spirv_cross/spirv.h>

enum { HEADER = 5, MOST_IDS = 1 << 22 };
enum { GLSLANG = 8, SHADERC = 13 }; /* generators */
enum { WRITTEN = 2 };               /* Sampled of an image: it is none */

/* One id: the instruction that makes it, and its decorations. */
typedef struct id_facts {
  const uint32_t *at;
  const char *name;
  uint32_t set, binding, stride;
  uint32_t builtin; /* its number + 1 */
  uint32_t spec;    /* the number of the specialization constant + 1 */
  bool buffer_block, read_only, called, used;
} id_facts;

typedef struct module {
  const char *where;
  const uint32_t *words, *end;
  id_facts *ids;
  uint32_t bound, group_id; /* the constant that is the group size, for all entry points; 0: none */
  xb_constants constants;
  bool from_hlsl, asks_length, asks_size; /* of a buffer, of an image or a typed buffer */
  bool addresses;                         /* it reads or writes through addresses of buffers */
  const char *array;                      /* a descriptor array */
  const char *odd_image;                  /* one that is neither a buffer nor of two dimensions */
  const char *inclusive;                  /* an HLSL function that glslang has made an inclusive scan of */
  xb_error *err;
} module;

static inline uint32_t length_of(const uint32_t *at)
{
  return *at >> 16;
}

static inline uint32_t opcode(const uint32_t *at)
{
  return *at & 0xFFFF;
}

/* A fact of an id that the instruction makes or names; of id 0 if the number is wrong. */
static inline id_facts *facts(const module *m, uint32_t id)
{
  return &m->ids[id < m->bound ? id : 0];
}

/* Fills `m`, whose `where`, `constants` and `err` are set. The ids are in the arena, texts in the code. */
xb_code xb_spirv_read(module *m, const void *code, size_t bytes, xb_arena *arena);
/* Marks the functions that an entry point calls, and the ids that they name. */
void xb_spirv_mark_used(const module *m, uint32_t entry);
/* The instruction that makes the id, if it has at least `words` words. */
const uint32_t *xb_spirv_made(const module *m, uint32_t id, uint32_t op, uint32_t words);
/* A text of the instruction, from this word on. NULL if it does not end. */
const char *xb_spirv_text(const uint32_t *at, uint32_t word);
/* The value of a member's decoration; `otherwise` if it has none. */
uint32_t xb_spirv_member_value(const module *m, uint32_t type, uint32_t member, uint32_t decoration,
                               uint32_t otherwise);
const char *xb_spirv_member_name(const module *m, uint32_t type, uint32_t member);
/* The value of a constant; 0: unknown. `open`: the number + 1 of a specialization constant that nobody has set. */
uint32_t xb_spirv_constant(const module *m, uint32_t id, uint32_t *open);

#endif
