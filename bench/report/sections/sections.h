/* The sections of a report, and their common functions. */
#ifndef XB_SECTIONS_H
#define XB_SECTIONS_H

#include "report/model/labels.h"
#include "report/report.h"
#include "table/table.h"

/* What report.c puts between a section's heading and its end; nothing if there is nothing to show. */
void xb_report_changes(xb_report *report);        /* of a report with a diff */
void xb_report_summary(xb_report *report);        /* cards, means */
size_t xb_report_failed(const xb_report *report); /* cells that lack a time */
void xb_report_all_failed(xb_report *report);
void xb_report_peaks(xb_report *report);
void xb_report_advice(xb_report *report);
void xb_report_benchmark(xb_report *report, const char *benchmark, size_t number);
void xb_report_gpus(xb_report *report);
void xb_report_devices(xb_report *report);
void xb_report_cells(xb_report *report); /* all cells, file by file */
void xb_report_files(xb_report *report);

void xb_report_sources(xb_report *report); /* the sources of each variant in the files */
/* `text`, as a link to the sources of the cell's variant if there are any. */
void xb_source_link(FILE *out, const xb_result *cell, const char *text);
/* "cell-f1-reduce-9-cuda-graph-float32-4194304"; always the same for the same files. */
void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME]);

#endif
