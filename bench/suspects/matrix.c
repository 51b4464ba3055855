/* A matrix as a table, and as a document. */
#include "suspects/suspects.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

static const char *const keys[XB_LAYERS] = {"compiler", "optimization", "arithmetic", "driver", "wave", "order"};
static const char *const results[XB_SUSPECT_RESULTS] = {"right", "wrong", "crashed", "not run"};

/* A level of a layer of a side. */
typedef struct level_row {
  const char *side, *level;
  int layer;
  uint32_t counts[XB_SUSPECT_RESULTS];
} level_row;

XB_COLUMN_PRINT(layer_of, level_row, true, "%s", keys[r->layer])

static void print_levels(const xb_suspects *m)
{
  static const xb_column columns[] = {{"side", .left = true, XB_AT(level_row, TEXT, side)},
                                      {"layer", .left = true, .text = layer_of},
                                      {"level", .left = true, XB_AT(level_row, TEXT, level)},
                                      {"right", 5, "%.0f", XB_AT(level_row, KNOWN32, counts[XB_SUSPECT_RIGHT])},
                                      {"wrong", 5, "%.0f", XB_AT(level_row, KNOWN32, counts[XB_SUSPECT_WRONG])},
                                      {"crashed", 7, "%.0f", XB_AT(level_row, KNOWN32, counts[XB_SUSPECT_CRASHED])},
                                      {"not run", 7, "%.0f", XB_AT(level_row, KNOWN32, counts[XB_SUSPECT_FAILED])}};
  const xb_suspect *const end = m->cells + m->count;
  level_row *rows = calloc(m->count * XB_LAYERS + 1, sizeof *rows);
  size_t count = 0;
  for (const xb_suspect *first = m->cells; rows && first < end; first++)
    for (int l = 0; l < XB_LAYERS && &m->cells[xb_suspects_first(m, first)] == first; l++)
      for (const xb_suspect *s = first; s < end; s++) {
        level_row *r = rows;
        if (!*s->at[l] || strcmp(s->side, first->side) != 0)
          continue;
        while (r < rows + count && (r->layer != l || r->side != first->side || strcmp(r->level, s->at[l]) != 0))
          r++;
        if (r == rows + count)
          rows[count++] = (level_row){first->side, s->at[l], l, {0}};
        r->counts[s->result]++;
      }
  xb_table sheet = {XB_ROWS(rows, count)};
  xb_table_add_all(&sheet, columns, sizeof columns / sizeof *columns);
  xb_table_write(&sheet, XB_IN_TEXT);
  free(rows);
}

XB_COLUMN_PRINT(result_of, xb_suspect, true, "%s", results[r->result])

static void print_cells(const xb_suspects *m)
{
  xb_table table = {XB_ROWS(m->cells, m->count)};
  xb_table_add(&table, (xb_column){"side", .left = true, XB_AT(xb_suspect, TEXT, side)});
  for (int l = 0; l < XB_LAYERS; l++)
    xb_table_add(&table, (xb_column){keys[l], .left = true, XB_AT(xb_suspect, TEXT, at[l])});
  xb_table_add(&table, (xb_column){"result", .left = true, .text = result_of});
  xb_table_add(&table, (xb_column){"", .left = true, .note = true, XB_AT(xb_suspect, TEXT, why)});
  xb_table_write(&table, XB_IN_TEXT);
}

void xb_suspects_print(const xb_suspects *m, bool all)
{
  (all ? print_cells : print_levels)(m);
}

json_t *xb_suspects_document(const xb_suspects *m, const char *text)
{
  json_t *cells = json_array();
  for (const xb_suspect *s = m->cells; s < m->cells + m->count; s++) {
    json_t *cell = json_pack("{ss, ss, sf}", "side", s->side, "result", results[s->result], "seconds", s->seconds);
    for (int l = 0; l < XB_LAYERS; l++)
      if (*s->at[l])
        json_object_set_new(cell, keys[l], json_string(s->at[l]));
    if (*s->why)
      json_object_set_new(cell, "message", json_string(s->why));
    if (*s->pass)
      json_object_set_new(cell, "pass", json_string(s->pass));
    if (*s->facts)
      json_object_set_new(cell, "code_has", json_string(s->facts));
    json_array_append_new(cells, cell);
  }
  return json_pack("{ss, ss, ss, sb, ss, so}", "schema", "xbench-suspects/1", "pair", m->pair, "reference",
                   m->reference, "reference_is_side", m->of_side, "explanation", text, "cells", cells);
}
