/* The devices, as each API reports them. */
#include "page/sections/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

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

#define AT(name) .offset = offsetof(xb_result_device, name)
static const xb_column facts[] = {
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
  xb_sheet_of_facts(&s, facts, sizeof facts / sizeof *facts);
  for (const xb_view_target *t = page->view->targets; t < page->view->targets + page->view->target_count; t++)
    left_out += !xb_page_add_thing(&s, t->name, t, same_device);
  xb_page_facts(page, &s, "Devices", left_out);
}
