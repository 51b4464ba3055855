/* An all-reduce by a schedule (benchmarks/allreduce/schedule.h), over links.
 *
 * Between devices of one process that reach each other's memory, a round is one kernel or one copy that reads it. Else
 * what a member pulls goes through the host in pieces, so that both directions of its link work at a time: while a
 * piece comes down from one member, the piece before goes up to another. Piece j of round r comes down in turn r *
 * pieces + j, and goes up in the next turn; with two pieces or more it is there before the next round needs it. */
#include "scale/scale.h"

#include "benchmarks/allreduce/allreduce_args.h"
#include "benchmarks/allreduce/schedule.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ELEMENT_BYTES = 4, PAGE_BYTES = 65536, FEWEST_PIECES = 2, MOST_PIECES = 16, PIECE_BYTES = 8 << 20 };

/* One round of this member: what it pulls, and who pulls from it. */
typedef struct turn_lists {
  xb_commands *down, *up;
  int64_t to, from;
} turn_lists;

typedef struct exchange {
  xb_work work;
  xb_scale_member *m;
  xb_case c; /* of allreduce/1, for the kernel */
  bool tree;
  xb_route route;
  uint32_t members, rounds, pieces, turns;
  uint64_t length, piece; /* elements */
  xb_kernel *kernel;
  xb_link link;                         /* PEER, INTEROP: the other members' vectors */
  xb_buffer *data, *original, *arrived; /* the vector; what it is before each run; a piece, or a part, of another one */
  xb_buffer *out, *in;                  /* HOST, MESSAGE: pieces, two of each */
  void *memory;                         /* HOST: of all members, `memory_bytes` bytes */
  size_t memory_bytes;
  xb_commands *restore;
  turn_lists *lists; /* by turn, or by round */
} exchange;

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static bool pull_of(const exchange *x, uint32_t member, uint32_t round, xb_pull *pull)
{
  return round < x->rounds && xb_allreduce_pull(x->tree, x->members, member, round, x->length, pull);
}

/* The piece of what `member` pulls; false if there is none. */
static bool piece_of(const exchange *x, uint32_t member, uint32_t turn, xb_pull *pull)
{
  const uint64_t skipped = turn % x->pieces * x->piece;
  if (!pull_of(x, member, turn / x->pieces, pull) || pull->count <= skipped)
    return false;
  pull->first += skipped;
  pull->count = pull->count - skipped < x->piece ? pull->count - skipped : x->piece;
  return true;
}

/* The member that pulls from this one in the turn; XB_NOBODY: none. Both algorithms have at most one. */
static int64_t puller(const exchange *x, uint32_t turn, xb_pull *pull)
{
  for (uint32_t m = 0; m < x->members; m++)
    if (piece_of(x, m, turn, pull) && pull->from == x->m->team->rank)
      return m;
  return XB_NOBODY;
}

/* [scale] Adds elements of `from`, which begin at `from_first`, to the vector. */
static void record_add(const exchange *x, xb_commands *list, xb_buffer *from, uint64_t from_first, uint64_t first,
                       uint64_t count)
{
  const uint64_t most = x->c.window_bytes / ELEMENT_BYTES / XB_ALLREDUCE_STEP * XB_ALLREDUCE_STEP;
  for (uint64_t done = 0; done < count; done += most) {
    const uint64_t some = count - done < most ? count - done : most;
    struct xb_allreduce_args args = {.n4 = (uint32_t)(some / 4)};
    xb_dispatch d = {.kernel = x->kernel, .binding_count = 2, .args = &args, .arg_bytes = sizeof args};
    d.bindings = (xb_binding[]){{.buffer = from,
                                 .offset = (from_first + done) * ELEMENT_BYTES,
                                 .size = some * ELEMENT_BYTES,
                                 .access = XB_READ},
                                {.buffer = x->data,
                                 .offset = (first + done) * ELEMENT_BYTES,
                                 .size = some * ELEMENT_BYTES,
                                 .access = XB_READ_WRITE}};
    xb_fold_groups(&x->m->info, xb_ceil_div(some / 4, x->c.block), d.groups);
    args.grid_x = d.groups[0];
    xb_cmd_dispatch(list, &d);
  }
}

static xb_code new_list(const exchange *x, xb_queue queue, xb_commands **list, xb_error *err)
{
  return xb_commands_create(x->m->device, &(xb_commands_desc){.label = "round", .queue = queue}, list, err);
}

/* ---- Through the host -------------------------------------------------------------------------------------------- */

/* Bytes from the beginning of `in` or `out` to the piece of a turn. HOST: both are the memory of all members. */
static uint64_t place(const exchange *x, uint32_t member, uint32_t turn)
{
  const uint64_t bytes = xb_ceil_div(x->piece * ELEMENT_BYTES, PAGE_BYTES) * PAGE_BYTES;
  return ((x->route == XB_ROUTE_HOST ? 2ull * member : 0) + turn % 2) * bytes;
}

static xb_code record_turn(exchange *x, uint32_t turn, xb_error *err)
{
  turn_lists *l = &x->lists[turn];
  const bool copies = x->m->info.queues[XB_QUEUE_COPY].present;
  xb_pull pull;
  xb_code code = XB_OK;
  *l = (turn_lists){.to = puller(x, turn, &pull), .from = XB_NOBODY};
  if (l->to != XB_NOBODY) {
    code = new_list(x, copies ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE, &l->down, err);
    if (!code)
      xb_cmd_copy(l->down, x->out, place(x, x->m->team->rank, turn), x->data, pull.first * ELEMENT_BYTES,
                  pull.count * ELEMENT_BYTES);
    code = code ? code : xb_commands_finish(l->down, err);
  }
  if (code || !piece_of(x, x->m->team->rank, turn, &pull))
    return code;
  l->from = pull.from;
  code = new_list(x, XB_QUEUE_COMPUTE, &l->up, err);
  if (code)
    return code;
  xb_cmd_copy(l->up, pull.add ? x->arrived : x->data, pull.add ? 0 : pull.first * ELEMENT_BYTES, x->in,
              place(x, pull.from, turn), pull.count * ELEMENT_BYTES);
  if (pull.add) {
    xb_cmd_barrier(l->up);
    record_add(x, l->up, x->arrived, 0, pull.first, pull.count);
  }
  return xb_commands_finish(l->up, err);
}

static xb_code submit(const exchange *x, xb_commands *list, xb_point *done, xb_error *err)
{
  *done = (xb_point){0};
  return list ? xb_submit(x->m->device, &(xb_submission){.commands = list}, done, err) : XB_OK;
}

/* A member that fails goes on meeting the others, without work. */
static xb_code run_turns(exchange *x, xb_error *err)
{
  const uint64_t limit = (uint64_t)(x->m->scaling->wait_limit_s * 1e9);
  char mine = 0, all[XB_MOST_MEMBERS];
  xb_code code = XB_OK;
  for (uint32_t t = 0; t <= x->turns; t++) {
    const turn_lists *now = t < x->turns ? &x->lists[t] : NULL;
    xb_point down = {0}, up = {0};
    if (now && !code)
      code = submit(x, now->down, &down, err);
    if (t && !code)
      code = submit(x, x->lists[t - 1].up, &up, err);
    code = code ? code : xb_wait(x->m->device, down, limit, err);
    code = code ? code : xb_wait(x->m->device, up, limit, err);
    if (!now)
      break;
    const xb_code lost = x->route == XB_ROUTE_HOST
                             ? xb_team_gather(x->m->team, &mine, all, sizeof mine, err)
                             : xb_team_exchange(x->m->team, (char *)xb_buffer_host(x->out) + place(x, 0, t), now->to,
                                                (char *)xb_buffer_host(x->in) + place(x, 0, t), now->from,
                                                x->piece * ELEMENT_BYTES, err);
    if (lost)
      return lost;
  }
  return code;
}

/* ---- From device to device --------------------------------------------------------------------------------------- */

/* [scale] A round reads the other member's vector as if it were one's own. */
static xb_code record_round(exchange *x, uint32_t round, xb_error *err)
{
  turn_lists *l = &x->lists[round];
  xb_pull pull;
  *l = (turn_lists){.to = XB_NOBODY, .from = XB_NOBODY};
  if (!pull_of(x, x->m->team->rank, round, &pull))
    return XB_OK;
  const uint64_t bytes = pull.count * ELEMENT_BYTES, begin = pull.first * ELEMENT_BYTES;
  xb_code code = new_list(x, XB_QUEUE_COMPUTE, &l->up, err);
  if (!code && x->route == XB_ROUTE_INTEROP)
    code = xb_link_copy(&x->link, pull.from, begin, bytes, pull.add, &l->down, err);
  if (code)
    return code;
  if (pull.add)
    record_add(x, l->up, x->route == XB_ROUTE_PEER ? x->link.theirs[pull.from] : x->arrived,
               x->route == XB_ROUTE_PEER ? pull.first : 0, pull.first, pull.count);
  else if (x->route == XB_ROUTE_PEER)
    xb_cmd_copy(l->up, x->data, begin, x->link.theirs[pull.from], begin, bytes);
  return xb_commands_finish(l->up, err);
}

static xb_code run_rounds(exchange *x, xb_error *err)
{
  char mine = 0, all[XB_MOST_MEMBERS];
  xb_code code = XB_OK;
  for (uint32_t r = 0; r < x->rounds; r++) {
    if (x->lists[r].down && !code)
      code = xb_scale_execute(x->m->scaling, x->link.device, x->lists[r].down, err);
    if (x->lists[r].up && !code)
      code = xb_scale_execute(x->m->scaling, x->m->device, x->lists[r].up, err);
    const xb_code lost = xb_team_gather(x->m->team, &mine, all, sizeof mine, err);
    if (lost)
      return lost;
  }
  return code;
}

/* ---- The work ---------------------------------------------------------------------------------------------------- */

static bool by_turns(const exchange *x)
{
  return x->route == XB_ROUTE_HOST || x->route == XB_ROUTE_MESSAGE;
}

static xb_code restore(xb_work *work, xb_error *err)
{
  const exchange *x = (exchange *)work;
  return xb_scale_execute(x->m->scaling, x->m->device, x->restore, err);
}

static xb_code run(xb_work *work, double *ready_ns, xb_error *err)
{
  exchange *x = (exchange *)work;
  *ready_ns = xb_clock_ns(); /* nothing is one's own work: all of it is combining */
  return by_turns(x) ? run_turns(x, err) : run_rounds(x, err);
}

static xb_code check(xb_work *work, xb_error *err)
{
  const exchange *x = (exchange *)work;
  return xb_vector_check(&x->c, x->data, x->members, err);
}

static void end(xb_work *work)
{
  exchange *x = (exchange *)work;
  xb_commands_destroy(x->restore);
  for (uint32_t i = 0; x->lists && i < x->turns; i++) {
    xb_commands_destroy(x->lists[i].down);
    xb_commands_destroy(x->lists[i].up);
  }
  free(x->lists);
  xb_kernel_destroy(x->kernel);
  xb_buffer_destroy(x->out);
  if (x->in != x->out)
    xb_buffer_destroy(x->in);
  xb_buffer_destroy(x->arrived);
  xb_buffer_destroy(x->data);
  xb_buffer_destroy(x->original);
  xb_link_close(&x->link);
  xb_team_memory_free(x->memory, x->memory_bytes);
  free(x);
}

/* ---- Preparing --------------------------------------------------------------------------------------------------- */

static xb_code make_buffer(const exchange *x, const char *label, xb_mem mem, uint64_t bytes, void *host, xb_buffer **b,
                           xb_error *err)
{
  const xb_buffer_desc desc = {
      .label = label, .mem = mem, .bytes = bytes, .host = host, .exportable = x->route == XB_ROUTE_PEER && !host};
  return xb_buffer_create(x->m->device, &desc, b, err);
}

/* Collective: what fails for one member must not leave the others waiting. */
static xb_code make_staging(exchange *x, xb_error *err)
{
  const uint64_t bytes = 2 * xb_ceil_div(x->piece * ELEMENT_BYTES, PAGE_BYTES) * PAGE_BYTES;
  xb_code code = XB_OK;
  if (x->route == XB_ROUTE_MESSAGE) {
    code = make_buffer(x, "out", XB_MEM_READBACK, bytes, NULL, &x->out, err);
    return code ? code : make_buffer(x, "in", XB_MEM_UPLOAD, bytes, NULL, &x->in, err);
  }
  x->memory_bytes = bytes * x->members;
  code = xb_team_memory(x->m->team, x->memory_bytes, &x->memory, err);
  if (!code && !x->m->info.import_align)
    return xb_fail(err, XB_UNSUPPORTED, "scale", "%s cannot import host memory: use --route message", x->m->info.name);
  code = code ? code : make_buffer(x, "staging", XB_MEM_IMPORTED, x->memory_bytes, x->memory, &x->out, err);
  x->in = x->out;
  return code == XB_INVALID ? xb_fail(err, XB_UNSUPPORTED, "scale",
                                      "%s does not import this memory: use --route message", x->m->info.name)
                            : code;
}

static void set_pieces(exchange *x)
{
  xb_pull pull;
  uint64_t longest = XB_ALLREDUCE_STEP;
  for (uint32_t m = 0; m < x->members; m++)
    for (uint32_t r = 0; r < x->rounds; r++)
      longest = pull_of(x, m, r, &pull) && pull.count > longest ? pull.count : longest;
  uint64_t pieces = longest * ELEMENT_BYTES / PIECE_BYTES;
  pieces = pieces < FEWEST_PIECES ? FEWEST_PIECES : pieces > MOST_PIECES ? MOST_PIECES : pieces;
  x->pieces = by_turns(x) ? (uint32_t)pieces : 1;
  x->piece = xb_ceil_div(xb_ceil_div(longest, x->pieces), XB_ALLREDUCE_STEP) * XB_ALLREDUCE_STEP;
  x->turns = x->rounds * x->pieces;
}

/* Buffers and lists. `data` is there: INTEROP has made it. */
static xb_code create(exchange *x, xb_error *err)
{
  const uint64_t bytes = x->length * ELEMENT_BYTES;
  const uint64_t arrived = x->route == XB_ROUTE_INTEROP ? 0 : x->piece * ELEMENT_BYTES;
  const xb_plan_kernel kernel = {.binding_count = 2, .arg_bytes = sizeof(struct xb_allreduce_args)};
  xb_code code = xb_create_embedded(&x->c, &kernel, x->m->device, &x->kernel, err);
  code = code ? code : make_buffer(x, "original", XB_MEM_DEVICE, bytes, NULL, &x->original, err);
  if (!code && by_turns(x))
    code = make_buffer(x, "arrived", XB_MEM_DEVICE, arrived, NULL, &x->arrived, err);
  code = code ? code : xb_vector_fill(&x->c, x->original, x->m->team->rank, err);
  code = code ? code : new_list(x, XB_QUEUE_COMPUTE, &x->restore, err);
  if (!code)
    xb_cmd_copy(x->restore, x->data, 0, x->original, 0, bytes);
  code = code ? code : xb_commands_finish(x->restore, err);
  x->lists = calloc(x->turns + 1u, sizeof *x->lists);
  if (!x->lists)
    return xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint32_t t = 0; t < x->turns && !code; t++)
    code = by_turns(x) ? record_turn(x, t, err) : record_round(x, t, err);
  return code;
}

static xb_code prepare(exchange *x, xb_error *err)
{
  xb_team *team = x->m->team;
  const uint64_t bytes = x->length * ELEMENT_BYTES;
  xb_code code = XB_OK;
  if (x->route == XB_ROUTE_INTEROP)
    code = xb_link_open_helper(&x->link, x->m, bytes, x->piece * ELEMENT_BYTES, &x->data, &x->arrived, err);
  else
    code = make_buffer(x, "vector", XB_MEM_DEVICE, bytes, NULL, &x->data, err);
  code = xb_team_agree(team, code, err);
  if (!code && !by_turns(x))
    code = xb_link_open(&x->link, x->m, x->data, err);
  if (!code && by_turns(x))
    code = make_staging(x, err);
  code = xb_team_agree(team, code, err);
  return code ? code : create(x, err);
}

xb_code xb_allreduce_begin(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  if (p->route == XB_ROUTE_NCCL)
    return xb_nccl_begin(m, p, work, err);
  exchange *x = calloc(1, sizeof *x);
  const xb_code code = xb_team_agree(m->team, x ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory"), err);
  if (code) {
    free(x);
    return code;
  }
  x->work = (xb_work){.restore = restore, .run = run, .check = check, .end = end};
  x->m = m;
  x->c = m->scaling->like;
  x->tree = x->c.variant->number == 2;
  x->c.device = &m->info;
  x->c.window_bytes = m->window_bytes;
  x->route = p->route;
  x->members = p->members;
  x->rounds = xb_allreduce_rounds(x->tree, p->members);
  x->length = xb_allreduce_length(x->c.n);
  set_pieces(x);
  *work = &x->work;
  return prepare(x, err);
}
