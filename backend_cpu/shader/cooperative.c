/* Cooperative matrices (SPV_KHR_cooperative_matrix): a value of a wave, of which each lane has every so manieth
 * element. Element e of lane l is number e * lanes + l of the matrix, row by row. A lane has room for its part in the
 * smallest wave. */
#include "shader/shader.h"

enum { MOST_ELEMENTS = 4096, LEAST_WAVE = 4, ROW_MAJOR = 0, COLUMN_MAJOR = 1 };
/* Operands of OP_MATRIX_MULADD: which integers have a sign. */
enum { SIGNED_A = 1, SIGNED_B = 2, SIGNED_C = 4, SATURATING = 16 };

bool is_cooperative(const shader *s, uint32_t type)
{
  return op_of(s, type) == OP_TYPE_COOPERATIVE_MATRIX;
}

static uint32_t rows(const shader *s, uint32_t type)
{
  return constant(s, arg(s, type, 4));
}

static uint32_t columns(const shader *s, uint32_t type)
{
  return constant(s, arg(s, type, 5));
}

uint32_t cooperative_elements(const shader *s, uint32_t type)
{
  return (rows(s, type) * columns(s, type) + LEAST_WAVE - 1) / LEAST_WAVE;
}

bool read_cooperative(shader *s, const uint32_t *at, fact *f)
{
  const uint32_t type = word(at, 1), component = op_of(s, word(at, 2));
  const uint64_t count = (uint64_t)rows(s, type) * columns(s, type);
  if ((component != SpvOpTypeInt && component != SpvOpTypeFloat) || !count || count > MOST_ELEMENTS ||
      constant(s, word(at, 3)) != SpvScopeSubgroup) {
    shader_refuse(s, XB_UNSUPPORTED, "%s of this scope or size is not translated", opcode_name(xb_spirv_op(at)));
    return false;
  }
  const uint32_t size = fact_of(s, word(at, 2))->size;
  *f = (fact){.made = at, .size = size * cooperative_elements(s, type), .align = size, .plain = true, .value = true};
  return true;
}

/* A loop over the elements that the lane has; `at_` is where the matrix lies, `to_` the place of the element. */
static void say_elements(shader *s, uint32_t type, uint32_t pointer, uint32_t lies, uint32_t stride)
{
  const uint32_t order = constant(s, lies), step = fact_of(s, pointee(s, pointer))->size;
  const uint32_t size = fact_of(s, arg(s, type, 2))->size;
  if (order != ROW_MAJOR && order != COLUMN_MAJOR)
    shader_refuse(s, XB_UNSUPPORTED, "a cooperative matrix of layout %u is not translated", order);
  say(s, "for (uint32_t e_ = 0, n_ = xb_lane(); n_ < %u; e_++, n_ += xb_block()->wave) { ",
      rows(s, type) * columns(s, type));
  say(s, "const uint64_t r_ = n_ / %1$u, c_ = n_ %% %1$u; ", columns(s, type));
  say(s, "char *const to_ = v%u + ", pointer);
  if (stride)
    say(s, order == ROW_MAJOR ? "r_ * v%u * %u + c_ * %u; " : "c_ * v%u * %u + r_ * %u; ", stride, step, size);
  else
    say(s, order == ROW_MAJOR ? "(r_ * %1$u + c_) * %3$u; " : "(c_ * %2$u + r_) * %3$u; ", columns(s, type),
        rows(s, type), size);
  char of[16];
  const char *buffer = pointed_buffer(s, pointer, of);
  if (buffer)
    say(s, "const bool in_ = XB_INSIDE(%s, to_, %u); ", buffer, size);
  else
    say(s, "const bool in_ = true; ");
}

static void load(shader *s, const uint32_t *at)
{
  const uint32_t type = word(at, 1), id = word(at, 2);
  say(s, "__builtin_memset(&v%1$u, 0, sizeof v%1$u); ", id);
  say_elements(s, type, word(at, 3), word(at, 4), word(at, 5));
  say(s, "if (in_) v%u.c[e_] = ", id);
  say_load(s, arg(s, type, 2), (layout){0}, "to_");
  say(s, "; }\n");
}

static void store(shader *s, const uint32_t *at)
{
  const uint32_t value = word(at, 2), type = type_of(s, value);
  char element[24];
  snprintf(element, sizeof element, "v%u.c[e_]", value);
  say_elements(s, type, word(at, 1), word(at, 3), word(at, 4));
  say(s, "if (in_) ");
  say_store(s, arg(s, type, 2), (layout){0}, "to_", element);
  say(s, "; }\n");
}

/* "(int8_t)XB_ELEMENT(a, n)", as the sum takes it. */
static void say_element(shader *s, uint32_t type, const char *name, const char *number, bool is_signed)
{
  const uint32_t scalar = arg(s, type, 2);
  if (!is_float(s, scalar))
    say_work(s, is_signed ? "(int64_t)(int%u_t)" : "(int64_t)(uint%u_t)", width_of(s, scalar));
  say_work(s, "XB_ELEMENT(struct w, %s, %s)", name, number);
}

/* The lanes meet. Each sum is added up by columns of A in the type of the result, as on the CUDA side; integers do not
 * overflow on the way. */
static void multiply(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), type = word(at, 1), mask = word(at, 6);
  const uint32_t a = type_of(s, word(at, 3)), b = type_of(s, word(at, 4)), c = type_of(s, word(at, 5));
  const char *sum = is_float(s, type) ? width_of(s, type) == 64 ? "double" : "float" : "int64_t";
  char in_a[48], in_b[48];
  if (mask & SATURATING)
    shader_refuse(s, XB_UNSUPPORTED, "%s that saturates is not translated", opcode_name(xb_spirv_op(at)));
  snprintf(in_a, sizeof in_a, "n_ / %u * %u + k_", columns(s, type), columns(s, a));
  snprintf(in_b, sizeof in_b, "k_ * %u + n_ %% %u", columns(s, b), columns(s, type));
  say_work(s, "static void work%u(const xb_cpu_wave *w) { struct w { t%u a; t%u b; t%u c; t%u d; }; ", id, a, b, c,
           type);
  say_work(s, "for (uint32_t n_ = 0; n_ < %u; n_++) { if (!w->lanes[n_ %% w->size]) continue; %s sum_ = (%s)",
           rows(s, type) * columns(s, type), sum, sum);
  say_element(s, c, "c", "n_", mask & SIGNED_C);
  say_work(s, "; for (uint32_t k_ = 0; k_ < %u; k_++) sum_ += (%s)", columns(s, a), sum);
  say_element(s, a, "a", in_a, mask & SIGNED_A);
  say_work(s, " * (%s)", sum);
  say_element(s, b, "b", in_b, mask & SIGNED_B);
  say_work(s, "; XB_LANE(struct w, w, n_ %% w->size)->d.c[n_ / w->size] = (t%u)sum_; } }\n", arg(s, type, 2));
  char file[256];
  say(s, "{ struct { t%u a; t%u b; t%u c; t%u d; } own_ = {v%u, v%u, v%u}; ", a, b, c, type, word(at, 3), word(at, 4),
      word(at, 5));
  const uint32_t words = say_row(s);
  say(s, "runtime->wave(work%u, &own_, row, base + %u, \"%s\", %u); v%u = own_.d; }\n", id, words,
      quoted(s->file, file), s->line, id);
}

bool cooperative(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), type = word(at, 1);
  switch (xb_spirv_op(at)) {
  case OP_MATRIX_LOAD: load(s, at); return true;
  case OP_MATRIX_STORE: store(s, at); return true;
  case OP_MATRIX_MULADD: multiply(s, at); return true;
  case OP_MATRIX_LENGTH:
    say(s, "v%u = (%u + xb_block()->wave - 1 - xb_lane()) / xb_block()->wave;\n", id,
        rows(s, word(at, 3)) * columns(s, word(at, 3)));
    return true;
  case SpvOpCompositeConstruct:
    if (!is_cooperative(s, type))
      return false;
    say(s, "for (uint32_t e_ = 0; e_ < %u; e_++) v%u.c[e_] = v%u;\n", elements(s, type), id, word(at, 3));
    return true;
  case SpvOpMatrixTimesScalar:
    if (!is_cooperative(s, type))
      return false;
    say(s, "for (uint32_t e_ = 0; e_ < %u; e_++) v%u.c[e_] = v%u.c[e_] * v%u;\n", elements(s, type), id, word(at, 3),
        word(at, 4));
    return true;
  default: return false;
  }
}
