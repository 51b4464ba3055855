/* The number columns of the table of all cells. */
#ifndef XB_CELL_FIGURES_H
#define XB_CELL_FIGURES_H

#include <stdio.h>

#include "result/document.h"

enum { XB_CELL_FIGURES = 10 };

/* The columns in which a cell of the document has a figure. */
typedef struct xb_cell_figures {
  bool shown[XB_CELL_FIGURES];
  int count;
} xb_cell_figures;

xb_cell_figures xb_cell_figures_find(const xb_document *document);
/* `bandwidth`: all first metrics are bandwidths. If no column is shown, there is one head for failures. */
void xb_cell_figures_heads(FILE *out, const xb_cell_figures *figures, bool bandwidth);
void xb_cell_figures_write(FILE *out, const xb_result *cell, const xb_cell_figures *figures);

#endif
