#include "diff/identity.h"

#include "base/safe_text.h"
#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int xb_compare_texts(const char *a, const char *b)
{
  if (!a || !b)
    return (a != NULL) - (b != NULL);
  return strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* ---- Dimensions ------------------------------------------------------------------------------------------------- */

static int compare_devices(const xb_result *a, const xb_result *b)
{
  const int uuid = xb_compare_texts(a->device, b->device);
  return uuid || a->device ? uuid : xb_compare_texts(a->on->name, b->on->name);
}

static void format_device(const xb_result *r, char *out, size_t out_bytes)
{
  char name[48], uuid[48];
  xb_safe_text(r->on->name, name, sizeof name);
  xb_safe_text(r->device ? r->device : "without a UUID", uuid, sizeof uuid);
  snprintf(out, out_bytes, "%s (%s)", name, uuid);
}

static void format_size(const xb_result *r, char *out, size_t out_bytes)
{
  const bool matrix = r->rows && r->columns;
  xb_format_shape(matrix ? r->rows : 0, matrix ? r->columns : r->size, r->inner, out, out_bytes);
}

static void format_at(const xb_result *r, char *out, size_t out_bytes)
{
  char at[XB_AT_TEXT];
  xb_safe_text(*xb_result_at(r, at) ? at : "none", out, out_bytes);
}

#define NUMBER_DIMENSION(name)                                                                                         \
  static int compare_##name(const xb_result *a, const xb_result *b)                                                    \
  {                                                                                                                    \
    return compare_numbers(a->name, b->name);                                                                          \
  }                                                                                                                    \
  static void format_##name(const xb_result *r, char *out, size_t out_bytes)                                           \
  {                                                                                                                    \
    snprintf(out, out_bytes, r->name ? "%" PRIu64 : "none", r->name);                                                  \
  }
NUMBER_DIMENSION(block)
NUMBER_DIMENSION(idle_shared_bytes)

/* The compute queue's family. */
static int compare_families(const xb_result *a, const xb_result *b)
{
  return (a->on->queue_family > b->on->queue_family) - (a->on->queue_family < b->on->queue_family);
}

static void format_family(const xb_result *r, char *out, size_t out_bytes)
{
  snprintf(out, out_bytes, r->on->queue_family >= 0 ? "%" PRId64 : "none", r->on->queue_family);
}

#define TEXT_DIMENSION(name)                                                                                           \
  static int compare_##name(const xb_result *a, const xb_result *b)                                                    \
  {                                                                                                                    \
    return xb_compare_texts(a->name, b->name);                                                                         \
  }                                                                                                                    \
  static void format_##name(const xb_result *r, char *out, size_t out_bytes)                                           \
  {                                                                                                                    \
    xb_safe_text(r->name ? r->name : "unknown", out, out_bytes);                                                       \
  }
TEXT_DIMENSION(backend)
TEXT_DIMENSION(dtype)
TEXT_DIMENSION(launch_mode)
TEXT_DIMENSION(cache)
TEXT_DIMENSION(loop)

/* Unknown in older files: such a one is compared with any. */
static int compare_flushes(const xb_result *a, const xb_result *b)
{
  if (a->flush_bytes < 0 || b->flush_bytes < 0)
    return 0;
  return (a->flush_bytes > b->flush_bytes) - (a->flush_bytes < b->flush_bytes);
}

static void format_flush(const xb_result *r, char *out, size_t out_bytes)
{
  snprintf(out, out_bytes, r->flush_bytes >= 0 ? "%" PRId64 : "unknown", r->flush_bytes);
}

/* Each API has its own. Unknown in some files: such a one is compared with any. */
static int compare_compilers(const xb_result *a, const xb_result *b)
{
  const int backend = xb_compare_texts(a->backend, b->backend);
  return backend || !a->compiler || !b->compiler ? backend : strcmp(a->compiler, b->compiler);
}

static void format_compiler(const xb_result *r, char *out, size_t out_bytes)
{
  xb_safe_text(r->compiler ? r->compiler : "unknown", out, out_bytes);
}

const xb_dimension xb_dimensions[] = {
    {"devices", compare_devices, format_device},
    {"queue families", compare_families, format_family},
    {"APIs", compare_backend, format_backend},
    {"element types", compare_dtype, format_dtype},
    {"sizes", xb_compare_sizes, format_size},
    {"places on axes", xb_compare_at, format_at},
    {"group sizes", compare_block, format_block},
    {"launch modes", compare_launch_mode, format_launch_mode},
    {"caches", compare_cache, format_cache},
    {"loops", compare_loop, format_loop},
    {"flushed bytes", compare_flushes, format_flush},
    {"idle bytes of shared memory", compare_idle_shared_bytes, format_idle_shared_bytes},
    {"compilers", compare_compilers, format_compiler},
};
const size_t xb_dimension_count = sizeof xb_dimensions / sizeof xb_dimensions[0];

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension)
{
  int order = xb_compare_texts(a->benchmark, b->benchmark);
  for (size_t i = first_dimension; i < xb_dimension_count - 1 && !order; i++)
    order = xb_dimensions[i].compare(a, b);
  return order ? order : xb_compare_texts(a->variant, b->variant);
}

/* Yardsticks are not compared, but a wrong result of one is still reported. */
static bool counts(const xb_result *r)
{
  return r->yardstick != 1 || r->outcome == XB_CELL_WRONG;
}

const xb_result **xb_diff_results(const xb_document *document, size_t *count)
{
  const xb_result **results = calloc(document->result_count + 1, sizeof(*results));
  *count = 0;
  for (size_t i = 0; i < document->result_count && results; i++)
    if (counts(&document->results[i]))
      results[(*count)++] = &document->results[i];
  return results;
}
