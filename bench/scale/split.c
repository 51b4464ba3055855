/* A benchmark whose inputs are split: each member has a part, with a cell of its own. Outputs of one element are added
 * on the host; others stay where they are. */
#include "scale/scale.h"

#include "core/clock.h"
#include "measure/cell.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Checks keep what they computed for the last case. */
static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;

enum { NO_SLOT = -1, ELEMENT_BYTES = 4 };
static const double SAMPLE_NS = 5e6; /* of the device's time */

typedef struct parts {
  xb_work work;
  xb_scale_member *m;
  xb_workload workload;
  xb_cell cell;
  xb_device_info few; /* the device, as if it had fewer multiprocessors */
  xb_case form;       /* of the largest point: all points have its form */
  xb_commands *list;
  int64_t summed; /* the slot of the output that is added; NO_SLOT: none */
  xb_buffer *seen;
} parts;

static uint64_t share(uint64_t whole, uint64_t members, uint64_t rank)
{
  return whole / members * rank + (rank < whole % members ? rank : whole % members);
}

bool xb_scale_case(const xb_scale_member *m, const xb_scale_point *p, uint32_t rank, xb_case *c)
{
  *c = m->scaling->like;
  c->device = &m->info;
  c->window_bytes = m->window_bytes;
  if (m->scaling->over_groups) {
    c->block = xb_scale_block(m->scaling, p->weak);
    c->n *= p->weak ? p->members : 1;
    c->rows *= p->weak && c->variant->benchmark->matrix ? p->members : 1;
    c->columns = c->variant->benchmark->matrix ? c->columns : c->n;
    return true;
  }
  const uint64_t rows = c->variant->benchmark->matrix ? c->rows : c->n;
  const uint64_t row = c->variant->benchmark->product ? c->inner : c->variant->benchmark->matrix ? c->columns : 1;
  const uint64_t begin = p->weak ? rows * rank : share(rows, p->members, rank);
  const uint64_t count = p->weak ? rows : share(rows, p->members, rank + 1) - begin;
  c->first = begin * row;
  c->n = c->variant->benchmark->matrix ? count * c->columns : count;
  c->rows = c->variant->benchmark->matrix ? count : c->rows;
  c->columns = c->variant->benchmark->matrix ? c->columns : count;
  return count;
}

/* ---- One run ----------------------------------------------------------------------------------------------------- */

/* Adds the members' results. Whole numbers wrap around; floats are added in order, so each member gets the same. */
static uint32_t add(xb_dtype dtype, const uint32_t *words, uint32_t count)
{
  uint32_t sum = 0;
  float total = 0, one;
  for (uint32_t i = 0; i < count; i++) {
    memcpy(&one, &words[i], sizeof one);
    total += one;
    sum += words[i];
  }
  if (dtype == XB_FLOAT32)
    memcpy(&sum, &total, sizeof sum);
  return sum;
}

/* Why the cell did not do what it should. */
static xb_code fail_as(const xb_cell *cell, xb_error *err)
{
  if (cell->verdict.outcome == XB_CELL_WRONG)
    return xb_scale_wrong(err, cell->verdict.error.message);
  *err = cell->verdict.error;
  return err->code ? err->code
                   : xb_fail(err, XB_UNSUPPORTED, cell->c.variant->name, "this API has no counterpart of it");
}

static xb_code run(xb_work *work, double *ready_ns, xb_error *err)
{
  parts *s = (parts *)work;
  uint32_t all[XB_MOST_MEMBERS];
  double ignored;
  xb_code code = XB_OK;
  if (s->cell.c.variant->clock == XB_CLOCK_CALLS && !xb_cell_run_calls(&s->cell, &ignored))
    code = fail_as(&s->cell, err);
  if (s->work.batch) {
    s->cell.samples.count = 0; /* only the last one is kept */
    code = xb_sample_take(&s->cell) ? XB_OK : fail_as(&s->cell, err);
    s->work.device_ns = code ? 0 : s->cell.samples.ns[0];
    s->work.host_ns = code ? 0 : s->cell.samples.host_ns[0];
  }
  if (s->list && !code)
    code = xb_scale_execute(s->m->scaling, s->m->device, s->list, err);
  *ready_ns = xb_clock_ns();
  if (s->summed == NO_SLOT)
    return code;
  const uint32_t mine = code ? 0 : *(const uint32_t *)xb_buffer_host(s->seen);
  const xb_code lost = xb_team_gather(s->m->team, &mine, all, sizeof mine, err); /* also if this member failed */
  if (lost || code)
    return lost ? lost : code;
  const uint32_t sum = add(s->cell.c.dtype, all, s->m->team->active);
  const bool first = !s->work.summed;
  s->work.summed = true;
  if (!first && s->cell.c.dtype == XB_INT32 && sum != s->work.sum)
    return xb_scale_wrong(err, "the members' sum differs from run to run");
  s->work.sum = sum;
  return XB_OK;
}

static xb_code check(xb_work *work, xb_error *err)
{
  parts *s = (parts *)work;
  pthread_mutex_lock(&checking);
  const bool good = xb_cell_check(&s->cell);
  pthread_mutex_unlock(&checking);
  return good ? XB_OK : fail_as(&s->cell, err);
}

static void end(xb_work *work)
{
  parts *s = (parts *)work;
  xb_commands_destroy(s->list);
  xb_buffer_destroy(s->seen);
  xb_cell_destroy(&s->cell);
  xb_workload_destroy(&s->workload);
  free(s);
}

/* ---- Preparing --------------------------------------------------------------------------------------------------- */

/* All groups of a plan, on a device of so many multiprocessors. */
static uint64_t groups(parts *s, uint32_t multiprocessors)
{
  xb_plan plan;
  xb_error ignored;
  uint64_t count = 0;
  const uint32_t own = s->few.multiprocessors;
  s->few.multiprocessors = multiprocessors;
  if (!xb_plan_make(&s->cell.c, &plan, &ignored))
    for (uint32_t i = 0; i < plan.step_count; i++)
      count += (uint64_t)plan.steps[i].groups[0] * plan.steps[i].groups[1] * plan.steps[i].groups[2];
  xb_plan_free(&plan);
  s->few.multiprocessors = own;
  return count;
}

/* Is the plan the one that the kernel has by itself, on the whole device? */
static bool has_own_plan(const parts *s)
{
  const xb_plan *here = &s->cell.plan;
  xb_case c = s->cell.c;
  xb_plan own;
  xb_error ignored;
  c.form = NULL;
  c.device = &s->m->info;
  bool same = !xb_plan_make(&c, &own, &ignored) && own.step_count == here->step_count;
  for (uint32_t i = 0; same && i < own.step_count; i++)
    same = !memcmp(own.steps[i].groups, here->steps[i].groups, sizeof own.steps[i].groups) &&
           !memcmp(own.steps[i].args, here->steps[i].args, sizeof own.steps[i].args);
  xb_plan_free(&own);
  return same;
}

/* One device: what submitting and waiting cost is not what is scaled, so the device times a batch of runs. */
static bool calibrate(parts *s)
{
  if (!s->m->scaling->over_groups || s->cell.c.variant->clock != XB_CLOCK_DEVICE)
    return true;
  s->cell.sample_ns = SAMPLE_NS;
  const bool good = xb_sample_calibrate(&s->cell);
  s->work.batch = s->cell.samples.batch;
  s->work.own_plan = has_own_plan(s);
  return good;
}

static xb_code find_slots(parts *s, xb_error *err)
{
  const xb_plan *plan = &s->cell.plan;
  bool split = false;
  s->summed = NO_SLOT;
  for (uint32_t i = 0; i < plan->slot_count; i++) {
    split |= plan->slots[i].split;
    s->summed = plan->slots[i].summed ? i : s->summed;
  }
  if (!split && !s->m->scaling->over_groups)
    return xb_fail(err, XB_UNSUPPORTED, s->cell.c.variant->benchmark->name,
                   "cannot be split between devices: scale copy, reduce, matmul or allreduce");
  if (s->m->scaling->over_groups && groups(s, 1) == groups(s, 2))
    return xb_fail(err, XB_UNSUPPORTED, s->cell.c.variant->name,
                   "its groups do not depend on the multiprocessors: scale one that loops, such as reduce/9");
  return XB_OK;
}

/* [scale] The plan once, and the sum to where the host sees it. */
static xb_code record(parts *s, xb_error *err)
{
  const xb_buffer_desc seen = {.label = "sum", .mem = XB_MEM_READBACK, .bytes = ELEMENT_BYTES};
  if (s->cell.c.variant->clock == XB_CLOCK_CALLS)
    return XB_OK;
  xb_code code = xb_cell_commands(&s->cell, "part", 0, &s->list);
  if (code) {
    *err = s->cell.verdict.error;
    return code;
  }
  xb_cell_record(&s->cell, false, s->list);
  if (s->summed != NO_SLOT) {
    const xb_placement placement = xb_cell_placement(&s->cell, (uint32_t)s->summed);
    code = xb_buffer_create(s->m->device, &seen, &s->seen, err);
    xb_cmd_barrier(s->list);
    if (!code)
      xb_cmd_copy(s->list, s->seen, 0, placement.buffer, placement.begin, ELEMENT_BYTES);
  }
  return code ? code : xb_commands_finish(s->list, err);
}

static xb_code create(parts *s, xb_error *err)
{
  xb_code code = xb_workload_need(&s->workload, &s->cell.c, err);
  code = code ? code : xb_workload_create(&s->workload, err);
  if (code)
    return code;
  xb_cell_create(&s->cell);
  pthread_mutex_lock(&checking);
  const bool good = s->cell.verdict.outcome == XB_CELL_PENDING && xb_cell_verify(&s->cell) && calibrate(s) &&
                    xb_cell_poison(&s->cell);
  pthread_mutex_unlock(&checking);
  return good ? find_slots(s, err) : fail_as(&s->cell, err);
}

xb_code xb_parts_begin(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  const xb_scaling *o = m->scaling;
  parts *s = calloc(1, sizeof *s);
  if (!s)
    return xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  s->work = (xb_work){.run = run, .check = check, .end = end};
  s->m = m;
  s->cell = (xb_cell){.workload = &s->workload, .wanted_placements = 1, .stop = o->stop};
  const bool some = xb_scale_case(m, p, m->team->rank, &s->cell.c);
  s->few = m->info;
  s->few.multiprocessors = o->over_groups ? p->members : m->info.multiprocessors;
  s->cell.c.device = &s->few;
  if (o->over_groups) {
    xb_scale_case(m, &(xb_scale_point){.weak = p->weak, .members = o->most}, m->team->rank, &s->form);
    s->cell.c.form = &s->form;
  }
  s->workload = (xb_workload){.device = m->device,
                              .of = o->variant->benchmark,
                              .dtype = o->like.dtype,
                              .n = s->cell.c.n,
                              .seed = o->like.seed,
                              .wait_limit_ns = (uint64_t)(o->wait_limit_s * 1e9),
                              .stop = o->stop};
  xb_code code =
      some ? XB_OK : xb_fail(err, XB_UNSUPPORTED, "scale", "there is too little work for %u members", p->members);
  code = code ? code : create(s, err);
  *work = &s->work;
  return code ? code : record(s, err);
}
