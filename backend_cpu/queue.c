/* Queues: a thread each, which runs the lists in order, after the points of other queues. So a wait has a time limit,
 * whatever a kernel does. */
#define _GNU_SOURCE /* pthread_condattr_setclock */
#include "cpu.h"

#include "core/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t POLL_NS = 50000, SECOND_NS = 1000000000; /* a semaphore may belong to another device */
static const double STOP_NS = 5e9; /* the signal reaches all but a kernel that calls the system, or blocks signals */

static struct timespec after(uint64_t ns)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const uint64_t nanoseconds = (uint64_t)t.tv_nsec + ns % SECOND_NS;
  t.tv_sec += (time_t)(ns / SECOND_NS < 1u << 30 ? ns / SECOND_NS : 1u << 30) + (time_t)(nanoseconds / SECOND_NS);
  t.tv_nsec = (long)(nanoseconds % SECOND_NS);
  return t;
}

/* ---- A queue's thread ------------------------------------------------------------------------------------------- */

static bool may_begin(const xb_be_device *d, const cpu_work *w, bool *poll)
{
  for (uint32_t i = 0; i < w->after_count; i++)
    if (d->queues[w->after[i].queue].reached < w->after[i].value)
      return false;
  *poll = w->handover.wait != NULL;
  return !w->handover.wait || __atomic_load_n(w->handover.wait->value, __ATOMIC_ACQUIRE) >= w->handover.wait_value;
}

/* Called with the lock, which it gives up meanwhile. */
static xb_code run_list(cpu_queue *q, const cpu_work *w, char message[CPU_MESSAGE])
{
  xb_code code = XB_OK;
  xb_be_device *d = q->device;
  xb_be_commands *c = w->commands;
  for (size_t i = 0; i < c->op_count && !*message; i++) {
    if (w->value <= q->stop_up_to) {
      snprintf(message, CPU_MESSAGE, "%zu of the list's %zu commands had run", i, c->op_count);
      return XB_INTERNAL;
    }
    pthread_mutex_unlock(&d->lock);
    if (c->ops[i].kind == CPU_STAMP)
      c->stamps[c->ops[i].word] = xb_clock_ns();
    else
      code = cpu_run(q->device, &c->ops[i], &q->team, message);
    pthread_mutex_lock(&d->lock);
  }
  return code;
}

static void run_first(cpu_queue *q)
{
  const cpu_work w = q->work[0];
  char message[CPU_MESSAGE] = "";
  q->runs = true;
  const xb_code code = run_list(q, &w, message);
  q->runs = false;
  if (w.handover.signal)
    __atomic_store_n(w.handover.signal->value, w.handover.signal_value, __ATOMIC_RELEASE);
  if (!*q->message) {
    memcpy(q->message, message, sizeof message);
    q->code = code;
  }
  q->reached = w.value;
  memmove(q->work, q->work + 1, --q->count * sizeof w);
  pthread_cond_broadcast(&q->device->changed);
}

static void *serve(void *user)
{
  cpu_queue *q = user;
  xb_be_device *d = q->device;
  pthread_mutex_lock(&d->lock);
  while (!d->closing) {
    bool poll = false;
    if (q->count && may_begin(d, &q->work[0], &poll)) {
      run_first(q);
      continue;
    }
    const struct timespec soon = after(POLL_NS);
    if (poll)
      pthread_cond_timedwait(&d->changed, &d->lock, &soon);
    else
      pthread_cond_wait(&d->changed, &d->lock);
  }
  pthread_mutex_unlock(&d->lock);
  xb_cpu_team_destroy(q->team);
  return NULL;
}

/* ---- Starting and stopping -------------------------------------------------------------------------------------- */

xb_code cpu_queues_start(xb_be_device *d, xb_error *err)
{
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&d->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&d->lock, NULL);
  for (int i = 0; i < XB_MAX_QUEUES; i++) {
    cpu_queue *q = &d->queues[i];
    q->device = d;
    if (!d->info.queues[i].present)
      continue;
    q->started = !pthread_create(&q->thread, NULL, serve, q);
    if (!q->started) {
      cpu_queues_stop(d);
      return xb_fail(err, XB_NOMEM, "xb_device_open", "no thread can be started for a queue");
    }
  }
  return XB_OK;
}

/* What runs, or is about to: a queue that is closing begins nothing more. */
static bool is_busy(const cpu_queue *q)
{
  bool poll;
  return q->runs || (q->started && !q->device->closing && q->count && may_begin(q->device, &q->work[0], &poll));
}

/* Called with the lock. Ends what runs, and keeps what follows up to this value from running. A list that waits for
 * another queue, or for a semaphore, goes on waiting. */
static void stop_work(cpu_queue *q, uint64_t up_to)
{
  const double end = xb_clock_ns() + STOP_NS;
  q->stop_up_to = up_to;
  while (q->reached < up_to && is_busy(q) && !q->device->stuck) {
    xb_cpu_team *team = q->team;
    const struct timespec soon = after(SECOND_NS / 50);
    pthread_mutex_unlock(&q->device->lock);
    if (team)
      xb_cpu_stop(team);
    pthread_mutex_lock(&q->device->lock);
    if (q->reached < up_to && is_busy(q))
      pthread_cond_timedwait(&q->device->changed, &q->device->lock, &soon);
    q->device->stuck = q->reached < up_to && is_busy(q) && xb_clock_ns() > end;
  }
}

void cpu_queues_stop(xb_be_device *d)
{
  pthread_mutex_lock(&d->lock);
  d->closing = true;
  for (int i = 0; i < XB_MAX_QUEUES; i++)
    stop_work(&d->queues[i], UINT64_MAX);
  pthread_cond_broadcast(&d->changed);
  pthread_mutex_unlock(&d->lock);
  for (int i = 0; i < XB_MAX_QUEUES; i++) {
    cpu_queue *q = &d->queues[i];
    if (q->started && d->stuck)
      pthread_detach(q->thread);
    else if (q->started)
      pthread_join(q->thread, NULL);
    q->started = false;
    if (d->stuck)
      continue;
    free(q->work);
    q->work = NULL;
    q->count = 0;
  }
}

/* ---- For the host ----------------------------------------------------------------------------------------------- */

/* [submit] Hand the list over to the queue's thread. */
xb_code cpu_submit(xb_be_device *d, xb_be_commands *c, uint64_t value, const xb_point *points, uint32_t point_count,
                   const xb_be_handover *handover, xb_error *err)
{
  cpu_queue *q = &d->queues[c->queue];
  pthread_mutex_lock(&d->lock);
  const bool room = xb_grow(&q->work, &q->capacity, q->count, sizeof *q->work);
  if (room) {
    cpu_work *w = &q->work[q->count++];
    *w = (cpu_work){.commands = c, .value = value, .after_count = point_count, .handover = *handover};
    for (uint32_t i = 0; i < point_count; i++)
      w->after[i] = points[i];
    pthread_cond_broadcast(&d->changed);
  }
  pthread_mutex_unlock(&d->lock);
  return room ? XB_OK : xb_fail(err, XB_NOMEM, "xb_submit", "out of host memory");
}

/* [wait] What still runs at the limit is stopped, so the device stays usable, unless it cannot be stopped. */
xb_code cpu_wait(xb_be_device *d, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  cpu_queue *q = &d->queues[point.queue];
  const struct timespec limit = after(limit_ns);
  int result = limit_ns ? 0 : ETIMEDOUT;
  xb_code code = XB_OK;
  pthread_mutex_lock(&d->lock);
  while (q->reached < point.value && !result)
    result = pthread_cond_timedwait(&d->changed, &d->lock, &limit);
  const bool late = q->reached < point.value && limit_ns;
  if (late)
    stop_work(q, point.value);
  *reached = q->reached >= point.value;
  if (*reached && *q->message) {
    code = late ? xb_fail(err, XB_INTERNAL, "xb_wait", "the work did not finish within %.3g s, and was stopped: %s",
                          (double)limit_ns / 1e9, q->message)
                : xb_fail(err, q->code, "xb_wait", "%s", q->message);
    *q->message = '\0';
  }
  pthread_mutex_unlock(&d->lock);
  return code;
}

/* ---- Timestamps: the host's clock ------------------------------------------------------------------------------- */

xb_code cpu_timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < count; i++)
    ns[i] = c->stamps[i] - c->stamps[0];
  return XB_OK;
}

xb_code cpu_calibrate(xb_be_device *d, double *deviation_ns, xb_error *err)
{
  (void)d, (void)err;
  *deviation_ns = 0;
  return XB_OK;
}

xb_code cpu_times(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  (void)err;
  memcpy(ns, c->stamps, count * sizeof *ns);
  return XB_OK;
}
