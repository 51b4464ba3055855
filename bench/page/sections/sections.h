/* The sections of a page, and their common functions. */
#ifndef XB_SECTIONS_H
#define XB_SECTIONS_H

#include "page/model/labels.h"
#include "page/page.h"
#include "sheet/sheet.h"

/* What page.c puts between a section's heading and its end; nothing if there is nothing to show. */
void xb_page_changes(xb_page *page);        /* of a page with a diff */
void xb_page_summary(xb_page *page);        /* cards, means */
size_t xb_page_failed(const xb_page *page); /* cells that lack a time */
void xb_page_all_failed(xb_page *page);
void xb_page_peaks(xb_page *page);
void xb_page_advice(xb_page *page);
void xb_page_benchmark(xb_page *page, const char *benchmark, size_t number);
void xb_page_gpus(xb_page *page);
void xb_page_devices(xb_page *page);
void xb_page_cells(xb_page *page); /* all cells, file by file */
void xb_page_files(xb_page *page);

void xb_page_sources(xb_page *page); /* the sources of each variant in the files */
/* `text`, as a link to the sources of the cell's variant if there are any. */
void xb_source_link(FILE *out, const xb_result *cell, const char *text);
/* "cell-f1-reduce-9-cuda-graph-float32-4194304"; always the same for the same files. */
void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME]);

#endif
