#include "result/result.h"

#include "commit.h"
#include "os/cpu.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

const char *xb_outcome_name(xb_outcome outcome)
{
  static const char *const names[] = {"interrupted",    "ok",         "wrong", "failed", "unsupported",
                                      "no_counterpart", "interrupted"};
  return names[outcome];
}

double xb_result_value(const xb_result *result)
{
  return result->rates.metrics.count ? result->rates.metrics.values[0].value : NAN;
}

const char *xb_result_unit(const xb_result *result)
{
  return result->rates.metrics.count ? result->rates.metrics.values[0].unit : "";
}

const xb_metric *xb_result_metric(const xb_result *r, const char *name, const char *unit)
{
  for (size_t i = 0; i < r->rates.metrics.count; i++) {
    const xb_metric *m = &r->rates.metrics.values[i];
    if ((!name || !strcmp(m->name, name)) && (!unit || !strcmp(m->unit, unit)))
      return m;
  }
  return NULL;
}

bool xb_is_timed(const xb_result *result)
{
  return result && result->outcome == XB_CELL_OK;
}

const char *xb_result_why(const xb_result *result)
{
  return result->check.error ? result->check.error : result->check.reason ? result->check.reason : "not measured";
}

const char *xb_result_placed_once(const xb_result *result)
{
  return result->time.crowded == 1      ? "placed once: not enough memory"
         : result->time.placements == 1 ? "placed once"
                                        : NULL;
}

const char *xb_result_at(const xb_result *result, char out[XB_AT_TEXT])
{
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < result->at.count && at < XB_AT_TEXT; i++)
    at += (size_t)snprintf(out + at, XB_AT_TEXT - at, "%s%.32s %lld", i ? ", " : "", result->at.values[i].axis,
                           (long long)result->at.values[i].value);
  return out;
}

int xb_compare_at(const xb_result *a, const xb_result *b)
{
  int order = (a->at.count > b->at.count) - (a->at.count < b->at.count);
  for (size_t i = 0; i < a->at.count && !order; i++) {
    const xb_at *x = &a->at.values[i], *y = &b->at.values[i];
    order = strcmp(x->axis, y->axis);
    order = order ? order : (x->value > y->value) - (x->value < y->value);
  }
  return order;
}

int xb_compare_sizes(const xb_result *a, const xb_result *b)
{
  const uint64_t x[] = {a->work.size, a->work.rows, a->work.columns, a->work.inner},
                 y[] = {b->work.size, b->work.rows, b->work.columns, b->work.inner};
  int order = 0;
  for (size_t i = 0; i < sizeof x / sizeof *x && !order; i++)
    order = (x[i] > y[i]) - (x[i] < y[i]);
  return order;
}

bool xb_same_text(const char *a, const char *b)
{
  return a && b ? !strcmp(a, b) : a == b;
}

/* ---- The host ---------------------------------------------------------------------------------------------------- */

const xb_result_host *xb_this_host(void)
{
  static struct utsname os;
  static char cpu[256], date[32];
  const time_t now = time(NULL);
  static xb_result_host host;
  uname(&os);
  xb_cpu_info("model name", cpu, sizeof cpu);
  if (!*date) /* when the program first asks, before it measures */
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  host = (xb_result_host){.version = XB_VERSION,
                          .os = os.sysname,
                          .kernel = os.release,
                          .cpu = cpu,
                          .compiler = XB_COMPILER,
                          .compiler_flags = XB_COMPILER_FLAGS,
                          .shader_compiler = XB_SHADER_COMPILER,
                          .shader_flags = XB_SHADER_FLAGS,
                          .cuda_compiler = XB_CUDA_COMPILER,
                          .cuda_flags = XB_CUDA_FLAGS,
                          .dxil_compiler = XB_DXIL_COMPILER,
                          .dxil_flags = XB_DXIL_FLAGS,
                          .commit = XB_COMMIT,
                          .modified = XB_MODIFIED,
                          .date = date};
  return &host;
}

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

bool xb_is_of_pairs(const xb_result_benchmark *b)
{
  return b && b->axes.count == 2 && !strcmp(b->axes.values[0].name, "from") && !strcmp(b->axes.values[1].name, "to");
}

bool xb_same_matrix(const xb_result *a, const xb_result *b)
{
  return a->on == b->on && a->work.size == b->work.size && !strcmp(a->benchmark, b->benchmark) &&
         !strcmp(a->variant, b->variant) && !strcmp(a->dtype, b->dtype);
}

void xb_matrix_begin(xb_matrix *m, const xb_result *first)
{
  m->of = first;
  m->unit = NULL;
  m->rows = m->columns = 0;
  for (size_t r = 0; r < XB_MATRIX_MOST; r++)
    for (size_t c = 0; c < XB_MATRIX_MOST; c++)
      m->values[r][c] = NAN;
  xb_matrix_add(m, first);
}

/* The place of the number in the list; it is added if it is new. XB_MATRIX_MOST: the list is full. */
static size_t place(int64_t *list, size_t *count, int64_t number)
{
  for (size_t i = 0; i < *count; i++)
    if (list[i] == number)
      return i;
  if (*count < XB_MATRIX_MOST)
    list[(*count)++] = number;
  else
    return XB_MATRIX_MOST;
  return *count - 1;
}

void xb_matrix_add(xb_matrix *m, const xb_result *r)
{
  if (!xb_same_matrix(m->of, r) || r->at.count != 2)
    return;
  const size_t row = place(m->from, &m->rows, r->at.values[0].value);
  const size_t column = place(m->to, &m->columns, r->at.values[1].value);
  if (r->outcome != XB_CELL_OK || !(xb_result_value(r) > 0) || row == XB_MATRIX_MOST || column == XB_MATRIX_MOST)
    return;
  m->unit = xb_result_unit(r);
  m->values[row][column] = xb_result_value(r);
}

/* ---- Peaks ------------------------------------------------------------------------------------------------------- */

const xb_peak xb_peaks[] = {
    {"memory, by a copy kernel", "copy", 2, NULL, NULL},
    {"host to device, pinned", "copy", 3, NULL, NULL},
    {"device to host, pinned", "copy", 4, NULL, NULL},
    {"shared memory, throughput", "banks", 1, "stride 1", NULL},
    {"shared memory, latency", "latency", 2, "stride 128", NULL},
    {"device memory, latency", "latency", 1, "stride 128", NULL},
    {"dependent dispatch", "launch", 1, NULL, NULL},
    {"submit to complete", "launch", 3, NULL, NULL},
    {"float32 multiply-adds", "instructions", 64, "waves 0", NULL},
    {"float32 multiply-add, latency", "instructions", 23, "waves 1", "ns a step"},
    {"float64 multiply-adds", "instructions", 73, "waves 0", NULL},
    {"float16 multiply-adds, in pairs", "instructions", 83, "waves 0", NULL},
    {"int32 multiply-adds", "instructions", 2, "waves 0", NULL},
    {"int8 dot products (dp4a)", "instructions", 91, "waves 0", NULL},
    {"float32 reciprocal square roots", "instructions", 29, "waves 0", NULL},
    {"float16 tensor cores", "tensor", 4, NULL, NULL},
    {NULL, NULL, 0, NULL, NULL},
};

bool xb_is_peak(const xb_peak *peak, const xb_result *r)
{
  char at[XB_AT_TEXT];
  return r->outcome != XB_CELL_PENDING && r->yardstick != 1 && r->variant_number == peak->variant &&
         !strcmp(r->benchmark, peak->benchmark) && (!peak->at || !strcmp(xb_result_at(r, at), peak->at));
}
