/* Images: what an object points to is in xb_cpu.h. Linear filtering has 8 bits of fraction, as the textures of the CUDA
 * side have, so that both read the same. */

typedef struct xb_texel {
  float c[4]; /* integers as their bits */
} xb_texel;
typedef struct xb_sampled {
  const xb_cpu_texture *image, *sampler;
} xb_sampled;

XB_INLINE float xb_channel(const xb_cpu_texture *t, const unsigned char *at, uint32_t c)
{
  uint32_t word = 0;
  __builtin_memcpy(&word, at + c * (t->bits / 8), t->bits / 8);
  const int32_t as_signed = (int32_t)(word << (32 - t->bits)) >> (32 - t->bits);
  const uint32_t most = t->bits == 32 ? ~0u : (1u << t->bits) - 1;
  switch (t->format) {
  case XB_CPU_FLOAT: return t->bits == 16 ? xb_of_half(word) : xb_float_of(word);
  case XB_CPU_UNORM: return (float)word / (float)most;
  case XB_CPU_SNORM: return fmaxf((float)as_signed / (float)(most >> 1), -1.0f);
  default: return xb_float_of(t->format == XB_CPU_SINT ? (uint32_t)as_signed : word);
  }
}

XB_INLINE void xb_set_channel(const xb_cpu_texture *t, unsigned char *at, uint32_t c, float value)
{
  const uint32_t most = t->bits == 32 ? ~0u : (1u << t->bits) - 1;
  uint32_t word = xb_bits_of(value);
  if (t->format == XB_CPU_FLOAT && t->bits == 16)
    word = xb_half_of(value);
  else if (t->format == XB_CPU_UNORM)
    word = (uint32_t)rintf(fminf(fmaxf(value, 0), 1) * (float)most);
  else if (t->format == XB_CPU_SNORM)
    word = (uint32_t)(int32_t)rintf(fminf(fmaxf(value, -1), 1) * (float)(most >> 1));
  __builtin_memcpy(at + c * (t->bits / 8), &word, t->bits / 8);
}

/* The texel's address; NULL: beyond the image. */
XB_INLINE char *xb_place(const xb_cpu_texture *t, const int32_t at[3])
{
  const uint32_t height = t->height ? t->height : 1, depth = t->depth ? t->depth : 1;
  if ((uint32_t)at[0] >= t->width || (uint32_t)at[1] >= height || (uint32_t)at[2] >= depth)
    return NULL;
  return (char *)t->data + ((uint64_t)(uint32_t)at[2] * height + (uint32_t)at[1]) * t->pitch +
         (uint64_t)(uint32_t)at[0] * t->channels * (t->bits / 8);
}

/* Parts that the format has not: 0, and 1 as the fourth. */
XB_INLINE xb_texel xb_read(const xb_cpu_texture *t, const char *at)
{
  const bool integer = t->format == XB_CPU_UINT || t->format == XB_CPU_SINT;
  xb_texel found = {{0, 0, 0, integer ? xb_float_of(1) : 1.0f}};
  for (uint32_t c = 0; at && c < t->channels; c++)
    found.c[c] = xb_channel(t, (const unsigned char *)at, c);
  return found;
}

/* Beyond the image: zeros. */
XB_INLINE xb_texel xb_fetch(const xb_cpu_texture *t, const int32_t at[3])
{
  const char *place = xb_place(t, at);
  return place ? xb_read(t, place) : (xb_texel){{0}};
}
XB_INLINE void xb_write(const xb_cpu_texture *t, const int32_t at[3], xb_texel value)
{
  unsigned char *place = (unsigned char *)xb_place(t, at);
  for (uint32_t c = 0; place && c < t->channels; c++)
    xb_set_channel(t, place, c, value.c[c]);
}

/* ---- Samplers --------------------------------------------------------------------------------------------------- */

/* A coordinate inside; -1: beyond a border. */
XB_INLINE int64_t xb_inside(int64_t i, int64_t size, uint32_t address, bool normalized)
{
  if (i >= 0 && i < size)
    return i;
  if (address == XB_CPU_BORDER)
    return -1;
  if (address == XB_CPU_WRAP && normalized)
    return (i % size + size) % size;
  if (address == XB_CPU_MIRROR && normalized) {
    const int64_t twice = (i % (2 * size) + 2 * size) % (2 * size);
    return twice < size ? twice : 2 * size - 1 - twice;
  }
  return i < 0 ? 0 : size - 1;
}

XB_INLINE xb_texel xb_texel_at(xb_sampled s, const int64_t at[3])
{
  const uint32_t sizes[3] = {s.image->width, s.image->height, s.image->depth};
  int32_t inside[3];
  for (int d = 0; d < 3; d++) {
    inside[d] = (int32_t)xb_inside(at[d], sizes[d] ? sizes[d] : 1, s.sampler->address[d], s.sampler->normalized);
    if (inside[d] < 0)
      return (xb_texel){{0}};
  }
  return xb_fetch(s.image, inside);
}

/* A coordinate in texels, where there is none the middle of the only one; and the first of two texels to mix. */
XB_INLINE void xb_in_texels(xb_sampled s, const float at[3], const int32_t offset[3], bool linear, int64_t first[3],
                            float part[3])
{
  const uint32_t sizes[3] = {s.image->width, s.image->height, s.image->depth};
  for (int d = 0; d < 3; d++) {
    const double in = !sizes[d] ? 0.5 : s.sampler->normalized ? (double)at[d] * sizes[d] : (double)at[d];
    const double x = (linear ? in - 0.5 : in), whole = floor(fmin(fmax(x, -0x1p30), 0x1p30));
    first[d] = (int64_t)whole + (sizes[d] ? offset[d] : 0);
    part[d] = linear ? (float)(rint((x - whole) * 256) / 256) : 0;
  }
}

static __attribute__((noinline, unused)) xb_texel xb_sample(xb_sampled s, const float at[3], const int32_t offset[3])
{
  int64_t first[3];
  float part[3];
  xb_in_texels(s, at, offset, s.sampler->linear, first, part);
  if (!s.sampler->linear)
    return xb_texel_at(s, first);
  xb_texel mixed = {{0}};
  for (int k = 0; k < (s.image->depth ? 8 : 4); k++) {
    const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
    const float weight = (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (l ? part[2] : 1 - part[2]);
    const xb_texel one = xb_texel_at(s, (int64_t[3]){first[0] + i, first[1] + j, first[2] + l});
    for (uint32_t c = 0; c < 4; c++)
      mixed.c[c] += weight * one.c[c];
  }
  return mixed;
}

/* One component of the four texels that a linear filter would mix: below left, below right, above right, above left. */
static __attribute__((noinline, unused)) xb_texel xb_gather(xb_sampled s, const float at[3], const int32_t offset[3],
                                                            uint32_t component)
{
  static const int across[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
  int64_t first[3];
  float part[3];
  xb_texel gathered;
  xb_in_texels(s, at, offset, true, first, part);
  for (int k = 0; k < 4; k++)
    gathered.c[k] = xb_texel_at(s, (int64_t[3]){first[0] + across[k], first[1] + down[k], first[2]}).c[component & 3];
  return gathered;
}
