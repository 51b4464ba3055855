#include "report/format.h"
#include "report/results.h"

#include <inttypes.h>

void xb_csv_header(FILE *file)
{
  fputs("benchmark,variant,title,backend,launch_mode,queue,clock,device,uuid,dtype,size,rows,columns,block,windows,"
        "bytes,flops,cache,"
        "seed,batch,samples,median_ns,ci95_low_ns,ci95_high_ns,spread_ns,host_ns,gbps,percent_of_copy,verified,error\n",
        file);
}

static void quoted(FILE *file, const char *text)
{
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static void csv_cell(FILE *file, const xb_group *group, const xb_cell *cell)
{
  const xb_device_info *info = cell->c.device;
  const xb_variant *v = cell->c.variant;
  char uuid[40];
  fprintf(file, "%s,%u_%s,", v->benchmark, v->number, v->name);
  quoted(file, v->title);
  fprintf(file, ",%s,%s,%s,%s,", info->backend, xb_launch_mode_name(info->launch_mode),
          v->queue == XB_QUEUE_COPY ? "copy" : "compute", v->clock == XB_CLOCK_DEVICE ? "device" : "host");
  quoted(file, info->name);
  xb_format_uuid(info, uuid);
  fprintf(file, ",%s,%s,%" PRIu64 ",", uuid, xb_dtype_name(cell->c.dtype), cell->c.n);
  if (cell->benchmark->matrix)
    fprintf(file, "%" PRIu64 ",%" PRIu64 ",", cell->c.rows, cell->c.columns);
  else
    fputs(",,", file);
  if (xb_has_kernel(v))
    fprintf(file, "%u", cell->c.block);
  fprintf(file, ",%u,%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",", cell->plan.windows, cell->plan.bytes, cell->plan.flops,
          cell->cache == XB_CACHE_COLD ? "cold" : "hot", cell->c.seed);
  if (cell->outcome == XB_CELL_OK) {
    const double copy = xb_copy_gbps(group, cell->workload->device);
    fprintf(file, "%u,%zu,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,", cell->batch, cell->sample_count, cell->device.median,
            cell->device.ci95_low, cell->device.ci95_high, cell->device.spread, cell->host.median, xb_cell_gbps(cell));
    if (copy > 0)
      fprintf(file, "%.17g", 100 * xb_cell_gbps(cell) / copy);
    fputs(",true,\n", file);
    return;
  }
  fputs(",,,,,,,,,false,", file);
  quoted(file, cell->error.code ? cell->error.message : "not measured");
  fputc('\n', file);
}

void xb_csv_group(FILE *file, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    csv_cell(file, group, &group->cells[i]);
}
