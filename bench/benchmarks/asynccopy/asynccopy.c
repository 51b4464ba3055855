/* Copies from device memory to shared memory. A group copies a tile, waits for all of it, and each thread works with
 * what its neighbour has copied; then comes the next tile. The end of a thread is a checksum of each word that it read,
 * and each word is read once: so no copy can be dropped. n is rounded up to whole groups, which makes edges the same
 * for all kinds of copies. */
#include "benchmarks/asynccopy/asynccopy_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  uint32_t bytes;       /* of an element */
  const char *large[2]; /* parts whose tiles have 32 and 48 KiB; NULL: there are none */
  uint32_t capability;  /* CUDA: the first compute capability that has such copies */
} parameters;

enum {
  COPIES = 0, /* axes */
  WORK = 1,
  LARGE = 32 << 10,
  LARGEST = 48 << 10,
  GROUP_WORDS = ASYNCCOPY_TILES * LARGEST / WORD, /* at most */
  CACHES = 4,                                     /* the input has so many times the bytes of the last-level cache */
};

/* Bytes of a group that have to be in flight, by Little's law: 36 GB/s for each multiprocessor (4.8 TB/s and 132 of
 * them, by an H200's datasheet) and 600 ns of latency, for 16 groups of 128 threads. */
static const double ENOUGH = 36.0 * 600 / 16;

static uint64_t tile_bytes(const xb_case *c)
{
  return (uint64_t)c->at[COPIES] * of(c)->bytes * c->block;
}

static uint64_t group_words(const xb_case *c)
{
  return ASYNCCOPY_TILES * tile_bytes(c) / WORD;
}

static uint64_t groups(const xb_case *c)
{
  return xb_ceil_div(c->n, group_words(c));
}

/* The part with the smallest tile that is large enough; NULL: the row's own kernel. */
static const char *part_of(const xb_case *c)
{
  return tile_bytes(c) <= ASYNCCOPY_TILE ? NULL : of(c)->large[tile_bytes(c) > LARGE];
}

static uint32_t most_tile(const xb_case *c)
{
  const uint32_t shared = c->device->shared_bytes;
  return !of(c)->large[0] || shared < LARGE ? ASYNCCOPY_TILE : shared < LARGEST ? LARGE : LARGEST;
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const uint32_t capability = c->device->compute_capability, copies = c->at[COPIES], work = c->at[WORK];
  const uint32_t most = most_tile(c);
  if (!copies || copies > most || tile_bytes(c) > most)
    return xb_refuse_case(
        c, err, "a tile has at most %" PRIu32 " bytes here: 1 to %" PRIu32 " copies of %" PRIu32 " bytes, not %" PRIu32,
        most, most / of(c)->bytes / c->block, of(c)->bytes, copies);
  const uint64_t most_work = (uint64_t)XB_MOST_ITERATIONS * c->block / group_words(c) - 1;
  if (!work || work > most_work)
    return xb_refuse_case(c, err, "work is 1 to %" PRIu64 ", not %" PRIu32, most_work, work);
  if (capability < of(c)->capability)
    return xb_refuse_case(c, err,
                          "%s needs compute capability %" PRIu32 ".%" PRIu32 ", this device has %" PRIu32 ".%" PRIu32,
                          of(c)->capability >= 90 ? "a bulk copy (TMA)" : "an asynchronous copy",
                          of(c)->capability / 10, of(c)->capability % 10, capability / 10, capability % 10);
  if (group_words(c) * WORD > c->window_bytes)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a group's tiles", c->window_bytes);
  return XB_OK;
}

/* [plan] A dispatch for each window of whole groups. */
static xb_code asynccopy_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  xb_windows w = {.all = groups(c), .a_group = 1};
  (void)err;
  xb_stream_in(plan, &w, "words", group_words(c) * WORD, xb_bits);
  xb_stream_out(plan, &w, "checksums", (uint64_t)c->block * WORD);
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = part_of(c)});
  plan->bytes = groups(c) * group_words(c) * WORD;
  plan->iterations = group_words(c) / c->block * (c->at[WORK] + 1);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_asynccopy_args, .groups = (uint32_t)w.count, .copies = c->at[COPIES],
                   .work = c->at[WORK]);
  return XB_OK;
}

/* The work with a word is h * factor + (word * each + term): multiply-adds after the first are the same for all. */
typedef struct step {
  uint32_t factor, each, term;
} step;

static step step_of(uint32_t work)
{
  step s = {.factor = ASYNCCOPY_FACTOR, .each = 1};
  for (uint32_t r = 1; r < work; r++) {
    s.factor *= ASYNCCOPY_FACTOR;
    s.each *= ASYNCCOPY_FACTOR;
    s.term = s.term * ASYNCCOPY_FACTOR + work;
  }
  return s;
}

/* What a thread writes; `words` are those of its group. An element is `wide` words, and each is the neighbour's. */
static uint32_t checksum(const xb_case *c, const uint32_t *words, uint32_t thread)
{
  const step s = step_of(c->at[WORK]);
  const uint32_t wide = of(c)->bytes / WORD, elements = ASYNCCOPY_TILES * c->at[COPIES];
  uint32_t h = 0;
  for (uint32_t e = 0; e < elements; e++)
    for (uint32_t k = 0; k < wide; k++)
      h = h * s.factor + words[(e * c->block + (thread + 1) % c->block) * wide + k] * s.each + s.term;
  return h;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  uint32_t words[GROUP_WORDS];
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t thread = (first + i) % c->block;
    if (!i || !thread)
      xb_bits(c->dtype, c->seed, (first + i) / c->block * group_words(c), group_words(c), words);
    expected[i] = checksum(c, words, (uint32_t)thread);
  }
}

/* Memory is as fast as the bytes in flight allow, until they are enough. Work takes time of its own, and a CPU has
 * other latencies: no prediction. */
static xb_model asynccopy_predict(const xb_case *c)
{
  xb_case base = *c;
  base.at[COPIES] = c->variant->benchmark->axes[COPIES].base;
  const bool known = c->device->type != XB_DEVICE_CPU && c->at[WORK] == c->variant->benchmark->axes[WORK].base;
  const double here = (double)tile_bytes(c), there = (double)tile_bytes(&base);
  return (xb_model){"in flight", "bytes a group", here, known ? fmin(here, ENOUGH) / fmin(there, ENOUGH) : NAN};
}

/* The fewest words of which the cache can keep only a part. */
XB_METHODS(.refuse = refuse, .plan = asynccopy_plan, .expect = expect, .word = "the checksum of thread",
           .predict = asynccopy_predict, .grows = {.n = 1 << 22, .bytes = 2 * WORD / CACHES, .twice_is_enough = true})

#define LARGE_TILES(name) .large = {#name "_32k", #name "_48k"}
#define NO_ASYNC ONLY("cuda", "HLSL has no asynchronous copy: rows 7 and 8 load the next tile early")

#include "benchmarks/rows.h"
