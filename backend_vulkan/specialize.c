/* Writes the values of specialization constants into the copy of the module, where their defaults are. So the
 * validator, the reflection and the limits see the same values as the driver; VkSpecializationInfo would reach the
 * driver only. */
#include "vk.h"

#include <spirv_cross/spirv.h>

enum { HEADER_WORDS = 5 };

static bool is_constant(uint32_t op)
{
  return op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
}

/* The instruction with result `id` that declares a type (word 1) or a constant (word 2); NULL if there is none. */
static uint32_t *find(const vk_spirv *s, uint32_t id, bool type)
{
  uint32_t *const end = s->words + s->count;
  for (uint32_t *w = s->words + HEADER_WORDS; w < end; w += *w >> SpvWordCountShift) {
    const uint32_t op = *w & SpvOpCodeMask;
    if (type ? (op == SpvOpTypeInt || op == SpvOpTypeFloat) && w[1] == id : is_constant(op) && w[2] == id)
      return w;
  }
  return NULL;
}

/* The constant with this SpecId whose decoration is behind `*from`, which becomes that place; NULL if there is none.
 * GLSL's local_size_x_id and a constant of the same number are two. */
static uint32_t *next_constant(const vk_spirv *s, uint32_t spec_id, uint32_t **from)
{
  uint32_t *const end = s->words + s->count;
  for (uint32_t *w = *from; w < end; w += *w >> SpvWordCountShift) {
    *from = w + (*w >> SpvWordCountShift);
    if (*w == (4u << SpvWordCountShift | SpvOpDecorate) && w[2] == SpvDecorationSpecId && w[3] == spec_id)
      return find(s, w[1], false);
  }
  return NULL;
}

static uint32_t bytes_of(const vk_spirv *s, const uint32_t *constant)
{
  const uint32_t *type = find(s, constant[1], true);
  return type ? type[2] / 8 : 4; /* a bool, as in the API */
}

static void write_value(uint32_t *constant, uint32_t bytes, uint64_t value)
{
  if ((*constant & SpvOpCodeMask) != SpvOpSpecConstant) {
    const uint32_t op = (uint32_t)value ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse;
    *constant = (*constant & ~(uint32_t)SpvOpCodeMask) | op;
    return;
  }
  /* A narrow value is in the low bits of a word. */
  constant[3] = bytes >= 4 ? (uint32_t)value : (uint32_t)value & ((1u << 8 * bytes) - 1);
  if (bytes == 8)
    constant[4] = (uint32_t)(value >> 32);
}

xb_code vk_specialize(const xb_kernel_desc *desc, const vk_spirv *spirv, xb_error *err)
{
  for (uint32_t i = 0; i < desc->specialization_count; i++) {
    const xb_specialization *s = &desc->specializations[i];
    uint32_t *from = spirv->words + HEADER_WORDS, *constant = next_constant(spirv, s->id, &from);
    if (!constant)
      return xb_fail(err, XB_INVALID, vk_kernel_label(desc),
                     "the code has no specialization constant %u, or does not use it", s->id);
    for (; constant; constant = next_constant(spirv, s->id, &from)) {
      const uint32_t given = s->bytes ? s->bytes : 4, bytes = bytes_of(spirv, constant);
      if (given != bytes)
        return xb_fail(err, XB_INVALID, vk_kernel_label(desc),
                       "specialization constant %u has %u bytes in the code, %u in the description", s->id, bytes,
                       given);
      write_value(constant, bytes, s->value);
    }
  }
  return XB_OK;
}
