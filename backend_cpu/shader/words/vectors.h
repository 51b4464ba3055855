/* Vectors and matrices as a whole. T: the number's type; N: components of the operand; a scalar counts as one. A matrix
 * has C columns of R rows. */

#define XB_OF(T, v) ((const T *)&(v))
#define XB_DOT(T, N, a, b)                                                                                             \
  ({                                                                                                                   \
    T sum_ = (a)[0] * (b)[0];                                                                                          \
    for (uint32_t i_ = 1; i_ < (N); i_++)                                                                              \
      sum_ += (a)[i_] * (b)[i_];                                                                                       \
    sum_;                                                                                                              \
  })
#define XB_LENGTH(T, N, r, a) r = (T)XB_F(sqrt, XB_DOT(T, N, XB_OF(T, a), XB_OF(T, a)))
#define XB_DISTANCE(T, N, r, a, b)                                                                                     \
  {                                                                                                                    \
    T apart_[4];                                                                                                       \
    for (uint32_t i = 0; i < (N); i++)                                                                                 \
      apart_[i] = XB_OF(T, a)[i] - XB_OF(T, b)[i];                                                                     \
    r = (T)XB_F(sqrt, XB_DOT(T, N, apart_, apart_));                                                                   \
  }
#define XB_NORMALIZE(T, N, r, a)                                                                                       \
  {                                                                                                                    \
    const T length_ = (T)XB_F(sqrt, XB_DOT(T, N, XB_OF(T, a), XB_OF(T, a)));                                           \
    for (uint32_t i = 0; i < (N); i++)                                                                                 \
      ((T *)&(r))[i] = XB_OF(T, a)[i] / length_;                                                                       \
  }
#define XB_CROSS(T, N, r, a, b)                                                                                        \
  for (uint32_t i = 0; i < 3; i++)                                                                                     \
  (r).c[i] = (a).c[(i + 1) % 3] * (b).c[(i + 2) % 3] - (a).c[(i + 2) % 3] * (b).c[(i + 1) % 3]
#define XB_FACE(T, N, r, n, i, reference)                                                                              \
  {                                                                                                                    \
    const T side_ = XB_DOT(T, N, XB_OF(T, reference), XB_OF(T, i));                                                    \
    for (uint32_t k = 0; k < (N); k++)                                                                                 \
      ((T *)&(r))[k] = side_ < 0 ? XB_OF(T, n)[k] : -XB_OF(T, n)[k];                                                   \
  }
#define XB_REFLECT(T, N, r, i, n)                                                                                      \
  {                                                                                                                    \
    const T along_ = XB_DOT(T, N, XB_OF(T, n), XB_OF(T, i));                                                           \
    for (uint32_t k = 0; k < (N); k++)                                                                                 \
      ((T *)&(r))[k] = XB_OF(T, i)[k] - 2 * along_ * XB_OF(T, n)[k];                                                   \
  }
#define XB_REFRACT(T, N, r, i, n, eta)                                                                                 \
  {                                                                                                                    \
    const T along_ = XB_DOT(T, N, XB_OF(T, n), XB_OF(T, i)), part_ = (T)(1 - (eta) * (eta) * (1 - along_ * along_));   \
    for (uint32_t k = 0; k < (N); k++)                                                                                 \
      ((T *)&(r))[k] =                                                                                                 \
          part_ < 0 ? 0 : (T)((eta)*XB_OF(T, i)[k] - ((eta)*along_ + XB_F(sqrt, part_)) * XB_OF(T, n)[k]);             \
  }

/* ---- Packed numbers --------------------------------------------------------------------------------------------- */

#define XB_BITCAST_OF(T, N, r, a) XB_BITCAST(r, a)
#define XB_PACK_HALF(T, N, r, a) r = xb_half_of((a).c[0]) | xb_half_of((a).c[1]) << 16
#define XB_UNPACK_HALF(T, N, r, a) ((r).c[0] = xb_of_half((a)&0xffff), (r).c[1] = xb_of_half((a) >> 16))
#define XB_PACK(r, a, count, low, scale)                                                                               \
  {                                                                                                                    \
    uint32_t packed_ = 0;                                                                                              \
    for (uint32_t i = 0; i < (count); i++) {                                                                           \
      const float x_ = fminf(fmaxf((a).c[i], low), 1.0f);                                                              \
      packed_ |= ((uint32_t)(int32_t)rintf(x_ * (scale)) & (uint32_t)xb_ones(32 / (count))) << (32 / (count)*i);       \
    }                                                                                                                  \
    r = packed_;                                                                                                       \
  }
#define XB_UNPACK(S, r, a, count, scale)                                                                               \
  for (uint32_t i = 0; i < (count); i++)                                                                               \
  (r).c[i] = fmaxf((float)(S)((a) >> (32 / (count)*i)) / (scale), -1.0f)
#define XB_PACK_SNORM8(T, N, r, a) XB_PACK(r, a, 4, -1.0f, 127.0f)
#define XB_PACK_UNORM8(T, N, r, a) XB_PACK(r, a, 4, 0.0f, 255.0f)
#define XB_PACK_SNORM16(T, N, r, a) XB_PACK(r, a, 2, -1.0f, 32767.0f)
#define XB_PACK_UNORM16(T, N, r, a) XB_PACK(r, a, 2, 0.0f, 65535.0f)
#define XB_UNPACK_SNORM8(T, N, r, a) XB_UNPACK(int8_t, r, a, 4, 127.0f)
#define XB_UNPACK_UNORM8(T, N, r, a) XB_UNPACK(uint8_t, r, a, 4, 255.0f)
#define XB_UNPACK_SNORM16(T, N, r, a) XB_UNPACK(int16_t, r, a, 2, 32767.0f)
#define XB_UNPACK_UNORM16(T, N, r, a) XB_UNPACK(uint16_t, r, a, 2, 65535.0f)

/* ---- Matrices --------------------------------------------------------------------------------------------------- */

#define XB_TRANSPOSE(C, R, r, a)                                                                                       \
  for (uint32_t i = 0; i < (R); i++)                                                                                   \
    for (uint32_t k = 0; k < (C); k++)                                                                                 \
  (r).c[i].c[k] = (a).c[k].c[i]
#define XB_MATRIX_SCALE(C, R, r, a, b)                                                                                 \
  for (uint32_t i = 0; i < (C); i++)                                                                                   \
    for (uint32_t k = 0; k < (R); k++)                                                                                 \
  (r).c[i].c[k] = (a).c[i].c[k] * (b)
#define XB_MATRIX_VECTOR(C, R, r, a, b)                                                                                \
  for (uint32_t k = 0; k < (R); k++) {                                                                                 \
    __typeof__((r).c[0]) sum_ = (a).c[0].c[k] * (b).c[0];                                                              \
    for (uint32_t i = 1; i < (C); i++)                                                                                 \
      sum_ += (a).c[i].c[k] * (b).c[i];                                                                                \
    (r).c[k] = sum_;                                                                                                   \
  }
#define XB_VECTOR_MATRIX(C, R, r, a, b)                                                                                \
  for (uint32_t k = 0; k < (C); k++) {                                                                                 \
    __typeof__((r).c[0]) sum_ = (a).c[0] * (b).c[k].c[0];                                                              \
    for (uint32_t i = 1; i < (R); i++)                                                                                 \
      sum_ += (a).c[i] * (b).c[k].c[i];                                                                                \
    (r).c[k] = sum_;                                                                                                   \
  }
/* The result has OUT columns. */
#define XB_MATRIX_MATRIX(C, R, OUT, r, a, b)                                                                           \
  for (uint32_t j = 0; j < (OUT); j++)                                                                                 \
  XB_MATRIX_VECTOR(C, R, (r).c[j], a, (b).c[j])
#define XB_OUTER(C, R, r, a, b)                                                                                        \
  for (uint32_t i = 0; i < (C); i++)                                                                                   \
    for (uint32_t k = 0; k < (R); k++)                                                                                 \
  (r).c[i].c[k] = (a).c[k] * (b).c[i]

/* The determinant of the rows and columns whose bits are left, along the first of these columns. */
static __attribute__((noinline, unused)) double xb_minor(const double m[4][4], uint32_t count, uint32_t without_column,
                                                         uint32_t without_row)
{
  double a[4][4], product = 1;
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = 0;
    if (i == without_column)
      continue;
    for (uint32_t j = 0; j < count; j++)
      if (j != without_row)
        a[n][k++] = m[i][j];
    n++;
  }
  for (uint32_t i = 0; i < n; i++) { /* elimination, with the largest number as the pivot */
    uint32_t best = i;
    for (uint32_t j = i + 1; j < n; j++)
      best = fabs(a[j][i]) > fabs(a[best][i]) ? j : best;
    if (a[best][i] == 0)
      return 0;
    if (best != i)
      product = -product;
    for (uint32_t k = 0; k < n; k++) {
      const double other = a[i][k];
      a[i][k] = a[best][k], a[best][k] = other;
    }
    product *= a[i][i];
    for (uint32_t j = i + 1; j < n; j++)
      for (uint32_t k = n; k-- > i;)
        a[j][k] -= a[i][k] * (a[j][i] / a[i][i]);
  }
  return product;
}
#define XB_AS_DOUBLES(N, a)                                                                                            \
  double m_[4][4];                                                                                                     \
  for (uint32_t i = 0; i < (N); i++)                                                                                   \
    for (uint32_t k = 0; k < (N); k++)                                                                                 \
      m_[i][k] = (double)(a).c[i].c[k];
#define XB_DETERMINANT(T, N, r, a)                                                                                     \
  {                                                                                                                    \
    XB_AS_DOUBLES(N, a)                                                                                                \
    r = (T)xb_minor(m_, N, N, N);                                                                                      \
  }
#define XB_INVERSE(T, N, r, a)                                                                                         \
  {                                                                                                                    \
    XB_AS_DOUBLES(N, a)                                                                                                \
    const double all_ = xb_minor(m_, N, N, N);                                                                         \
    for (uint32_t i = 0; i < (N); i++)                                                                                 \
      for (uint32_t k = 0; k < (N); k++)                                                                               \
        (r).c[i].c[k] = (T)(((i + k) % 2 ? -1 : 1) * xb_minor(m_, N, k, i) / all_);                                    \
  }
