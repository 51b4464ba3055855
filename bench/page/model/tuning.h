/* Searches of `xbench tune`, from their cache files. */
#ifndef XB_PAGE_TUNING_H
#define XB_PAGE_TUNING_H

#include "xb/error.h"

#include <jansson.h>
#include <stdbool.h>

enum { XB_MOST_TUNINGS = 32, XB_TUNING_TEXT = 96 };

typedef struct xb_tuning {
  const char *name, *device;                                                   /* of its file */
  char kernel[XB_TUNING_TEXT], backend[XB_TUNING_TEXT], dtype[XB_TUNING_TEXT]; /* "reduce/7_many_elements" */
  json_t *root;
} xb_tuning;

/* True for the name of a cache file: NAME.cache.json. */
bool xb_is_tuning(const char *path);
/* The caller frees it. */
xb_code xb_tuning_load(const char *path, xb_tuning *tuning, xb_error *err);
void xb_tuning_free(xb_tuning *tuning);
/* True if both are of one kernel, type, size and device, through whatever API. */
bool xb_tuning_alike(const xb_tuning *a, const xb_tuning *b);
/* Milliseconds; NAN if the candidate is invalid. */
double xb_tuning_time(const json_t *candidate);

#endif
