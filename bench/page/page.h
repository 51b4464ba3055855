/* A page of results. */
#ifndef XB_PAGE_H
#define XB_PAGE_H

#include <stdio.h>

#include "page/model/page_view.h"

enum { XB_PAGE_MOST_CHARTS = 300 };

typedef struct xb_page {
  FILE *out; /* in memory */
  const xb_view *view;
  int charts; /* so far */
  int code;   /* -1: good; else the exit code of the first failure, which was reported */
} xb_page;

/* Writes the whole page to `out`. -1, or the exit code after the error was reported. */
int xb_page_write(FILE *out, const xb_view *view);

#endif
