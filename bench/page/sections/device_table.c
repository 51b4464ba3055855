/* The devices, as each API reports them. */
#include "page/sections/facts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const xb_view_target *target_of(const void *of)
{
  return of;
}

static const void *field(const xb_fact *fact, const void *of)
{
  return (const char *)target_of(of)->device + fact->offset;
}

static const char *text(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)out;
  return *(const char *const *)field(fact, of);
}

static const char *count(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  const uint64_t value = *(const uint64_t *)field(fact, of);
  snprintf(out, XB_NAME, "%.6g%s", (double)value / fact->scale, fact->unit);
  return value ? out : NULL;
}

static const char *bytes(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  const uint64_t value = *(const uint64_t *)field(fact, of);
  xb_name_bytes((double)value, out);
  return value ? out : NULL;
}

static const char *peak(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)fact;
  snprintf(out, XB_NAME, "%.0f GB/s", target_of(of)->peak);
  return isfinite(target_of(of)->peak) ? out : NULL;
}

static const char *cache(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)fact;
  xb_name_bytes(target_of(of)->cache, out);
  return isfinite(target_of(of)->cache) ? out : NULL;
}

static const char *queue(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)fact;
  const xb_result_device *d = target_of(of)->device;
  snprintf(out, XB_NAME, "%" PRId64 "%s", d->queue_family, d->queue_family_graphics == 1 ? ", with graphics" : "");
  return d->queue_family >= 0 ? out : NULL;
}

static const char *timer(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)fact;
  const double step = target_of(of)->device->timestamp_period_ns;
  snprintf(out, XB_NAME, "%g ns", step);
  return isfinite(step) ? out : NULL;
}

#define AT(name) offsetof(xb_result_device, name)
static const xb_fact facts[] = {
    {"device", text, AT(name), 0, NULL},
    {"kind", text, AT(type), 0, NULL},
    {"driver", text, AT(driver), 0, NULL},
    {"API version", text, AT(api_version), 0, NULL},
    {"theoretical peak", peak, 0, 0, NULL},
    {"last-level cache", cache, 0, 0, NULL},
    {"memory", bytes, AT(memory_bytes), 0, NULL},
    {"memory clock", count, AT(memory_clock_khz), 1e3, " MHz"},
    {"memory bus", count, AT(memory_bus_bits), 1, " bits"},
    {"multiprocessors", count, AT(multiprocessors), 1, ""},
    {"highest clock", count, AT(clock_khz), 1e3, " MHz"},
    {"compute queue family", queue, 0, 0, NULL},
    {"largest binding", bytes, AT(max_binding_bytes), 0, NULL},
    {"largest group", count, AT(max_group_threads), 1, " threads"},
    {"shared memory of a group", bytes, AT(shared_bytes), 0, NULL},
    {"subgroup", count, AT(subgroup_size), 1, " threads"},
    {"step of the timer", timer, 0, 0, NULL},
    {"PCI", text, AT(pci), 0, NULL},
    {"UUID", text, AT(uuid), 0, NULL},
};

static bool same_device(const void *a, const void *b)
{
  const xb_view_target *x = a, *y = b;
  return !strcmp(x->name, y->name) && !strcmp(x->device->name, y->device->name) &&
         xb_same_text(x->device->uuid, y->device->uuid) && xb_same_text(x->device->driver, y->device->driver);
}

void xb_page_devices(xb_page *page)
{
  xb_facts table = {.title = "Devices", .facts = facts, .count = sizeof facts / sizeof facts[0]};
  for (size_t f = 0; f < page->view->file_count; f++)
    for (size_t i = 0; i < page->view->files[f].document->device_count; i++)
      xb_facts_add(&table, &page->view->files[f].targets[i], page->view->files[f].targets[i].name, same_device);
  fputs("<section id=\"devices\"><h2>Devices</h2>\n<p class=\"about\">The devices as each API reports them. If an API "
        "does not report the peak or the cache, the value comes from another API on the same device.</p>\n",
        page->out);
  xb_facts_write(&table, page->out);
  fputs("</section>\n", page->out);
}
