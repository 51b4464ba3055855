/* {"schema": "xbench/2", "host": {...}, "devices": [...], "sampling": {...}, "benchmarks": [...], "results": [...],
 * "comparisons": [...], "geometric_means": [...]}. Unknown values are null. Each result is one line, so that tools such
 * as grep can find it. */
#include "formats/formats.h"
#include "os/memory_file.h"
#include "result/fields.h"
#include "result/json_file.h"
#include "result/result.h"

#include <stdlib.h>
#include <string.h>

/* The elements of an array, as text. */
typedef struct lines {
  xb_memory memory;
  size_t count;
} lines;

struct xb_json {
  json_t *head; /* the parts before the results: host, devices, sampling, benchmarks */
  json_t *means;
  lines results, comparisons;
  bool out_of_memory; /* the document is not complete */
};

/* Takes ownership of the element. */
static bool lines_add(lines *l, json_t *element)
{
  const bool good =
      element && fputs(l->count++ ? ",\n" : "\n", l->memory.file) >= 0 && !json_dumpf(element, l->memory.file, 0);
  json_decref(element);
  return good && !fflush(l->memory.file);
}

static void append(xb_json *json, json_t *list, const xb_fields *fields, const void *object)
{
  json->out_of_memory |= json_array_append_new(list, xb_write_fields(fields, object)) != 0;
}

xb_json *xb_json_begin(const xb_result_device *devices, size_t count, const xb_result_sampling *sampling)
{
  xb_json *json = calloc(1, sizeof *json);
  if (!json)
    return NULL;
  json->head = json_pack("{so s[] so s[]}", "host", xb_write_fields(&xb_host_fields, xb_this_host()), "devices",
                         "sampling", xb_write_fields(&xb_sampling_fields, sampling), "benchmarks");
  json->means = json_array();
  for (size_t i = 0; i < count; i++)
    append(json, json_object_get(json->head, "devices"), &xb_device_fields, &devices[i]);
  if (xb_memory_begin(&json->results.memory) && xb_memory_begin(&json->comparisons.memory) && json->head && json->means)
    return json;
  xb_json_free(json);
  return NULL;
}

void xb_json_group(xb_json *json, const xb_group *group)
{
  json_t *benchmarks = json_object_get(json->head, "benchmarks");
  size_t known = 0;
  while (known < json_array_size(benchmarks) &&
         !xb_same_text(json_string_value(json_object_get(json_array_get(benchmarks, known), "name")),
                       group->benchmark->name))
    known++;
  if (known == json_array_size(benchmarks))
    append(json, benchmarks, &xb_benchmark_fields, group->benchmark);
  for (size_t i = 0; i < group->count; i++)
    json->out_of_memory |= !lines_add(&json->results, xb_write_fields(&xb_result_fields, &group->results[i]));
  for (size_t i = 0; i < group->comparison_count; i++)
    json->out_of_memory |=
        !lines_add(&json->comparisons, xb_write_fields(&xb_comparison_fields, &group->comparisons[i]));
}

void xb_json_means(xb_json *json, const xb_means *means)
{
  for (size_t i = 0; i < means->count; i++)
    append(json, json->means, &xb_mean_fields, &means->means[i]);
}

static bool write_value(FILE *file, const char *name, const json_t *value)
{
  return fprintf(file, ",\n\"%s\": ", name) > 0 && !json_dumpf(value, file, 0);
}

static bool write_lines(FILE *file, const char *name, const lines *l)
{
  return fprintf(file, ",\n\"%s\": [", name) > 0 &&
         fwrite(l->memory.text, 1, l->memory.length, file) == l->memory.length &&
         fputs(l->count ? "\n]" : "]", file) >= 0;
}

static bool write_document(const xb_json *json, FILE *file)
{
  const char *name;
  json_t *value;
  rewind(file);
  bool good = fputs("{\"schema\": \"xbench/2\"", file) >= 0;
  json_object_foreach(json->head, name, value) good = good && write_value(file, name, value);
  return good && write_lines(file, "results", &json->results) && write_lines(file, "comparisons", &json->comparisons) &&
         write_value(file, "geometric_means", json->means) && fputs("}\n", file) >= 0;
}

bool xb_json_save(xb_json *json, xb_output *output)
{
  if (json && output->file)
    json->out_of_memory |= xb_json_ran_out() || !write_document(json, output->file);
  output->out_of_memory |= !json || json->out_of_memory;
  return xb_output_save(output);
}

void xb_output_json(xb_output *output, json_t *root, size_t flags)
{
  output->out_of_memory |=
      !root || json_dumpf(root, output->file, flags) || fputc('\n', output->file) == EOF || xb_json_ran_out();
  json_decref(root);
}

bool xb_save_json(const char *path, xb_output_kind kind, json_t *root, size_t flags)
{
  xb_output output;
  const bool open = xb_output_open(&output, path, kind);
  if (open && output.file)
    xb_output_json(&output, json_incref(root), flags);
  json_decref(root);
  return open && xb_output_commit(&output);
}

void xb_json_free(xb_json *json)
{
  if (!json)
    return;
  json_decref(json->head);
  json_decref(json->means);
  xb_memory_end(&json->results.memory);
  xb_memory_end(&json->comparisons.memory);
  free(json);
}
