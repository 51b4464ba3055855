/* What the two sides of a diff are: files, devices, dates. */
#include "base/safe_text.h"
#include "diff/diff.h"
#include "diff/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *xb_diff_file(const xb_document *d, char out[XB_DIFF_TEXT])
{
  char path[100], version[24], text[24]; /* together shorter than `out` */
  size_t yardsticks = 0;                 /* these are not compared */
  for (size_t i = 0; i < d->result_count; i++)
    yardsticks += d->results[i].yardstick == 1;
  int at = snprintf(out, XB_DIFF_TEXT, "%s: xbench %s", xb_safe_text(d->path, path, sizeof path),
                    xb_safe_text(d->host.version ? d->host.version : "?", version, sizeof version));
  if (d->host.commit)
    at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, " (%.12s%s)", xb_safe_text(d->host.commit, text, sizeof text),
                   d->host.modified == 1 ? ", modified" : "");
  if (d->host.date)
    at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %s", xb_safe_text(d->host.date, text, sizeof text));
  at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %zu results", d->result_count);
  if (yardsticks)
    snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %zu of them yardsticks", yardsticks);
  return out;
}

static const xb_result_device *device_of_base(const xb_diff *diff, const xb_result_device *device)
{
  for (size_t i = 0; i < diff->base->device_count; i++) {
    const xb_result_device *d = &diff->base->devices[i];
    if (!xb_compare_texts(d->backend, device->backend) && !xb_compare_texts(d->launch_mode, device->launch_mode) &&
        (diff->across_devices || (!xb_compare_texts(d->uuid, device->uuid) && d->queue_family == device->queue_family)))
      return d;
  }
  return NULL;
}

const char *xb_diff_device(const xb_diff *diff, const xb_result_device *device, char out[XB_DIFF_TEXT])
{
  char backend[32], name[64], driver[64], family[32] = "";
  const xb_result_device *base = device_of_base(diff, device);
  if (device->one_of_families)
    snprintf(family, sizeof family, ", family %" PRId64, device->queue_family);
  const int at = snprintf(out, XB_DIFF_TEXT, "%s on %s%s, %s", xb_safe_text(device->backend, backend, sizeof backend),
                          xb_safe_text(device->name, name, sizeof name), family,
                          xb_safe_text(device->driver ? device->driver : "driver unknown", driver, sizeof driver));
  const bool other_device = base && xb_compare_texts(base->name, device->name);
  if (base && base->driver && (other_device || xb_compare_texts(base->driver, device->driver)))
    snprintf(out + at, XB_DIFF_TEXT - (size_t)at, "; base: %s%s%s",
             other_device ? xb_safe_text(base->name, name, sizeof name) : "", other_device ? ", " : "",
             xb_safe_text(base->driver, driver, sizeof driver));
  return out;
}

static bool same_samples(const xb_diff *diff)
{
  size_t same = 0;
  for (size_t i = 0; i < diff->cell_count; i++) {
    const xb_result *b = diff->cells[i].base, *n = diff->cells[i].now;
    if (!b || !n || b->samples_ns.count != n->samples_ns.count)
      return false;
    same += b->samples_ns.count;
    if (b->samples_ns.count &&
        memcmp(b->samples_ns.values, n->samples_ns.values, b->samples_ns.count * sizeof(double)) != 0)
      return false;
  }
  return same;
}

const char *xb_diff_warning(const xb_diff *diff)
{
  const char *base = diff->base->host.date, *now = diff->now->host.date;
  if (same_samples(diff))
    return "base and new have the same samples: they are of one run";
  return base && now && strcmp(now, base) < 0 ? "new is older than base: are the two swapped?" : NULL;
}
