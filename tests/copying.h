/* What benchmarks of tests share whose kernels copy words: binding 0 is the input, binding 1 the output. */
#ifndef COPYING_H
#define COPYING_H

#include "benchmarks/benchmark.h"
#include "benchmarks/input.h"

/* One dispatch of `groups` groups. The kernel's name may be NULL. */
static inline xb_code copying_plan(const xb_case *c, xb_plan *made, const char *kernel, uint64_t groups,
                                   xb_access input, const void *args, uint32_t arg_bytes)
{
  made->windows = 1;
  made->bytes = 2 * c->n * 4;
  xb_plan_kernel_of(made, (xb_plan_kernel){.name = kernel, .binding_count = 2, .arg_bytes = arg_bytes});
  const uint32_t in = xb_plan_slot(made, (xb_slot){.name = "input", .role = XB_ROLE_INPUT, .bytes = c->n * 4});
  const uint32_t out = xb_plan_slot(made, (xb_slot){.name = "output", .role = XB_ROLE_OUTPUT, .bytes = c->n * 4});
  xb_step *step = xb_plan_step(made, XB_STEP_DISPATCH);
  if (made->code)
    return XB_OK; /* xb_plan_make reports it */
  xb_fold_groups(c->device, groups, step->groups);
  xb_step_bind(step, in, 0, c->n * 4, input);
  xb_step_bind(step, out, 0, c->n * 4, XB_WRITE);
  if (arg_bytes)
    xb_step_args(step, args, arg_bytes);
  return XB_OK;
}

static inline void copying_expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  xb_input(c->dtype, c->seed, first, count, expected);
}

static inline bool copying_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint64_t element;
  return xb_words_match(chunk, copying_expect, c, &element, why);
}

#endif
