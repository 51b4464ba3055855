#include "benchmarks/breakeven/on_host.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

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

xb_code xb_add_on_host(xb_call *call, xb_error *err)
{
  const xb_case *c = call->c;
  (void)err;
  spread(call, c->dtype == XB_FLOAT32 ? add_floats : add_integers, c->n, c->n);
  return XB_OK;
}

xb_code xb_multiply_on_host(xb_call *call, xb_error *err)
{
  const xb_case *c = call->c;
  (void)err;
  spread(call, c->dtype == XB_FLOAT32 ? multiply_floats : multiply_integers, c->rows, c->n * c->inner);
  return XB_OK;
}
