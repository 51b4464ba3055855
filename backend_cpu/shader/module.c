/* Reads a module: what makes each id, decorations, names. */
#define SPV_ENABLE_UTILITY_CODE
#include "shader/shader.h"

#include "opcode_names.h"

#include <stdlib.h>
#include <string.h>

enum { OP_TYPE_COOPERATIVE_MATRIX_NV = 5358 };

extern inline void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

void shader_refuse(shader *s, xb_code code, const char *format, ...)
{
  char text[320];
  va_list list;
  if (s->code)
    return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const char *label = s->desc->label && *s->desc->label ? s->desc->label : s->desc->entry;
  s->code = s->line ? xb_fail(s->err, code, label, "%s, at %.120s:%u", text, s->file, s->line)
                    : xb_fail(s->err, code, label, "%s", text);
}

static void append(shader *s, FILE *to, const char *format, va_list list)
{
  if (s->code)
    return;
  const int n = vfprintf(to, format, list);
  s->written += n > 0 ? (size_t)n : 0;
  if (n < 0 || s->written > MOST_TEXT_BYTES)
    shader_refuse(s, XB_UNSUPPORTED, "the shader is too large: its C has more than %d MiB", MOST_TEXT_BYTES >> 20);
}

void say(shader *s, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  append(s, s->out, format, list);
  va_end(list);
}

void say_work(shader *s, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  append(s, s->works, format, list);
  va_end(list);
}

const char *opcode_name(uint32_t op)
{
  for (size_t i = 0; i < sizeof opcode_names / sizeof *opcode_names; i++)
    if (opcode_names[i].op == op)
      return opcode_names[i].name;
  return "an opcode without a name here";
}

const char *quoted(const char *text, char out[256])
{
  size_t at = 0;
  for (; text && *text && at + 2 < 256; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '\\')
      out[at++] = '\\';
    out[at++] = c < ' ' || c == '"' || c == '?' || c >= 127 ? '_' : (char)c;
  }
  out[at] = 0;
  return out;
}

const uint32_t *made_by(const shader *s, uint32_t id)
{
  static const uint32_t nothing = 1u << SpvWordCountShift | SpvOpNop;
  const uint32_t *made = fact_of(s, id)->made;
  return made ? made : &nothing;
}

/* Newer than the header that the build has. */
static bool has_type_and_result(uint32_t op)
{
  bool result, type;
  SpvHasResultAndType((SpvOp)op, &result, &type);
  return (result && type) || (op >= 4431 && op <= 4460 && op != OP_TYPE_COOPERATIVE_MATRIX && op != OP_MATRIX_STORE) ||
         op == 5110 || op == 5111 || op == 5631 || (op >= 5614 && op <= 5615) || op == 5296;
}

bool is_type(uint32_t op)
{
  return (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction) || op == OP_TYPE_COOPERATIVE_MATRIX;
}

uint32_t type_of(const shader *s, uint32_t value)
{
  const uint32_t *at = made_by(s, value);
  return has_type_and_result(xb_spirv_op(at)) ? word(at, 1) : 0;
}

bool decorated(const shader *s, uint32_t id, uint32_t decoration, uint32_t *value)
{
  for (uint32_t i = 0; i < s->decoration_count; i++) {
    const uint32_t *d = s->decorations[i];
    if (xb_spirv_op(d) != SpvOpDecorate || word(d, 1) != id || word(d, 2) != decoration)
      continue;
    if (value)
      *value = word(d, 3);
    return true;
  }
  return false;
}

bool member_decorated(const shader *s, uint32_t type, uint32_t member, uint32_t decoration, uint32_t *value)
{
  for (uint32_t i = 0; i < s->decoration_count; i++) {
    const uint32_t *d = s->decorations[i];
    if (xb_spirv_op(d) != SpvOpMemberDecorate || word(d, 1) != type || word(d, 3) != decoration ||
        (word(d, 2) != member && member != ~0u))
      continue;
    if (value)
      *value = word(d, 4);
    return true;
  }
  return false;
}

/* Twice the same id would make a walk along ids endless. */
static bool set_made(shader *s, uint32_t id, const uint32_t *at)
{
  if (!id || id >= s->module.bound || s->facts[id].made) {
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: id %u is out of range, or defined twice", id);
    return false;
  }
  s->facts[id].made = at;
  return true;
}

static void read_import(shader *s, const uint32_t *at)
{
  const char *name = xb_spirv_text(at, 2);
  if (name && !strcmp(name, "GLSL.std.450"))
    s->glsl = word(at, 1);
  else if (name && !strcmp(name, "NonSemantic.Shader.DebugInfo.100"))
    s->debug = word(at, 1);
}

/* What a constant or a pointer's type is made from stands before it. */
static bool operands_are_made(shader *s, const uint32_t *at, uint32_t from)
{
  for (uint32_t i = from; i < xb_spirv_length(at); i++)
    if (at[i] >= s->module.bound || !s->facts[at[i]].made) {
      shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: %s uses id %u before its definition",
                    opcode_name(xb_spirv_op(at)), at[i]);
      return false;
    }
  return true;
}

static bool read_one(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at);
  if (is_type(op))
    return set_made(s, word(at, 1), at) && read_type(s, at);
  switch (op) {
  case SpvOpTypeForwardPointer: fact_of(s, word(at, 1))->forward = true; return true;
  case SpvOpString: fact_of(s, word(at, 1))->text = xb_spirv_text(at, 2); return set_made(s, word(at, 1), at);
  case SpvOpLabel: return set_made(s, word(at, 1), at);
  case SpvOpExtInstImport: read_import(s, at); return set_made(s, word(at, 1), at);
  case SpvOpDecorate:
  case SpvOpMemberDecorate: s->decorations[s->decoration_count++] = at; return true;
  case SpvOpConstantComposite:
  case SpvOpSpecConstantComposite:
    if (!operands_are_made(s, at, 3))
      return false;
    break;
  case SpvOpSpecConstantOp:
    if (word(at, 3) != SpvOpCompositeExtract && !operands_are_made(s, at, 4))
      return false;
    break;
  default: break;
  }
  if (op == SpvOpTypeAccelerationStructureKHR || op == OP_TYPE_COOPERATIVE_MATRIX_NV || op == SpvOpGroupDecorate ||
      op == SpvOpGroupMemberDecorate) {
    shader_refuse(s, XB_UNSUPPORTED, "%s is not translated", opcode_name(op));
    return false;
  }
  if (!has_type_and_result(op))
    return true;
  const uint32_t type = op_of(s, word(at, 1));
  if (!is_type(type)) {
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: id %u has a type that is not a type", word(at, 2));
    return false;
  }
  return set_made(s, word(at, 2), at);
}

/* Decorations stand before what they decorate, and types are read with theirs. */
bool shader_read(shader *s)
{
  const xb_spirv *m = &s->module;
  uint32_t count = 0;
  for (const uint32_t *at = m->words; at < m->end; at += xb_spirv_length(at))
    count += xb_spirv_op(at) == SpvOpDecorate || xb_spirv_op(at) == SpvOpMemberDecorate;
  s->facts = calloc(m->bound, sizeof *s->facts);
  s->decorations = calloc(count + 1u, sizeof *s->decorations);
  if (!s->facts || !s->decorations) {
    s->code = xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
    return false;
  }
  for (const uint32_t *at = m->words; at < m->end; at += xb_spirv_length(at))
    if (!read_one(s, at))
      return false;
  return true;
}
