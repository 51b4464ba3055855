/* One line a cell, without raw samples. What is unknown is empty; fields mean what they mean in the JSON. */
#include "report/format.h"
#include "report/results.h"
#include "safe_text.h"

#include <inttypes.h>

void xb_csv_header(FILE *file)
{
  fputs("benchmark,variant,title,backend,launch_mode,queue,clock,device,uuid,dtype,size,rows,columns,block,windows,"
        "bytes,flops,"
        "cache,seed,yardstick,loop,repeats,placements,batch,samples,median_ns,ci95_low_ns,ci95_high_ns,spread_ns,"
        "outliers,warm,"
        "throttled_samples,floor_ns,host_ns,gbps,percent_of_copy,verified,error,"
        "outcome,stopped_by,base_variant,base_backend,base_launch_mode,base_uuid,ratio,ci95_low_ratio,ci95_high_ratio,"
        "verdict,queue_family\n",
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

static void csv_question(FILE *file, const xb_cell *cell)
{
  const xb_device_info *info = cell->c.device;
  const xb_variant *v = cell->c.variant;
  char uuid[40];
  fprintf(file, "%s,%u_%s,", v->benchmark->name, v->number, v->name);
  quoted(file, v->title);
  fprintf(file, ",%s,%s,%s,%s,", info->backend, xb_launch_mode_name(info->launch_mode),
          v->queue == XB_QUEUE_COPY ? "copy" : "compute", v->clock == XB_CLOCK_DEVICE ? "device" : "host");
  quoted(file, info->name);
  xb_format_uuid(info, uuid);
  fprintf(file, ",%s,%s,%" PRIu64 ",", uuid, xb_dtype_name(cell->c.dtype), cell->c.n);
  known_count(file, cell->c.variant->benchmark->matrix ? cell->c.rows : 0);
  known_count(file, cell->c.variant->benchmark->matrix ? cell->c.columns : 0);
  known_count(file, xb_has_kernel(v) ? cell->c.block : 0);
  known_count(file, cell->plan.windows);
  known_count(file, cell->plan.bytes);
  fprintf(file, "%" PRIu64 ",%s,%" PRIu64 ",%s,%s,", cell->plan.flops, cell->cache == XB_CACHE_COLD ? "cold" : "hot",
          cell->c.seed, cell->yardstick ? "true" : "false", cell->loop == XB_LOOP_KERNEL ? "kernel" : "launch");
  known_count(file, cell->loop == XB_LOOP_KERNEL ? cell->c.repeats : 0);
  known_count(file, cell->placements);
}

static void csv_measured(FILE *file, const xb_group *group, const xb_cell *cell)
{
  const double copy = xb_copy_gbps(group, cell->workload->device), gbps = xb_cell_gbps(cell);
  const xb_stats *s = &cell->device;
  fprintf(file, "%u,%zu,%.17g,%.17g,%.17g,%.17g,%zu,%s,", cell->batch, cell->sample_count, s->median, s->ci95_low,
          s->ci95_high, s->spread, s->outliers, cell->warm ? "true" : "false");
  if (cell->before.throttle_known || cell->highest.throttle_known)
    fprintf(file, "%zu", cell->throttled_samples);
  fputc(',', file);
  known(file, xb_floor_ns(group->cells, group->count, cell));
  known(file, cell->cache == XB_CACHE_HOT ? cell->host.median : 0); /* cold: the flush would be in it */
  known(file, gbps);
  known(file, copy > 0 ? 100 * gbps / copy : 0);
  fprintf(file, "%s,",
          cell->c.variant->benchmark->methods->check ? "true" : ""); /* nothing to check: an empty kernel */
}

/* What it was held against; empty for what was not, and in a run. */
static void csv_compared(FILE *file, const xb_group *group, const xb_cell *cell)
{
  char uuid[40];
  const xb_pair *pair = NULL;
  for (size_t i = 0; i < group->comparison.count && !pair; i++)
    if (group->comparison.pairs[i].subject == cell)
      pair = &group->comparison.pairs[i];
  fprintf(file, ",%s,%s,", xb_outcome_name(cell->outcome),
          cell->outcome == XB_CELL_OK && cell->stopped_by ? cell->stopped_by : "");
  if (pair && pair->base) {
    const xb_device_info *info = pair->base->c.device;
    xb_format_uuid(info, uuid);
    fprintf(file, "%u_%s,%s,%s,%s,", pair->base->c.variant->number, pair->base->c.variant->name, info->backend,
            xb_launch_mode_name(info->launch_mode), uuid);
  } else {
    fputs(",,,,", file);
  }
  if (pair && pair->compared)
    fprintf(file, "%.17g,%.17g,%.17g,%s,", pair->ratio, pair->interval.low, pair->interval.high,
            xb_verdict_name(pair->verdict));
  else
    fputs(",,,,", file);
}

static void csv_family(FILE *file, const xb_cell *cell)
{
  if (xb_has_families(cell->c.device))
    fprintf(file, "%u", cell->c.device->queues[XB_QUEUE_COMPUTE].family);
  fputc('\n', file);
}

void xb_csv_group(FILE *file, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++) {
    const xb_cell *cell = &group->cells[i];
    csv_question(file, cell);
    if (cell->outcome == XB_CELL_OK) {
      csv_measured(file, group, cell);
    } else {
      fprintf(file, ",,,,,,,,,,,,,%s,", cell->c.variant->benchmark->methods->check ? "false" : "");
      quoted(file, cell->error.code ? cell->error.message : "not measured");
    }
    csv_compared(file, group, cell);
    csv_family(file, cell);
  }
}
