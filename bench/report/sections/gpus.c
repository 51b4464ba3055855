/* The same comparison on several GPUs of one model: how much its ratio differs from GPU to GPU. */
#include "report/report.h"

#include "diff/diff.h"
#include "judge/judge.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_FOR_NEXT = 4 };

typedef struct member {
  const xb_view_file *file;
  const xb_comparison *of;
} member;

/* A comparison that several GPUs have. */
typedef struct gpu_ratio {
  const char *benchmark, *code;
  char sides[XB_NAME], cell[XB_NAME];
  uint64_t gpus;
  double ratio;            /* geometric mean over the GPUs; that of a GPU is the mean over its files */
  xb_interval range, next; /* over the GPUs; 95 % prediction for one more, NAN for fewer than 4 */
} gpu_ratio;

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
static gpu_ratio join(const member *members, size_t count, double *logs)
{
  const xb_comparison *of = members->of;
  gpu_ratio g = {.benchmark = of->subject->benchmark, .code = "", .next = {NAN, NAN}};
  double sum = 0, low = INFINITY, high = -INFINITY;
  xb_ratio_name(members->file, of, g.sides);
  xb_name_question(of->subject, g.cell);
  for (size_t i = 0, end; i < count; i = end) {
    double of_gpu = 0;
    for (end = i; end < count && !strcmp(members[end].of->subject->device, members[i].of->subject->device); end++) {
      of_gpu += log(members[end].of->ratio);
      if (xb_compare_texts(members[end].of->subject->code.code_hash, of->subject->code.code_hash) != 0 ||
          xb_compare_texts(members[end].of->base->code.code_hash, of->base->code.code_hash) != 0)
        g.code = "not the same code in all files";
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

/* In the order of benchmark, sides, element type and size. The lists have room for all ratios; returns the number. */
static size_t find(const xb_view *view, member *members, double *logs, gpu_ratio *found)
{
  size_t count = 0, found_count = 0;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].ratio_count; i++)
      if (fits(&view->files[f].ratios[i]))
        members[count++] = (member){&view->files[f], &view->files[f].ratios[i]};
  qsort(members, count, sizeof *members, by_gpu);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && !by_question(members[i].of, members[end].of); end++)
      ;
    found[found_count] = join(members + i, end - i, logs);
    found_count += found[found_count].gpus > 1;
  }
  return found_count;
}

#define OF(kind, name) XB_AT(gpu_ratio, kind, name)
static const xb_column columns[] = {
    {"benchmark", .left = true, OF(TEXT, benchmark)},
    {"sides", .left = true, OF(CHARS, sides)},
    {"cell", .left = true, OF(CHARS, cell)},
    {"GPUs", OF(KNOWN, gpus)},
    {"ratio", 0, "%.3f", OF(REAL, ratio)},
    {"range", OF(INTERVAL, range)},
    {"next GPU", OF(INTERVAL, next)},
    {"", .left = true, OF(TEXT, code)},
};

void xb_report_gpus(xb_report *report)
{
  xb_table s;
  size_t most = 1;
  for (size_t f = 0; f < report->view->file_count; f++)
    most += report->view->files[f].ratio_count;
  member *members = calloc(most, sizeof *members);
  double *logs = calloc(most, sizeof *logs);
  gpu_ratio *found = calloc(most, sizeof *found);
  if (members && logs && found) {
    s = (xb_table){XB_ROWS(found, find(report->view, members, logs, found))};
    xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
    if (s.rows)
      xb_table_html(&s, report->out, "Ratios across GPUs", NULL);
  } else
    xb_report_out_of_memory(report);
  free(members);
  free(logs);
  free(found);
}
