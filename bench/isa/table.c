/* The table: what each compiler made of each kernel. */
#include "isa/isa.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const xb_isa_fact xb_isa_facts[] = {{"wave", "wave", "threads a wave", 0, 2},
                                    {"registers", "registers", "registers", 1, 0},
                                    {"scalar_registers", "scalar", "scalar registers", 1, 3},
                                    {"spilled_registers", "spilled", "spilled registers", 1, 0},
                                    {"spilled_scalars", "spilled scalar", "spilled scalar registers", 1, 3},
                                    {"spill_bytes", "local B", "bytes of local memory", 1, 0},
                                    {"shared_bytes", "shared B", "bytes of shared memory", 1, 0},
                                    {"code_bytes", "code B", "bytes of code", 0, 2},
                                    {"instructions", "instr.", "instructions", 0, 1},
                                    {"waves_per_simd", "waves/SIMD", "waves a SIMD", -1, 0},
                                    {"groups", "groups/SM", "groups a multiprocessor", -1, 0},
                                    {0}};

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

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

XB_COLUMN_TEXT(kernel)
{
  const xb_isa_line *line = row;
  char name[256];
  strcpy(out, " ");
  if (line->begins)
    snprintf(out, XB_TABLE_TEXT, "%s%s", xb_isa_name(line->row, name),
             json_is_true(json_object_get(line->row, "default")) ? " (default)" : "");
}

/* A device of this machine is named by its API. */
static const char this_driver[] = "this driver";
static const char *architecture_of(const json_t *row)
{
  const char *name = xb_isa_text(row, "for");
  return strcmp(name, xb_isa_text(row, "api")) != 0 ? name : this_driver;
}

XB_COLUMN_TEXT(architecture)
{
  (void)c;
  snprintf(out, XB_TABLE_TEXT, "%s", architecture_of(((const xb_isa_line *)row)->row));
}

XB_COLUMN_TEXT(word)
{
  snprintf(out, XB_TABLE_TEXT, "%s", xb_isa_text(((const xb_isa_line *)row)->row, c->of));
}

XB_COLUMN_NUMBER(count_of)
{
  const json_t *value = json_object_get(((const xb_isa_line *)row)->row, c->of);
  return value ? (double)json_integer_value(value) : NAN;
}

void xb_isa_refuse(json_t *row, const char *why, bool lacks)
{
  json_object_set_new(row, "error", json_string(why));
  if (lacks)
    json_object_set_new(row, "lacks", json_true());
}

void xb_isa_count_errors(const json_t *row, size_t *refused, size_t *lacking)
{
  if (json_object_get(row, "error"))
    *(json_is_true(json_object_get(row, "lacks")) ? lacking : refused) += 1;
}

static bool has_failed(const xb_table *table XB_UNUSED, const void *row, bool column_group XB_UNUSED,
                       char out[XB_TABLE_TEXT])
{
  snprintf(out, XB_TABLE_TEXT, "%s", xb_isa_text(((const xb_isa_line *)row)->row, "error"));
  return *out;
}

static const xb_column names[] = {
    {"kernel", .text = kernel, .left = true, .head = true},
    {"for", .text = architecture, .left = true},
    {"API", .text = word, .of = "api", .left = true, .drop = 1},
};

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

bool xb_isa_spills(const json_t *row)
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

bool xb_isa_table_make(xb_isa_table *isa, const json_t *rows)
{
  json_t *kernels = by_kernel(rows), *list, *row;
  const char *name;
  size_t i, count = 0;
  *isa = (xb_isa_table){.kernels = json_object_size(kernels),
                        .lines = calloc(json_array_size(rows) + 1, sizeof *isa->lines)};
  json_object_foreach(kernels, name, list) json_array_foreach(list, i, row)
  {
    if (isa->lines)
      isa->lines[count++] = (xb_isa_line){.row = row, .begins = !i};
    isa->spilling += xb_isa_spills(row);
    xb_isa_count_errors(row, &isa->refused, &isa->lacking);
  }
  json_decref(kernels);
  isa->table = (xb_table){XB_ROWS(isa->lines, count), .unknown = xb_dash, .failed = has_failed, .label_columns = 1};
  xb_table_add_all(&isa->table, names, sizeof names / sizeof *names);
  for (const xb_isa_fact *f = xb_isa_facts; f->key; f++)
    xb_table_add(&isa->table, (xb_column){f->title, .format = "%.0f", .number = count_of, .of = f->key,
                                          .fails = f == xb_isa_facts, .optional = f != xb_isa_facts, .drop = f->drop});
  return isa->lines;
}

void xb_isa_table_free(xb_isa_table *isa)
{
  free(isa->lines);
}

void xb_isa_print(const json_t *rows, bool text)
{
  xb_isa_table isa;
  if (!xb_isa_table_make(&isa, rows))
    return;
  xb_table_fit(&isa.table);
  xb_table_print_heads(&isa.table);
  for (size_t i = 0, first = 0; i < isa.table.rows; i++) {
    const char *code = xb_isa_text(isa.lines[i].row, "text"), *why = xb_isa_text(isa.lines[i].row, "no_text");
    xb_table_print_row(&isa.table, &isa.lines[i]);
    if (!text)
      continue;
    if (*code)
      printf("%s\n", code);
    else
      printf("    (no text: %s)\n", *why ? why : "the compiler gives none");
    first = isa.lines[i].begins ? i : first;
    if (i + 1 == isa.table.rows || isa.lines[i + 1].begins)
      xb_isa_print_kinds(&isa.lines[first], i + 1 - first, stdout);
  }
  printf("%zu kernels, compiled %zu times: %zu spill or use local memory, %zu refused, %zu need a feature that the "
         "architecture lacks\n",
         isa.kernels, isa.table.rows, isa.spilling, isa.refused, isa.lacking);
  xb_isa_table_free(&isa);
}

/* ---- Instructions by kind --------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 12 };
typedef struct columns {
  const json_t *rows[MOST_COLUMNS];
  const char *begin[MOST_COLUMNS], *end[MOST_COLUMNS]; /* the part of each row's text that is counted; NULL: none */
  size_t count;
  int width; /* of a column: an architecture and its API */
} columns;

static void print_counts(const columns *shown, const char *head, FILE *out)
{
  xb_isa_counts counts[MOST_COLUMNS];
  size_t sums[XB_ISA_KINDS] = {0}, fused = 0;
  fprintf(out, "  %-14s", head);
  for (size_t i = 0; i < shown->count; i++) {
    fprintf(out, " %*.11s %-6.6s", shown->width - 7, architecture_of(shown->rows[i]),
            xb_isa_text(shown->rows[i], "api"));
    xb_isa_count(shown->begin[i], shown->end[i], &counts[i]);
    for (size_t k = 0; k < XB_ISA_KINDS; k++)
      sums[k] += counts[i].of[k];
    fused += counts[i].fused;
  }
  fprintf(out, "\n");
  for (xb_isa_kind k = 0; k < XB_ISA_KINDS; k++) {
    if (!sums[k])
      continue;
    fprintf(out, "  %-14s", xb_isa_kind_name(k));
    for (size_t i = 0; i < shown->count; i++)
      fprintf(out, " %*zu", shown->width, counts[i].of[k]);
    if (k == XB_ISA_FLOATS && fused)
      fprintf(out, "\n    %-12s", "of them FMA");
    for (size_t i = 0; k == XB_ISA_FLOATS && fused && i < shown->count; i++)
      fprintf(out, " %*zu", shown->width, counts[i].fused);
    fprintf(out, "\n");
  }
}

/* The lines of the source in a part of a listing, each once: they stand at its left edge, instructions are indented. */
static void print_source(const columns *shown, size_t i, FILE *out)
{
  enum { MOST_LINES = 64 };
  const char *lines[MOST_LINES];
  size_t count = 0;
  for (const char *at = shown->begin[i]; at && at < shown->end[i]; at += strcspn(at, "\n"), at += *at == '\n') {
    const size_t length = strcspn(at, "\n");
    const char *number = memchr(at, ':', length);
    if (isspace((unsigned char)*at) || !number || !isdigit((unsigned char)number[1]))
      continue;
    bool known = count == MOST_LINES;
    for (size_t k = 0; k < count && !known; k++)
      known = !strncmp(lines[k], at, length + 1);
    if (known)
      continue;
    if (!count)
      fprintf(out, "  its source, %s %s:\n", architecture_of(shown->rows[i]), xb_isa_text(shown->rows[i], "api"));
    fprintf(out, "    %.*s\n", (int)length, lines[count++] = at);
  }
}

void xb_isa_print_kinds(const xb_isa_line *lines, size_t line_count, FILE *out)
{
  columns shown = {.width = sizeof "gfx1100000 vulkan" - 1};
  size_t loops = 0;
  for (size_t i = 0; i < line_count && shown.count < MOST_COLUMNS; i++) {
    const char *text = xb_isa_text(lines[i].row, "text");
    if (!*text)
      continue;
    shown.rows[shown.count] = lines[i].row;
    if (!strcmp(architecture_of(lines[i].row), this_driver))
      shown.width = sizeof this_driver - 1 + sizeof " vulkan" - 1;
    shown.begin[shown.count] = text;
    shown.end[shown.count++] = text + strlen(text);
  }
  if (!shown.count)
    return;
  print_counts(&shown, "instructions", out);
  for (size_t i = 0; i < shown.count; i++) {
    const bool has = xb_isa_largest_loop(shown.begin[i], &shown.begin[i], &shown.end[i]);
    shown.begin[i] = has ? shown.begin[i] : NULL;
    loops += has;
  }
  if (loops)
    print_counts(&shown, "largest loop", out);
  for (size_t i = 0; i < shown.count; i++)
    print_source(&shown, i, out);
}
