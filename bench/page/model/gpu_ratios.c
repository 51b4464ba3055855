#include "page/model/gpu_ratios.h"

#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_FOR_NEXT = 4 };

typedef struct member {
  const xb_view_file *file;
  const xb_comparison *of;
} member;

/* The same conditions on both sides, and the same model. */
static int by_question(const xb_comparison *a, const xb_comparison *b)
{
  int order = xb_compare_identity(a->subject, b->subject, XB_BEHIND_DEVICE);
  order = order ? order : xb_compare_identity(a->base, b->base, XB_BEHIND_DEVICE);
  order = order ? order : strcmp(a->subject->on->name, b->subject->on->name);
  return order ? order : strcmp(a->base->on->name, b->base->on->name);
}

static int by_gpu(const void *a, const void *b)
{
  const xb_comparison *x = ((const member *)a)->of, *y = ((const member *)b)->of;
  const int order = by_question(x, y);
  return order ? order : xb_compare_texts(x->subject->device, y->subject->device);
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
      g.other_code |= xb_compare_texts(members[end].of->subject->code_hash, g.of->subject->code_hash) != 0 ||
                      xb_compare_texts(members[end].of->base->code_hash, g.of->base->code_hash) != 0;
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
