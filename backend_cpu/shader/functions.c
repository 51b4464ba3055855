/* A function: its head, its variables, and its instructions, block by block. */
#include "shader/shader.h"

static const uint32_t *after(const uint32_t *at)
{
  return at + xb_spirv_length(at);
}

static bool is_parameter_part(uint32_t op)
{
  return op == SpvOpFunctionParameter || op == SpvOpLine || op == SpvOpNoLine;
}

void say_head(shader *s, const uint32_t *function, const char *end)
{
  if (op_of(s, word(function, 1)) == SpvOpTypeVoid)
    say(s, "static void");
  else
    say(s, "static t%u", word(function, 1));
  say(s, " f%u(void *const *params, xb_private *own, uint32_t *row, uint32_t base", word(function, 2));
  for (const uint32_t *at = after(function); at < s->module.end && is_parameter_part(xb_spirv_op(at)); at = after(at))
    if (xb_spirv_op(at) == SpvOpFunctionParameter)
      say(s, ", t%u v%u", word(at, 1), word(at, 2));
  say(s, ")%s", end);
}

/* A variable in memory: as its type, or as its bytes, where the module has its own layout. */
void say_variable(shader *s, uint32_t type, const char *name, uint32_t id)
{
  if (fact_of(s, type)->plain)
    say(s, "t%u %s%u", type, name, id);
  else
    say(s, "_Alignas(16) char %s%u[%u]", name, id, fact_of(s, type)->size);
}

static void say_local(shader *s, const uint32_t *at)
{
  const uint32_t type = pointee(s, word(at, 2)), id = word(at, 2);
  if (!fact_of(s, type)->value || fact_of(s, type)->size > MOST_VALUE_BYTES) {
    shader_refuse(s, XB_UNSUPPORTED, "a variable of %u bytes: a thread of the emulation has at most %d",
                  fact_of(s, type)->size, MOST_VALUE_BYTES);
    return;
  }
  say_variable(s, type, "l", id);
  say(s, "; char *const v%1$u = (char *)&l%1$u;\n", id);
  if (xb_spirv_length(at) > 4)
    say(s, "st%u(v%u, v%u);\n", type, id, word(at, 4));
}

/* All values are declared ahead: branches may jump over what is between. */
static void say_locals(shader *s, const uint32_t *from, const uint32_t *end)
{
  for (const uint32_t *at = from; at < end && !s->code; at = after(at)) {
    const uint32_t op = xb_spirv_op(at), id = word(at, 2), type = word(at, 1);
    if (op == SpvOpFunction || op == SpvOpFunctionParameter || made_by(s, id) != at)
      continue;
    if (op == SpvOpVariable)
      say_local(s, at);
    else if (op == SpvOpUndef && fact_of(s, type)->value)
      say(s, "t%1$u v%2$u; __builtin_memset(&v%2$u, 0, sizeof v%2$u);\n", type, id);
    else if (fact_of(s, type)->size > MOST_VALUE_BYTES)
      shader_refuse(s, XB_UNSUPPORTED, "a value of %u bytes: a thread of the emulation has at most %d",
                    fact_of(s, type)->size, MOST_VALUE_BYTES);
    else if (fact_of(s, type)->value)
      say(s, "t%u v%u;\n", type, id);
    if (makes_address(op) && is_buffer_array(s, word(at, 3)))
      say(s, "const xb_cpu_buffer *q%u;\n", id);
    if (is_watched(s) && makes_address(op))
      say(s, "xb_bad x%u;\n", id);
    if (is_watched(s) && op == SpvOpImageTexelPointer)
      say(s, "xb_point x%u;\n", id);
  }
}

static void instruction(shader *s, const uint32_t *at)
{
  typedef bool translates(shader *, const uint32_t *);
  static translates *const all[] = {flow,    cooperative, extended, memory, numbers,
                                    vectors, matrices,    atomics,  waves,  images};
  char file[256];
  if (xb_spirv_op(at) == SpvOpLine) {
    s->file = fact_of(s, word(at, 1))->text;
    s->line = s->file ? word(at, 2) : 0;
    return;
  }
  if (s->line && xb_spirv_op(at) != SpvOpExtInst)
    say(s, "#line %u \"%s\"\n", s->line, quoted(s->file, file));
  if (is_watched(s) && xb_spirv_op(at) == SpvOpSelect)
    say_select(s, at);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i](s, at))
      return;
  shader_refuse(s, XB_UNSUPPORTED, "%s is not translated", opcode_name(xb_spirv_op(at)));
}

/* A function of a front end's own library has no lines: those of its first call stand for them. */
static void take_line_of_call(shader *s, const uint32_t *function)
{
  const char *file = NULL;
  uint32_t line = 0;
  s->line = 0;
  for (const uint32_t *at = s->module.words; at < s->module.end && !s->line; at = after(at)) {
    if (xb_spirv_op(at) == SpvOpFunction)
      line = 0;
    if (xb_spirv_op(at) == SpvOpLine) {
      file = fact_of(s, word(at, 1))->text;
      line = file ? word(at, 2) : 0;
    }
    if (xb_spirv_op(at) == SpvOpFunctionCall && word(at, 3) == word(function, 2) && line) {
      s->file = file;
      s->line = line;
    }
  }
}

void say_function(shader *s, const uint32_t *function)
{
  const uint32_t *end = function;
  while (end < s->module.end && xb_spirv_op(end) != SpvOpFunctionEnd)
    end = after(end);
  if (end >= s->module.end) {
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: a function does not end");
    return;
  }
  find_blocks(s, function, end);
  s->meets = fact_of(s, word(function, 2))->meets;
  take_line_of_call(s, function);
  say_head(s, function, "\n{\n(void)params, (void)own, (void)row, (void)base;\n");
  say_globals(s, function, end);
  say_locals(s, function, end);
  for (uint32_t i = 0; i < s->block_count && !s->code; i++) {
    if (!s->blocks[i].seen)
      continue;
    s->now = &s->blocks[i];
    s->meetings = 0;
    say(s, "L%u:;\n", s->now->label);
    for (const uint32_t *at = s->now->first; at < s->now->end && !s->code; at = after(at))
      instruction(s, at);
  }
  say(s, "}\n");
  s->line = 0;
}
