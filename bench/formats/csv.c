/* CSV: one line per cell, without raw samples. Unknown values are empty. Fields are defined as in the JSON. */
#include "base/html_text.h"
#include "formats/formats.h"
#include "formats/result_columns.h"
#include "result/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* In this order for good: fields whose line in result/tables.c says that CSV shows them come behind. */
static const char HEADER[] =
    "benchmark,variant,title,backend,launch_mode,queue,clock,device,uuid,dtype,size,rows,columns,block,windows,"
    "bytes,flops,cache,seed,yardstick,loop,repeats,placements,batch,samples,median_ns,ci95_low_ns,ci95_high_ns,"
    "spread_ns,outliers,warm,throttled_samples,floor_ns,host_ns,gbps,percent_of_copy,verified,error,"
    "outcome,stopped_by,base_variant,base_backend,base_launch_mode,base_uuid,ratio,ci95_low_ratio,ci95_high_ratio,"
    "verdict,queue_family,at,metrics,predicted,measured,counterpart,reason,"
    "output_hash,same_bits,percent_of_peak,inner,emulated";

void xb_csv_header(FILE *file)
{
  fprintf(file, "%s", HEADER);
  for (size_t i = 0; i < xb_result_fields.count; i++)
    if (xb_result_fields.list[i].in & XB_IN_CSV)
      fprintf(file, ",%s", xb_result_fields.list[i].key);
  fputs(",model,model_value,published\n", file);
}

/* Each of these functions writes a comma and then the value, if it is known. */

static void quoted(FILE *file, const char *text)
{
  fputc(',', file);
  if (text)
    xb_csv_text(file, text);
}

static void text(FILE *file, const char *value)
{
  fprintf(file, ",%s", value ? value : "");
}

/* Numbers in full. */
static void column(FILE *file, xb_field f, const void *object)
{
  char value[XB_TABLE_TEXT];
  const xb_flag *flag = f.kind == XB_FIELD_FLAG ? xb_field_member(&f, object) : NULL;
  const int parts = f.kind == XB_FIELD_INTERVAL ? 2 : 1;
  f.kind = parts == 2 ? XB_FIELD_REAL : f.kind;
  f.format = f.kind == XB_FIELD_REAL ? "%.17g" : NULL;
  for (int i = 0; i < parts; i++, f.offset += sizeof(double)) {
    xb_field_text(&f, object, value);
    text(file, flag && *flag != XB_UNKNOWN ? *flag ? "true" : "false" : value);
  }
}

/* The fields with these names, separated by spaces; empty if `object` is NULL. */
static void columns(FILE *file, const xb_fields *fields, const void *object, const char *names)
{
  for (const xb_field *f; (f = xb_next_field(fields, &names));)
    column(file, *f, object);
}

/* "offset=3;tile=8" and "bandwidth=123.4 GB/s;...". */
static void lists(FILE *file, const xb_result *r)
{
  fputc(',', file);
  for (size_t i = 0; i < r->at.count; i++)
    fprintf(file, "%s%s=%" PRId64, i ? ";" : "", r->at.values[i].axis, r->at.values[i].value);
  fputc(',', file);
  for (size_t i = 0; i < r->rates.metrics.count; i++)
    fprintf(file, "%s%s=%.17g %s", i ? ";" : "", r->rates.metrics.values[i].name, r->rates.metrics.values[i].value,
            r->rates.metrics.values[i].unit);
}

static void line(FILE *file, const xb_group *group, const xb_result *r)
{
  const xb_result *timed = r->outcome == XB_CELL_OK ? r : NULL;
  char published[XB_TABLE_TEXT];
  const xb_comparison *c = NULL; /* the cell's comparison; NULL in a run */
  const xb_metric *bandwidth = timed ? xb_result_metric(r, "bandwidth", NULL) : NULL;
  for (size_t i = 0; i < group->comparison_count && !c; i++)
    c = group->comparisons[i].subject == r ? &group->comparisons[i] : NULL;
  fputs(r->benchmark, file);
  columns(file, &xb_result_fields, r, "variant");
  quoted(file, r->title);
  columns(file, &xb_result_fields, r, "backend launch_mode queue clock");
  quoted(file, r->on->name);
  columns(file, &xb_result_fields, r, "device dtype size rows columns block windows bytes flops cache seed yardstick");
  columns(file, &xb_result_fields, r, "loop repeats placements");
  columns(file, &xb_result_fields, timed, "batch");
  column(file, (xb_field){XB_AT(xb_result, COUNT, time.samples_ns.count)}, timed);
  columns(file, &xb_result_fields, timed, "median_ns ci95_ns spread_ns outliers warm throttled_samples");
  columns(file, &xb_result_fields, timed, "floor_ns host_ns");
  column(file, (xb_field){XB_AT(xb_metric, REAL, value)}, bandwidth);
  columns(file, &xb_result_fields, timed, "percent_of_copy");
  columns(file, &xb_result_fields, r, "verified");
  quoted(file, timed ? NULL : r->check.error ? r->check.error : r->check.reason ? "" : "not measured");
  text(file, xb_outcome_name(r->outcome));
  columns(file, &xb_result_fields, r, "stopped_by");
  columns(file, &xb_result_fields, c ? c->base : NULL, "variant backend launch_mode device");
  columns(file, &xb_comparison_fields, c, "ratio ci95_ratio verdict");
  columns(file, &xb_device_fields, r->on, "queue_family");
  lists(file, r);
  columns(file, &xb_model_fields, &r->rates.model, "predicted measured");
  columns(file, &xb_result_fields, r, "counterpart");
  quoted(file, r->check.reason ? r->check.reason : r->check.remark);
  columns(file, &xb_result_fields, r, "output_hash");
  columns(file, &xb_comparison_fields, c, "same_bits");
  columns(file, &xb_result_fields, timed, "percent_of_peak");
  columns(file, &xb_result_fields, r, "inner");
  columns(file, &xb_device_fields, r->on, "emulated");
  for (const xb_field *f = xb_result_fields.list; f < xb_result_fields.list + xb_result_fields.count; f++)
    if (f->in & XB_IN_CSV)
      column(file, *f, r);
  columns(file, &xb_model_fields, &r->rates.model, "name value");
  xb_format_published(group->benchmark, r, published);
  quoted(file, *published ? published : NULL);
  fputc('\n', file);
}

void xb_csv_group(FILE *file, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    line(file, group, &group->results[i]);
}
