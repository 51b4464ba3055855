/* When is the device worth it? A + B and AB, with the way to the device and back, against the host's own threads. The
 * elements are small whole numbers, so that all of them agree to the bit. */
#include "benchmarks/breakeven/breakeven_args.h"
#include "benchmarks/family.h"
#include "benchmarks/matmul/product.h"
#include "benchmarks/transfers/pageable.h"

#include <pthread.h>
#include <unistd.h>

typedef struct parameters {
  bool multiply;
  enum { PINNED, PAGEABLE, RESIDENT, HOST } data;
} parameters;

#define STAGED                                                                                                         \
  .may_refuse = true, .counterparts = {{"vulkan", XB_APPROXIMATE,                                                      \
                                        "Vulkan copies no pageable memory: it goes through pinned memory, in parts"}}

enum {
  LONGEST_INNER = ((1 << 24) - 1) / 225, /* sums of products of numbers up to 15 are exact in float32 */
};

/* The matrices, on the host and on the device. */
typedef struct matrices {
  uint32_t a, b, c;
} matrices;

/* ---- The same work on the host: plain loops, on as many threads as it is worth ---------------------------------- */

enum { MOST_THREADS = 256 };
static const uint64_t WORTH_A_THREAD = 1 << 18; /* operations: some 50 us of one core */

typedef struct share {
  const xb_call *call;
  uint64_t first, end; /* elements; rows of C */
} share;

/* [first, end) of the elements, as T. Sums of int32 wrap. */
#define ADD(name, T)                                                                                                   \
  static void *name(void *user)                                                                                        \
  {                                                                                                                    \
    const share *s = user;                                                                                             \
    const T *A = s->call->bindings[1].host, *B = s->call->bindings[2].host;                                            \
    T *C = s->call->bindings[0].host;                                                                                  \
    for (uint64_t i = s->first; i < s->end; i++)                                                                       \
      C[i] = A[i] + B[i];                                                                                              \
    return NULL;                                                                                                       \
  }
ADD(add_floats, float)
ADD(add_integers, uint32_t)

/* In the order in which rows of B and of C lie together. */
#define MULTIPLY(name, T)                                                                                              \
  static void *name(void *user)                                                                                        \
  {                                                                                                                    \
    const share *s = user;                                                                                             \
    const uint64_t columns = s->call->c->columns, inner = s->call->c->inner;                                           \
    const T *A = s->call->bindings[1].host, *B = s->call->bindings[2].host;                                            \
    for (uint64_t row = s->first; row < s->end; row++) {                                                               \
      T *C = (T *)s->call->bindings[0].host + row * columns;                                                           \
      memset(C, 0, columns * sizeof *C);                                                                               \
      for (uint64_t k = 0; k < inner; k++)                                                                             \
        for (uint64_t i = 0; i < columns; i++)                                                                         \
          C[i] += A[row * inner + k] * B[k * columns + i];                                                             \
    }                                                                                                                  \
    return NULL;                                                                                                       \
  }
MULTIPLY(multiply_floats, float)
MULTIPLY(multiply_integers, uint32_t)

/* Splits `count` elements or rows; `operations` are all of them together. This thread takes the first share, and those
 * for which no thread could be made. */
static void spread(const xb_call *call, void *(*work)(void *), uint64_t count, uint64_t operations)
{
  share shares[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  bool made[MOST_THREADS] = {false};
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t parts = operations / WORTH_A_THREAD + 1;
  parts = cores > 0 && parts > (uint64_t)cores ? (uint64_t)cores : parts;
  parts = parts > count ? count : parts;
  parts = parts > MOST_THREADS ? MOST_THREADS : parts;
  for (uint64_t i = 0; i < parts; i++) {
    shares[i] = (share){call, count * i / parts, count * (i + 1) / parts};
    made[i] = i && !pthread_create(&threads[i], NULL, work, &shares[i]);
  }
  for (uint64_t i = 0; i < parts; i++)
    if (!made[i])
      work(&shares[i]);
  for (uint64_t i = 0; i < parts; i++)
    if (made[i])
      pthread_join(threads[i], NULL);
}

static xb_code work_on_host(xb_call *call, xb_error *err)
{
  const xb_case *c = call->c;
  const bool floats = c->dtype == XB_FLOAT32;
  (void)err;
  if (of(c)->multiply)
    spread(call, floats ? multiply_floats : multiply_integers, c->rows, c->n * c->inner);
  else
    spread(call, floats ? add_floats : add_integers, c->n, c->n);
  return XB_OK;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

static uint64_t a_bytes(const xb_case *c)
{
  return (of(c)->multiply ? c->rows * c->inner : c->n) * WORD;
}

static uint64_t b_bytes(const xb_case *c)
{
  return (of(c)->multiply ? c->inner * c->columns : c->n) * WORD;
}

/* The inputs of A + B have the generators of AB. The host reads its memory, unless it only sends it. */
static matrices add_slots(const xb_case *c, xb_plan *plan, xb_role input, xb_role output)
{
  const xb_mem memory = input == XB_ROLE_HOST_INPUT && of(c)->data != PINNED ? XB_MEM_READBACK : XB_MEM_DEVICE;
  const xb_slot a = {.name = "A", .role = input, .bytes = a_bytes(c), .generate = xb_product_a, .memory = memory};
  const xb_slot b = {.name = "B", .role = input, .bytes = b_bytes(c), .generate = xb_product_b, .memory = memory};
  const xb_slot result = {.name = "C", .role = output, .bytes = c->n * WORD};
  matrices m = {.c = xb_plan_slot(plan, result)};
  m.a = xb_plan_slot(plan, a);
  m.b = xb_plan_slot(plan, b);
  return m;
}

/* [plan] A thread an element of C. */
static void add_dispatch(const xb_case *c, xb_plan *plan, matrices m)
{
  const uint64_t tiles_x = xb_ceil_div(c->columns, BREAKEVEN_SIDE), tiles_y = xb_ceil_div(c->rows, BREAKEVEN_SIDE);
  xb_step *step = xb_plan_dispatch(c, plan, of(c)->multiply ? tiles_x * tiles_y : xb_ceil_div(c->n, c->block));
  xb_step_bind_all(plan, step, m.a, XB_READ);
  xb_step_bind_all(plan, step, m.b, XB_READ);
  xb_step_bind_all(plan, step, m.c, XB_WRITE);
  xb_step_fields(step, struct xb_breakeven_args, .m = (uint32_t)(of(c)->multiply ? c->rows : 1),
                 .n = (uint32_t)(of(c)->multiply ? c->columns : c->n), .k = (uint32_t)c->inner,
                 .tiles_x = (uint32_t)tiles_x);
}

static void add_transfer(const xb_case *c, xb_plan *plan, uint32_t to, uint32_t from)
{
  xb_step *step = xb_plan_step(plan, of(c)->data == PAGEABLE ? XB_STEP_CALL : XB_STEP_COPY);
  step->call = xb_pageable;
  xb_step_bind_all(plan, step, to, XB_WRITE);
  xb_step_bind_all(plan, step, from, XB_READ);
}

/* [plan] One call on the host. */
static void plan_host(const xb_case *c, xb_plan *plan)
{
  const matrices m = add_slots(c, plan, XB_ROLE_HOST_INPUT, XB_ROLE_HOST_OUTPUT);
  xb_step *step = xb_plan_step(plan, XB_STEP_CALL);
  step->call = work_on_host;
  xb_step_bind_all(plan, step, m.c, XB_WRITE);
  xb_step_bind_all(plan, step, m.a, XB_READ);
  xb_step_bind_all(plan, step, m.b, XB_READ);
}

/* [plan] A and B to the device, one dispatch, C back. */
static void plan_device(const xb_case *c, xb_plan *plan)
{
  if (of(c)->data == RESIDENT) {
    add_dispatch(c, plan, add_slots(c, plan, XB_ROLE_INPUT, XB_ROLE_OUTPUT));
    return;
  }
  const matrices host = add_slots(c, plan, XB_ROLE_HOST_INPUT, XB_ROLE_HOST_OUTPUT);
  const matrices device = add_slots(c, plan, XB_ROLE_SCRATCH, XB_ROLE_SCRATCH);
  add_transfer(c, plan, device.a, host.a);
  add_transfer(c, plan, device.b, host.b);
  xb_plan_step(plan, XB_STEP_BARRIER);
  add_dispatch(c, plan, device);
  xb_plan_step(plan, XB_STEP_BARRIER);
  add_transfer(c, plan, host.c, device.c);
}

static xb_code breakeven_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t a = a_bytes(c), b = b_bytes(c), bytes = c->n * WORD;
  const uint64_t longest = a > b ? (a > bytes ? a : bytes) : b > bytes ? b : bytes;
  if (longest > c->window_bytes)
    return xb_refuse_case(c, err, "a matrix of %" PRIu64 " bytes does not fit into one binding", longest);
  if (of(c)->multiply && c->inner > LONGEST_INNER)
    return xb_refuse_case(c, err, "an inner length of %" PRIu64 ": sums of more than %d products would not be exact",
                          c->inner, LONGEST_INNER);
  plan->bytes = a + b + bytes;
  plan->flops = of(c)->multiply ? 2 * c->n * c->inner : c->n;
  plan->iterations = of(c)->multiply ? c->inner : 0;
  if (of(c)->data == HOST)
    plan_host(c, plan);
  else
    plan_device(c, plan);
  return XB_OK;
}

/* ---- Check and metrics ------------------------------------------------------------------------------------------ */

static void expect_sums(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  int32_t a[XB_MOST_EXPECTED], b[XB_MOST_EXPECTED];
  xb_product_a(XB_INT32, c->seed, first, count, a);
  xb_product_b(XB_INT32, c->seed, first, count, b);
  for (uint64_t i = 0; i < count; i++) {
    const union {
      float value;
      uint32_t word;
    } sum = {.value = (float)(a[i] + b[i])};
    expected[i] = c->dtype == XB_INT32 ? (uint32_t)(a[i] + b[i]) : sum.word;
  }
}

static bool breakeven_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  if (of(c)->multiply)
    return xb_product_check(c, XB_PRODUCT_PLAIN, chunk, why);
  return xb_check_words(chunk, expect_sums, c, "element", why);
}

XB_METHODS(.plan = breakeven_plan, .check = breakeven_check,
           .rates = {{"speed", "GFLOP/s", xb_flops_of_run}, {"bandwidth", "GB/s", xb_bytes_of_run}})

#include "benchmarks/rows.h"
