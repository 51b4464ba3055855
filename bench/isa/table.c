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
    snprintf(out, XB_SHEET_TEXT, "%s%s", xb_isa_name(line->row, name),
             json_is_true(json_object_get(line->row, "default")) ? " (default)" : "");
}

XB_COLUMN_TEXT(word)
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_isa_text(((const xb_isa_line *)row)->row, c->of));
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

static bool has_failed(const xb_sheet *sheet XB_UNUSED, const void *row, bool band XB_UNUSED, char out[XB_SHEET_TEXT])
{
  snprintf(out, XB_SHEET_TEXT, "%s", xb_isa_text(((const xb_isa_line *)row)->row, "error"));
  return *out;
}

static const xb_column names[] = {
    {"kernel", .text = kernel, .left = true, .head = true},
    {"for", .text = word, .of = "for", .left = true},
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
    table->spilling += xb_isa_spills(row);
    xb_isa_count_errors(row, &table->refused, &table->lacking);
  }
  json_decref(kernels);
  table->sheet = (xb_sheet){XB_ROWS(table->lines, count), .unknown = xb_dash, .failed = has_failed, .label_columns = 1,
                            .lines_drop = 4};
  xb_sheet_add_all(&table->sheet, names, sizeof names / sizeof *names);
  for (const xb_isa_fact *f = xb_isa_facts; f->key; f++)
    xb_sheet_add(&table->sheet,
                 (xb_column){f->title, .format = "%.0f", .number = count_of, .of = f->key, .fails = f == xb_isa_facts,
                             .optional = f != xb_isa_facts, .drop = f->drop});
  return table->lines;
}

void xb_isa_table_free(xb_isa_table *table)
{
  free(table->lines);
}

void xb_isa_print(const json_t *rows, bool text)
{
  xb_isa_table table;
  if (!xb_isa_table_make(&table, rows))
    return;
  xb_sheet_fit(&table.sheet);
  xb_sheet_print_heads(&table.sheet);
  for (size_t i = 0, first = 0; i < table.sheet.rows; i++) {
    const char *code = xb_isa_text(table.lines[i].row, "text");
    xb_sheet_print_row(&table.sheet, &table.lines[i]);
    if (!text)
      continue;
    printf("%s\n", *code ? code : "    (no text: the compiler, or nvdisasm, gives none)");
    first = table.lines[i].begins ? i : first;
    if (i + 1 == table.sheet.rows || table.lines[i + 1].begins)
      xb_isa_print_kinds(&table.lines[first], i + 1 - first, stdout);
  }
  printf("%zu kernels, compiled %zu times: %zu spill or use local memory, %zu refused, %zu need a feature that the "
         "architecture lacks\n",
         table.kernels, table.sheet.rows, table.spilling, table.refused, table.lacking);
  xb_isa_table_free(&table);
}

/* ---- Instructions by kind --------------------------------------------------------------------------------------- */

/* The first line whose word begins an instruction's name decides; "*" before a word: it may stand anywhere. NVIDIA's
 * names have capital letters, AMD's small ones. */
static const struct {
  const char *kind, *words;
} kinds[] = {
    {"matrix", "HMMA IMMA DMMA HGMMA IGMMA v_wmma v_mfma v_swmmac"},
    {"atomics", "ATOM RED *_atomic"},
    {"local memory", "LDL STL scratch_"},
    {"shared memory", "LDS STS ds_read ds_load ds_write ds_store ds_add ds_max ds_min"},
    {"between lanes", "SHFL VOTE REDUX MATCH ds_bpermute ds_permute ds_swizzle v_permlane v_readlane v_readfirstlane "
                      "v_writelane *_dpp"},
    {"barriers", "BAR MEMBAR ERRBAR s_barrier buffer_gl buffer_inv"},
    {"constants", "LDC ULDC s_load s_buffer_load"},
    {"loads", "LD buffer_load global_load flat_load TEX TLD SULD image_load image_sample image_gather image_msaa"},
    {"stores", "ST SUST buffer_store global_store flat_store image_store"},
    {"branches", "BRA EXIT BSSY BSYNC BREAK RET CALL JMP WARPSYNC YIELD s_cbranch s_branch s_endpgm s_setpc s_swappc"},
    {"waits", "NOP DEPBAR s_waitcnt s_wait_ s_nop s_clause s_delay s_sleep"},
    {"moves", "MOV UMOV SEL PRMT S2R S2UR CS2R R2UR v_mov s_mov v_cndmask s_cselect v_perm"},
    {"floats",
     "FADD FMUL FFMA FMNMX FSET FSEL FCHK FRND MUFU HADD HMUL HFMA HSET HMNMX DADD DMUL DFMA DSET F2F I2F F2I "
     "*_f16 *_f32 *_f64"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, REST = KINDS }; /* the rest: integers */

static bool begins(const char *name, size_t length, const char *words)
{
  for (size_t here; *words; words += here + (words[here] == ' ')) {
    here = strcspn(words, " ");
    const bool inside = *words == '*';
    for (size_t at = 0; at + here - inside <= length && (!at || inside); at++)
      if (!memcmp(name + at, words + inside, here - inside))
        return true;
  }
  return false;
}

/* The name of the instruction in a line: behind its address and its predicate. NULL: the line is a label, or a comment.
 */
static const char *instruction_of(const char *line, size_t *length)
{
  line += strspn(line, " \t");
  if (!strncmp(line, "/*", 2) && strstr(line, "*/"))
    line = strstr(line, "*/") + 2;
  line += strspn(line, " \t");
  if (*line == '@')
    line += strcspn(line, " \t\n");
  line += strspn(line, " \t");
  *length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return *length && isalpha((unsigned char)*line) && line[*length] != ':' ? line : NULL;
}

static void count(const char *text, size_t counts[KINDS + 1])
{
  for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL) {
    size_t length, kind = 0;
    const char *name = instruction_of(text, &length);
    while (name && kind < KINDS && !begins(name, length, kinds[kind].words))
      kind++;
    counts[kind] += name != NULL;
  }
}

void xb_isa_print_kinds(const xb_isa_line *lines, size_t line_count, FILE *out)
{
  enum { MOST_ROWS = 8 };
  size_t counts[MOST_ROWS][KINDS + 1] = {{0}}, i, shown = 0;
  for (i = 0; i < line_count && shown < MOST_ROWS; i++) {
    const json_t *row = lines[i].row;
    if (!*xb_isa_text(row, "text"))
      continue;
    fprintf(out, "%s %10.10s %-6.6s", shown ? "" : "  instructions  ", xb_isa_text(row, "for"),
            xb_isa_text(row, "api"));
    count(xb_isa_text(row, "text"), counts[shown++]);
  }
  if (!shown)
    return;
  fprintf(out, "\n");
  for (size_t k = 0; k <= KINDS; k++) {
    size_t sum = 0;
    for (i = 0; i < shown; i++)
      sum += counts[i][k];
    if (!sum)
      continue;
    fprintf(out, "  %-14s", k == REST ? "integers, rest" : kinds[k].kind);
    for (i = 0; i < shown; i++)
      fprintf(out, " %17zu", counts[i][k]);
    fprintf(out, "\n");
  }
}
