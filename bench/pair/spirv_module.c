#include "pair/spirv_module.h"

#include <string.h>

const uint32_t *xb_spirv_made(const module *m, uint32_t id, uint32_t op, uint32_t words)
{
  const uint32_t *at = facts(m, id)->at;
  return at && opcode(at) == op && length_of(at) >= words ? at : NULL;
}

const char *xb_spirv_text(const uint32_t *at, uint32_t word)
{
  const size_t room = length_of(at) > word ? (length_of(at) - word) * sizeof *at : 0;
  return room && memchr(at + word, 0, room) ? (const char *)(at + word) : NULL;
}

uint32_t xb_spirv_member_value(const module *m, uint32_t type, uint32_t member, uint32_t decoration, uint32_t otherwise)
{
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == SpvOpMemberDecorate && length_of(at) > 3 && at[1] == type && at[2] == member &&
        at[3] == decoration)
      return length_of(at) > 4 ? at[4] : 1;
  return otherwise;
}

const char *xb_spirv_member_name(const module *m, uint32_t type, uint32_t member)
{
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == SpvOpMemberName && length_of(at) > 3 && at[1] == type && at[2] == member)
      return xb_spirv_text(at, 3);
  return NULL;
}

/* ---- Constants -------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 12 }; /* expressions in expressions: each takes twice as long as those in it */

static uint32_t expression_value(const module *m, const uint32_t *at, uint32_t *open, int depth);

static uint32_t constant(const module *m, uint32_t id, uint32_t *open, int depth)
{
  const uint32_t *expression = xb_spirv_made(m, id, SpvOpSpecConstantOp, 5);
  if (expression)
    return depth < DEEPEST ? expression_value(m, expression, open, depth) : 0;
  const uint32_t *plain = xb_spirv_made(m, id, SpvOpConstant, 4), *special = xb_spirv_made(m, id, SpvOpSpecConstant, 4);
  const uint32_t number = facts(m, id)->spec;
  for (uint32_t i = 0; special && i < m->constants.count; i++)
    if (m->constants.values[i].id + 1 == number)
      return (uint32_t)m->constants.values[i].value;
  if (special)
    *open = number;
  return plain ? plain[3] : special ? special[3] : 0;
}

uint32_t xb_spirv_constant(const module *m, uint32_t id, uint32_t *open)
{
  return constant(m, id, open, 0);
}

/* Of two constants that stand before it, such as N * 2; 0: another operation. */
static uint32_t expression_value(const module *m, const uint32_t *at, uint32_t *open, int depth)
{
  uint32_t v[2] = {0};
  for (uint32_t i = 0; i < 2 && length_of(at) == 6; i++) {
    const uint32_t *operand = facts(m, at[4 + i])->at;
    v[i] = operand && operand < at ? constant(m, at[4 + i], open, depth + 1) : 0;
  }
  switch (at[3]) {
  case SpvOpIAdd: return v[0] + v[1];
  case SpvOpISub: return v[0] - v[1];
  case SpvOpIMul: return v[0] * v[1];
  case SpvOpUDiv: return v[1] ? v[0] / v[1] : 0;
  case SpvOpShiftRightLogical: return v[1] < 32 ? v[0] >> v[1] : 0;
  case SpvOpShiftLeftLogical: return v[1] < 32 ? v[0] << v[1] : 0;
  default: return 0;
  }
}

/* ---- All instructions ------------------------------------------------------------------------------------------- */

static void decorate(id_facts *f, const uint32_t *at)
{
  const uint32_t value = length_of(at) > 3 ? at[3] : 0;
  f->set = at[2] == SpvDecorationDescriptorSet ? value : f->set;
  f->binding = at[2] == SpvDecorationBinding ? value : f->binding;
  f->stride = at[2] == SpvDecorationArrayStride ? value : f->stride;
  f->builtin = at[2] == SpvDecorationBuiltIn ? value + 1 : f->builtin;
  f->spec = at[2] == SpvDecorationSpecId ? value + 1 : f->spec;
  f->buffer_block |= at[2] == SpvDecorationBufferBlock;
  f->read_only |= at[2] == SpvDecorationNonWritable;
}

static void note(module *m, const uint32_t *at)
{
  const uint32_t op = opcode(at), words = length_of(at);
  const bool type = op >= SpvOpTypeInt && op <= SpvOpTypePointer;
  const bool constant =
      op == SpvOpConstant || op == SpvOpConstantComposite || (op >= SpvOpSpecConstant && op <= SpvOpSpecConstantOp);
  if (op == SpvOpName && words > 2)
    facts(m, at[1])->name = xb_spirv_text(at, 2);
  else if (op == SpvOpDecorate && words > 2)
    decorate(facts(m, at[1]), at);
  else if ((type && words > 1) || (constant && words > 3) || (op == SpvOpVariable && words > 3))
    facts(m, at[type ? 1 : 2])->at = at;
  if (op == SpvOpDecorate && words > 3 && at[2] == SpvDecorationBuiltIn && at[3] == SpvBuiltInWorkgroupSize)
    m->group_id = at[1];
  m->addresses |= op == SpvOpCapability && words > 1 && at[1] == SpvCapabilityPhysicalStorageBufferAddresses;
  m->asks_length |= op == SpvOpArrayLength;
  m->asks_size |= op == SpvOpImageQuerySize;
  m->from_hlsl |= op == SpvOpSource && words > 1 && at[1] == SpvSourceLanguageHLSL;
  if (op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformFMul && words > 4 &&
      at[4] == SpvGroupOperationInclusiveScan)
    m->inclusive = op <= SpvOpGroupNonUniformFAdd ? "WavePrefixSum" : "WavePrefixProduct";
}

void xb_spirv_mark_used(const module *m, uint32_t entry)
{
  facts(m, entry)->called = true;
  for (bool more = true, inside = false; more;) {
    more = false;
    for (const uint32_t *at = m->words; at < m->end; at += length_of(at)) {
      if (opcode(at) == SpvOpFunction && length_of(at) > 2)
        inside = facts(m, at[2])->called;
      if (inside && opcode(at) == SpvOpFunctionCall && length_of(at) > 3) {
        more |= !facts(m, at[3])->called;
        facts(m, at[3])->called = true;
      }
      for (uint32_t i = 1; inside && i < length_of(at); i++)
        facts(m, at[i])->used = true; /* numbers look like ids; that does no harm */
    }
    inside = false;
  }
}

xb_code xb_spirv_read(module *m, const void *code, size_t bytes, xb_arena *arena)
{
  const uint32_t *words = code;
  if (bytes < HEADER * sizeof *words || bytes % sizeof *words || words[0] != SpvMagicNumber || words[3] > MOST_IDS)
    return xb_fail(m->err, XB_INVALID, m->where, "is no SPIR-V");
  m->words = words + HEADER;
  m->end = words + bytes / sizeof *words;
  m->bound = words[3] ? words[3] : 1;
  m->ids = xb_arena_take(arena, m->bound, sizeof *m->ids);
  if (!m->ids)
    return xb_fail(m->err, XB_NOMEM, m->where, "out of host memory");
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at)) {
    if (!length_of(at) || length_of(at) > (size_t)(m->end - at))
      return xb_fail(m->err, XB_INVALID, m->where, "is no SPIR-V: it ends inside an instruction");
    note(m, at);
  }
  return XB_OK;
}
