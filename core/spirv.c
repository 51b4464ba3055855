#include "core/spirv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_IDS = 1 << 22 };

const uint32_t *xb_spirv_next(const xb_spirv *m, const uint32_t *after, uint32_t op, uint32_t length)
{
  const uint32_t *at = after ? after + xb_spirv_length(after) : m->words;
  while (at < m->end && (xb_spirv_op(at) != op || xb_spirv_length(at) < length))
    at += xb_spirv_length(at);
  return at < m->end ? at : NULL;
}

const uint32_t *xb_spirv_made(const xb_spirv *m, uint32_t id, uint32_t op, uint32_t length)
{
  const uint32_t *at = xb_spirv_facts(m, id)->at;
  return at && xb_spirv_op(at) == op && xb_spirv_length(at) >= length ? at : NULL;
}

const char *xb_spirv_text(const uint32_t *at, uint32_t word)
{
  const size_t room = xb_spirv_length(at) > word ? (xb_spirv_length(at) - word) * sizeof *at : 0;
  return room && memchr(at + word, 0, room) ? (const char *)(at + word) : NULL;
}

uint32_t xb_spirv_count(const xb_spirv *m, uint32_t id)
{
  const double number = xb_spirv_facts(m, id)->number;
  return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

uint32_t xb_spirv_array(const xb_spirv *m, uint32_t type, uint32_t *count)
{
  const uint32_t *array = xb_spirv_made(m, type, SpvOpTypeArray, 4),
                 *open = xb_spirv_made(m, type, SpvOpTypeRuntimeArray, 3);
  *count = array ? xb_spirv_count(m, array[3]) : !open;
  return array ? array[2] : open ? open[2] : 0;
}

uint32_t xb_spirv_member_value(const xb_spirv *m, uint32_t type, uint32_t member, uint32_t decoration,
                               uint32_t otherwise)
{
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpMemberDecorate, 4));)
    if (at[1] == type && at[2] == member && at[3] == decoration)
      return xb_spirv_length(at) > 4 ? at[4] : 1;
  return otherwise;
}

const char *xb_spirv_member_name(const xb_spirv *m, uint32_t type, uint32_t member)
{
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpMemberName, 4));)
    if (at[1] == type && at[2] == member)
      return xb_spirv_text(at, 3);
  return NULL;
}

bool xb_spirv_keeps_format(const xb_spirv *m, const uint32_t *image)
{
  enum { FROM = XB_SPIRV_IMAGE_OF, COMPARED = XB_SPIRV_FORMAT - FROM };
  uint32_t alike = 0;
  for (uint32_t id = 1; id < m->bound; id++) {
    const uint32_t *other = xb_spirv_made(m, id, SpvOpTypeImage, XB_SPIRV_IMAGE_WORDS);
    alike += other && !memcmp(other + FROM, image + FROM, COMPARED * sizeof *image);
  }
  return alike > 1;
}

/* ---- Constants, and sizes of types ------------------------------------------------------------------------------ */

static uint32_t word(const uint32_t *at, uint32_t i)
{
  return i < xb_spirv_length(at) ? at[i] : 0;
}

/* An expression of constants, as far as sizes need it. NAN: another one, or of a number that is no size. */
static double fold(const xb_spirv *m, const uint32_t *at)
{
  const double a = xb_spirv_facts(m, word(at, 4))->number, b = xb_spirv_facts(m, word(at, 5))->number;
  const uint32_t *composite = xb_spirv_facts(m, word(at, 4))->at; /* gl_WorkGroupSize, of which a word is taken */
  const bool sizes = a >= 0 && a < 0x1p53 && b >= 0 && b < 0x1p53;
  const uint64_t x = sizes ? (uint64_t)a : 0, y = sizes ? (uint64_t)b : 0;
  if (xb_spirv_length(at) != 6)
    return NAN;
  switch (at[3]) {
  case SpvOpIAdd: return a + b;
  case SpvOpISub: return a - b;
  case SpvOpIMul: return a * b;
  case SpvOpUDiv:
  case SpvOpSDiv: return y ? (double)(x / y) : NAN;
  case SpvOpUMod: return y ? (double)(x % y) : NAN;
  case SpvOpShiftLeftLogical: return sizes && y < 32 ? a * (double)(1u << y) : NAN;
  case SpvOpShiftRightLogical: return sizes && y < 32 ? (double)(x >> y) : NAN;
  case SpvOpCompositeExtract:
    return composite &&
                   (xb_spirv_op(composite) == SpvOpSpecConstantComposite ||
                    xb_spirv_op(composite) == SpvOpConstantComposite) &&
                   at[5] < xb_spirv_length(composite) - 3
               ? xb_spirv_facts(m, composite[3 + at[5]])->number
               : NAN;
  default: return NAN;
  }
}

/* Of what stands before it: ids that come later have no number yet. So nothing is looked at twice. */
static void set_number(xb_spirv *m, const uint32_t *at, xb_spirv_id *f, const xb_specialization *values, uint32_t count)
{
  const uint32_t length = xb_spirv_length(at);
  const double second = xb_spirv_facts(m, word(at, 2))->number, third = xb_spirv_facts(m, word(at, 3))->number;
  switch (xb_spirv_op(at)) {
  case SpvOpTypeBool: f->number = 4; break;
  case SpvOpTypeInt:
  case SpvOpTypeFloat: f->number = word(at, 2) / 8; break;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix: f->number = second * word(at, 3); break;
  case SpvOpTypeArray:
    f->number = second * third;
    m->empty_array |= third == 0;
    break;
  case SpvOpTypeStruct:
    f->number = 0;
    for (uint32_t i = 2; i < length; i++)
      f->number += xb_spirv_facts(m, at[i])->number;
    break;
  case SpvOpTypePointer: f->number = third; break;
  case SpvOpConstant:
  case SpvOpSpecConstant:
    f->number = word(at, 3) + 0x1p32 * word(at, 4);
    f->open = xb_spirv_op(at) == SpvOpSpecConstant ? f->spec : 0;
    for (uint32_t i = 0; f->open && i < count; i++)
      if (values[i].id + 1 == f->spec) {
        f->number = (uint32_t)values[i].value;
        f->open = 0;
      }
    break;
  case SpvOpSpecConstantOp:
    f->number = fold(m, at);
    f->open = xb_spirv_facts(m, word(at, 5))->open;
    f->open = f->open ? f->open : xb_spirv_facts(m, word(at, 4))->open;
    break;
  }
}

/* ---- All instructions ------------------------------------------------------------------------------------------- */

static void decorate(xb_spirv_id *f, const uint32_t *at)
{
  const uint32_t value = word(at, 3);
  switch (at[2]) {
  case SpvDecorationDescriptorSet: f->set = value; break;
  case SpvDecorationBinding: f->binding = value; break;
  case SpvDecorationArrayStride: f->stride = value; break;
  case SpvDecorationBuiltIn: f->builtin = value + 1; break;
  case SpvDecorationSpecId: f->spec = value + 1; break;
  case SpvDecorationBufferBlock: f->buffer_block = true; break;
  case SpvDecorationNonWritable: f->read_only = true; break;
  }
}

/* Whether the word may be an id. Lines, columns and indices are numbers, and as small as the ids of variables. */
static bool may_be_id(const uint32_t *at, uint32_t i)
{
  const uint32_t op = xb_spirv_op(at);
  switch (op) {
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpLoopMerge:
  case SpvOpSelectionMerge: return false;
  case SpvOpStore:
  case SpvOpCopyMemory: return i <= 2;
  case SpvOpLoad:
  case SpvOpArrayLength:
  case SpvOpCompositeExtract: return i <= 3;
  case SpvOpCompositeInsert:
  case SpvOpVectorShuffle: return i <= 4;
  case SpvOpExtInst: return i != 4;
  case SpvOpFunction:
  case SpvOpVariable: return i != 3;
  case SpvOpSwitch: return i == 1;
  default: return op < SpvOpGroupNonUniformIAdd || op > SpvOpGroupNonUniformLogicalXor || i != 4;
  }
}

void xb_spirv_mark_used(const xb_spirv *m, uint32_t entry)
{
  xb_spirv_facts(m, entry)->called = true;
  for (bool more = true; more;) {
    bool inside = more = false;
    for (const uint32_t *at = m->words; at < m->end; at += xb_spirv_length(at)) {
      if (xb_spirv_op(at) == SpvOpFunction)
        inside = xb_spirv_facts(m, word(at, 2))->called;
      if (inside && xb_spirv_op(at) == SpvOpFunctionCall) {
        xb_spirv_id *callee = xb_spirv_facts(m, word(at, 3));
        more |= !callee->called;
        callee->called = true;
      }
      for (uint32_t i = 1; inside && i < xb_spirv_length(at); i++)
        if (may_be_id(at, i))
          xb_spirv_facts(m, at[i])->used = true;
    }
  }
}

static void note(xb_spirv *m, const uint32_t *at, const xb_specialization *values, uint32_t count)
{
  const uint32_t op = xb_spirv_op(at), length = xb_spirv_length(at);
  const bool type = op >= SpvOpTypeBool && op <= SpvOpTypePointer;
  const bool constant =
      op == SpvOpConstant || op == SpvOpConstantComposite || (op >= SpvOpSpecConstantTrue && op <= SpvOpSpecConstantOp);
  if (op == SpvOpName && length > 2)
    xb_spirv_facts(m, at[1])->name = xb_spirv_text(at, 2);
  else if (op == SpvOpDecorate && length > 2)
    decorate(xb_spirv_facts(m, at[1]), at);
  else if ((type && length > 1) || ((constant || op == SpvOpVariable) && length > 2)) {
    xb_spirv_id *f = xb_spirv_facts(m, at[type ? 1 : 2]);
    f->at = at;
    set_number(m, at, f, values, count);
  }
}

xb_code xb_spirv_read(xb_spirv *m, const char *where, const void *code, size_t bytes, const xb_specialization *values,
                      uint32_t value_count, xb_error *err)
{
  const uint32_t *words = code;
  *m = (xb_spirv){0};
  if (bytes < HEADER * sizeof *words || bytes % sizeof *words || words[0] != SpvMagicNumber || words[3] > MOST_IDS)
    return xb_fail(err, XB_INVALID, where, "is not SPIR-V");
  m->words = words + HEADER;
  m->end = words + bytes / sizeof *words;
  m->generator = words[2] >> 16;
  m->bound = words[3] ? words[3] : 1;
  m->ids = calloc(m->bound, sizeof *m->ids);
  if (!m->ids)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  for (const uint32_t *at = m->words; at < m->end; at += xb_spirv_length(at)) {
    if (!xb_spirv_length(at) || xb_spirv_length(at) > (size_t)(m->end - at))
      return xb_fail(err, XB_INVALID, where, "is not SPIR-V: it ends inside an instruction");
    note(m, at, values, value_count);
  }
  return XB_OK;
}

void xb_spirv_free(xb_spirv *m)
{
  free(m->ids);
  m->ids = NULL;
}
