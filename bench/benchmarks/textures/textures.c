/* Sums of four texels: through a storage buffer, a texel buffer, or an image with a sampler. The grid of places is
 * larger than the image on all four sides, so each run also reads beyond them. Threads write side by side, whatever the
 * order is in which they read.
 *
 * The check samples on the host, as the texel coordinate rules of Vulkan and the chapter Texture Fetching of the CUDA
 * C++ Programming Guide say. What a point filter reads is exact. A linear filter's weights have filter_bits bits of
 * fraction: each may be wrong by one step. */
#include "base/half.h"
#include "benchmarks/family.h"
#include "benchmarks/textures/textures_args.h"

typedef struct parameters {
  enum { BUFFER, TEXELS, IMAGE } from;
  enum { PLANE, LINE, VOLUME } shape; /* of the image: LINE is its first row, a VOLUME has its rows in layers */
  bool linear, normalized;
  xb_address address;
} parameters;

enum { ORDER_AXIS = 0, FORMAT_AXIS = 1, STEP = 32, MARGINS = 2 * TEXTURES_MARGIN };
enum { MOST_LAYERS = 8 };
enum { SEGMENT_BYTES = 32, WAVE = 32, GPU_COLUMNS = 1024 };

static xb_texel format_of(const xb_case *c)
{
  return (xb_texel)c->at[FORMAT_AXIS];
}

/* Places of the grid in one dimension. */
static uint64_t places(uint64_t texels)
{
  return xb_ceil_div(texels + MARGINS, STEP) * STEP;
}

/* Of a volume: a divisor of its rows. */
static uint64_t layers(const xb_case *c)
{
  uint64_t count = of(c)->shape == VOLUME ? MOST_LAYERS : 1;
  while (c->rows % count)
    count /= 2;
  return count;
}

/* Rows of places that belong to a layer, and of all of them. */
static uint64_t layer_places(const xb_case *c)
{
  return places(c->rows / layers(c));
}

static uint64_t down(const xb_case *c)
{
  return layer_places(c) * (of(c)->shape == VOLUME ? layers(c) + MARGINS : 1);
}

static xb_image_desc image_of(const xb_case *c)
{
  return (xb_image_desc){.label = "image",
                         .format = format_of(c),
                         .width = (uint32_t)c->columns,
                         .height = of(c)->shape == LINE ? 0 : (uint32_t)(c->rows / layers(c)),
                         .depth = of(c)->shape == VOLUME ? (uint32_t)layers(c) : 0};
}

static uint64_t texel_bytes(const xb_case *c)
{
  return xb_ceil_div(c->n * xb_texel_bytes(format_of(c)), WORD) * WORD;
}

/* ---- Texels ----------------------------------------------------------------------------------------------------- */

/* Of `first` to `first + count`: floats in [-1, 1). */
static void floats(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  xb_input(XB_FLOAT32, seed, first, count, out);
}

/* The sign, 4 bits of exponent and 10 of mantissa: less than 1, with denormals. */
static void halves(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  uint16_t *texels = out;
  (void)dtype;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t word;
    xb_input(XB_INT32, seed, first + i, 1, &word);
    const uint32_t exponent = (word >> 10 & 0xf) * 15 / 16;
    texels[i] = (uint16_t)((word & 0x83ff) | exponent << 10);
  }
}

static void bytes(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  uint8_t *texels = out;
  (void)dtype;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t word;
    xb_input(XB_INT32, seed, first + i, 1, &word);
    texels[i] = (uint8_t)(word >> 8);
  }
}

static xb_generate_fn *const generators[] = {
    [XB_TEXEL_FLOAT32] = floats, [XB_TEXEL_FLOAT16] = halves, [XB_TEXEL_UNORM8] = bytes};

/* Texel i, as a kernel sees it. Of unorm8, not all GPUs round the quotient in the same way. */
static float make_texel(const xb_case *c, uint64_t i)
{
  union {
    float number;
    uint16_t half;
    uint8_t byte;
  } t;
  generators[format_of(c)](c->dtype, c->seed, i, 1, &t);
  return format_of(c) == XB_TEXEL_FLOAT32   ? t.number
         : format_of(c) == XB_TEXEL_FLOAT16 ? (float)xb_half_value(t.half)
                                            : (float)t.byte / 255;
}

/* All of them, kept: a linear filter fetches each one 16 times. */
static bool make_texels(const xb_case *c, void *texels)
{
  for (uint64_t i = 0; i < c->n; i++)
    ((float *)texels)[i] = make_texel(c, i);
  return true;
}

static const float *texels_of(const xb_case *c)
{
  return xb_cached(c, make_texels, c->n * sizeof(float), 1, XB_KEY(c->n, c->seed, format_of(c)));
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const xb_device_info *d = c->device;
  const parameters *p = of(c);
  if (down(c) * places(c->columns) > UINT32_MAX)
    return xb_refuse_case(c, err, "the kernels use 32-bit indices");
  if (p->from == TEXELS && c->n > d->max_texels)
    return xb_refuse_case(c, err, "%" PRIu64 " texels, a texel buffer has at most %" PRIu64 " here", c->n,
                          d->max_texels);
  const uint32_t wide = p->shape == LINE ? d->max_line : p->shape == VOLUME ? d->max_volume : d->max_image_size[0];
  const uint32_t high = p->shape == LINE ? UINT32_MAX : p->shape == VOLUME ? d->max_volume : d->max_image_size[1];
  if (p->from == IMAGE && (c->columns > wide || c->rows / layers(c) > high))
    return xb_refuse_case(c, err,
                          "%" PRIu64 " x %" PRIu64 " texels, an image has at most %" PRIu32 " x %" PRIu32 " here",
                          c->columns, c->rows / layers(c), wide, p->shape == LINE ? 1 : high);
  if (p->linear && !(d->linear_formats >> format_of(c) & 1))
    return xb_refuse_case(c, err, "the device does not filter this format");
  if (p->from != IMAGE && texel_bytes(c) > c->window_bytes)
    return xb_refuse_case(c, err, "%" PRIu64 " bytes of texels, a binding of the device has at most %" PRIu64,
                          texel_bytes(c), c->window_bytes);
  return XB_OK;
}

static void set_texels(const xb_case *c, xb_plan_binding *b)
{
  const parameters *p = of(c);
  b->texels = p->from == TEXELS ? format_of(c) : XB_TEXEL_NONE;
  b->image = p->from == IMAGE;
  b->sampler = (xb_sample_mode){
      .filter = p->linear ? XB_FILTER_LINEAR : XB_FILTER_POINT, .address = p->address, .normalized = p->normalized};
}

/* [plan] A dispatch for each window of the sums. All of the texels are in one binding. */
static xb_code textures_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  const uint64_t texel = xb_texel_bytes(format_of(c)), rows = c->rows / layers(c);
  const uint64_t sizes[] = {[BUFFER] = texel_bytes(c), [TEXELS] = c->n * texel, [IMAGE] = WORD}; /* an image is whole */
  xb_slot input = {.name = "texels",
                   .role = XB_ROLE_INPUT,
                   .bytes = texel_bytes(c),
                   .element_bytes = (uint32_t)texel,
                   .generate = generators[format_of(c)]};
  xb_windows w = {.all = places(c->columns) * down(c), .step = 1024};
  (void)err;
  if (p->from == IMAGE)
    input.image = image_of(c);
  xb_stream_of(&w, xb_plan_slot(plan, input), 0, XB_READ);
  w.streams[0].bytes = sizes[p->from];
  xb_stream_out(plan, &w, "sums", WORD);
  plan->bytes = (p->shape == LINE ? c->columns : c->n) * texel + w.all * WORD;
  plan->work = TEXTURES_BOX * (double)w.all;
  for (xb_step *step; (step = xb_next_window(c, plan, &w));) {
    set_texels(c, &step->bindings[0]);
    xb_step_fields(step, struct xb_textures_args, .first = (uint32_t)w.first, .count = (uint32_t)w.count,
                   .across = (uint32_t)places(c->columns), .down = (uint32_t)down(c),
                   .layer = (uint32_t)layer_places(c), .width = (uint32_t)c->columns, .height = (uint32_t)c->rows,
                   .order = c->at[ORDER_AXIS], .format = c->at[FORMAT_AXIS], .blends = p->linear,
                   .scale_x = p->normalized ? 1 / (float)c->columns : 1, .scale_y = p->normalized ? 1 / (float)rows : 1,
                   .scale_z = 1 / (float)layers(c));
  }
  return XB_OK;
}

/* ---- The host's sampler ----------------------------------------------------------------------------------------- */

static int64_t wrapped(int64_t i, uint64_t size)
{
  const int64_t n = (int64_t)size;
  return (i % n + n) % n;
}

static int64_t clamped(int64_t i, uint64_t size)
{
  return i < 0 ? 0 : i >= (int64_t)size ? (int64_t)size - 1 : i;
}

static double fetch(const xb_case *c, const float *texels, const uint64_t sizes[3], const int64_t at[3])
{
  uint64_t i = 0;
  for (int d = 2; d >= 0; d--) {
    const bool inside = at[d] >= 0 && at[d] < (int64_t)sizes[d];
    if (!inside && of(c)->address == XB_ADDRESS_BORDER)
      return 0;
    i = i * sizes[d] +
        (uint64_t)(of(c)->address == XB_ADDRESS_WRAP ? wrapped(at[d], sizes[d]) : clamped(at[d], sizes[d]));
  }
  return (double)texels[i];
}

/* At coordinates in texels: the middle of the first one is at 0.5. A dimension that the image lacks is at 0.5. */
static double sample(const xb_case *c, const float *texels, const double coordinates[3])
{
  const uint64_t sizes[3] = {c->columns, of(c)->shape == LINE ? 1 : c->rows / layers(c), layers(c)};
  const int corners = !of(c)->linear ? 1 : of(c)->shape == LINE ? 2 : of(c)->shape == VOLUME ? 8 : 4;
  int64_t first[3];
  double part[3], sum = 0;
  for (int d = 0; d < 3; d++) {
    const double x = coordinates[d] - (of(c)->linear ? 0.5 : 0);
    first[d] = (int64_t)floor(x);
    part[d] = of(c)->linear ? x - floor(x) : 0;
  }
  for (int k = 0; k < corners; k++) {
    int64_t at[3];
    double weight = 1;
    for (int d = 0; d < 3; d++) {
      at[d] = first[d] + (k >> d & 1);
      weight *= k >> d & 1 ? part[d] : 1 - part[d];
    }
    sum += weight * fetch(c, texels, sizes, at);
  }
  return sum;
}

static uint32_t every_second_bit(uint32_t bits)
{
  uint32_t value = 0;
  for (int b = 0; b < 5; b++)
    value |= (bits >> 2 * b & 1) << b;
  return value;
}

/* The place of thread i. */
static void place_of(const xb_case *c, uint64_t i, uint32_t *x, uint32_t *y)
{
  const uint64_t across = places(c->columns);
  switch (c->at[ORDER_AXIS]) {
  case 1: *x = (uint32_t)(i / down(c)), *y = (uint32_t)(i % down(c)); return;
  case 2:
    *x = (uint32_t)(i / 32 % (across / 8) * 8 + i % 8);
    *y = (uint32_t)(i / 32 / (across / 8) * 4 + i % 32 / 8);
    return;
  case 3:
    *x = (uint32_t)(i / 1024 % (across / 32) * 32) + every_second_bit((uint32_t)(i % 1024));
    *y = (uint32_t)(i / 1024 / (across / 32) * 32) + every_second_bit((uint32_t)(i % 1024) >> 1);
    return;
  default: *x = (uint32_t)(i % across), *y = (uint32_t)(i / across);
  }
}

/* The sum of thread i. Floats are added in the kernel's order. */
static float expected(const xb_case *c, const float *texels, uint64_t i)
{
  const bool line = of(c)->shape == LINE, volume = of(c)->shape == VOLUME;
  const uint32_t rows = (uint32_t)layer_places(c);
  uint32_t x, y;
  float sum = 0;
  place_of(c, i, &x, &y);
  for (uint32_t k = 0; k < TEXTURES_BOX; k++) {
    const uint32_t place[3] = {line ? x + k : x + k % 2,
                               volume ? y % rows
                               : line ? y
                                      : y + k / 2,
                               volume ? y / rows + k / 2 : 0};
    const uint32_t bits = (place[0] * 37 + place[1] * 101 + place[2] * 53) & 1023;
    const float part = of(c)->linear ? (float)bits / 1024 : 0.5f;
    double at[3] = {0.5, 0.5, 0.5};
    for (int d = 0; d < (line ? 1 : volume ? 3 : 2); d++)
      at[d] = (double)((float)place[d] - TEXTURES_MARGIN + part);
    sum += (float)sample(c, texels, at);
  }
  return sum;
}

/* The largest error of a sum that the specifications allow. */
static double allowed(const xb_case *c)
{
  const bool coarse = format_of(c) == XB_TEXEL_UNORM8;
  if (!of(c)->linear)
    return coarse ? TEXTURES_BOX * 0x1p-22 : 0;
  /* A weight's step, and the rounding of a coordinate that is divided by the size and multiplied by it again. */
  const double sizes = of(c)->normalized ? (double)(c->columns + c->rows + 3 * MARGINS) * 0x1p-22 : 0;
  const double weights = (of(c)->shape == VOLUME ? 3 : 2) * ldexp(1, -(int)c->device->filter_bits) + sizes,
               range = coarse ? 1 : 2;
  const double result = coarse ? 2.0 / 255 : 0x1p-9; /* it may have no more bits than a texel */
  return TEXTURES_BOX * (weights * range + result);
}

static bool textures_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const float *got = chunk->data;
  const double most = allowed(c);
  const float *texels = texels_of(c);
  for (uint64_t i = 0; i < chunk->count && texels; i++) {
    const float right = expected(c, texels, chunk->first + i);
    if (fabs((double)got[i] - (double)right) <= most)
      continue;
    return xb_wrong(why, "sum %" PRIu64 " is %.9g, expected %.9g within %.3g", chunk->first + i, (double)got[i],
                    (double)right, most);
  }
  return texels || xb_wrong(why, "out of host memory");
}

static void textures_observe(const xb_case *c, const xb_chunk *chunk, double seen[XB_MAX_SEEN])
{
  const float *got = chunk->data;
  const float *texels = of(c)->linear ? texels_of(c) : NULL;
  for (uint64_t i = 0; i < chunk->count && texels; i++)
    seen[0] = fmax(seen[0], fabs((double)got[i] - (double)expected(c, texels, chunk->first + i)));
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

static size_t textures_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)ns;
  metrics[0] = (xb_metric){"largest error", "error", plan->seen[0] / TEXTURES_BOX, false};
  metrics[1] = (xb_metric){"allowed error", "allowed", of(c)->linear ? allowed(c) / TEXTURES_BOX : 0, XB_UNKNOWN};
  return of(c)->linear ? 2 : 0;
}

/* The segments that 32 threads ask for, one texel each. Only the order of texels in a buffer is known. */
static double segments(const xb_case *c, uint32_t order)
{
  const double texel = xb_texel_bytes(format_of(c));
  return order == 0 ? WAVE * texel / SEGMENT_BYTES : order == 1 ? WAVE : 4 * fmax(1, 8 * texel / SEGMENT_BYTES);
}

static xb_model textures_predict(const xb_case *c)
{
  const double written = WAVE * WORD / SEGMENT_BYTES, here = segments(c, c->at[ORDER_AXIS]);
  if (of(c)->from == IMAGE)
    return (xb_model){.relative = NAN};
  return (xb_model){"segments", "32-byte segments of texels a wave of 32", here,
                    (segments(c, 0) + written) / (here + written)};
}

/* Only GPUs tell a cache. A CPU samples slowly, and the check samples each place again. */
XB_METHODS(.refuse = refuse, .plan = textures_plan, .check = textures_check, .observe = textures_observe,
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"fetches", "Gtexel/s", xb_work_of_run}},
           .metrics = textures_metrics, .predict = textures_predict, .grows = {.n = GPU_COLUMNS})

#include "benchmarks/rows.h"
