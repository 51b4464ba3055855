#include "benchmarks/single_pass.h"

enum {
  UNKNOWN_MULTIPROCESSORS = 64,
  CPU_MULTIPROCESSORS = 4,
  QUEUE_SWEEPS = 16, /* no queue if groups have fewer tiles than this */
  QUEUE_PART = 8,    /* the queue holds one of this many tiles */
};

uint64_t xb_multiprocessors(const xb_device_info *info)
{
  if (info->multiprocessors)
    return info->multiprocessors;
  return info->type == XB_DEVICE_CPU ? CPU_MULTIPROCESSORS : UNKNOWN_MULTIPROCESSORS;
}

/* Threads per multiprocessor, from n elements on. With fewer groups, the last one has all results sooner, but reading
 * from memory needs as many threads as fit. */
static const struct {
  uint64_t n;
  uint32_t threads;
} residency[] = {{0, 256}, {(1 << 20) + 1, 512}, {1 << 24, 2048}};

/* A power of two of multiprocessors, if that leaves at most a sixteenth of them unused. A power of two of elements then
 * divides evenly, which saves more than the unused ones cost. */
static uint64_t even_multiprocessors(const xb_device_info *info)
{
  const uint64_t all = xb_multiprocessors(info);
  uint64_t even = 1;
  while (even * 2 <= all)
    even *= 2;
  return all - even <= all / 16 ? even : all;
}

/* A part of a device has as many as were asked for. */
static uint64_t used_multiprocessors(const xb_case *c)
{
  const uint64_t all = xb_multiprocessors(c->device);
  return c->form && all < xb_multiprocessors(c->form->device) ? all : even_multiprocessors(c->device);
}

uint64_t xb_single_pass_groups(const xb_case *c, uint64_t count)
{
  size_t i = sizeof residency / sizeof residency[0] - 1;
  while ((c->form ? c->form->n : count) < residency[i].n)
    i--;
  uint64_t threads = residency[i].threads;
  const uint64_t fit = c->device->threads_per_multiprocessor / c->block * c->block; /* in whole groups; 0: unknown */
  if (fit && fit < threads)
    threads = fit;
  const uint64_t needed = xb_ceil_div(count, (uint64_t)c->block * 4);
  const uint64_t most = used_multiprocessors(c) * threads / c->block;
  return needed < most ? needed : most ? most : 1;
}

uint64_t xb_single_pass_dealt(const xb_case *c, uint64_t count, uint64_t groups)
{
  const uint64_t sweep = groups * c->block * 4, sweeps = count / 4 / sweep;
  const xb_case *form = c->form;
  const uint64_t of_form = form ? form->n / 4 / (xb_single_pass_groups(form, form->n) * form->block * 4) : sweeps;
  return sweeps < QUEUE_SWEEPS || of_form < QUEUE_SWEEPS ? count / 4
                                                         : (sweeps - xb_ceil_div(sweeps, QUEUE_PART)) * sweep;
}
