/* One line a cell, without raw samples. What is unknown is empty; fields mean what they mean in the JSON. */
#include "report/format.h"
#include "report/results.h"
#include "safe_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void xb_csv_header(FILE *file)
{
  fputs("benchmark,variant,title,backend,launch_mode,queue,clock,device,uuid,dtype,size,rows,columns,block,windows,"
        "bytes,flops,"
        "cache,seed,yardstick,loop,repeats,placements,batch,samples,median_ns,ci95_low_ns,ci95_high_ns,spread_ns,"
        "outliers,warm,"
        "throttled_samples,floor_ns,host_ns,gbps,percent_of_copy,verified,error,"
        "outcome,stopped_by,base_variant,base_backend,base_launch_mode,base_uuid,ratio,ci95_low_ratio,ci95_high_ratio,"
        "verdict,queue_family,"
        "at,metrics,predicted,measured,counterpart,reason\n",
        file);
}

/* It may go to a terminal. */
static void quoted(FILE *file, const char *text)
{
  char safe[1024];
  fputc('"', file);
  for (const char *c = xb_safe_text(text, safe, sizeof safe); *c; c++) {
    if (*c == '"')
      fputc('"', file);
    fputc(*c, file);
  }
  fputc('"', file);
}

/* With their commas; empty where they are 0. */
static void known(FILE *file, double value)
{
  if (value > 0)
    fprintf(file, "%.17g", value);
  fputc(',', file);
}

static void known_count(FILE *file, uint64_t value)
{
  if (value)
    fprintf(file, "%" PRIu64, value);
  fputc(',', file);
}

static void csv_question(FILE *file, const xb_result *r)
{
  fprintf(file, "%s,%s,", r->benchmark, r->variant);
  quoted(file, r->title);
  fprintf(file, ",%s,%s,%s,%s,", r->backend, r->launch_mode, r->queue, r->clock);
  quoted(file, r->on->name);
  fprintf(file, ",%s,%s,%" PRIu64 ",", r->device ? r->device : "", r->dtype, r->size);
  known_count(file, r->rows);
  known_count(file, r->columns);
  known_count(file, r->block);
  known_count(file, r->windows);
  known_count(file, r->bytes);
  fprintf(file, "%" PRId64 ",%s,%" PRId64 ",%s,%s,", r->flops, r->cache, r->seed, r->yardstick == 1 ? "true" : "false",
          r->loop);
  known_count(file, r->repeats);
  known_count(file, r->placements);
}

static double bandwidth(const xb_result *r)
{
  for (size_t i = 0; i < r->metrics.count; i++)
    if (!strcmp(r->metrics.values[i].name, "bandwidth"))
      return r->metrics.values[i].value;
  return NAN;
}

static void csv_measured(FILE *file, const xb_result *r)
{
  fprintf(file, "%" PRIu64 ",%zu,%.17g,%.17g,%.17g,%.17g,%" PRId64 ",%s,", r->batch, r->samples_ns.count, r->median_ns,
          r->ci95_ns.low, r->ci95_ns.high, r->spread_ns, r->outliers, r->warm == 1 ? "true" : "false");
  if (r->throttled_samples >= 0)
    fprintf(file, "%" PRId64, r->throttled_samples);
  fputc(',', file);
  known(file, r->floor_ns);
  known(file, r->host_ns);
  known(file, bandwidth(r));
  known(file, r->percent_of_copy);
  fprintf(file, "%s,", r->verified == 1 ? "true" : "");
}

/* What it was held against; empty for what was not, and in a run. */
static void csv_compared(FILE *file, const xb_group *group, const xb_result *r)
{
  const xb_comparison *c = NULL;
  for (size_t i = 0; i < group->comparison_count && !c; i++)
    if (group->comparisons[i].subject == r)
      c = &group->comparisons[i];
  fprintf(file, ",%s,%s,", xb_outcome_name(r->outcome), r->stopped_by ? r->stopped_by : "");
  if (c && c->base)
    fprintf(file, "%s,%s,%s,%s,", c->base->variant, c->base->backend, c->base->launch_mode,
            c->base->device ? c->base->device : "");
  else
    fputs(",,,,", file);
  if (c && c->verdict)
    fprintf(file, "%.17g,%.17g,%.17g,%s,", c->ratio, c->ci95_ratio.low, c->ci95_ratio.high, c->verdict);
  else
    fputs(",,,,", file);
}

/* Lists as "offset=3;tile=8" and "bandwidth=123.4 GB/s;...". */
static void csv_described(FILE *file, const xb_result *r)
{
  if (r->on->queue_family >= 0)
    fprintf(file, "%" PRId64, r->on->queue_family);
  fputc(',', file);
  for (size_t i = 0; i < r->at.count; i++)
    fprintf(file, "%s%s=%" PRId64, i ? ";" : "", r->at.values[i].axis, r->at.values[i].value);
  fputc(',', file);
  for (size_t i = 0; i < r->metrics.count; i++)
    fprintf(file, "%s%s=%.17g %s", i ? ";" : "", r->metrics.values[i].name, r->metrics.values[i].value,
            r->metrics.values[i].unit);
  fputc(',', file);
  known(file, r->model.predicted);
  known(file, r->model.measured);
  fprintf(file, "%s,", r->counterpart ? r->counterpart : "");
  if (r->reason)
    quoted(file, r->reason);
  fputc('\n', file);
}

void xb_csv_group(FILE *file, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    csv_question(file, r);
    if (r->outcome == XB_CELL_OK) {
      csv_measured(file, r);
    } else {
      fprintf(file, ",,,,,,,,,,,,,%s,", r->verified == 0 ? "false" : "");
      quoted(file, r->error ? r->error : r->reason ? "" : "not measured");
    }
    csv_compared(file, group, r);
    csv_described(file, r);
  }
}
