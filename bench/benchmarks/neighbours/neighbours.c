/* The ten nearest of `among` points to each of n points of a plane. Coordinates are whole numbers, so distances are
 * exact; no two of the points that are chosen from are equal. Where several are equally far, any of them is right: the
 * check compares distances, and looks each point up. */
#include "benchmarks/family.h"
#include "benchmarks/neighbours/neighbours_args.h"

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
  const uint64_t among = c->at[0];
  xb_windows w = {.all = c->n, .step = WINDOW_STEP};
  if (among < NEAREST || among * LOOPS > XB_MOST_ITERATIONS || among * POINT > c->window_bytes)
    return xb_refuse_case(c, err, "--at among: expected %d to %d points, not %" PRIu64, NEAREST,
                          XB_MOST_ITERATIONS / LOOPS, among);
  if (c->n * among > (c->device->type == XB_DEVICE_CPU ? MOST_OF_A_CPU : MOST))
    return xb_refuse_case(c, err, "%" PRIu64 " distances would take too long: at most %d here", c->n * among,
                          c->device->type == XB_DEVICE_CPU ? MOST_OF_A_CPU : MOST);
  const xb_slot choice = {.name = "points to choose from",
                          .bytes = among * POINT,
                          .element_bytes = POINT,
                          .generator = {.generate = permute}};
  xb_stream_slot(plan, &w, POINT, (xb_slot){.name = "points", .element_bytes = POINT, .generator = {scatter, NULL, 0}});
  xb_stream_of(&w, xb_plan_slot(plan, choice), 0, XB_READ);
  xb_stream_slot(plan, &w, NEAREST * POINT,
                 (xb_slot){.name = "the nearest", .role = XB_ROLE_OUTPUT, .element_bytes = NEAREST * POINT});
  plan->iterations = among * LOOPS + (of(c)->tiles ? xb_ceil_div(among, c->block) : 0);
  plan->work = (double)c->n * c->at[0];
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_neighbours_args, .n = (uint32_t)w.count, .among = (uint32_t)among);
  return XB_OK;
}

/* The points that are chosen from, and which places have one. */
typedef struct choice {
  point points[XB_MOST_ITERATIONS / LOOPS];
  unsigned char taken[PLACES / 8];
} choice;

static bool choose_from(const xb_case *c, void *value)
{
  choice *k = value;
  permute(NULL, c->seed, 0, c->at[0], k->points);
  for (uint64_t i = 0; i < c->at[0]; i++) {
    const uint32_t place = (uint32_t)k->points[i].x | (uint32_t)k->points[i].y << COORDINATE_BITS;
    k->taken[place / 8] |= (unsigned char)(1 << place % 8);
  }
  return true;
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

static bool check_point(const choice *k, uint32_t count, point p, const point found[NEAREST], char why[XB_WHY_BYTES])
{
  float expected[NEAREST], got[NEAREST];
  for (int i = 0; i < NEAREST; i++)
    expected[i] = got[i] = NEIGHBOURS_FAR;
  for (uint64_t i = 0; i < count; i++)
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
  const choice *k = xb_cached(c, choose_from, sizeof *k, 1, XB_KEY(c->seed, c->at[0]));
  const point *found = chunk->data;
  char which[XB_WHY_BYTES];
  for (uint64_t i = 0; i < chunk->count && k; i++) {
    point p;
    scatter(NULL, c->seed, chunk->first + i, 1, &p);
    if (check_point(k, c->at[0], p, found + i * NEAREST, which))
      continue;
    return xb_wrong(why, "point %" PRIu64 " has %.100s", chunk->first + i, which);
  }
  return k || xb_wrong(why, "out of host memory");
}

XB_METHODS(.plan = neighbours_plan, .check = neighbours_check, .rates = {{"distances", "G/s", xb_work_of_run}},
           .grows = {.n = GPU_N})

#include "benchmarks/rows.h"
