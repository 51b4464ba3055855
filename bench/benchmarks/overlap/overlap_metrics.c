#include "benchmarks/overlap/overlap_metrics.h"

#include <math.h>
#include <string.h>

/* All lists of a stage, one after another and alone. */
static double alone(const xb_plan *plan, const xb_span *span, const char *stage)
{
  double sum = 0;
  for (uint32_t i = 0; i < plan->list_count; i++)
    sum += strcmp(plan->lists[i].name, stage) ? 0 : span->alone_ns[i];
  return sum;
}

/* Upload, compute and download of n chunks: the first chunk takes all of its stages, then each chunk takes what the
 * longest stage takes. Kernels alone: as many at once as there are lanes. The host works beside all of it. */
static double model(double up, double kernel, double down, double host, xb_overlap_form form)
{
  const double n = form.chunks, sum = up + kernel + down, longest = fmax(fmax(up, kernel), down);
  if (form.serial)
    return fmax(sum, host);
  if (up == 0 && down == 0)
    return kernel / n * ceil(n / form.lanes);
  if (kernel == 0)
    return fmax(longest, host);
  return fmax(sum / n + (1 - 1 / n) * longest, host);
}

/* The part of the time from the first begin to the last end in which at least two lists ran. A list begins and ends
 * where the clock of all queues says. */
static double overlapped(const xb_plan *plan, const xb_span *span)
{
  const uint32_t count = plan->list_count;
  double first = INFINITY, last = 0, both = 0;
  for (uint32_t i = 0; i < count; i++) {
    first = fmin(first, span->begin_ns[i]);
    last = fmax(last, span->end_ns[i]);
  }
  /* Between two neighbouring marks, nothing begins or ends. */
  for (double at = first; at < last;) {
    double next = last;
    uint32_t running = 0;
    for (uint32_t i = 0; i < count; i++) {
      running += span->begin_ns[i] <= at && at < span->end_ns[i];
      next = span->begin_ns[i] > at ? fmin(next, span->begin_ns[i]) : next;
      next = span->end_ns[i] > at ? fmin(next, span->end_ns[i]) : next;
    }
    both += running > 1 ? next - at : 0;
    at = next;
  }
  return last > first ? both / (last - first) : 0;
}

size_t xb_overlap_metrics(const xb_plan *plan, const xb_span *span, xb_overlap_form form,
                          xb_metric metrics[XB_MAX_METRICS])
{
  static const char *const stages[] = {"upload", "kernel", "download", "host"};
  static const char *const units[] = {"us upload", "us kernel", "us download", "us host"};
  double ns[4], sum = 0;
  size_t count = 0;
  for (int i = 0; i < 4; i++)
    sum += ns[i] = alone(plan, span, stages[i]);
  const double predicted = model(ns[0], ns[1], ns[2], ns[3], form);
  metrics[count++] =
      (xb_metric){.name = "against alone", .unit = "speedup", .value = sum / span->ns, .more_is_better = true};
  for (int i = 0; i < 3; i++)
    if (ns[i] > 0)
      metrics[count++] = (xb_metric){.name = stages[i], .unit = units[i], .value = ns[i] / 1e3};
  metrics[count++] =
      (xb_metric){.name = "model", .unit = "us model", .value = predicted / 1e3, .more_is_better = XB_UNKNOWN};
  metrics[count++] = (xb_metric){.name = "measured", .unit = "of model", .value = span->ns / predicted};
  metrics[count++] =
      (xb_metric){.name = "overlapped", .unit = "overlapped", .value = overlapped(plan, span), .more_is_better = true};
  /* Last: other rows have the same columns up to here. */
  if (ns[3] > 0)
    metrics[count++] = (xb_metric){.name = stages[3], .unit = units[3], .value = ns[3] / 1e3};
  if (ns[1] == 0)
    metrics[count++] = (xb_metric){
        .name = "both ways", .unit = "GB/s", .value = (double)plan->bytes / span->ns, .more_is_better = true};
  return count;
}
