/* The table: each kernel, and below it what each compiler made of it. */
#include "isa/isa.h"

#include "sheet/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The last ones are left out first where a terminal is narrow. */
const xb_isa_fact xb_isa_facts[] = {{"wave", "wave", 4, "threads a wave", 0, 3},
                                    {"registers", "registers", 9, "registers", 1, 0},
                                    {"scalar_registers", "scalar", 6, "scalar registers", 1, 5},
                                    {"spilled_registers", "spilled", 7, "spilled registers", 1, 0},
                                    {"spilled_scalars", "scalar", 6, "spilled scalar registers", 1, 5},
                                    {"spill_bytes", "local B", 7, "bytes of local memory", 1, 0},
                                    {"shared_bytes", "shared B", 8, "bytes of shared memory", 1, 4},
                                    {"code_bytes", "code B", 7, "bytes of code", 0, 1},
                                    {"instructions", "instr.", 6, "instructions", 0, 2},
                                    {"waves_per_simd", "waves/SIMD", 10, "waves a SIMD", -1, 6},
                                    {"groups", "groups/SM", 9, "groups a multiprocessor", -1, 7}};
const size_t xb_isa_fact_count = sizeof xb_isa_facts / sizeof *xb_isa_facts;

const char *xb_isa_text(const json_t *row, const char *key)
{
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

const char *xb_isa_name(const json_t *row, char *out)
{
  const char *part = xb_isa_text(row, "part"), *at = xb_isa_text(row, "at");
  snprintf(out, 256, "%s%s%s%s %s, groups of %" JSON_INTEGER_FORMAT "%s%s", xb_isa_text(row, "kernel"),
           *part ? " (" : "", part, *part ? ")" : "", xb_isa_text(row, "dtype"),
           json_integer_value(json_object_get(row, "group")), *at ? ", " : "", at);
  return out;
}

XB_COLUMN_TEXT(text)
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_isa_text(row, c->of));
}

XB_COLUMN_NUMBER(number)
{
  const json_t *value = json_object_get(row, ((const xb_isa_fact *)c->of)->key);
  return value ? (double)json_integer_value(value) : NAN;
}

static bool failed(const xb_sheet *s XB_UNUSED, const void *row, bool band XB_UNUSED, char out[XB_SHEET_TEXT])
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_isa_text(row, "error"));
  return *out;
}

static void make_sheet(xb_sheet *s)
{
  *s = (xb_sheet){.failed = failed, .unknown = xb_dash, .indent = 2};
  xb_sheet_add(s, (xb_column){"for", 10, .left = true, .text = text, .of = "for"});
  xb_sheet_add(s, (xb_column){"API", 8, .left = true, .text = text, .of = "api"});
  for (const xb_isa_fact *f = xb_isa_facts; f < xb_isa_facts + xb_isa_fact_count; f++)
    xb_sheet_add(s,
                 (xb_column){f->title, f->width, "%.0f", number, .of = f, .drop = f->drop, .fails = f == xb_isa_facts});
  xb_sheet_fit(s);
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

void xb_isa_print(const json_t *rows, bool code)
{
  static xb_sheet s; /* too large for a stack */
  json_t *kernels = by_kernel(rows), *list, *row;
  const char *name;
  size_t i, spilling = 0, refused = 0;
  make_sheet(&s);
  xb_sheet_print_heads(&s);
  json_object_foreach(kernels, name, list)
  {
    const bool usual = json_is_true(json_object_get(json_array_get(list, 0), "default"));
    printf("%s%s\n", name, usual ? " (default)" : "");
    json_array_foreach(list, i, row)
    {
      xb_sheet_print_row(&s, row);
      if (code)
        printf("%s\n", *xb_isa_text(row, "text") ? xb_isa_text(row, "text")
                                                 : "    (no text: the compiler, or nvdisasm, gives none)");
      spilling += spills(row);
      refused += *xb_isa_text(row, "error") != 0;
    }
  }
  printf("%zu kernels, compiled %zu times: %zu spill or use local memory, %zu refused\n", json_object_size(kernels),
         json_array_size(rows), spilling, refused);
  json_decref(kernels);
}
