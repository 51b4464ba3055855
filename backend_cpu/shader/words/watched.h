/* What a watched shader has beside: what it does to memory is told to the runtime. */
#ifdef XB_WATCHED

/* An index that an array has not; length 0: all indices are right. */
typedef struct xb_bad {
  int64_t index;
  uint64_t length;
} xb_bad;

/* Where an OpImageTexelPointer leads. */
typedef struct xb_point {
  const xb_cpu_texture *image;
  int32_t at[3];
} xb_point;

#define XB_CHECK_INDEX(x, i, count)                                                                                    \
  if (!(x).length && (uint64_t)(i) >= (count))                                                                         \
    (x) = (xb_bad)                                                                                                     \
    {                                                                                                                  \
      (i), (count)                                                                                                     \
    }

XB_INLINE bool xb_within(const xb_bad *x, const xb_cpu_site *site)
{
  if (__builtin_expect(x->length == 0, 1))
    return true;
  runtime->beyond(site, x->index, x->length);
  return false;
}
#endif
