/* Operations of a wave, for all lanes that are there: `w` has what each gave, a W with the value `v`, the number `k`
 * and the lanes of its `part`. Results take the place of what was given. */

#define XB_LANES(w, l)                                                                                                 \
  for (uint32_t l = 0; l < (w)->size; l++)                                                                             \
    if ((w)->lanes[l])
#define XB_LANE(W, w, l) ((W *)(w)->lanes[l])
#define XB_BIT(ballot, lane) (XB_OF(uint32_t, ballot)[(lane) / 32 & 3] >> (lane) % 32 & 1)

/* What a lane reads of one that is not there: undefined, so nothing that could be right by chance. A watched launch
 * tries other values, too. */
#ifdef XB_WATCHED
#define XB_ABSENT(x, w, lane, from)                                                                                    \
  do {                                                                                                                 \
    const uint64_t absent_ = runtime->absent(w, lane, from);                                                           \
    for (size_t at_ = 0; at_ < sizeof(x); at_ += sizeof absent_)                                                       \
      __builtin_memcpy((char *)&(x) + at_, &absent_, sizeof(x) - at_ < 8 ? sizeof(x) - at_ : 8);                       \
  } while (0)
#else
#define XB_ABSENT(x, w, lane, from) __builtin_memset(&(x), 0xA5, sizeof(x))
#endif

XB_INLINE uint32_t xb_first(const xb_cpu_wave *w)
{
  uint32_t l = 0;
  while (!w->lanes[l])
    l++;
  return l;
}
/* Bits of a ballot up to `end`. */
XB_INLINE uint32_t xb_count_bits(const void *ballot, uint32_t end)
{
  const uint32_t *b = ballot;
  uint32_t sum = 0;
  for (uint32_t l = 0; l < end; l++)
    sum += b[l / 32] >> l % 32 & 1;
  return sum;
}
XB_INLINE uint32_t xb_find_bit(const void *ballot, int last)
{
  const uint32_t *b = ballot;
  uint32_t found = ~0u;
  for (uint32_t l = 0; l < xb_block()->wave; l++)
    if (b[l / 32] >> l % 32 & 1) {
      found = l;
      if (!last)
        break;
    }
  return found;
}
/* A word of SubgroupEqMask (kind 0), Ge, Gt, Le, Lt. */
XB_INLINE uint32_t xb_lane_mask(uint32_t word, uint32_t kind)
{
  const uint32_t self = xb_lane(), size = xb_block()->wave;
  uint32_t bits = 0;
  for (uint32_t i = 0, l = 32 * word; i < 32 && l < size; i++, l++) {
    const uint32_t is[] = {l == self, l >= self, l > self, l <= self, l < self};
    bits |= is[kind] << i;
  }
  return bits;
}

/* CLUSTER 0: the whole wave. The expression combines A, what is there so far, and B. */
enum { XB_REDUCE, XB_INCLUSIVE, XB_EXCLUSIVE };
#define XB_COMBINE(W, T, N, KIND, CLUSTER, INITIAL, EXPRESSION)                                                        \
  const uint32_t step_ = (CLUSTER) && (CLUSTER) < w->size ? (CLUSTER) : w->size;                                       \
  for (uint32_t c_ = 0; c_ < (N); c_++)                                                                                \
    for (uint32_t from_ = 0; from_ < w->size; from_ += step_) {                                                        \
      T A = (T)(INITIAL);                                                                                              \
      for (uint32_t l = from_; l < from_ + step_; l++) {                                                               \
        if (!w->lanes[l])                                                                                              \
          continue;                                                                                                    \
        T *const x_ = (T *)&XB_LANE(W, w, l)->v + c_, B = *x_, before_ = A;                                            \
        A = (T)(EXPRESSION);                                                                                           \
        if ((KIND) == XB_INCLUSIVE)                                                                                    \
          *x_ = A;                                                                                                     \
        if ((KIND) == XB_EXCLUSIVE)                                                                                    \
          *x_ = before_;                                                                                               \
      }                                                                                                                \
      for (uint32_t l = from_; (KIND) == XB_REDUCE && l < from_ + step_; l++)                                          \
        if (w->lanes[l])                                                                                               \
          ((T *)&XB_LANE(W, w, l)->v)[c_] = A;                                                                         \
    }

/* Each lane with those of its part. */
#define XB_COMBINE_PARTS(W, T, N, KIND, CLUSTER, INITIAL, EXPRESSION)                                                  \
  W given_[XB_CPU_MOST_WAVE];                                                                                          \
  XB_LANES(w, l) given_[l] = *XB_LANE(W, w, l);                                                                        \
  for (uint32_t c_ = 0; c_ < (N); c_++)                                                                                \
    XB_LANES(w, self_)                                                                                                 \
    {                                                                                                                  \
      T A = (T)(INITIAL);                                                                                              \
      XB_LANES(w, l)                                                                                                   \
      {                                                                                                                \
        const T B = ((const T *)&given_[l].v)[c_];                                                                     \
        if (XB_BIT(given_[self_].part, l) &&                                                                           \
            ((KIND) == XB_REDUCE || l < self_ || ((KIND) == XB_INCLUSIVE && l == self_)))                              \
          A = (T)(EXPRESSION);                                                                                         \
      }                                                                                                                \
      ((T *)&XB_LANE(W, w, self_)->v)[c_] = A;                                                                         \
    }

/* Each lane's value from the lane that the expression names by L (its own) and K (its number). */
#define XB_MOVE(W, V, FROM)                                                                                            \
  V all_[XB_CPU_MOST_WAVE];                                                                                            \
  XB_LANES(w, L) all_[L] = XB_LANE(W, w, L)->v;                                                                        \
  XB_LANES(w, L)                                                                                                       \
  {                                                                                                                    \
    const uint32_t K = XB_LANE(W, w, L)->k;                                                                            \
    const uint32_t from_ = (FROM);                                                                                     \
    (void)K;                                                                                                           \
    if (from_ < w->size && w->lanes[from_])                                                                            \
      XB_LANE(W, w, L)->v = all_[from_];                                                                               \
    else                                                                                                               \
      XB_ABSENT(XB_LANE(W, w, L)->v, w, L, from_);                                                                     \
  }
#define XB_ROTATE(W, V, CLUSTER)                                                                                       \
  const uint32_t step_ = (CLUSTER) ? (CLUSTER) : w->size;                                                              \
  XB_MOVE(W, V, (L & ~(step_ - 1)) | ((L + K) & (step_ - 1)))

/* Number n of a cooperative matrix: of a lane that is not there, 0. */
#define XB_ELEMENT(W, matrix, n) (w->lanes[(n) % w->size] ? XB_LANE(W, w, (n) % w->size)->matrix.c[(n) / w->size] : 0)

#define XB_BALLOT(W)                                                                                                   \
  uint32_t bits_[4] = {0};                                                                                             \
  XB_LANES(w, l) bits_[l / 32] |= (uint32_t)(XB_LANE(W, w, l)->k != 0) << l % 32;                                      \
  XB_LANES(w, l) __builtin_memcpy(&XB_LANE(W, w, l)->v, bits_, sizeof XB_LANE(W, w, l)->v);
#define XB_VOTE(W, INITIAL, EXPRESSION)                                                                                \
  uint32_t A = (INITIAL);                                                                                              \
  XB_LANES(w, l)                                                                                                       \
  {                                                                                                                    \
    const uint32_t K = XB_LANE(W, w, l)->k;                                                                            \
    A = (EXPRESSION);                                                                                                  \
  }                                                                                                                    \
  XB_LANES(w, l) XB_LANE(W, w, l)->k = A;
#define XB_QUAD_VOTE(W, INITIAL, EXPRESSION)                                                                           \
  uint32_t votes_[XB_CPU_MOST_WAVE / 4];                                                                               \
  for (uint32_t q_ = 0; q_ < w->size / 4; q_++)                                                                        \
    votes_[q_] = (INITIAL);                                                                                            \
  XB_LANES(w, l)                                                                                                       \
  {                                                                                                                    \
    const uint32_t K = XB_LANE(W, w, l)->k, A = votes_[l / 4];                                                         \
    votes_[l / 4] = (EXPRESSION);                                                                                      \
  }                                                                                                                    \
  XB_LANES(w, l) XB_LANE(W, w, l)->k = votes_[l / 4];
#define XB_ELECT(W)                                                                                                    \
  const uint32_t first_ = xb_first(w);                                                                                 \
  XB_LANES(w, l) XB_LANE(W, w, l)->k = l == first_;
#define XB_SAME(W, a, b) !memcmp(&XB_LANE(W, w, a)->v, &XB_LANE(W, w, b)->v, sizeof XB_LANE(W, w, a)->v)
#define XB_ALL_EQUAL(W)                                                                                                \
  uint32_t same_ = 1;                                                                                                  \
  const uint32_t first_ = xb_first(w);                                                                                 \
  XB_LANES(w, l) same_ &= XB_SAME(W, l, first_);                                                                       \
  XB_LANES(w, l) XB_LANE(W, w, l)->k = same_;
#define XB_PARTITION(W)                                                                                                \
  XB_LANES(w, l)                                                                                                       \
  {                                                                                                                    \
    memset(XB_LANE(W, w, l)->part, 0, sizeof XB_LANE(W, w, l)->part);                                                  \
    XB_LANES(w, m) XB_LANE(W, w, l)->part[m / 32] |= (uint32_t)XB_SAME(W, l, m) << m % 32;                             \
  }
