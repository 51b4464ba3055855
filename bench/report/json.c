/* {"schema": "xbench/2", "host": {...}, "devices": [...], "sampling": {...}, "benchmarks": [...], "results": [...],
 * "comparisons": [...], "geometric_means": [...]}; what is unknown is null. One line a result, so that line tools can
 * find them. */
#include "report/host.h"
#include "report/results.h"
#include "result/fields.h"

#include <stdlib.h>
#include <string.h>

/* The elements of an array, as text. */
typedef struct lines {
  FILE *file; /* in memory */
  char *text;
  size_t length, count;
} lines;

struct xb_json {
  json_t *host, *devices, *sampling, *benchmarks, *means;
  const char *benchmark; /* the last one that was added */
  lines results, comparisons;
  bool lacking; /* host memory ran out: something is missing */
};

static bool lines_open(lines *l)
{
  *l = (lines){0};
  l->file = open_memstream(&l->text, &l->length);
  return l->file && !fflush(l->file); /* sets text, also for no lines */
}

/* Takes the element. */
static bool lines_add(lines *l, json_t *element)
{
  const bool good = element && fputs(l->count++ ? ",\n" : "\n", l->file) >= 0 && !json_dumpf(element, l->file, 0);
  json_decref(element);
  return good && !fflush(l->file);
}

static void lines_close(lines *l)
{
  if (l->file)
    fclose(l->file);
  free(l->text);
}

xb_json *xb_json_begin(const xb_result_device *devices, size_t count, const xb_result_sampling *sampling)
{
  xb_json *json = calloc(1, sizeof *json);
  if (!json)
    return NULL;
  json->host = xb_write_fields(&xb_host_fields, xb_this_host());
  json->devices = json_array();
  for (size_t i = 0; i < count; i++)
    json->lacking |= json_array_append_new(json->devices, xb_write_fields(&xb_device_fields, &devices[i])) != 0;
  json->sampling = xb_write_fields(&xb_sampling_fields, sampling);
  json->benchmarks = json_array();
  json->means = json_array();
  if (lines_open(&json->results) && lines_open(&json->comparisons) && json->host && json->sampling &&
      json->benchmarks && json->means)
    return json;
  xb_json_free(json);
  return NULL;
}

void xb_json_group(xb_json *json, const xb_group *group)
{
  if (json->benchmark != group->benchmark->name) /* groups of a benchmark follow one another */
    json->lacking |=
        json_array_append_new(json->benchmarks, xb_write_fields(&xb_benchmark_fields, group->benchmark)) != 0;
  json->benchmark = group->benchmark->name;
  for (size_t i = 0; i < group->count; i++)
    json->lacking |= !lines_add(&json->results, xb_write_fields(&xb_result_fields, &group->results[i]));
  for (size_t i = 0; i < group->comparison_count; i++)
    json->lacking |= !lines_add(&json->comparisons, xb_write_fields(&xb_comparison_fields, &group->comparisons[i]));
}

void xb_json_means(xb_json *json, const xb_means *means)
{
  for (size_t i = 0; i < means->count; i++)
    json->lacking |= json_array_append_new(json->means, xb_write_fields(&xb_mean_fields, &means->means[i])) != 0;
}

size_t xb_json_results(const xb_json *json)
{
  return json ? json->results.count : 0;
}

static bool write_value(FILE *file, const char *name, const json_t *value)
{
  return fprintf(file, ",\n\"%s\": ", name) > 0 && !json_dumpf(value, file, 0);
}

static bool write_lines(FILE *file, const char *name, const lines *l)
{
  return fprintf(file, ",\n\"%s\": [", name) > 0 && fwrite(l->text, 1, l->length, file) == l->length &&
         fputs(l->count ? "\n]" : "]", file) >= 0;
}

static bool write_document(const xb_json *json, FILE *file)
{
  rewind(file);
  return fputs("{\"schema\": \"xbench/2\"", file) >= 0 && write_value(file, "host", json->host) &&
         write_value(file, "devices", json->devices) && write_value(file, "sampling", json->sampling) &&
         write_value(file, "benchmarks", json->benchmarks) && write_lines(file, "results", &json->results) &&
         write_lines(file, "comparisons", &json->comparisons) && write_value(file, "geometric_means", json->means) &&
         fputs("}\n", file) >= 0;
}

bool xb_json_save(xb_json *json, xb_output *output)
{
  output->lacking |= !write_document(json, output->file) || json->lacking;
  return xb_output_save(output);
}

void xb_json_free(xb_json *json)
{
  if (!json)
    return;
  json_decref(json->host);
  json_decref(json->devices);
  json_decref(json->sampling);
  json_decref(json->benchmarks);
  json_decref(json->means);
  lines_close(&json->results);
  lines_close(&json->comparisons);
  free(json);
}
