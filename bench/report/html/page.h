/* A page of results: the parts that it is made of, each in a file of its own. */
#ifndef XB_HTML_PAGE_H
#define XB_HTML_PAGE_H

#include "report/html/chart.h"
#include "report/html/grid.h"
#include "report/html/labels.h"
#include "report/html/page_view.h"

enum { XB_PAGE_MOST_CHARTS = 300 };

typedef struct xb_page {
  FILE *out; /* in memory */
  const xb_view *view;
  int charts; /* so far */
  int code;   /* -1: good; else the exit code of the first failure, which was told */
} xb_page;

/* Writes the whole page to `out`. -1, or the exit code; it was told. */
int xb_page_write(FILE *out, const xb_view *view);

/* ---- A chart on the page ---------------------------------------------------------------------------------------- */

typedef struct xb_figure {
  char title[256], takeaway[512], source[256]; /* what it shows; what can be read off it; where it comes from */
  char details[1400];                          /* for xb_figure_end() */
  char *legend;                                /* HTML; grown by xb_figure_legend */
  size_t legend_bytes;
  FILE *legend_file;
  xb_chart chart;
  xb_grid grid; /* what is drawn, as figures */
} xb_figure;

/* False: out of host memory; told in page->code. The chart is begun by the caller. */
bool xb_figure_begin(xb_page *page, xb_figure *figure);
typedef enum xb_mark { XB_MARK_BAR, XB_MARK_POINT, XB_MARK_LINE, XB_MARK_DASHES, XB_MARK_AREA } xb_mark;
/* `shape` is of a point, or the hatching of a bar; both go round. Of dashes: 1 has them in the slot's colour. */
void xb_figure_legend(xb_figure *figure, xb_mark mark, int slot, int shape, const char *text);
/* "measured copy, up to 4122 GB/s", where `value` is known. */
void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_mark mark);
/* gnuplot's number of a shape, and its words for a filling. */
int xb_point_type(int shape);
const char *xb_fill(int slot);
/* Draws, writes, frees. What is described to those who do not see it: takeaway, then `details`. */
void xb_figure_end(xb_page *page, xb_figure *figure, const char *details);

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

size_t xb_page_failed(const xb_page *page); /* cells that lack a time */
void xb_page_summary(xb_page *page);        /* cards, means, what failed */
void xb_page_benchmark(xb_page *page, const char *benchmark, size_t number);
void xb_page_devices(xb_page *page);
void xb_page_cells(xb_page *page); /* all of them, file by file */
void xb_page_files(xb_page *page);

/* Of its first metric: it can be drawn. */
bool xb_has_value(const xb_result *cell);
/* Cell i of [from, to) is the first of its variant. */
bool xb_begins_variant(const xb_view_file *file, size_t from, size_t i);
/* Charts of cells [from, to) of a file: those of one question, or of one size of it. */
void xb_ladder(xb_page *page, const xb_view_file *file, size_t from, size_t to);
void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to);
/* Where they were swept over an axis: against that, size by size. */
bool xb_axis_varies(const xb_view_file *file, size_t from, size_t to);
void xb_axes(xb_page *page, const xb_view_file *file, size_t from, size_t to);
void xb_times(xb_page *page, const xb_view_file *file, size_t from, size_t to);
/* Charts of a file's ratios of that benchmark; of all files' means. */
void xb_ratios(xb_page *page, const xb_view_file *file, const char *benchmark);
void xb_page_means(xb_page *page);

void xb_page_sources(xb_page *page); /* the pair of each variant that the files have */
/* `text`, as a link to the pair of the cell's variant where it has one. */
void xb_source_link(FILE *out, const xb_result *cell, const char *text);
/* "Sources: 1 2 3": those of a benchmark. */
void xb_source_links(xb_page *page, const char *benchmark);
/* "cell-f1-reduce-9-cuda-graph-float32-4194304": the same each time the page is made of the same files. */
void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME]);

#endif
