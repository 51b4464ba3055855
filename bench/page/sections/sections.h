/* The sections of a page, and their common functions. */
#ifndef XB_SECTIONS_H
#define XB_SECTIONS_H

#include "page/model/labels.h"
#include "page/page.h"

size_t xb_page_failed(const xb_page *page); /* cells that lack a time */
void xb_page_changes(xb_page *page);        /* nothing, if the page has no diff */
void xb_page_summary(xb_page *page);        /* cards, means, failures */
bool xb_page_has_peaks(const xb_view *view);
void xb_page_peaks(xb_page *page); /* nothing, if no file has several of them */
bool xb_page_has_advice(const xb_view *view);
void xb_page_advice(xb_page *page); /* nothing, if no recommendation has its cells */
void xb_page_benchmark(xb_page *page, const char *benchmark, size_t number);
/* Cells [from, to) of a benchmark of pairs of devices: a table for each variant and target. */
void xb_page_matrices(xb_page *page, const xb_view_file *file, size_t from, size_t to);
void xb_page_gpus(xb_page *page); /* nothing, if the files are of one GPU */
void xb_page_devices(xb_page *page);
void xb_page_cells(xb_page *page); /* all cells, file by file */
void xb_page_files(xb_page *page);

void xb_page_sources(xb_page *page); /* the sources of each variant in the files */
/* `text`, as a link to the sources of the cell's variant if there are any. */
void xb_source_link(FILE *out, const xb_result *cell, const char *text);
/* Links to the sources of a benchmark's variants. */
void xb_source_links(xb_page *page, const char *benchmark);
/* "cell-f1-reduce-9-cuda-graph-float32-4194304"; always the same for the same files. */
void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME]);

#endif
