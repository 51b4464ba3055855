/* Plans with calls of the host: what stands between two calls is one command list, which is recorded before the time
 * begins and submitted in its turn. */
#include "core/clock.h"
#include "measure/cell.h"

enum { MOST_LISTS = 16 };

/* The end of the steps from `begin` on that go into one list. */
static uint32_t list_end(const xb_plan *plan, uint32_t begin)
{
  while (begin < plan->step_count && plan->steps[begin].kind != XB_STEP_CALL)
    begin++;
  return begin;
}

/* One list for each part of the plan that has commands, in order. */
static bool record_lists(xb_cell *cell, xb_commands *lists[MOST_LISTS])
{
  uint32_t made = 0;
  for (uint32_t i = 0; i < cell->plan.step_count; i++) {
    const uint32_t end = list_end(&cell->plan, i);
    if (end == i)
      continue;
    if (made == MOST_LISTS) {
      xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "calls", "a plan has at most %d command lists between its calls",
              MOST_LISTS);
      return xb_cell_fail(cell);
    }
    if (xb_cell_commands(cell, "between calls", 0, &lists[made]))
      return xb_cell_fail(cell);
    for (; i < end; i++)
      xb_cell_record_step(cell, i, lists[made]);
    if (xb_commands_finish(lists[made++], &cell->verdict.error))
      return xb_cell_fail(cell);
  }
  return true;
}

static bool run_list(xb_cell *cell, xb_commands *list)
{
  const xb_workload *w = cell->workload;
  xb_point done;
  return (!xb_submit(w->device, &(xb_submission){.commands = list}, &done, &cell->verdict.error) &&
          !xb_wait(w->device, done, w->wait_limit_ns, &cell->verdict.error)) ||
         xb_cell_fail(cell);
}

bool xb_cell_call(xb_cell *cell, const xb_step *step, double *untimed_ns)
{
  xb_binding bindings[XB_MAX_BINDINGS];
  xb_call call = {.c = &cell->c, .device = cell->workload->device, .checks = !cell->samples.sampling};
  xb_cell_bind(cell, step, bindings);
  for (uint32_t i = 0; i < step->binding_count; i++) {
    char *host = xb_buffer_host(bindings[i].buffer);
    call.bindings[i].buffer = bindings[i].buffer;
    call.bindings[i].offset = bindings[i].offset;
    call.bindings[i].size = bindings[i].size;
    call.bindings[i].host = host ? host + bindings[i].offset : NULL;
  }
  double ns = 0;
  const double begin = xb_clock_ns();
  const xb_code code =
      step->timed ? step->timed(&call, &ns, &cell->verdict.error) : step->call(&call, &cell->verdict.error);
  *untimed_ns += step->timed ? xb_clock_ns() - begin - ns : call.untimed_ns;
  return !code || xb_cell_fail(cell);
}

static bool run_steps(xb_cell *cell, xb_commands *const *lists, double *ns)
{
  double untimed_ns = 0;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < cell->plan.step_count; i++) {
    const uint32_t end = list_end(&cell->plan, i);
    if (end > i && !run_list(cell, *lists++))
      return false;
    if (end < cell->plan.step_count && !xb_cell_call(cell, &cell->plan.steps[end], &untimed_ns))
      return false;
    i = end;
  }
  *ns = xb_clock_ns() - begin - untimed_ns;
  cell->samples.untimed_ns = untimed_ns;
  return true;
}

bool xb_cell_run_calls(xb_cell *cell, double *ns)
{
  xb_commands *lists[MOST_LISTS] = {0};
  const bool good = record_lists(cell, lists) && run_steps(cell, lists, ns);
  for (int i = 0; i < MOST_LISTS; i++)
    xb_commands_destroy(lists[i]);
  return good;
}
