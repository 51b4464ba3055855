#include "scripted/scripted.h"

#include "host/host.h"
#include "host/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KERNELS = 16, PLACES = 64 };

static struct {
  scripted_rules rules;
  double clock_ns;
  const void *places[KERNELS][PLACES];
  xb_be_commands *last;
  scripted_list list;
  bool works, expired;
} now;

/* The linker puts this in the place of clock_gettime (--wrap). */
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
  (void)id;
  t->tv_sec = (time_t)(now.clock_ns / 1e9);
  t->tv_nsec = (long)(now.clock_ns - (double)t->tv_sec * 1e9);
  return 0;
}

void scripted_set(const scripted_rules *rules)
{
  host_reset();
  memset(&now, 0, sizeof now);
  now.rules = *rules;
}

const scripted_list *scripted_now(void)
{
  return now.works ? &now.list : NULL;
}

double scripted_clock_ns(void)
{
  return now.clock_ns;
}

void scripted_pass(double ns)
{
  now.clock_ns += ns;
}

static uint32_t placement_of(int kernel, const xb_be_binding *b)
{
  const void *address = b->buffer->data + b->offset;
  uint32_t i = 0;
  while (i < PLACES - 1 && now.places[kernel][i] && now.places[kernel][i] != address)
    i++;
  now.places[kernel][i] = address;
  return i;
}

/* Returns false for a list without dispatches. */
static bool describe(xb_be_commands *c)
{
  now.list = (scripted_list){.timed = c->timestamp_count, .again = c == now.last};
  bool begun = false;
  for (size_t i = 0; i < c->op_count; i++) {
    const host_op *op = &c->ops[i];
    begun = begun || op->kind == HOST_TIMESTAMP;
    now.list.fills += begun && op->kind == HOST_FILL && !now.list.runs;
    const bool before = c->timestamp_count && !begun;
    now.list.before += before && op->kind == HOST_DISPATCH;
    if (op->kind == HOST_DISPATCH && !before && !now.list.runs++) {
      now.list.kernel = atoi(op->kernel->code.entry) % KERNELS;
      memcpy(&now.list.word, op->args, sizeof now.list.word);
      now.list.placement = placement_of(now.list.kernel, &op->bindings[1]);
    }
  }
  now.last = now.list.runs ? c : now.last;
  return now.list.runs;
}

static xb_code submit(xb_be_device *device, xb_be_commands *c, uint64_t value, const xb_point *after,
                      uint32_t after_count, const xb_be_handover *handover, xb_error *err)
{
  now.works = describe(c);
  if (now.works && now.rules.begins)
    now.rules.begins(&now.list);
  now.clock_ns += now.rules.issue_ns;
  return xb_backend_host.submit(device, c, value, after, after_count, handover, err);
}

static void end(xb_be_commands *c)
{
  const double restoring = c->timestamp_count == 3 ? floor(now.rules.restore_ns * now.list.runs) : 0;
  const double ns =
      floor(now.rules.run_ns(&now.list) * now.list.runs) + 2 * restoring; /* without runs, then with them */
  if (c->timestamp_count >= 2)
    c->stamps[1] = c->stamps[0] + (uint64_t)ns;
  if (c->timestamp_count == 3)
    c->stamps[2] = c->stamps[0] + (uint64_t)restoring;
  now.clock_ns += now.rules.submit_ns - now.rules.issue_ns + ns;
  now.expired = now.rules.expired && now.rules.expired(&now.list);
  if (now.rules.ends)
    now.rules.ends(&now.list);
  now.works = false;
}

static xb_code timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_code code = xb_backend_host.timestamps(c, ns, count, err);
  for (uint32_t i = 1; i < count && now.expired; i++)
    ns[i] = NAN;
  if (now.rules.reports_ns && count > 1)
    ns[1] = now.rules.reports_ns(ns[1]);
  return code;
}

static xb_code wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  const xb_code code = xb_backend_host.wait(device, point, limit_ns, reached, err);
  if (!code && *reached && now.works)
    end(now.last);
  return code;
}

static xb_code device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  static const uint8_t uuid[16] = {0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7,
                                   0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF}; /* of tests/monitor's NVML */
  const xb_code code = xb_backend_host.device_open(desc, device, info, err);
  info->type = now.rules.type;
  info->cache_bytes = now.rules.cache_bytes;
  info->memory_clock_khz = 1000 * now.rules.memory_gbps;
  info->memory_bus_bits = 4000;
  if (now.rules.held)
    info->launch_mode = XB_LAUNCH_HELD_STREAM;
  memcpy(info->uuid, uuid, sizeof uuid);
  return code;
}

static void commands_destroy(xb_be_device *device, xb_be_commands *c)
{
  now.last = now.last == c ? NULL : now.last; /* the next list may get its address */
  xb_backend_host.commands_destroy(device, c);
}

const xb_backend *scripted_backend(void)
{
  static xb_backend backend;
  backend = xb_backend_host;
  backend.device_open = device_open;
  backend.commands_destroy = commands_destroy;
  backend.submit = submit;
  backend.timestamps = timestamps;
  backend.wait = wait;
  return &backend;
}
