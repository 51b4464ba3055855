#include "signatures.h"

#include <string.h>

typedef const uint32_t *u3;
typedef void *const *buffers;

/* For each item of a group. */
#define ITEMS(n)                                                                                                       \
  for (uint32_t i = group[0] * SIGNATURE_GROUP; i < (group[0] + 1) * SIGNATURE_GROUP && i < (uint32_t)(n); i++)
#define RUN(name) static void run_##name(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
#define UNUSED (void)groups, (void)sizes

static const struct {
  int n;
  float a;
} saxpy = {SIGNATURE_ITEMS, 3};
static const xb_parameter saxpy_parameters[] = {
    {.offset = 0, .bytes = 4}, {.offset = 4, .bytes = 4}, {.binding = 0}, {.binding = 1}};
RUN(saxpy)
{
  UNUSED, (void)args;
  const float *x = b[0];
  float *y = b[1];
  ITEMS(saxpy.n) y[i] = saxpy.a * x[i] + y[i];
}

static const int count = SIGNATURE_ITEMS;
static const xb_parameter add_parameters[] = {{.binding = 0}, {.binding = 1}, {.binding = 2}, {.bytes = 4}};
RUN(vector_add)
{
  UNUSED, (void)args;
  const float *x = b[0], *y = b[1];
  float *z = b[2];
  ITEMS(count) z[i] = x[i] + y[i];
}

static const xb_parameter accumulate_parameters[] = {{.binding = 0}, {.binding = 1}, {.bytes = 4}};
RUN(accumulate)
{
  UNUSED, (void)args;
  const double *x = b[0];
  double *y = b[1];
  ITEMS(count) y[i] += 2 * x[i];
}

static const uint64_t long_count = SIGNATURE_ITEMS;
static const xb_parameter copy_parameters[] = {{.bytes = 8}, {.binding = 0}, {.binding = 1}};
RUN(copy_n)
{
  UNUSED, (void)args;
  const int *in = b[0];
  int *out = b[1];
  ITEMS(long_count) out[i] = in[i];
}

static const struct {
  struct {
    float step;
    signed char sign;
    short bias;
    double scale;
  } motion;
  int n;
} move = {{2, -1, 5, 4}, SIGNATURE_ITEMS};
static const xb_parameter move_parameters[] = {
    {.offset = 0, .bytes = 16}, {.binding = 0}, {.binding = 1}, {.offset = 16, .bytes = 4}};
RUN(move)
{
  UNUSED, (void)args;
  const float *at = b[0];
  float *to = b[1];
  ITEMS(move.n)
  to[i] = (at[i] + move.motion.step * move.motion.sign) * (float)move.motion.scale + move.motion.bias;
}

static const struct {
  int n;
  float scale;
} complex_scale = {SIGNATURE_ITEMS, 2};
static const xb_parameter complex_parameters[] = {
    {.binding = 0}, {.binding = 1}, {.offset = 0, .bytes = 4}, {.offset = 4, .bytes = 4}};
RUN(complex_scale)
{
  UNUSED, (void)args;
  float *x = b[0];
  const float *y = b[1];
  ITEMS(complex_scale.n)
  {
    const float re = x[2 * i], im = x[2 * i + 1];
    x[2 * i] = (re * y[2 * i] - im * y[2 * i + 1]) * complex_scale.scale;
    x[2 * i + 1] = (re * y[2 * i + 1] + im * y[2 * i]) * complex_scale.scale;
  }
}

static const struct {
  int n;
  unsigned char by, padding[3];
} brighten = {SIGNATURE_ITEMS, 7, {0}};
static const xb_parameter brighten_parameters[] = {
    {.binding = 0}, {.binding = 1}, {.offset = 0, .bytes = 4}, {.offset = 4, .bytes = 1}};
RUN(brighten)
{
  UNUSED, (void)args;
  const unsigned char *in = b[0];
  unsigned char *out = b[1];
  ITEMS(brighten.n) out[i] = in[i] > 255 - brighten.by ? 255 : (unsigned char)(in[i] + brighten.by);
}

static const xb_parameter stencil_parameters[] = {{.binding = 0}, {.bytes = 4}, {.binding = 1}};
RUN(stencil)
{
  UNUSED, (void)args;
  const int *in = b[0];
  int *out = b[1];
  ITEMS(count) out[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < (uint32_t)count ? in[i + 1] : 0);
}

static const struct {
  double alpha;
  int n, padding;
} dscale = {5, SIGNATURE_ITEMS, 0};
static const xb_parameter dscale_parameters[] = {{.offset = 0, .bytes = 8}, {.binding = 0}, {.offset = 8, .bytes = 4}};
RUN(dscale)
{
  UNUSED, (void)args;
  double *x = b[0];
  ITEMS(dscale.n) x[i] *= dscale.alpha;
}

static const xb_parameter sum_parameters[] = {
    {.binding = 0}, {.binding = 1}, {.binding = 2}, {.binding = 3},  {.binding = 4},  {.binding = 5}, {.binding = 6},
    {.binding = 7}, {.binding = 8}, {.binding = 9}, {.binding = 10}, {.binding = 11}, {.bytes = 4}};
RUN(sum_of_eleven)
{
  UNUSED, (void)args;
  float *out = b[11];
  ITEMS(count)
  {
    out[i] = 0;
    for (uint32_t k = 0; k < 11; k++)
      out[i] += (float)(k + 1) * ((const float *)b[k])[i];
  }
}

#define ROW(name_, layout_, type_, bytes_, bindings, read, args_, list)                                                \
  .name = #name_, .layout = layout_, .type = type_, .binding_count = bindings, .read_only = read,                      \
  .arg_bytes = sizeof(args_), .parameter_count = sizeof(list) / sizeof *(list), .args = &(args_), .parameters = list,  \
  .run = run_##name_
const signature signatures[] = {
    {ROW(saxpy, "4,4,p,p", 'f', 4, 2, 1, saxpy, saxpy_parameters)},
    {ROW(vector_add, "p,p,p,4", 'f', 4, 3, 3, count, add_parameters)},
    {ROW(accumulate, "p,p,4", 'd', 8, 2, 1, count, accumulate_parameters)},
    {ROW(copy_n, "8,p,p", 'i', 4, 2, 1, long_count, copy_parameters)},
    {ROW(move, "16,p,p,4", 'f', 4, 2, 1, move, move_parameters)},
    {ROW(complex_scale, "p,p,4,4", 'f', 8, 2, 2, complex_scale, complex_parameters)},
    {ROW(brighten, "p,p,4,1", 'b', 1, 2, 1, brighten, brighten_parameters)},
    {ROW(stencil, "p,4,p", 'i', 4, 2, 1, count, stencil_parameters)},
    {ROW(dscale, "8,p,4", 'd', 8, 1, 0, dscale, dscale_parameters)},
    {ROW(sum_of_eleven, "p,p,p,p,p,p,p,p,p,p,p,p,4", 'f', 4, 12, 0x7ff, count, sum_parameters)},
};
const size_t signature_count = sizeof signatures / sizeof *signatures;

xb_kernel_desc signature_desc(const signature *s)
{
  return (xb_kernel_desc){.label = s->name,
                          .entry = s->name,
                          .group_size = {SIGNATURE_GROUP, 1, 1},
                          .binding_count = s->binding_count,
                          .arg_bytes = s->arg_bytes,
                          .parameters = s->parameters,
                          .parameter_count = s->parameter_count};
}

void signature_fill(const signature *s, uint32_t binding, void *data)
{
  for (uint32_t i = 0; i < SIGNATURE_BYTES; i++) {
    const int value = (int)((i * 7 + binding * 13) % 250) - (s->type == 'b' ? 0 : 100);
    const unsigned char byte = (unsigned char)value;
    const float real = (float)value;
    const double wide = value;
    switch (s->type) {
    case 'b': ((unsigned char *)data)[i] = byte; break;
    case 'i': i % 4 ? (void)0 : (void)memcpy((char *)data + i, &value, 4); break;
    case 'f': i % 4 ? (void)0 : (void)memcpy((char *)data + i, &real, 4); break;
    case 'd': i % 8 ? (void)0 : (void)memcpy((char *)data + i, &wide, 8); break;
    }
  }
}
