/* Tables of facts: the report's files, the machines and builds that wrote them, and the devices. */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Machines --------------------------------------------------------------------------------------------------- */

#define AT(name) XB_AT(xb_document, TEXT, host.name)
static const xb_column facts[] = {
    {"xbench", AT(version)},
    {"system", AT(os)},
    {"kernel", AT(kernel)},
    {"CPU", AT(cpu)},
    {"compiler", AT(compiler)},
    {"its flags", AT(compiler_flags)},
    {"shader compiler", AT(shader_compiler)},
    {"its flags", AT(shader_flags)},
    {"CUDA compiler", AT(cuda_compiler)},
    {"its flags", AT(cuda_flags)},
    {"DXIL compiler", AT(dxil_compiler)},
    {"its flags", AT(dxil_flags)},
};
enum { FACTS = sizeof facts / sizeof facts[0] };

static bool same_host(const void *a, const void *b)
{
  bool same = true;
  for (size_t i = 0; i < FACTS; i++)
    same = same && !xb_field_compare(&facts[i], a, b);
  return same;
}

enum { MOST_THINGS = 32 };

/* Adds a column, unless `same` is true for an existing one. False: there is no room. */
static bool add_thing(xb_table *s, const char *head, const void *thing, bool (*same)(const void *a, const void *b))
{
  for (size_t c = 1; c < s->count; c++)
    if (same(s->columns[c].of, thing))
      return true;
  if (s->count > MOST_THINGS)
    return false;
  xb_table_add_thing(s, head, thing);
  return true;
}

static void write_facts(xb_report *report, xb_table *s, const char *label, size_t left_out)
{
  s->unknown = xb_unknown;
  xb_table_html(s, report->out, label, "facts");
  if (left_out)
    fprintf(report->out, "<p>%zu more are not shown.</p>\n", left_out);
}

static void write_machines(xb_report *report)
{
  xb_table s;
  size_t left_out = 0;
  xb_table_of_facts(&s, facts, FACTS);
  for (size_t f = 0; f < report->view->file_count; f++)
    left_out += !add_thing(&s, report->view->files[f].name, report->view->files[f].document, same_host);
  if (s.count == 2 && report->view->file_count > 1)
    s.columns[1].title = "all files";
  fputs("<h3 class=\"file\">Machines and builds</h3>\n", report->out);
  write_facts(report, &s, "Machines and builds", left_out);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

#define OF(kind, name) XB_VIA(xb_view_file, document, xb_document, kind, name)
static const xb_column columns[] = {
    {"file", .head = true, .left = true, XB_AT(xb_view_file, TEXT, name)},
    {"cells", 0, "%g", OF(COUNT, result_count)},
    {"comparisons", 0, "%g", OF(COUNT, comparison_count)},
    {"sampled for at least, s", 0, "%g", OF(REAL, sampling.min_time_s)},
    {"at most, s", 0, "%g", OF(REAL, sampling.max_time_s)},
    {"until interval width, %", 0, "%g", OF(REAL, sampling.width), .per = 0.01},
    {"rounds, at least", 0, "%g", OF(COUNT, sampling.min_rounds)},
    {"seed", 0, "%g", OF(COUNT, sampling.seed)},
};

void xb_report_files(xb_report *report)
{
  xb_table s = {XB_ROWS(report->view->files, report->view->file_count)};
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_html(&s, report->out, "Files", NULL);
  write_machines(report);
}

/* ---- Devices, as each API reports them -------------------------------------------------------------------------- */

XB_COLUMN_PRINT(queue, xb_view_target, r->device->queue_family >= 0, "%" PRId64 "%s", r->device->queue_family,
                r->device->queue_family_graphics == 1 ? ", with graphics" : "")

#undef AT
#define AT(kind, name) XB_VIA(xb_view_target, device, xb_result_device, kind, name)
static const xb_column device_facts[] = {
    {"device", AT(TEXT, name)},
    {"kind", AT(TEXT, type)},
    {"driver", AT(TEXT, driver)},
    {"API version", AT(TEXT, api_version)},
    {"theoretical peak", 0, "%.0f GB/s", XB_AT(xb_view_target, REAL, peak)},
    {"last-level cache", 0, xb_as_bytes, XB_AT(xb_view_target, REAL, cache)},
    {"memory", 0, xb_as_bytes, AT(KNOWN, memory_bytes)},
    {"memory clock", 0, "%.6g MHz", AT(KNOWN, memory_clock_khz), .per = 1e3},
    {"memory bus", 0, "%.6g bits", AT(KNOWN, memory_bus_bits)},
    {"multiprocessors", 0, "%.6g", AT(KNOWN, multiprocessors)},
    {"highest clock", 0, "%.6g MHz", AT(KNOWN, clock_khz), .per = 1e3},
    {"compute queue family", .text = queue},
    {"largest binding", 0, xb_as_bytes, AT(KNOWN, max_binding_bytes)},
    {"largest group", 0, "%.6g threads", AT(KNOWN, max_group_threads)},
    {"shared memory of a group", 0, xb_as_bytes, AT(KNOWN, shared_bytes)},
    {"subgroup", 0, "%.6g threads", AT(KNOWN, subgroup_size)},
    {"step of the timer", 0, "%g ns", AT(REAL, timestamp_period_ns)},
    {"PCI", AT(TEXT, pci)},
    {"UUID", AT(TEXT, uuid)},
};

static bool same_device(const void *a, const void *b)
{
  const xb_view_target *x = a, *y = b;
  return !strcmp(x->name, y->name) && !strcmp(x->device->name, y->device->name) &&
         xb_same_text(x->device->uuid, y->device->uuid) && xb_same_text(x->device->driver, y->device->driver);
}

void xb_report_devices(xb_report *report)
{
  xb_table s;
  size_t left_out = 0;
  xb_table_of_facts(&s, device_facts, sizeof device_facts / sizeof *device_facts);
  for (const xb_view_target *t = report->view->targets; t && t < report->view->targets + report->view->target_count;
       t++)
    left_out += !add_thing(&s, t->name, t, same_device);
  write_facts(report, &s, "Devices", left_out);
}
