/* The ten nearest of `among` points to each of n points of a plane. Coordinates are whole numbers, so distances are
 * exact; no two of the points that are chosen from are equal. Where several are equally far, any of them is right: the
 * check compares distances, and looks each point up. */
#include "benchmarks/benchmark.h"
#include "benchmarks/input.h"
#include "benchmarks/neighbours/neighbours_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct parameters {
  bool tiles; /* the points that are chosen from go through shared memory, a group's threads together */
} parameters;

typedef struct point {
  float x, y;
} point;

enum {
  POINT = sizeof(point),
  COORDINATE_BITS = 10,
  PLACES = 1 << (2 * COORDINATE_BITS), /* of the plane */
  WINDOW_STEP = 64,                    /* points: 512 bytes, and 5120 of what is found */
  LOOPS = 5,                           /* iterations for a point: one, and as deep as the heap is */
  GPU_N = 1 << 17,
  MOST = 1 << 30, /* distances: a run and its check take a second */
  MOST_OF_A_CPU = 1 << 22,
};

XB_DEFINE_OF

static point at_place(uint32_t place)
{
  return (point){(float)(place & ((1 << COORDINATE_BITS) - 1)), (float)(place >> COORDINATE_BITS)};
}

/* Those whose neighbours are looked for: anywhere. */
static void scatter(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)user;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t bits;
    xb_bits(XB_INT32, seed, first + i, 1, &bits);
    ((point *)out)[i] = at_place(bits % PLACES);
  }
}

/* Those that are chosen from: number i to a place, each step a permutation of all places. */
static void permute(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)user;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t place = (uint32_t)(first + i + seed) % PLACES;
    for (int round = 0; round < 3; round++) {
      place = place * 0x9E3779B1u % PLACES;
      place ^= place >> COORDINATE_BITS;
    }
    ((point *)out)[i] = at_place(place);
  }
}

/* [plan] Windows of the largest size that a binding of what is found allows. */
static xb_code neighbours_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t among = c->at[0], most = c->window_bytes / (NEAREST * POINT) / WINDOW_STEP * WINDOW_STEP;
  if (among < NEAREST || among * LOOPS > XB_MOST_ITERATIONS || among * POINT > c->window_bytes)
    return xb_refuse_case(c, err, "among is %d to %d points, not %" PRIu64, NEAREST, XB_MOST_ITERATIONS / LOOPS, among);
  if (c->n * among > (c->device->type == XB_DEVICE_CPU ? MOST_OF_A_CPU : MOST))
    return xb_refuse_case(c, err, "%" PRIu64 " distances would take too long: at most %d here", c->n * among,
                          c->device->type == XB_DEVICE_CPU ? MOST_OF_A_CPU : MOST);
  const uint32_t from = xb_plan_slot_with(plan, .name = "points", .role = XB_ROLE_INPUT, .bytes = c->n * POINT,
                                          .element_bytes = POINT, .generator = {.generate = scatter});
  const uint32_t choice =
      xb_plan_slot_with(plan, .name = "points to choose from", .role = XB_ROLE_INPUT, .bytes = among * POINT,
                        .element_bytes = POINT, .generator = {.generate = permute});
  const uint32_t to = xb_plan_slot_with(plan, .name = "the nearest", .role = XB_ROLE_OUTPUT,
                                        .bytes = c->n * NEAREST * POINT, .element_bytes = NEAREST * POINT);
  plan->iterations = among * LOOPS + (of(c)->tiles ? xb_ceil_div(among, c->block) : 0);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, most);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, from, w.first * POINT, w.count * POINT, XB_READ);
    xb_step_bind(step, choice, 0, among * POINT, XB_READ);
    xb_step_bind(step, to, w.first * NEAREST * POINT, w.count * NEAREST * POINT, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_neighbours_args, .n = (uint32_t)w.count, .among = (uint32_t)among);
  }
  return XB_OK;
}

/* The points that are chosen from, and which places have one. */
typedef struct choice {
  uint64_t seed, count;
  point points[XB_MOST_ITERATIONS / LOOPS];
  unsigned char taken[PLACES / 8];
} choice;

static const choice *choose_from(uint64_t seed, uint64_t count)
{
  static _Thread_local choice k;
  if (k.seed == seed && k.count == count)
    return &k;
  k.seed = seed, k.count = count;
  permute(NULL, seed, 0, count, k.points);
  memset(k.taken, 0, sizeof k.taken);
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t place = (uint32_t)k.points[i].x | (uint32_t)k.points[i].y << COORDINATE_BITS;
    k.taken[place / 8] |= (unsigned char)(1 << place % 8);
  }
  return &k;
}

static bool is_choice(const choice *k, point q)
{
  const float end = 1 << COORDINATE_BITS;
  if (!(q.x >= 0 && q.x < end && q.y >= 0 && q.y < end))
    return false;
  const uint32_t place = (uint32_t)q.x | (uint32_t)q.y << COORDINATE_BITS;
  const point exact = at_place(place);
  return exact.x == q.x && exact.y == q.y && k->taken[place / 8] >> place % 8 & 1;
}

/* Puts a distance into its place among the ten least. */
static void insert(float ten[NEAREST], float distance)
{
  int i = NEAREST - 1;
  if (!(distance < ten[i]))
    return;
  for (; i > 0 && distance < ten[i - 1]; i--)
    ten[i] = ten[i - 1];
  ten[i] = distance;
}

static bool check_point(const choice *k, point p, const point found[NEAREST], char why[XB_WHY_BYTES])
{
  float expected[NEAREST], got[NEAREST];
  for (int i = 0; i < NEAREST; i++)
    expected[i] = got[i] = NEIGHBOURS_FAR;
  for (uint64_t i = 0; i < k->count; i++)
    insert(expected, NEIGHBOURS_DISTANCE(p, k->points[i]));
  for (int i = 0; i < NEAREST; i++) {
    bool twice = false;
    for (int before = 0; before < i; before++)
      twice |= found[before].x == found[i].x && found[before].y == found[i].y;
    if (twice || !is_choice(k, found[i]))
      return xb_wrong(why, "(%g, %g), %s", (double)found[i].x, (double)found[i].y,
                      twice ? "which is listed twice" : "which is not one of the points");
    insert(got, NEIGHBOURS_DISTANCE(p, found[i]));
  }
  for (int i = 0; i < NEAREST; i++)
    if (got[i] != expected[i])
      return xb_wrong(why, "a neighbour %d whose distance has the square %g, expected %g", i + 1, (double)got[i],
                      (double)expected[i]);
  return true;
}

static bool neighbours_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const choice *k = choose_from(c->seed, c->at[0]);
  const point *found = chunk->data;
  char which[XB_WHY_BYTES];
  for (uint64_t i = 0; i < chunk->count; i++) {
    point p;
    scatter(NULL, c->seed, chunk->first + i, 1, &p);
    if (check_point(k, p, found + i * NEAREST, which))
      continue;
    return xb_wrong(why, "point %" PRIu64 " has %.100s", chunk->first + i, which);
  }
  return true;
}

static size_t neighbours_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  metrics[0] = (xb_metric){"distances", "G/s", (double)c->n * c->at[0] / ns, 1};
  return 1;
}

XB_METHODS(.plan = neighbours_plan, .check = neighbours_check, .metrics = neighbours_metrics, .grows = {.n = GPU_N})

#include "benchmarks/rows.h"
