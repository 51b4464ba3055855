/* Lists the rows and the traps of the porting guide for what CUDA sources use. */
#ifndef XB_SCAN_H
#define XB_SCAN_H

#include "base/arena.h"
#include "guide/rows.h"
#include "guide/scan/findings.h"
#include "xb/error.h"

#include <jansson.h>

enum { XB_SCAN_MAX_ROWS = 500 };

/* A row that findings of a source lead to. */
typedef struct xb_scanned_row {
  const xb_guide_row *row;
  size_t first_line;
  const xb_finding **findings; /* that lead to it */
  size_t count;
} xb_scanned_row;

typedef struct xb_scan {
  const char *path;
  xb_findings findings;
  xb_scanned_row rows[XB_SCAN_MAX_ROWS]; /* in the order of their first lines */
  size_t row_count;
  const xb_finding **unknown; /* names that look like CUDA's, and lead to no row */
  size_t unknown_count;
} xb_scan;

/* Scans files and folders ("-": the standard input), and prints what is found, or adds it to `json`. Returns an exit
 * code; after an error, which has been reported, what follows is not scanned. */
int xb_guide_scan(const char *const *paths, json_t *json);

/* Reports in one line the traps that scanning the source finds, if there are any; `where` begins it. */
void xb_guide_report_traps(const char *path, const char *where);

/* ---- Parts of it ---- */

/* The files that a path stands for: itself, or the CUDA sources in a folder and below, sorted. NULL: errno says why. */
char **xb_scan_files(const char *path);
void xb_scan_free_files(char **files);
/* The whole file as text, in the arena. */
xb_code xb_scan_read(const char *path, xb_arena *arena, char **text, xb_error *err);

void xb_scan_print(const xb_scan *scan);
void xb_scan_report_traps(const xb_scan *scan, const char *where);
json_t *xb_scan_json(const xb_scan *scan);

#endif
