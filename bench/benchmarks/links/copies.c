#include "benchmarks/links/links.h"
#include "core/clock.h"

enum { RUNS = 4, ELEMENT_BYTES = 4 };
static const uint64_t LIMIT_NS = 60ull * 1000 * 1000 * 1000;

typedef struct work {
  xb_case c; /* each lane has data of its own */
  xb_queue queue;
  xb_reach reach;
  xb_buffer *to;
  xb_commands *poison, *list;
  xb_point done;
} work;

static xb_code write_source(work *w, xb_error *err)
{
  void *host = xb_buffer_host(w->reach.source);
  return host ? xb_pieces_write_host(&w->c, host, err)
              : xb_pieces_write(&w->c, w->reach.from, w->reach.source, NULL, err);
}

static xb_code check_target(const work *w, xb_error *err)
{
  const void *host = xb_buffer_host(w->to);
  return host ? xb_pieces_check_host(&w->c, host, err) : xb_pieces_check(&w->c, w->to, err);
}

static xb_code record(work *w, bool stamped, xb_error *err)
{
  const xb_commands_desc desc = {.label = "copies", .queue = w->queue, .timestamp_count = stamped ? 2 : 0};
  const uint64_t bytes = w->c.n * ELEMENT_BYTES;
  xb_code code = xb_commands_create(w->reach.to, &(xb_commands_desc){.label = "poison"}, &w->poison, err);
  code = code ? code : xb_commands_create(w->reach.to, &desc, &w->list, err);
  if (code)
    return code;
  xb_cmd_fill(w->poison, w->to, 0, bytes, XB_POISON);
  if (stamped)
    xb_cmd_timestamp(w->list, 0);
  for (int i = 0; i < RUNS; i++) {
    if (i)
      xb_cmd_barrier(w->list);
    xb_cmd_copy(w->list, w->to, 0, w->reach.seen, 0, bytes);
  }
  if (stamped)
    xb_cmd_timestamp(w->list, 1);
  return xb_commands_finish(w->list, err);
}

static xb_code create(work *w, const xb_lane *lane, bool stamped, xb_error *err)
{
  const uint64_t bytes = w->c.n * ELEMENT_BYTES;
  w->queue = lane->queue;
  w->reach = (xb_reach){.from = lane->from, .to = lane->to};
  xb_code code = xb_reach_open(&w->reach, lane->from_mem, bytes, err);
  if (!code)
    code = xb_buffer_create(lane->to, &(xb_buffer_desc){.label = "target", .mem = lane->to_mem, .bytes = bytes}, &w->to,
                            err);
  code = code ? code : write_source(w, err);
  code = code ? code : record(w, stamped, err);
  return code ? code : xb_run_list(lane->to, w->poison, err);
}

static void destroy(work *w)
{
  xb_commands_destroy(w->poison);
  xb_commands_destroy(w->list);
  xb_buffer_destroy(w->to);
  xb_reach_close(&w->reach);
}

static xb_code run(work *works, uint32_t count, double *ns, xb_error *err)
{
  double stamps[2] = {0};
  xb_code code = XB_OK;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < count && !code; i++)
    code = xb_submit(works[i].reach.to, &(xb_submission){.commands = works[i].list}, &works[i].done, err);
  for (uint32_t i = 0; i < count && !code; i++)
    code = xb_wait(works[i].reach.to, works[i].done, LIMIT_NS, err);
  *ns = (xb_clock_ns() - begin) / RUNS;
  if (code || count > 1)
    return code;
  code = xb_commands_timestamps(works[0].list, stamps, 2, err);
  *ns = stamps[1] / RUNS;
  return code;
}

xb_code xb_time_lanes(const xb_case *c, const xb_lane *lanes, uint32_t count, double *ns, xb_error *err)
{
  work works[XB_MOST_LANES] = {0};
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < count && !code; i++) {
    works[i].c = *c;
    works[i].c.seed += i;
    code = create(&works[i], &lanes[i], count == 1, err);
  }
  for (int i = 0; i < 2 && !code; i++) /* the second one is timed */
    code = run(works, count, ns, err);
  for (uint32_t i = 0; i < count && !code; i++)
    code = check_target(&works[i], err);
  for (uint32_t i = 0; i < count; i++)
    destroy(&works[i]);
  return code;
}
