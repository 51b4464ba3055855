/* The table: each kernel, and below it what each compiler made of it. */
#include "isa/isa.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  const char *key, *title;
  int width;
} columns[] = {{"wave", "wave", 5},
               {"registers", "registers", 10},
               {"scalar_registers", "scalar", 7},
               {"spilled_registers", "spilled", 8},
               {"spilled_scalars", "scalar", 7},
               {"spill_bytes", "local B", 8},
               {"shared_bytes", "shared B", 9},
               {"code_bytes", "code B", 8},
               {"instructions", "instr.", 7},
               {"waves_per_simd", "waves/SIMD", 11},
               {"groups", "groups/SM", 10}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *text_of(const json_t *row, const char *key)
{
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

const char *xb_isa_name(const json_t *row, char *out)
{
  const char *part = text_of(row, "part"), *at = text_of(row, "at");
  snprintf(out, 256, "%s%s%s%s %s, groups of %" JSON_INTEGER_FORMAT "%s%s", text_of(row, "kernel"), *part ? " (" : "",
           part, *part ? ")" : "", text_of(row, "dtype"), json_integer_value(json_object_get(row, "group")),
           *at ? ", " : "", at);
  return out;
}

static void print_row(const json_t *row, bool text)
{
  printf("  %-10s %-8s", text_of(row, "for"), text_of(row, "api"));
  if (*text_of(row, "error"))
    printf(" %s", text_of(row, "error"));
  for (size_t i = 0; !*text_of(row, "error") && i < COLUMNS; i++) {
    const json_t *value = json_object_get(row, columns[i].key);
    if (value)
      printf("%*" JSON_INTEGER_FORMAT, columns[i].width, json_integer_value(value));
    else
      printf("%*s", columns[i].width, "-");
  }
  printf("\n");
  if (text)
    printf("%s\n",
           *text_of(row, "text") ? text_of(row, "text") : "    (no text: the compiler, or nvdisasm, gives none)");
}

static bool spills(const json_t *row)
{
  return json_integer_value(json_object_get(row, "spilled_registers")) > 0 ||
         json_integer_value(json_object_get(row, "spill_bytes")) > 0;
}

/* The rows of each kernel, by its name, in the order of the first. */
static json_t *by_kernel(const json_t *rows)
{
  json_t *kernels = json_object(), *row;
  size_t i;
  char name[256];
  json_array_foreach(rows, i, row)
  {
    json_t *list = json_object_get(kernels, xb_isa_name(row, name));
    if (!list)
      json_object_set_new(kernels, name, list = json_array());
    json_array_append(list, row);
  }
  return kernels;
}

void xb_isa_print(const json_t *rows, bool text)
{
  json_t *kernels = by_kernel(rows), *list, *row;
  const char *name;
  size_t i, spilling = 0, failed = 0;
  printf("  %-10s %-8s", "for", "API");
  for (size_t c = 0; c < COLUMNS; c++)
    printf("%*s", columns[c].width, columns[c].title);
  printf("\n");
  json_object_foreach(kernels, name, list)
  {
    const bool usual = json_is_true(json_object_get(json_array_get(list, 0), "default"));
    printf("%s%s\n", name, usual ? " (default)" : "");
    json_array_foreach(list, i, row)
    {
      print_row(row, text);
      spilling += spills(row);
      failed += *text_of(row, "error") != 0;
    }
    if (text)
      xb_isa_print_kinds(list);
  }
  printf("%zu kernels, compiled %zu times: %zu spill or use local memory, %zu refused\n", json_object_size(kernels),
         json_array_size(rows), spilling, failed);
  json_decref(kernels);
}
