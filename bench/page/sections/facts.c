/* Tables of facts: the page's files, the machines and builds that wrote them, and the devices. */
#include "page/sections/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Machines --------------------------------------------------------------------------------------------------- */

#define AT(name) .text = xb_text_member, .offset = offsetof(xb_document, host.name)
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
    same = same && xb_same_text(*(const char *const *)xb_sheet_member(&facts[i], a),
                                *(const char *const *)xb_sheet_member(&facts[i], b));
  return same;
}

enum { MOST_THINGS = 32 };

/* Adds a column, unless `same` is true for an existing one. False: there is no room. */
static bool add_thing(xb_sheet *s, const char *head, const void *thing, bool (*same)(const void *a, const void *b))
{
  for (size_t c = 1; c < s->count; c++)
    if (same(s->columns[c].of, thing))
      return true;
  if (s->count > MOST_THINGS)
    return false;
  xb_sheet_add_thing(s, head, thing);
  return true;
}

static void write_facts(xb_page *page, xb_sheet *s, const char *label, size_t left_out)
{
  s->unknown = xb_unknown;
  xb_sheet_html(s, page->out, label, "facts");
  if (left_out)
    fprintf(page->out, "<p>%zu more are not shown.</p>\n", left_out);
}

static void write_machines(xb_page *page)
{
  static xb_sheet s; /* too large for a stack */
  size_t left_out = 0;
  xb_sheet_of_facts(&s, facts, FACTS);
  for (size_t f = 0; f < page->view->file_count; f++)
    left_out += !add_thing(&s, page->view->files[f].name, page->view->files[f].document, same_host);
  if (s.count == 2 && page->view->file_count > 1)
    s.columns[1].title = "all files";
  fputs("<h3 class=\"file\">Machines and builds</h3>\n", page->out);
  write_facts(page, &s, "Machines and builds", left_out);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static const char *const heads[] = {
    "cells", "comparisons", "sampled for at least, s", "at most, s", "until interval width, %", "rounds, at least",
    "seed"};

XB_COLUMN_NUMBER(figure)
{
  const xb_document *d = ((const xb_view_file *)row)->document;
  const xb_result_sampling *p = &d->sampling;
  const double figures[] = {(double)d->result_count,
                            (double)d->comparison_count,
                            p->min_time_s,
                            p->max_time_s,
                            100 * p->width,
                            p->min_rounds < 0 ? NAN : (double)p->min_rounds,
                            p->seed < 0 ? NAN : (double)p->seed};
  return figures[c->offset];
}

void xb_page_files(xb_page *page)
{
  static xb_sheet s; /* too large for a stack */
  s = (xb_sheet){XB_ROWS(page->view->files, page->view->file_count)};
  xb_sheet_add(&s, (xb_column){"file", .head = true, .left = true, .text = xb_text_member,
                               .offset = offsetof(xb_view_file, name)});
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    xb_sheet_add(&s, (xb_column){heads[i], 0, "%g", figure, .offset = i});
  xb_sheet_html(&s, page->out, "Files", NULL);
  write_machines(page);
}

/* ---- Devices, as each API reports them -------------------------------------------------------------------------- */

/* Of the device of a target. */
static const void *field(const xb_column *c, const void *row)
{
  return (const char *)((const xb_view_target *)row)->device + c->offset;
}

XB_COLUMN_TEXT(text)
{
  xb_text_member(s, c, ((const xb_view_target *)row)->device, out);
}

XB_COLUMN_NUMBER(count)
{
  const uint64_t value = *(const uint64_t *)field(c, row);
  return value ? (double)value : NAN;
}

/* Of kHz. */
XB_COLUMN_NUMBER(mhz)
{
  return count(s, c, row) / 1e3;
}

XB_COLUMN_TEXT(bytes)
{
  xb_name_bytes(count(s, c, row), out);
}

XB_COLUMN_NUMBER(peak)
{
  return ((const xb_view_target *)row)->peak;
}

XB_COLUMN_TEXT(cache)
{
  xb_name_bytes(((const xb_view_target *)row)->cache, out);
}

XB_COLUMN_TEXT(queue)
{
  const xb_result_device *d = ((const xb_view_target *)row)->device;
  if (d->queue_family >= 0)
    snprintf(out, XB_SHEET_TEXT, "%" PRId64 "%s", d->queue_family,
             d->queue_family_graphics == 1 ? ", with graphics" : "");
}

XB_COLUMN_NUMBER(timer)
{
  return *(const double *)field(c, row);
}

#undef AT
#define AT(name) .offset = offsetof(xb_result_device, name)
static const xb_column device_facts[] = {
    {"device", .text = text, AT(name)},
    {"kind", .text = text, AT(type)},
    {"driver", .text = text, AT(driver)},
    {"API version", .text = text, AT(api_version)},
    {"theoretical peak", 0, "%.0f GB/s", .number = peak},
    {"last-level cache", .text = cache},
    {"memory", .text = bytes, AT(memory_bytes)},
    {"memory clock", 0, "%.6g MHz", mhz, AT(memory_clock_khz)},
    {"memory bus", 0, "%.6g bits", count, AT(memory_bus_bits)},
    {"multiprocessors", 0, "%.6g", count, AT(multiprocessors)},
    {"highest clock", 0, "%.6g MHz", mhz, AT(clock_khz)},
    {"compute queue family", .text = queue},
    {"largest binding", .text = bytes, AT(max_binding_bytes)},
    {"largest group", 0, "%.6g threads", count, AT(max_group_threads)},
    {"shared memory of a group", .text = bytes, AT(shared_bytes)},
    {"subgroup", 0, "%.6g threads", count, AT(subgroup_size)},
    {"step of the timer", 0, "%g ns", timer, AT(timestamp_period_ns)},
    {"PCI", .text = text, AT(pci)},
    {"UUID", .text = text, AT(uuid)},
};

static bool same_device(const void *a, const void *b)
{
  const xb_view_target *x = a, *y = b;
  return !strcmp(x->name, y->name) && !strcmp(x->device->name, y->device->name) &&
         xb_same_text(x->device->uuid, y->device->uuid) && xb_same_text(x->device->driver, y->device->driver);
}

void xb_page_devices(xb_page *page)
{
  static xb_sheet s; /* too large for a stack */
  size_t left_out = 0;
  xb_sheet_of_facts(&s, device_facts, sizeof device_facts / sizeof *device_facts);
  for (const xb_view_target *t = page->view->targets; t < page->view->targets + page->view->target_count; t++)
    left_out += !add_thing(&s, t->name, t, same_device);
  write_facts(page, &s, "Devices", left_out);
}
