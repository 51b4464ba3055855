#include "page/model/gpu_ratios.h"

#include "judge/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_FOR_NEXT = 4 };

typedef struct member {
  const xb_view_file *file;
  const xb_comparison *of;
} member;

static int by_text(const char *a, const char *b)
{
  return strcmp(a ? a : "", b ? b : "");
}

static int by_number(uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int by_side(const xb_result *a, const xb_result *b)
{
  int order = by_text(a->variant, b->variant);
  order = order ? order : by_text(a->backend, b->backend);
  order = order ? order : by_text(a->launch_mode, b->launch_mode);
  order = order ? order : by_number((uint64_t)a->on->queue_family, (uint64_t)b->on->queue_family);
  order = order ? order : by_text(a->cache, b->cache);
  order = order ? order : by_text(a->loop, b->loop);
  return order ? order : by_text(a->on->name, b->on->name);
}

static int by_question(const xb_comparison *a, const xb_comparison *b)
{
  int order = strcmp(a->subject->benchmark, b->subject->benchmark);
  order = order ? order : by_side(a->subject, b->subject);
  order = order ? order : by_side(a->base, b->base);
  order = order ? order : by_text(a->subject->dtype, b->subject->dtype);
  order = order ? order : by_number(a->subject->size, b->subject->size);
  order = order ? order : by_number(a->subject->rows, b->subject->rows);
  order = order ? order : by_number(a->subject->inner, b->subject->inner);
  return order ? order : xb_compare_at(a->subject, b->subject);
}

static int by_gpu(const void *a, const void *b)
{
  const xb_comparison *x = ((const member *)a)->of, *y = ((const member *)b)->of;
  const int order = by_question(x, y);
  return order ? order : by_text(x->subject->device, y->subject->device);
}

/* Both sides on one GPU that the file identifies. */
static bool fits(const xb_comparison *c)
{
  return c->verdict && c->base && c->ratio > 0 && c->subject->device && c->base->device &&
         !strcmp(c->subject->device, c->base->device);
}

/* Members of one question; `logs` has room for all. */
static xb_gpu_ratio join(const member *members, size_t count, double *logs)
{
  xb_gpu_ratio g = {.file = members->file, .of = members->of, .next = {NAN, NAN}};
  double sum = 0, low = INFINITY, high = -INFINITY;
  for (size_t i = 0, end; i < count; i = end) {
    double of_gpu = 0;
    for (end = i; end < count && !strcmp(members[end].of->subject->device, members[i].of->subject->device); end++) {
      of_gpu += log(members[end].of->ratio);
      g.other_code |= by_text(members[end].of->subject->code_hash, g.of->subject->code_hash) != 0 ||
                      by_text(members[end].of->base->code_hash, g.of->base->code_hash) != 0;
    }
    logs[g.gpus] = of_gpu / (double)(end - i);
    low = fmin(low, logs[g.gpus]);
    high = fmax(high, logs[g.gpus]);
    sum += logs[g.gpus++];
  }
  g.ratio = exp(sum / (double)g.gpus);
  g.range = (xb_interval){exp(low), exp(high)};
  if (g.gpus >= LEAST_FOR_NEXT) {
    const xb_interval next = xb_prediction(logs, g.gpus);
    g.next = (xb_interval){exp(next.low), exp(next.high)};
  }
  return g;
}

bool xb_gpu_ratios_find(const xb_view *view, xb_gpu_ratios *found)
{
  size_t most = 1, count = 0;
  for (size_t f = 0; f < view->file_count; f++)
    most += view->files[f].ratio_count;
  member *members = calloc(most, sizeof *members);
  double *logs = calloc(most, sizeof *logs);
  *found = (xb_gpu_ratios){.list = calloc(most, sizeof *found->list)};
  const bool good = members && logs && found->list;
  for (size_t f = 0; f < view->file_count && good; f++)
    for (size_t i = 0; i < view->files[f].ratio_count; i++)
      if (fits(&view->files[f].ratios[i]))
        members[count++] = (member){&view->files[f], &view->files[f].ratios[i]};
  if (good)
    qsort(members, count, sizeof *members, by_gpu);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && !by_question(members[i].of, members[end].of); end++)
      ;
    const xb_gpu_ratio g = join(members + i, end - i, logs);
    if (g.gpus > 1)
      found->list[found->count++] = g;
  }
  free(members);
  free(logs);
  return good;
}
