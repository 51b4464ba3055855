/* Textures and surfaces: what an object points to is in xb_cpu.h. Linear filtering has 8 bits of fraction, as CUDA
 * documents it. */
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t; /* of host code, which is not emulated */

namespace xb_cpu
{
struct texel {
  float c[4];
};

inline float half_to_float(unsigned int h)
{
  const unsigned int sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
  if (exponent == 0)
    return bits<float>(bits<unsigned int>((float)mantissa * 0x1p-24f) | sign);
  return bits<float>(sign | (exponent == 31 ? 0x7F800000u : (exponent + 112) << 23) | mantissa << 13);
}

/* A channel of a texel as float; integers as they are. */
inline float channel(const xb_cpu_texture *t, const unsigned char *at, unsigned int c)
{
  unsigned int word = 0;
  __builtin_memcpy(&word, at + c * (t->bits / 8), t->bits / 8);
  const int as_signed = (int)(word << (32 - t->bits)) >> (32 - t->bits);
  const unsigned int most = t->bits == 32 ? ~0u : (1u << t->bits) - 1;
  switch (t->format) {
  case XB_CPU_FLOAT: return t->bits == 16 ? half_to_float(word) : bits<float>(word);
  case XB_CPU_UNORM: return (float)word / (float)most;
  case XB_CPU_SNORM: return fmaxf((float)as_signed / (float)(most >> 1), -1.0f);
  default: return bits<float>(t->format == XB_CPU_SINT ? (unsigned int)as_signed : word);
  }
}

/* A coordinate inside; -1: beyond a border. */
inline int64_t inside(int64_t i, int64_t size, unsigned int address, bool normalized)
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

inline texel fetch(const xb_cpu_texture *t, int64_t x, int64_t y, int64_t z = 0)
{
  texel found = {};
  const uint64_t layer = t->pitch * t->height;
  x = inside(x, t->width, t->address[0], t->normalized);
  y = inside(y, t->height ? t->height : 1, t->address[1], t->normalized);
  z = inside(z, t->depth ? t->depth : 1, t->address[2], t->normalized);
  if (x < 0 || y < 0 || z < 0)
    return found;
  const unsigned char *at = (const unsigned char *)t->data + (uint64_t)z * layer + (uint64_t)y * t->pitch +
                            (uint64_t)x * t->channels * (t->bits / 8);
  for (unsigned int c = 0; c < t->channels; c++)
    found.c[c] = channel(t, at, c);
  return found;
}

/* A coordinate in texels, and where there is none the middle of the only one. */
inline double in_texels(const xb_cpu_texture *t, float u, uint32_t size)
{
  return !size ? 0.5 : t->normalized ? (double)u * size : (double)u;
}

/* The texels of a row, a square or a cube, by their weights. */
inline texel sample(const xb_cpu_texture *t, float u, float v = 0, float w = 0)
{
  const double at[3] = {in_texels(t, u, t->width), in_texels(t, v, t->height), in_texels(t, w, t->depth)};
  int64_t first[3];
  float part[3];
  for (int d = 0; d < 3; d++) {
    const double x = t->linear ? at[d] - 0.5 : at[d];
    first[d] = to_integer<int>(floor(x));
    part[d] = t->linear ? (float)(rint((x - floor(x)) * 256) / 256) : 0;
  }
  if (!t->linear)
    return fetch(t, first[0], first[1], first[2]);
  texel mixed = {};
  for (int k = 0; k < (t->depth ? 8 : 4); k++) {
    const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
    const float weight = (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (l ? part[2] : 1 - part[2]);
    const texel one = fetch(t, first[0] + i, first[1] + j, first[2] + l);
    for (unsigned int c = 0; c < 4; c++)
      mixed.c[c] += weight * one.c[c];
  }
  return mixed;
}

/* The texel as the type that the kernel asks for. */
template <class T> struct texel_as;
template <> struct texel_as<float> {
  static float of(texel t) { return t.c[0]; }
};
template <> struct texel_as<float2> {
  static float2 of(texel t) { return {t.c[0], t.c[1]}; }
};
template <> struct texel_as<float4> {
  static float4 of(texel t) { return {t.c[0], t.c[1], t.c[2], t.c[3]}; }
};
#define XB_CPU_TEXEL(name, T)                                                                                          \
  template <> struct texel_as<T> {                                                                                     \
    static T of(texel t) { return (T)bits<unsigned int>(t.c[0]); }                                                     \
  };                                                                                                                   \
  template <> struct texel_as<name##1> {                                                                               \
    static name##1 of(texel t) { return {texel_as<T>::of(t)}; }                                                        \
  };                                                                                                                   \
  template <> struct texel_as<name##2> {                                                                               \
    static name##2 of(texel t) { return {(T)bits<unsigned int>(t.c[0]), (T)bits<unsigned int>(t.c[1])}; }              \
  };                                                                                                                   \
  template <> struct texel_as<name##4> {                                                                               \
    static name##4 of(texel t)                                                                                         \
    {                                                                                                                  \
      return {(T)bits<unsigned int>(t.c[0]), (T)bits<unsigned int>(t.c[1]), (T)bits<unsigned int>(t.c[2]),             \
              (T)bits<unsigned int>(t.c[3])};                                                                          \
    }                                                                                                                  \
  };
XB_CPU_TEXEL(int, int)
XB_CPU_TEXEL(uint, unsigned int)
XB_CPU_TEXEL(short, short)
XB_CPU_TEXEL(ushort, unsigned short)
XB_CPU_TEXEL(char, signed char)
XB_CPU_TEXEL(uchar, unsigned char)

__forceinline__ const xb_cpu_texture *texture(cudaTextureObject_t object) { return (const xb_cpu_texture *)object; }
} // namespace xb_cpu

template <class T> T tex1Dfetch(cudaTextureObject_t object, int x)
{
  const xb_cpu_texture *t = xb_cpu::texture(object);
  if (x < 0 || (unsigned int)x >= t->width)
    return xb_cpu::texel_as<T>::of(xb_cpu::texel{});
  return xb_cpu::texel_as<T>::of(xb_cpu::fetch(t, x, 0));
}
template <class T> T tex1D(cudaTextureObject_t object, float x)
{
  return xb_cpu::texel_as<T>::of(xb_cpu::sample(xb_cpu::texture(object), x));
}
template <class T> T tex2D(cudaTextureObject_t object, float x, float y)
{
  return xb_cpu::texel_as<T>::of(xb_cpu::sample(xb_cpu::texture(object), x, y));
}
template <class T> T tex3D(cudaTextureObject_t object, float x, float y, float z)
{
  return xb_cpu::texel_as<T>::of(xb_cpu::sample(xb_cpu::texture(object), x, y, z));
}
template <class T> T tex2DLod(cudaTextureObject_t object, float x, float y, float) { return tex2D<T>(object, x, y); }
template <class T> void tex2D(T *to, cudaTextureObject_t object, float x, float y) { *to = tex2D<T>(object, x, y); }

/* ---- Surfaces: x is in bytes, and no format converts. --------------------------------------------------------- */

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace xb_cpu
{
/* The place of a T; NULL: beyond the image, where nothing is read or written. */
inline void *surface_place(cudaSurfaceObject_t object, int x, int y, unsigned int bytes, cudaSurfaceBoundaryMode mode,
                           const char *file, unsigned int line)
{
  const xb_cpu_texture *t = texture(object);
  const int width = (int)t->pitch, height = (int)t->height, aligned = x - (x % (int)bytes + (int)bytes) % (int)bytes;
  const bool outside = x < 0 || y < 0 || x >= width || y >= height;
  if (x != aligned)
    fail("a surface access whose x, which is in bytes, is not a multiple of the type's size", file, line);
  if (outside && mode == cudaBoundaryModeTrap)
    fail("a surface access beyond the image, with cudaBoundaryModeTrap (the default)", file, line);
  if (outside && mode == cudaBoundaryModeZero)
    return nullptr;
  x = x < 0 ? 0 : x >= width ? width - (int)bytes : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return (unsigned char *)const_cast<void *>(t->data) + (uint64_t)y * t->pitch + (uint64_t)x;
}
} // namespace xb_cpu

template <class T>
T surf2Dread(cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,
             const char *file = __builtin_FILE(), unsigned int line = __builtin_LINE())
{
  T value = {};
  if (const void *from = xb_cpu::surface_place(object, x, y, sizeof(T), mode, file, line))
    memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void surf2Dread(T *to, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,
                const char *file = __builtin_FILE(), unsigned int line = __builtin_LINE())
{
  *to = surf2Dread<T>(object, x, y, mode, file, line);
}
template <class T>
void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,
                 const char *file = __builtin_FILE(), unsigned int line = __builtin_LINE())
{
  if (void *to = xb_cpu::surface_place(object, x, y, sizeof(T), mode, file, line))
    memcpy(to, &value, sizeof value);
}
