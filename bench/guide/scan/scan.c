#include "guide/scan/scan.h"

#include "base/exit_codes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- From findings to rows -------------------------------------------------------------------------------------- */

/* True for a name that looks like CUDA's. */
static bool looks_like_cuda(const xb_finding *f)
{
  static const char *const of_compilers[] = {"__FILE__",    "__LINE__",    "__func__",      "__FUNCTION__",
                                             "__VA_ARGS__", "__cplusplus", "__attribute__", "__PRETTY_FUNCTION__",
                                             "__COUNTER__"};
  for (size_t i = 0; i < sizeof of_compilers / sizeof *of_compilers; i++)
    if (!strcmp(f->text, of_compilers[i]))
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

/* The row's findings go to `pool`, which has room for all. Returns their number. */
static size_t take_row(xb_scan *scan, const xb_guide_row *row, const xb_finding **pool, bool *known)
{
  xb_scanned_row found = {.row = row, .findings = pool};
  for (size_t i = 0; i < scan->findings.count; i++) {
    const xb_finding *f = &scan->findings.list[i];
    if (!f->count || !xb_guide_row_scans(row, f->text, f->on_device))
      continue;
    known[i] = true;
    pool[found.count++] = f;
    if (!found.first_line || f->lines[0] < found.first_line)
      found.first_line = f->lines[0];
  }
  if (found.count && scan->row_count < XB_SCAN_MAX_ROWS)
    scan->rows[scan->row_count++] = found;
  return found.count;
}

/* Returns what has to be freed; NULL if there is no memory. */
static void *find_rows(xb_scan *scan, const xb_guide_row *rows, size_t count)
{
  const size_t findings = scan->findings.count;
  size_t pairs = 0, used = 0;
  for (size_t r = 0; r < count; r++) /* how many pairs there will be */
    for (size_t i = 0; i < findings; i++)
      pairs += xb_guide_row_scans(&rows[r], scan->findings.list[i].text, scan->findings.list[i].on_device);
  const xb_finding **pool = malloc(sizeof *pool * (pairs + findings + 1));
  bool *known = calloc(findings + 1, sizeof *known);
  if (pool && known) {
    for (size_t r = 0; r < count; r++)
      used += take_row(scan, &rows[r], pool + used, known);
    qsort(scan->rows, scan->row_count, sizeof *scan->rows, by_first_line);
    scan->unknown = pool + used;
    for (size_t i = 0; i < findings; i++)
      if (!known[i] && looks_like_cuda(&scan->findings.list[i]))
        scan->unknown[scan->unknown_count++] = &scan->findings.list[i];
  } else {
    free(pool);
    pool = NULL;
  }
  free(known);
  return pool;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static int scan_file(const char *path, json_t *json)
{
  static xb_scan scan;
  const char *why;
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  char *text = xb_scan_read(path, &why);
  if (!text) {
    xb_report_error(XB_EXIT_USAGE, "--scan: %s: %s", path, why);
    return XB_EXIT_USAGE;
  }
  scan = (xb_scan){.path = path};
  xb_findings_read(&scan.findings, text);
  void *memory = rows && !scan.findings.out_of_memory ? find_rows(&scan, rows, count) : NULL;
  if (!memory)
    xb_report_error(XB_EXIT_USAGE, "--scan: %s: no memory", path);
  else if (json)
    json_array_append_new(json, xb_scan_json(&scan));
  else
    xb_scan_print(&scan);
  const int code = memory ? XB_EXIT_OK : XB_EXIT_USAGE;
  free(memory);
  xb_findings_free(&scan.findings);
  free(text);
  return code;
}

int xb_guide_scan(const char *const *paths, json_t *json)
{
  int code = XB_EXIT_OK;
  for (; *paths; paths++) {
    char **files = xb_scan_files(*paths);
    if (!files) {
      xb_report_error(XB_EXIT_USAGE, "--scan: %s: %s", *paths,
                      errno ? strerror(errno) : "the folder has no source in CUDA C++");
      code = XB_EXIT_USAGE;
    }
    for (char **file = files; file && *file; file++) {
      const int of_file = scan_file(*file, json);
      code = of_file ? of_file : code;
    }
    xb_scan_free_files(files);
  }
  return code;
}
