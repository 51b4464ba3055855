/* Which buffers a kernel only reads, though it declares that it may write them. */
#include "core/spirv.h"
#include "pair/cuda_source.h"

#include <string.h>

/* ---- CUDA C++ ---------------------------------------------------------------------------------------------------- */

/* "<<=" and ">>=" are several tokens. */
static bool is_shift_assignment(const xb_tokens *t, size_t at)
{
  const xb_token *first = xb_token_at(t, at), *second = xb_token_at(t, at + 1);
  return xb_token_in(first, "< >") && *first->text == *second->text &&
         (xb_token_in(second, "<= >=") || xb_token_is(xb_token_at(t, at + 2), "="));
}

bool xb_cuda_only_reads(const xb_tokens *t, const xb_cuda_kernel *k, const char *name)
{
  bool read = false;
  for (size_t i = k->open + 1; i < k->close; i++) {
    if (!xb_token_is(&t->list[i], name) || xb_token_in(&t->list[i - 1], ". ->"))
      continue;
    size_t behind = i + 1; /* the element: x[i], x[i].y, x[i][j] */
    while (xb_token_in(xb_token_at(t, behind), "[ ."))
      behind = xb_token_is(xb_token_at(t, behind), "[") ? xb_token_close(t, behind) + 1 : behind + 2;
    const bool changed = xb_token_in(xb_token_at(t, behind), "= += -= *= /= %= &= |= ^= <<= >>= ++ --") ||
                         xb_token_in(&t->list[i - 1], "& ++ --") || is_shift_assignment(t, behind);
    if (changed || !xb_token_is(xb_token_at(t, i + 1), "[")) /* also what is handed to a function */
      return false;
    read = true;
  }
  return read;
}

/* ---- SPIR-V ------------------------------------------------------------------------------------------------------ */

enum { READ = 1, OTHER = 2 };

/* What an instruction does with the pointers that it names. */
static void note(const xb_spirv *m, const uint32_t *at, uint32_t *of, uint8_t *done)
{
  const uint32_t length = xb_spirv_length(at);
  switch (xb_spirv_op(at)) {
  case SpvOpSampledImage:
  case SpvOpImage:
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpCopyObject:
    if (length > 3 && at[2] < m->bound && at[3] < m->bound)
      of[at[2]] = of[at[3]];
    return;
  case SpvOpLoad:
    if (length > 3 && at[2] < m->bound && at[3] < m->bound &&
        (xb_spirv_made(m, at[1], SpvOpTypeImage, 9) || xb_spirv_made(m, at[1], SpvOpTypeSampledImage, 3))) {
      of[at[2]] = of[at[3]]; /* an image, whose texels are read or written by what takes it */
      return;
    }
    /* fall through */
  case SpvOpAtomicLoad:
  case SpvOpArrayLength:
  case SpvOpImageRead:
  case SpvOpImageFetch:
  case SpvOpImageGather:
  case SpvOpImageSampleImplicitLod:
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageQuerySize:
  case SpvOpImageQuerySizeLod:
  case SpvOpImageQueryLevels:
    if (length > 3 && at[3] < m->bound)
      done[of[at[3]]] |= READ;
    return;
  default: /* numbers look like ids: too many are taken for written */
    for (uint32_t i = 1; i < length; i++)
      if (at[i] < m->bound)
        done[of[at[i]]] |= OTHER;
  }
}

const uint8_t *xb_spirv_uses(const xb_spirv *m, xb_arena *arena)
{
  uint32_t *of = xb_arena_take(arena, m->bound, sizeof *of); /* the variable that a pointer leads to */
  uint8_t *done = xb_arena_take(arena, m->bound, sizeof *done);
  const uint32_t *at = xb_spirv_next(m, NULL, SpvOpFunction, 5);
  for (uint32_t id = 1; id < m->bound && of; id++)
    of[id] = xb_spirv_made(m, id, SpvOpVariable, 4) ? id : 0;
  for (; at && of && done && at < m->end; at += xb_spirv_length(at))
    note(m, at, of, done);
  return of ? done : NULL;
}

bool xb_spirv_only_reads(const uint8_t *uses, uint32_t variable)
{
  return uses && uses[variable] == READ;
}
