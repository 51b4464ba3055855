/* The table: what each compiler made of each kernel. */
#include "isa/isa.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

XB_COLUMN_TEXT(kernel)
{
  const xb_isa_line *line = row;
  char name[256];
  *out = 0;
  if (line->begins)
    snprintf(out, XB_SHEET_TEXT, "%s%s", xb_isa_name(line->row, name),
             json_is_true(json_object_get(line->row, "default")) ? " (default)" : "");
}

XB_COLUMN_TEXT(word)
{
  snprintf(out, XB_SHEET_TEXT, "%s", text_of(((const xb_isa_line *)row)->row, c->of));
}

XB_COLUMN_NUMBER(count)
{
  const json_t *value = json_object_get(((const xb_isa_line *)row)->row, c->of);
  return value ? (double)json_integer_value(value) : NAN;
}

static bool has_failed(const xb_sheet *sheet XB_UNUSED, const void *row, bool band XB_UNUSED, char out[XB_SHEET_TEXT])
{
  snprintf(out, XB_SHEET_TEXT, "%s", text_of(((const xb_isa_line *)row)->row, "error"));
  return *out;
}

static const void *line_at(const xb_sheet *sheet, size_t i)
{
  return (const xb_isa_line *)sheet->user + i;
}

#define COUNT(title, key, rank)                                                                                        \
  {                                                                                                                    \
    title, .format = "%.0f", .number = count, .of = key, .optional = true, .drop = rank                                \
  }
static const xb_column columns[] = {
    {"kernel", .text = kernel, .left = true, .head = true},
    {"for", .text = word, .of = "for", .left = true},
    {"API", .text = word, .of = "api", .left = true, .drop = 1},
    {"wave", .format = "%.0f", .number = count, .of = "wave", .drop = 2, .fails = true},
    COUNT("registers", "registers", 0),
    COUNT("scalar", "scalar_registers", 3),
    COUNT("spilled", "spilled_registers", 0),
    COUNT("spilled scalar", "spilled_scalars", 3),
    COUNT("local B", "spill_bytes", 0),
    COUNT("shared B", "shared_bytes", 0),
    COUNT("code B", "code_bytes", 2),
    COUNT("instr.", "instructions", 1),
    COUNT("waves/SIMD", "waves_per_simd", 0),
    COUNT("groups/SM", "groups", 0),
};

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

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

bool xb_isa_table_make(xb_isa_table *table, const json_t *rows)
{
  json_t *kernels = by_kernel(rows), *list, *row;
  const char *name;
  size_t i, count = 0;
  *table = (xb_isa_table){.kernels = json_object_size(kernels),
                          .lines = calloc(json_array_size(rows) + 1, sizeof *table->lines)};
  json_object_foreach(kernels, name, list) json_array_foreach(list, i, row)
  {
    if (table->lines)
      table->lines[count++] = (xb_isa_line){.row = row, .begins = !i};
    table->spilling += spills(row);
    table->failed += *text_of(row, "error") != 0;
  }
  json_decref(kernels);
  table->sheet = (xb_sheet){.user = table->lines,
                            .row = line_at,
                            .rows = count,
                            .unknown = xb_dash,
                            .failed = has_failed,
                            .label_columns = 1,
                            .lines_drop = 4};
  xb_sheet_add_all(&table->sheet, columns, sizeof columns / sizeof *columns);
  return table->lines;
}

void xb_isa_table_free(xb_isa_table *table)
{
  free(table->lines);
}

void xb_isa_print(const json_t *rows, bool text)
{
  static xb_isa_table table;
  if (!xb_isa_table_make(&table, rows))
    return;
  xb_sheet_fit(&table.sheet);
  xb_sheet_print_heads(&table.sheet);
  for (size_t i = 0; i < table.sheet.rows; i++) {
    xb_sheet_print_row(&table.sheet, &table.lines[i]);
    const char *code = text_of(table.lines[i].row, "text");
    if (text)
      printf("%s\n", *code ? code : "    (no text: the compiler, or nvdisasm, gives none)");
  }
  printf("%zu kernels, compiled %zu times: %zu spill or use local memory, %zu refused\n", table.kernels,
         table.sheet.rows, table.spilling, table.failed);
  xb_isa_table_free(&table);
}
