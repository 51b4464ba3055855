/* Composites: made, taken apart, changed. Matrices as a whole. */
#include "shader/shader.h"

static void construct(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), type = word(at, 1);
  for (uint32_t i = 3, c = 0; i < xb_spirv_length(at); i++) {
    const uint32_t part = type_of(s, at[i]);
    if (op_of(s, type) == SpvOpTypeStruct)
      say(s, "v%u.m%u = v%u; ", id, i - 3, at[i]);
    else if (is_vector(s, type) && is_vector(s, part))
      for (uint32_t k = 0; k < elements(s, part); k++)
        say(s, "v%u.c[%u] = v%u.c[%u]; ", id, c++, at[i], k);
    else
      say(s, "v%u.c[%u] = v%u; ", id, c++, at[i]);
  }
}

/* ".m1.c[2]": what the literal numbers of the instruction lead to. */
static void say_path(shader *s, const uint32_t *at, uint32_t from, uint32_t type)
{
  for (uint32_t i = from; i < xb_spirv_length(at); i++) {
    const bool record = op_of(s, type) == SpvOpTypeStruct;
    if (!is_composite(s, type) || at[i] >= (record ? args(s, type) - 2 : elements(s, type))) {
      shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: index %u of a composite that has fewer parts", at[i]);
      return;
    }
    say(s, record ? ".m%u" : ".c[%u]", at[i]);
    type = arg(s, type, record ? 2 + at[i] : 2);
  }
}

static void shuffle(shader *s, const uint32_t *at)
{
  const uint32_t n = elements(s, type_of(s, word(at, 3)));
  for (uint32_t i = 5; i < xb_spirv_length(at); i++)
    if (at[i] != ~0u)
      say(s, "v%u.c[%u] = v%u.c[%u]; ", word(at, 2), i - 5, at[i] < n ? at[3] : at[4], at[i] < n ? at[i] : at[i] - n);
}

bool vectors(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), type = word(at, 1);
  switch (op) {
  case SpvOpCompositeConstruct: construct(s, at); break;
  case SpvOpCompositeExtract:
    say(s, "v%u = v%u", id, word(at, 3));
    say_path(s, at, 4, type_of(s, word(at, 3)));
    say(s, ";");
    break;
  case SpvOpCompositeInsert:
    say(s, "v%1$u = v%2$u; v%1$u", id, word(at, 4));
    say_path(s, at, 5, type);
    say(s, " = v%u;", word(at, 3));
    break;
  case SpvOpVectorShuffle: shuffle(s, at); break;
  case SpvOpVectorExtractDynamic:
    say(s, "v%u = v%u.c[XB_INDEX(v%u, %u)];", id, word(at, 3), word(at, 4), elements(s, type_of(s, word(at, 3))));
    break;
  case SpvOpVectorInsertDynamic:
    say(s, "v%1$u = v%2$u; v%1$u.c[XB_INDEX(v%3$u, %4$u)] = v%5$u;", id, word(at, 3), word(at, 5), elements(s, type),
        word(at, 4));
    break;
  case SpvOpCopyObject: say(s, "v%u = v%u;", id, word(at, 3)); break;
  case SpvOpCopyLogical: /* between types that differ in their layout only */
    if (is_array(s, type))
      say(s, "for (uint32_t i = 0; i < %u; i++) XB_COPY_LOGICAL(v%u.c[i], v%u.c[i]);", elements(s, type), id,
          word(at, 3));
    else
      say(s, "XB_COPY_LOGICAL(v%u, v%u);", id, word(at, 3));
    break;
  default: return false;
  }
  say(s, "\n");
  return true;
}

bool matrices(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), type = word(at, 1), a = word(at, 3), b = word(at, 4);
  const uint32_t of = type_of(s, a), columns = elements(s, of), rows = elements(s, arg(s, of, 2));
  switch (op) {
  case SpvOpTranspose: say(s, "XB_TRANSPOSE(%u, %u, v%u, v%u);\n", columns, rows, id, a); return true;
  case SpvOpMatrixTimesScalar:
    say(s, "XB_MATRIX_SCALE(%u, %u, v%u, v%u, v%u);\n", columns, rows, id, a, b);
    return true;
  case SpvOpMatrixTimesVector:
    say(s, "XB_MATRIX_VECTOR(%u, %u, v%u, v%u, v%u);\n", columns, rows, id, a, b);
    return true;
  case SpvOpVectorTimesMatrix: {
    const uint32_t matrix = type_of(s, b);
    say(s, "XB_VECTOR_MATRIX(%u, %u, v%u, v%u, v%u);\n", elements(s, matrix), elements(s, arg(s, matrix, 2)), id, a, b);
    return true;
  }
  case SpvOpMatrixTimesMatrix:
    say(s, "XB_MATRIX_MATRIX(%u, %u, %u, v%u, v%u, v%u);\n", columns, rows, elements(s, type), id, a, b);
    return true;
  case SpvOpOuterProduct:
    say(s, "XB_OUTER(%u, %u, v%u, v%u, v%u);\n", elements(s, type), columns, id, a, b);
    return true;
  default: return false;
  }
}
