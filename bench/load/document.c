#include "load/document.h"

#include "load/comparisons.h"
#include "load/fields.h"
#include "load/file.h"
#include "load/results.h"
#include "safe_text.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

static const char SCHEMA[] = "xbench/1";

/* The document with what it owns. */
typedef struct loaded {
  xb_document document; /* first: what callers see is this */
  xb_arena arena;
} loaded;

#define FIELD(kind, name, needed)                                                                                      \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_device, name), needed                                                    \
  }
static const xb_field device_fields[] = {
    FIELD(TEXT, uuid, false),
    FIELD(TEXT, backend, true),
    FIELD(TEXT, name, true),
    FIELD(TEXT, type, false),
    FIELD(TEXT, driver, false),
    FIELD(TEXT, api_version, false),
    FIELD(TEXT, launch_mode, false),
    FIELD(TEXT, pci, false),
    FIELD(COUNT, queue_family, false),
    FIELD(FLAG, queue_family_graphics, false),
    FIELD(FLAG, robust_buffer_access, false),
    FIELD(KNOWN, memory_bytes, false),
    FIELD(KNOWN, max_binding_bytes, false),
    FIELD(KNOWN, max_group_threads, false),
    FIELD(KNOWN, shared_bytes, false),
    FIELD(KNOWN, subgroup_size, false),
    FIELD(KNOWN, multiprocessors, false),
    FIELD(KNOWN, cache_bytes, false),
    FIELD(KNOWN, clock_khz, false),
    FIELD(KNOWN, memory_clock_khz, false),
    FIELD(KNOWN, memory_bus_bits, false),
    FIELD(REAL, timestamp_period_ns, false),
};
#undef FIELD

#define FIELD(name)                                                                                                    \
  {                                                                                                                    \
#name, XB_FIELD_TEXT, offsetof(xb_saved_host, name), false                                                         \
  }
static const xb_field host_fields[] = {
    FIELD(version),         FIELD(os),
    FIELD(kernel),          FIELD(cpu),
    FIELD(compiler),        FIELD(compiler_flags),
    FIELD(shader_compiler), FIELD(shader_flags),
    FIELD(cuda_compiler),   FIELD(cuda_flags),
};
#undef FIELD

#define FIELD(kind, name)                                                                                              \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_sampling, name), false                                                   \
  }
static const xb_field sampling_fields[] = {
    FIELD(REAL, min_time_s), FIELD(REAL, max_time_s), FIELD(REAL, width), FIELD(COUNT, min_rounds), FIELD(COUNT, seed),
};
#undef FIELD

/* ---- Before it is parsed ---------------------------------------------------------------------------------------- */

/* Counts what could become values, in one pass: a small file can stand for a lot of memory. Inside strings it counts
 * too much, which is on the safe side. */
static xb_code check_counts(xb_reader *r, const char *bytes, size_t count)
{
  size_t values = 1, containers = 0;
  for (size_t i = 0; i < count; i++) {
    const bool opens = bytes[i] == '{' || bytes[i] == '[';
    containers += opens;
    values += opens || bytes[i] == ',' || bytes[i] == ':';
  }
  if (values <= XB_MAX_DOCUMENT_VALUES && containers <= XB_MAX_DOCUMENT_CONTAINERS)
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->where,
                 "holds more than %d values, or more than %d objects and lists: run fewer "
                 "cells a file",
                 XB_MAX_DOCUMENT_VALUES, XB_MAX_DOCUMENT_CONTAINERS);
}

static xb_code parse_json(xb_reader *r, const char *bytes, size_t count, json_t **root)
{
  json_error_t error;
  char text[160];
  *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
  if (*root)
    return XB_OK;
  if (json_error_code(&error) == json_error_out_of_memory)
    return xb_reader_nomem(r);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "no valid JSON, line %d, column %d: %s: the file was damaged, or cut "
                 "short, or is something else",
                 error.line, error.column, xb_safe_text(error.text, text, sizeof text));
}

static xb_code check_schema(xb_reader *r, const json_t *root)
{
  char text[64];
  const char *schema = json_string_value(json_object_get(root, "schema"));
  if (schema && !strcmp(schema, SCHEMA))
    return XB_OK;
  if (schema && !strncmp(schema, "xbench/", 7))
    return xb_fail(r->err, XB_INVALID, r->where,
                   "is of version '%s', and xbench " XB_VERSION " reads '%s': read it with "
                   "the xbench that wrote it, or a newer one",
                   xb_safe_text(schema, text, sizeof text), SCHEMA);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "is no result document: it does not begin with {\"schema\": \"%s\"; such "
                 "files come from 'xbench --json FILE'",
                 SCHEMA);
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

static xb_code read_object_part(xb_reader *r, const json_t *root, const char *name, const xb_field *fields,
                                size_t count, void *out)
{
  const json_t *object;
  r->place[0] = 0;
  xb_code code = xb_read_object(r, root, name, true, &object);
  strcpy(r->place, name);
  return code ? code : xb_read_fields(r, object, fields, count, out);
}

static bool same_api(const xb_saved_device *a, const xb_saved_device *b)
{
  const char *const texts[][2] = {{a->uuid, b->uuid}, {a->backend, b->backend}, {a->launch_mode, b->launch_mode}};
  for (int i = 0; i < 3; i++)
    if (texts[i][0] != texts[i][1] && (!texts[i][0] || !texts[i][1] || strcmp(texts[i][0], texts[i][1]) != 0))
      return false;
  return true;
}

static void find_families(xb_saved_device *devices, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count && !devices[i].one_of_families; k++)
      devices[i].one_of_families =
          devices[i].queue_family != devices[k].queue_family && same_api(&devices[i], &devices[k]);
}

static xb_code read_devices(xb_reader *r, const json_t *array, xb_document *document)
{
  const size_t count = json_array_size(array);
  xb_saved_device *devices = xb_arena_take(r->arena, count, sizeof *devices);
  xb_code code = devices ? XB_OK : xb_reader_nomem(r);
  if (!code && !count)
    code = xb_refuse(r, "devices", "at least one");
  for (size_t i = 0; i < count && !code; i++) {
    const json_t *object;
    code = xb_read_element(r, array, "devices", i, &object);
    if (!code)
      code = xb_read_fields(r, object, device_fields, sizeof device_fields / sizeof device_fields[0], &devices[i]);
  }
  if (!code)
    find_families(devices, count);
  document->devices = devices;
  document->device_count = count;
  return code;
}

typedef xb_code read_part_fn(xb_reader *r, const json_t *array, xb_document *document);

static xb_code read_array_part(xb_reader *r, const json_t *root, const char *name, bool needed, read_part_fn *fn,
                               xb_document *document)
{
  const json_t *array;
  r->place[0] = 0;
  const xb_code code = xb_read_array(r, root, name, needed, &array);
  return code ? code : fn(r, array, document);
}

static xb_code read_document(xb_reader *r, const json_t *root, xb_document *d)
{
  xb_code code = check_schema(r, root);
  if (!code)
    code = read_object_part(r, root, "host", host_fields, sizeof host_fields / sizeof host_fields[0], &d->host);
  if (!code)
    code = read_object_part(r, root, "sampling", sampling_fields, sizeof sampling_fields / sizeof sampling_fields[0],
                            &d->sampling);
  if (!code)
    code = read_array_part(r, root, "devices", true, read_devices, d);
  if (!code)
    code = read_array_part(r, root, "results", true, xb_read_results, d);
  if (!code)
    code = read_array_part(r, root, "comparisons", false, xb_read_comparisons, d);
  return code ? code : read_array_part(r, root, "geometric_means", false, xb_read_means, d);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err)
{
  char where[256];
  json_t *root = NULL;
  xb_code code = XB_NOMEM;
  *document = NULL;
  loaded *l = calloc(1, sizeof *l);
  xb_reader r = {.where = xb_safe_text(path, where, sizeof where), .err = err};
  if (!l) {
    xb_reader_nomem(&r);
    goto fail;
  }
  r.arena = &l->arena;
  code = check_counts(&r, bytes, count);
  if (!code)
    code = parse_json(&r, bytes, count, &root);
  if (!code)
    code = read_document(&r, root, &l->document);
  if (code)
    goto fail;
  l->document.path = xb_arena_copy(r.arena, path, strlen(path));
  if (!l->document.path) {
    code = xb_reader_nomem(&r);
    goto fail;
  }
  *document = &l->document;
  json_decref(root);
  return XB_OK;
fail:
  json_decref(root);
  if (l)
    xb_document_free(&l->document);
  return code;
}

xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err)
{
  char where[256], *bytes;
  size_t count;
  *document = NULL;
  xb_safe_text(path, where, sizeof where);
  xb_code code = xb_read_file(path, where, XB_MAX_DOCUMENT_BYTES, &bytes, &count, err);
  if (!code)
    code = xb_document_parse(path, bytes, count, document, err);
  free(bytes);
  return code;
}

void xb_document_free(const xb_document *document)
{
  if (!document)
    return;
  loaded *l = (loaded *)document;
  xb_arena_free(&l->arena);
  free(l);
}
