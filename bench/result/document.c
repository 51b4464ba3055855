#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/safe_text.h"
#include "base/whole_file.h"
#include "os/written_file.h"
#include "result/document.h"
#include "result/fields.h"
#include "result/json_file.h"
#include "version.h"

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

static bool same_api(const xb_result_device *a, const xb_result_device *b)
{
  return xb_same_text(a->uuid, b->uuid) && xb_same_text(a->backend, b->backend) &&
         xb_same_text(a->launch_mode, b->launch_mode);
}

static void find_families(xb_result_device *devices, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count && !devices[i].one_of_families; k++)
      devices[i].one_of_families =
          devices[i].queue_family != devices[k].queue_family && same_api(&devices[i], &devices[k]);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

/* Splits "9_single_pass" into number 9 and "single_pass". */
static xb_code split_variant(xb_reader *r, xb_result *result)
{
  const char *expected = "a number and a name, such as 9_single_pass";
  const size_t digits = strspn(result->variant, "0123456789");
  if (!digits || digits > 9 || result->variant[digits] != '_' || !result->variant[digits + 1])
    return xb_refuse(r, "variant", expected);
  for (size_t i = 0; i < digits; i++)
    result->variant_number = 10 * result->variant_number + (uint64_t)(result->variant[i] - '0');
  result->variant_name = result->variant + digits + 1;
  return XB_OK;
}

/* True if the device is of the cell's queue family. Files without compute_queue_family give the family of the queue. */
static bool of_family(const xb_result *result, const xb_result_device *d)
{
  const bool copy = result->conditions.queue && !strcmp(result->conditions.queue, "copy");
  const int64_t family = result->conditions.compute_queue_family >= 0 || copy ? result->conditions.compute_queue_family
                                                                              : result->conditions.queue_family;
  return !d->one_of_families || family < 0 || family == d->queue_family;
}

static xb_code find_device(xb_reader *r, const xb_document *document, xb_result *result)
{
  for (size_t i = 0; i < document->device_count; i++) {
    const xb_result_device *d = &document->devices[i];
    if (xb_same_text(d->uuid, result->device) && xb_same_text(d->backend, result->backend) &&
        (!d->launch_mode || xb_same_text(d->launch_mode, result->launch_mode)) && of_family(result, d)) {
      result->on = d;
      return XB_OK;
    }
  }
  return xb_refuse(r, "device", "one of the document's devices, with this backend, launch mode and queue family");
}

/* Documents without kernel_compiler have it in a field of the host, for each of the APIs that there were then. */
static const struct {
  const char *backend;
  size_t offset;
} older[] = {{"vulkan", offsetof(xb_result_host, shader_compiler)},
             {"cuda", offsetof(xb_result_host, cuda_compiler)},
             {"d3d12", offsetof(xb_result_host, dxil_compiler)}};

static const char *compiler_of(const xb_result_host *host, const xb_result *result)
{
  const char *compiler = result->on ? result->on->kernel_compiler : NULL;
  for (size_t i = 0; i < sizeof older / sizeof *older && !compiler; i++)
    if (!strcmp(older[i].backend, result->backend))
      compiler = *(const char *const *)((const char *)host + older[i].offset);
  return compiler;
}

static xb_code find_outcome(xb_reader *r, xb_result *result)
{
  const bool timed = !isnan(result->time.median_ns);
  result->outcome = timed ? XB_CELL_OK : result->check.error ? XB_CELL_FAILED : XB_CELL_INTERRUPTED;
  if (!result->outcome_name)
    return XB_OK;
  for (xb_outcome outcome = XB_CELL_OK; outcome <= XB_CELL_INTERRUPTED; outcome++)
    if (!strcmp(result->outcome_name, xb_outcome_name(outcome)) && (outcome == XB_CELL_OK) == timed) {
      result->outcome = outcome;
      return XB_OK;
    }
  return xb_refuse(r, "outcome",
                   timed ? "'ok', because there is a median"
                         : "wrong, failed, unsupported, no_counterpart or interrupted");
}

static xb_code check_samples(xb_reader *r, const xb_result *result)
{
  if (!isnan(result->time.median_ns) && !result->time.samples_ns.count)
    return xb_refuse(r, "samples_ns", "samples, because there is a median");
  if (!isnan(result->time.median_ns) && result->check.verified == 0)
    return xb_refuse(r, "verified", "true or null, because there is a median");
  if (result->time.host_samples_ns.count && result->time.host_samples_ns.count != result->time.samples_ns.count)
    return xb_refuse(r, "host_samples_ns", "as many as samples_ns");
  if (result->time.placements > XB_MOST_PLACEMENTS)
    return xb_refuse(r, "placements", "at most 64");
  return XB_OK;
}

/* Makes a metric of the bandwidth in xbench/1 files, which have no metrics. */
static xb_code take_bandwidth(xb_reader *r, xb_result *result)
{
  if (result->rates.metrics.count || !(result->rates.gbps > 0))
    return XB_OK;
  xb_metric *metric = xb_arena_take(r->arena, 1, sizeof *metric);
  if (!metric)
    return xb_reader_nomem(r);
  *metric = (xb_metric){.name = "bandwidth", .unit = "GB/s", .value = result->rates.gbps, .more_is_better = true};
  result->rates.metrics.values = metric;
  result->rates.metrics.count = 1;
  return XB_OK;
}

static xb_code check_result(xb_reader *r, const xb_document *document, xb_result *result)
{
  xb_code code = split_variant(r, result);
  code = code ? code : find_device(r, document, result);
  result->compiler = compiler_of(&document->host, result);
  code = code ? code : find_outcome(r, result);
  code = code ? code : check_samples(r, result);
  return code ? code : take_bandwidth(r, result);
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------ */

/* `none`: the side is optional. */
static xb_code find_side(xb_reader *r, const xb_document *document, const char *name, const xb_side *side, bool none,
                         const xb_result **result)
{
  *result = NULL;
  if (none && !side->backend && side->result < 0)
    return XB_OK;
  if (side->result < 0 || (uint64_t)side->result >= document->result_count)
    return xb_refuse(r, name, "the index of one of the document's results");
  *result = &document->results[side->result];
  return XB_OK;
}

static xb_code check_comparison(xb_reader *r, const xb_document *document, xb_comparison *c)
{
  xb_code code = find_side(r, document, "subject", &c->subject_side, false, &c->subject);
  code = code ? code : find_side(r, document, "base", &c->base_side, true, &c->base);
  if (!code && c->verdict && (!c->base || !(c->ratio > 0)))
    code = xb_refuse(r, "verdict", "none without a base and a ratio");
  return code;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

/* Refuses inconsistent values, and fills in members that follow from the fields. */
static xb_code check_document(xb_reader *r, xb_document *document)
{
  /* The document is in our arena, so it may be changed until the caller gets it. */
  xb_result_device *devices = (xb_result_device *)(uintptr_t)document->devices;
  xb_result *results = (xb_result *)(uintptr_t)document->results;
  xb_comparison *comparisons = (xb_comparison *)(uintptr_t)document->comparisons;
  xb_code code = XB_OK;
  if (!document->device_count)
    return xb_refuse(r, "devices", "at least one");
  if (document->device_count > XB_MAX_DOCUMENT_DEVICES)
    return xb_refuse(r, "devices", "at most 256");
  find_families(devices, document->device_count);
  for (size_t i = 0; i < document->result_count && !code; i++) {
    snprintf(r->place, sizeof r->place, "results[%zu]", i);
    code = check_result(r, document, &results[i]);
  }
  for (size_t i = 0; i < document->comparison_count && !code; i++) {
    snprintf(r->place, sizeof r->place, "comparisons[%zu]", i);
    code = check_comparison(r, document, &comparisons[i]);
  }
  return code;
}

static const char SCHEMA[] = "xbench/2", OLDEST[] = "xbench/1";

/* The document and its memory. */
typedef struct loaded {
  xb_document document; /* first: callers get a pointer to it */
  xb_arena arena;
} loaded;

static xb_code check_schema(xb_reader *r, const json_t *root)
{
  char text[64];
  const char *schema = json_string_value(json_object_get(root, "schema"));
  if (schema && (!strcmp(schema, SCHEMA) || !strcmp(schema, OLDEST)))
    return XB_OK;
  if (schema && !strncmp(schema, "xbench/", 7))
    return xb_fail(r->err, XB_INVALID, r->where,
                   "is of version '%s', but xbench " XB_VERSION " reads '%s' and '%s': read it with the xbench that "
                   "wrote it, or a newer one",
                   xb_safe_text(schema, text, sizeof text), OLDEST, SCHEMA);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "is not a result document: it does not begin with {\"schema\": \"%s\"; 'xbench --json FILE' "
                 "writes such files",
                 SCHEMA);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

/* Takes the value, which it frees; NULL: `code` says why. */
static xb_code read_document(const char *path, json_t *root, xb_code code, const xb_document **document, xb_error *err)
{
  char where[256];
  loaded *l = calloc(1, sizeof *l);
  xb_reader r = {.where = xb_safe_text(path, where, sizeof where), .err = err};
  *document = NULL;
  code = code || l ? code : xb_reader_nomem(&r);
  r.arena = l ? &l->arena : NULL;
  code = code ? code : check_schema(&r, root);
  code = code ? code : xb_read_fields(&r, root, &xb_document_fields, &l->document);
  code = code ? code : check_document(&r, &l->document);
  if (!code && !(l->document.path = xb_arena_text(r.arena, "%s", path)))
    code = xb_reader_nomem(&r);
  json_decref(root);
  if (code && l)
    xb_document_free(&l->document);
  else if (!code)
    *document = &l->document;
  return code;
}

xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err)
{
  json_t *root;
  const xb_code code = xb_json_parse(path, bytes, count, &root, err);
  return read_document(path, root, code, document, err);
}

xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err)
{
  json_t *root;
  const xb_code code = xb_json_load(path, &root, err);
  return read_document(path, root, code, document, err);
}

void xb_document_free(const xb_document *document)
{
  if (!document)
    return;
  loaded *l = (loaded *)document;
  xb_arena_free(&l->arena);
  free(l);
}

/* ---- Before parsing --------------------------------------------------------------------------------------------- */

static size_t string_end(const char *bytes, size_t count, size_t at)
{
  for (at++; at < count && bytes[at] != '"'; at++)
    at += bytes[at] == '\\';
  return at;
}

/* One pass over the text, because a small file can need much memory, and a deep one much stack. */
static xb_code check_counts(const char *where, const char *bytes, size_t count, xb_error *err)
{
  size_t values = 1, containers = 0, depth = 0, deepest = 0;
  for (size_t i = 0; i < count; i++) {
    const char c = bytes[i];
    const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    if (c == '"')
      i = string_end(bytes, count, i);
    containers += opens;
    values += opens || c == ',' || c == ':';
    depth = depth + opens - (closes && depth);
    deepest = depth > deepest ? depth : deepest;
  }
  if (values > XB_MAX_DOCUMENT_VALUES || containers > XB_MAX_DOCUMENT_CONTAINERS)
    return xb_fail(err, XB_INVALID, where,
                   "has more than %d values, or more than %d objects and lists: put less into one file",
                   XB_MAX_DOCUMENT_VALUES, XB_MAX_DOCUMENT_CONTAINERS);
  return deepest <= XB_MAX_DOCUMENT_DEPTH
             ? XB_OK
             : xb_fail(err, XB_INVALID, where, "nests objects and lists more than %d deep", XB_MAX_DOCUMENT_DEPTH);
}

/* The program that unpacks a file with these first bytes; NULL: it is not packed. */
static const char *unpacked_by(const char *bytes, size_t count)
{
  static const char xz[] = "\xfd"
                           "7zXZ",
                    gzip[] = "\x1f\x8b";
  return count > strlen(xz) && !memcmp(bytes, xz, strlen(xz))         ? "xz"
         : count > strlen(gzip) && !memcmp(bytes, gzip, strlen(gzip)) ? "gzip"
                                                                      : NULL;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

xb_code xb_json_parse(const char *where, const char *bytes, size_t count, json_t **root, xb_error *err)
{
  json_error_t error;
  char text[160], safe[256];
  const char *unpack = unpacked_by(bytes, count);
  xb_safe_text(where, safe, sizeof safe);
  *root = NULL;
  const xb_code code = unpack ? xb_fail(err, XB_INVALID, safe, "is compressed: unpack it first, with '%s -dk'", unpack)
                       : !count ? xb_fail(err, XB_INVALID, safe, "is empty: it is incomplete, or of another kind")
                                : check_counts(safe, bytes, count, err);
  if (code)
    return code;
  *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
  if (xb_json_ran_out()) { /* a text may then lack characters */
    json_decref(*root);
    *root = NULL;
    return xb_fail(err, XB_NOMEM, safe, "out of host memory");
  }
  if (*root)
    return XB_OK;
  return xb_fail(err, XB_INVALID, safe,
                 "is not valid JSON, line %d, column %d: %s: the file is damaged, incomplete, or of another kind",
                 error.line, error.column, xb_safe_text(error.text, text, sizeof text));
}

xb_code xb_json_load(const char *path, json_t **root, xb_error *err)
{
  char *bytes;
  size_t count;
  xb_arena arena = {0};
  *root = NULL;
  xb_code code = xb_read_whole_file(path, &arena, &bytes, &count, err);
  code = code ? code : xb_json_parse(path, bytes, count, root, err);
  xb_arena_free(&arena);
  return code;
}

xb_code xb_json_write(const char *path, const json_t *root, size_t flags, xb_error *err)
{
  char *text = root && !xb_json_ran_out() ? json_dumps(root, flags) : NULL;
  size_t bytes = text ? strlen(text) : 0;
  if (text && !(flags & JSON_COMPACT))
    text[bytes++] = '\n'; /* in place of the end */
  const bool good = text && xb_write_whole_file(path, text, bytes);
  const xb_code code = text ? XB_INVALID : XB_NOMEM;
  const int error = text ? errno : ENOMEM;
  free(text);
  return good ? XB_OK : xb_fail(err, code, path, "cannot be written: %s", strerror(error));
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static bool ran_out;

static void *take(size_t bytes)
{
  void *memory = malloc(bytes);
  ran_out |= !memory;
  return memory;
}

void xb_json_watch_memory(void)
{
  json_set_alloc_funcs(take, free);
}

bool xb_json_ran_out(void)
{
  const bool result = ran_out;
  ran_out = false;
  return result;
}
