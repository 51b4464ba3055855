/* The floating-point operations of a module of SPIR-V, as a driver may compile them: with NoContraction on all of them
 * or on none, and as fused or simplified as the specification allows without it. It shows which of these a result
 * needs. */
#include "core/spirv.h"

#include <spirv_cross/GLSL.std.450.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5, BINARY_WORDS = 5, MAKES_WORDS = 3, FMA_WORDS = 8 };

typedef struct rewriter {
  const xb_spirv *m;
  const uint32_t **made; /* by id: the operation of floats that makes it */
  bool *fixed;           /* by id: it has NoContraction */
  uint32_t *words, count, bound, glsl;
  bool changed;
} rewriter;

static void add(rewriter *r, const uint32_t *words, uint32_t count)
{
  memcpy(r->words + r->count, words, count * sizeof *words);
  r->count += count;
}

static bool is_fma(const rewriter *r, const uint32_t *at)
{
  return xb_spirv_op(at) == SpvOpExtInst && xb_spirv_length(at) == FMA_WORDS && r->glsl && at[3] == r->glsl &&
         at[4] == GLSLstd450Fma;
}

static bool is_arithmetic(const rewriter *r, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at);
  return op == SpvOpFNegate || op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv ||
         op == SpvOpFRem || op == SpvOpFMod || (op >= SpvOpVectorTimesScalar && op <= SpvOpDot) || is_fma(r, at);
}

static const uint32_t *open_operation(const rewriter *r, uint32_t id, uint32_t op)
{
  const uint32_t *at = id < r->m->bound && !r->fixed[id] ? r->made[id] : NULL;
  return at && xb_spirv_op(at) == op ? at : NULL;
}

/* a * b + c, a * b - c and c - a * b as one operation. */
static bool fuse(rewriter *r, const uint32_t *at)
{
  const bool subtracts = xb_spirv_op(at) == SpvOpFSub;
  const uint32_t *first = open_operation(r, at[3], SpvOpFMul), *second = open_operation(r, at[4], SpvOpFMul);
  const uint32_t *product = first ? first : second;
  if (!product || product[1] != at[1])
    return false;
  uint32_t a = product[3], c = first ? at[4] : at[3];
  if (subtracts) {
    const uint32_t negate[] = {4 << SpvWordCountShift | SpvOpFNegate, at[1], r->bound, first ? c : a};
    add(r, negate, 4);
    *(first ? &c : &a) = r->bound++;
  }
  const uint32_t fma[] = {
      8 << SpvWordCountShift | SpvOpExtInst, at[1], at[2], r->glsl, GLSLstd450Fma, a, product[4], c};
  add(r, fma, 8);
  return true;
}

/* Two values that are added, each as it is or negated. */
typedef struct sum {
  uint32_t ids[2];
  bool negative[2];
} sum;

/* An addition or subtraction that may be rearranged, or fma() with a factor of 1 or -1. */
static bool read_sum(const rewriter *r, uint32_t id, sum *s)
{
  enum { ONE = 0x3f800000, MINUS_ONE = (int)0xbf800000 };
  const uint32_t *at = id < r->m->bound && !r->fixed[id] ? r->made[id] : NULL, *negated;
  const uint32_t op = at ? xb_spirv_op(at) : 0;
  *s = (sum){{0}, {false}};
  if (op == SpvOpFAdd || op == SpvOpFSub)
    *s = (sum){{at[3], at[4]}, {false, op == SpvOpFSub}};
  for (uint32_t k = 0; k < 2 && op == SpvOpExtInst && !s->ids[0]; k++) {
    const uint32_t *factor = xb_spirv_made(r->m, at[5 + k], SpvOpConstant, 4);
    if (factor && (factor[3] == ONE || factor[3] == (uint32_t)MINUS_ONE))
      *s = (sum){{at[6 - k], at[7]}, {factor[3] != ONE, false}};
  }
  for (int i = 0; i < 2; i++)
    if ((negated = open_operation(r, s->ids[i], SpvOpFNegate))) {
      s->ids[i] = negated[3];
      s->negative[i] ^= true;
    }
  return s->ids[0];
}

/* (a + b) - a is b, and its kin: right for numbers, not for their rounding. */
static bool simplify(rewriter *r, const uint32_t *at)
{
  sum outer, inner;
  for (int i = 0; i < 2 && read_sum(r, at[2], &outer); i++)
    for (int k = 0; k < 2 && read_sum(r, outer.ids[i], &inner); k++) {
      const bool cancels =
          inner.ids[k] == outer.ids[!i] && (inner.negative[k] ^ outer.negative[i]) != outer.negative[!i];
      const uint32_t op = inner.negative[!k] ^ outer.negative[i] ? SpvOpFNegate : SpvOpCopyObject;
      const uint32_t copy[] = {4 << SpvWordCountShift | op, at[1], at[2], inner.ids[!k]};
      if (cancels)
        add(r, copy, 4);
      if (cancels)
        return true;
    }
  return false;
}

static bool is_decoration(const uint32_t *at)
{
  return xb_spirv_op(at) == SpvOpDecorate && xb_spirv_length(at) == 3 && at[2] == SpvDecorationNoContraction;
}

static void find_operations(rewriter *r)
{
  for (const uint32_t *at = r->m->words; at < r->m->end; at += xb_spirv_length(at)) {
    const uint32_t op = xb_spirv_op(at), id = is_decoration(at) ? at[1] : xb_spirv_length(at) > 2 ? at[2] : 0;
    if (is_decoration(at) && id < r->m->bound)
      r->fixed[id] = true;
    else if (is_arithmetic(r, at) && xb_spirv_length(at) >= MAKES_WORDS && id < r->m->bound)
      r->made[id] = at;
    else if (op == SpvOpExtInstImport && xb_spirv_text(at, 2) && !strcmp(xb_spirv_text(at, 2), "GLSL.std.450"))
      r->glsl = at[1];
  }
}

/* Writes the module again. */
static void rewrite(rewriter *r, xb_spirv_floats floats)
{
  bool decorated = floats != XB_FLOATS_SEPARATE, imported = floats != XB_FLOATS_FUSED || r->glsl;
  for (const uint32_t *at = r->m->words; at < r->m->end; at += xb_spirv_length(at)) {
    const uint32_t op = xb_spirv_op(at);
    if (!imported && op == SpvOpMemoryModel) {
      uint32_t import[] = {6 << SpvWordCountShift | SpvOpExtInstImport, r->glsl = r->bound++, 0, 0, 0, 0};
      memcpy(import + 2, "GLSL.std.450", 12);
      add(r, import, 6);
      imported = true;
    }
    if (!decorated && op >= SpvOpTypeVoid && op <= SpvOpVariable) { /* behind all that is decorated */
      for (uint32_t id = 0; id < r->m->bound; id++) {
        const uint32_t decorate[] = {3 << SpvWordCountShift | SpvOpDecorate, id, SpvDecorationNoContraction};
        if (r->made[id] && !r->fixed[id])
          add(r, decorate, 3);
        r->changed |= r->made[id] && !r->fixed[id];
      }
      decorated = true;
    }
    const bool sums =
        (op == SpvOpFAdd || op == SpvOpFSub) && xb_spirv_length(at) == BINARY_WORDS && open_operation(r, at[2], op);
    const bool replaced = (floats == XB_FLOATS_FREE && is_decoration(at)) ||
                          (floats == XB_FLOATS_FUSED && sums && fuse(r, at)) ||
                          (floats == XB_FLOATS_SIMPLIFIED && (sums || is_fma(r, at)) && simplify(r, at));
    r->changed |= replaced;
    if (!replaced)
      add(r, at, xb_spirv_length(at));
  }
}

xb_code xb_spirv_rewrite_floats(const char *where, const void *code, size_t bytes, xb_spirv_floats floats, void **to,
                                size_t *to_bytes, xb_error *err)
{
  xb_spirv m;
  *to = NULL;
  const xb_code failed = xb_spirv_read(&m, where, code, bytes, NULL, 0, err);
  rewriter r = {.m = &m, .bound = failed ? 0 : m.bound, .count = HEADER_WORDS};
  r.made = calloc(r.bound + 1, sizeof *r.made);
  r.fixed = calloc(r.bound + 1, sizeof *r.fixed);
  r.words = calloc(bytes + 8, sizeof *r.words); /* 4 times as many: a subtraction of 5 words becomes 12 */
  const bool works = !failed && r.made && r.fixed && r.words;
  if (works) {
    memcpy(r.words, code, HEADER_WORDS * sizeof *r.words);
    find_operations(&r);
    if (floats != XB_FLOATS_AS_COMPILED)
      rewrite(&r, floats);
    r.words[3] = r.bound;
  }
  if (works && r.changed) {
    *to = r.words;
    *to_bytes = r.count * sizeof *r.words;
  } else
    free(r.words);
  free(r.made);
  free(r.fixed);
  xb_spirv_free(&m);
  return failed || works ? failed : xb_fail(err, XB_NOMEM, where, "out of host memory");
}
