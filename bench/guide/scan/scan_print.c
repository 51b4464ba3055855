#include "guide/scan/scan.h"

#include "base/exit_codes.h"
#include "base/safe_text.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_LINES = 5 };

static const char *advice_of(const xb_guide_row *row)
{
  return row->field[row->field[XB_ROW_WRONG] ? XB_ROW_DOES : row->field[XB_ROW_HLSL] ? XB_ROW_HLSL : XB_ROW_VULKAN];
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

/* "atomicAdd float (lines 58, 89)". The same word may be a finding of the host and of the device. */
static void print_findings(const xb_scanned_row *row)
{
  char safe[100];
  for (size_t i = 0; i < row->count; i++) {
    const xb_finding *f = row->findings[i];
    printf("%s%s (%s", i ? ", " : "", xb_safe_text(f->text, safe, sizeof safe), f->count == 1 ? "line " : "lines ");
    for (size_t k = 0; k < f->count && k < SHOWN_LINES; k++)
      printf("%s%zu", k ? ", " : "", f->lines[k]);
    printf("%s)", f->count > SHOWN_LINES ? ", ..." : "");
  }
  printf("\n");
}

static void print_rows(const xb_scan *scan, bool traps, const char *title)
{
  bool titled = false;
  for (size_t i = 0; i < scan->row_count; i++) {
    const xb_guide_row *row = scan->rows[i].row;
    if (!!row->field[XB_ROW_WRONG] != traps)
      continue;
    if (!titled)
      fputs(title, stdout);
    titled = true;
    printf("%-8s %s: ", traps ? "trap" : row->field[XB_ROW_STATUS], row->id);
    print_findings(&scan->rows[i]);
    printf("         ");
    if (traps) {
      xb_guide_print_plain(row->field[XB_ROW_WRONG]);
      printf(". ");
    }
    xb_guide_print_plain(advice_of(row));
    printf("\n");
  }
}

static void print_unknown(const xb_scan *scan)
{
  char safe[100];
  if (!scan->unknown_count)
    return;
  printf("\nNo row has: ");
  for (size_t i = 0; i < scan->unknown_count; i++)
    printf("%s%s (line %zu)", i ? ", " : "", xb_safe_text(scan->unknown[i]->text, safe, sizeof safe),
           scan->unknown[i]->lines[0]);
  printf("\n");
}

void xb_scan_print(const xb_scan *scan)
{
  static const char *const statuses[] = {"exact", "weaker", "emulate", "none"};
  char safe[512];
  size_t of[4] = {0}, traps = 0;
  for (size_t i = 0; i < scan->row_count; i++) {
    const char *status = scan->rows[i].row->field[XB_ROW_STATUS];
    traps += scan->rows[i].row->field[XB_ROW_WRONG] != NULL;
    for (size_t k = 0; k < 4; k++)
      of[k] += status && !strcmp(status, statuses[k]);
  }
  print_rows(scan, true, "Traps to look for:\n");
  print_rows(scan, false, traps ? "\nRows:\n" : "");
  print_unknown(scan);
  printf(
      "\n%s, %zu lines: %zu rows (%zu exact, %zu weaker, %zu emulate, %zu none), %zu traps. 'xbench guide ROW' shows "
      "a row.\n",
      strcmp(scan->path, "-") ? xb_safe_text(scan->path, safe, sizeof safe) : "standard input", scan->findings.lines,
      of[0] + of[1] + of[2] + of[3], of[0], of[1], of[2], of[3], traps);
}

void xb_scan_report_traps(const xb_scan *scan, const char *where)
{
  char list[512] = "", safe[100], path[256];
  for (size_t i = 0; i < scan->row_count; i++) {
    const xb_scanned_row *row = &scan->rows[i];
    const size_t length = strlen(list);
    if (row->row->field[XB_ROW_WRONG])
      snprintf(list + length, sizeof list - length, "%s%s (%s, line %zu)", length ? ", " : "", row->row->id,
               xb_safe_text(row->findings[0]->text, safe, sizeof safe), row->first_line);
  }
  if (*list)
    xb_report_error(0, "%s%s: look for these traps: %s; 'xbench guide TRAP' explains one", where,
                    xb_safe_text(scan->path, path, sizeof path), list);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *findings_json(const xb_finding *const *findings, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    char safe[100];
    json_t *lines = json_array();
    for (size_t k = 0; k < findings[i]->count; k++)
      json_array_append_new(lines, json_integer((json_int_t)findings[i]->lines[k]));
    json_array_append_new(
        list, json_pack("{ss so}", "what", xb_safe_text(findings[i]->text, safe, sizeof safe), "lines", lines));
  }
  return list;
}

json_t *xb_scan_json(const xb_scan *scan)
{
  char safe[512];
  json_t *rows = json_array();
  for (size_t i = 0; i < scan->row_count; i++) {
    const xb_scanned_row *row = &scan->rows[i];
    const char *status = row->row->field[XB_ROW_STATUS];
    json_array_append_new(rows,
                          json_pack("{ss ss ss so}", "row", row->row->id, "status", status ? status : "trap", "text",
                                    advice_of(row->row), "found", findings_json(row->findings, row->count)));
  }
  return json_pack("{ss sI so so}", "file", xb_safe_text(scan->path, safe, sizeof safe), "lines",
                   (json_int_t)scan->findings.lines, "rows", rows, "unknown",
                   findings_json(scan->unknown, scan->unknown_count));
}
