/* Atomics, as a loop of compare and exchange; on shared memory, which one OS thread has, a plain access. */
#include "shader/shader.h"

enum { OP_ATOMIC_FMIN = 5614, OP_ATOMIC_FMAX = 5615 };

static const struct {
  uint32_t op;
  const char *formula; /* X: what is there; V: the operand; %u: bits */
} formulas[] = {
    {SpvOpAtomicLoad, "X"},
    {SpvOpAtomicExchange, "V"},
    {SpvOpAtomicIIncrement, "X + 1"},
    {SpvOpAtomicIDecrement, "X - 1"},
    {SpvOpAtomicIAdd, "X + V"},
    {SpvOpAtomicFAddEXT, "X + V"},
    {SpvOpAtomicISub, "X - V"},
    {SpvOpAtomicAnd, "X & V"},
    {SpvOpAtomicOr, "X | V"},
    {SpvOpAtomicXor, "X ^ V"},
    {SpvOpAtomicUMin, "V < X ? V : X"},
    {SpvOpAtomicUMax, "V > X ? V : X"},
    {SpvOpAtomicSMin, "(int%1$u_t)V < (int%1$u_t)X ? V : X"},
    {SpvOpAtomicSMax, "(int%1$u_t)V > (int%1$u_t)X ? V : X"},
    {OP_ATOMIC_FMIN, "V < X ? V : X"},
    {OP_ATOMIC_FMAX, "V > X ? V : X"},
    {SpvOpAtomicCompareExchange, "X == C ? V : X"},
};

static void say_modify(shader *s, const uint32_t *at, uint32_t pointer, uint32_t type, const char *formula)
{
  char text[192], of[16], place[96] = "v%3$u";
  const char *buffer = pointed_buffer(s, pointer, of);
  if (is_watched(s))
    touched_place(s, at, pointer, width_of(s, type) / 8, place);
  else if (buffer)
    snprintf(place, sizeof place, "(XB_INSIDE(%s, v%%3$u, sizeof(t%%2$u)) ? v%%3$u : NULL)", buffer);
  snprintf(text, sizeof text, "XB_MODIFY(t%%2$u, %s, %%4$d, %s); ", place, formula);
  say(s, text, width_of(s, type), type, pointer, storage_of(s, pointer) == SpvStorageClassWorkgroup);
}

bool atomics(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at);
  if (op == SpvOpAtomicStore) {
    say(s, "{ const t%u V = v%u; ", type_of(s, word(at, 4)), word(at, 4));
    say_modify(s, at, word(at, 1), type_of(s, word(at, 4)), "V");
    say(s, "}\n");
    return true;
  }
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
    if (formulas[i].op != op)
      continue;
    const uint32_t type = word(at, 1);
    const bool compares = op == SpvOpAtomicCompareExchange;
    say(s, "{ ");
    if (xb_spirv_length(at) > 6)
      say(s, "const t%u V = v%u; ", type, word(at, compares ? 7 : 6));
    if (compares)
      say(s, "const t%u C = v%u; ", type, word(at, 8));
    say_modify(s, at, word(at, 3), type, formulas[i].formula);
    say(s, "v%u = was_; }\n", word(at, 2));
    return true;
  }
  return false;
}
