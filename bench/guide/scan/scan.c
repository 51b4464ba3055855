#include "guide/scan/scan.h"

#include "base/exit_codes.h"
#include "base/word_list.h"
#include "core/grow.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- From findings to rows -------------------------------------------------------------------------------------- */

/* True for a name that looks like CUDA's. */
static bool looks_like_cuda(const xb_finding *f)
{
  if (xb_is_listed("__FILE__ __LINE__ __func__ __FUNCTION__ __VA_ARGS__ __cplusplus __attribute__ __PRETTY_FUNCTION__ "
                   "__COUNTER__",
                   f->text, strlen(f->text)))
    return false;
  if (strchr(f->text, ' ') || strchr(f->text, '.'))
    return false;
  return (!strncmp(f->text, "cuda", 4) && isupper((unsigned char)f->text[4])) ||
         (!strncmp(f->text, "cu", 2) && isupper((unsigned char)f->text[2])) ||
         (!strncmp(f->text, "__", 2) && islower((unsigned char)f->text[2]) && f->on_device);
}

static int by_first_line(const void *a, const void *b)
{
  const xb_scanned_row *left = a, *right = b;
  return left->first_line != right->first_line
             ? (left->first_line > right->first_line) - (left->first_line < right->first_line)
             : (left->row > right->row) - (left->row < right->row);
}

/* Adds the row with the findings that lead to it. Returns false if there is no memory. */
static bool take_row(xb_scan *scan, const xb_guide_row *row, bool *known)
{
  xb_scanned_row found = {.row = row};
  size_t capacity = 0;
  for (size_t i = 0; i < scan->findings.count; i++) {
    const xb_finding *f = &scan->findings.list[i];
    if (!f->count || !xb_guide_row_scans(row, f->text, f->on_device))
      continue;
    if (!xb_grow(&found.findings, &capacity, found.count, sizeof f)) {
      free(found.findings);
      return false;
    }
    known[i] = true;
    found.findings[found.count++] = f;
    if (!found.first_line || f->lines[0] < found.first_line)
      found.first_line = f->lines[0];
  }
  if (found.count && scan->row_count < XB_SCAN_MAX_ROWS)
    scan->rows[scan->row_count++] = found;
  return true;
}

/* Returns false if there is no memory. */
static bool find_rows(xb_scan *scan, const xb_guide_row *rows, size_t count)
{
  const size_t findings = scan->findings.count;
  bool *known = calloc(findings + 1, sizeof *known), good = known;
  scan->unknown = malloc(sizeof *scan->unknown * (findings + 1));
  for (size_t r = 0; good && r < count; r++)
    good = take_row(scan, &rows[r], known);
  good = good && scan->unknown;
  if (good)
    qsort(scan->rows, scan->row_count, sizeof *scan->rows, by_first_line);
  for (size_t i = 0; good && i < findings; i++)
    if (!known[i] && looks_like_cuda(&scan->findings.list[i]))
      scan->unknown[scan->unknown_count++] = &scan->findings.list[i];
  free(known);
  return good;
}

static void free_rows(xb_scan *scan)
{
  for (size_t i = 0; i < scan->row_count; i++)
    free(scan->rows[i].findings);
  free(scan->unknown);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* Reads and scans a source, hands the scan to `use`, and frees it. */
static int scan_file(const char *path, void (*use)(const xb_scan *scan, void *user), void *user)
{
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  xb_arena arena = {0};
  xb_error error;
  char *text;
  if (xb_scan_read(path, &arena, &text, &error)) {
    xb_arena_free(&arena);
    return xb_report_error(XB_EXIT_USAGE, "--scan: %s", error.message);
  }
  xb_scan scan = {.path = path};
  const char *ending = strrchr(path, '.');
  if (ending && xb_is_listed(".hlsl .glsl .comp .slang .wgsl", ending, strlen(ending)))
    xb_report_error(0, "--scan: %s is a shader: --scan reads CUDA C++", path);
  xb_findings_read(&scan.findings, text, ending && !strcmp(ending, ".cuh"));
  const bool good = rows && !scan.findings.out_of_memory && find_rows(&scan, rows, count);
  if (good)
    use(&scan, user);
  else
    xb_report_error(XB_EXIT_USAGE, "--scan: %s: no memory", path);
  free_rows(&scan);
  xb_findings_free(&scan.findings);
  xb_arena_free(&arena);
  return good ? XB_EXIT_OK : XB_EXIT_USAGE;
}

static void print_or_add(const xb_scan *scan, void *json)
{
  if (json)
    json_array_append_new(json, xb_scan_json(scan));
  else
    xb_scan_print(scan);
}

static void report_traps(const xb_scan *scan, void *where)
{
  xb_scan_report_traps(scan, where);
}

void xb_guide_report_traps(const char *path, const char *where)
{
  scan_file(path, report_traps, (void *)(uintptr_t)where);
}

int xb_guide_scan(const char *const *paths, json_t *json)
{
  int code = XB_EXIT_OK;
  for (; *paths && !code; paths++) {
    char **files = xb_scan_files(*paths);
    if (!files)
      code = xb_report_error(XB_EXIT_USAGE, "--scan: %s: %s", *paths,
                             errno ? strerror(errno) : "the folder has no source in CUDA C++");
    for (char **file = files; file && *file && !code; file++)
      code = scan_file(*file, print_or_add, json);
    xb_scan_free_files(files);
  }
  return code;
}
