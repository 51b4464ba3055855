/* The template of pages, whose {{slots}} are filled by functions. */
#ifndef XB_TEMPLATE_H
#define XB_TEMPLATE_H

#include "page/page.h"

typedef struct xb_page_slot {
  const char *name;
  void (*write)(xb_page *page);
} xb_page_slot;

/* Writes the template to the page, as long as that has not failed. The section with the id `without` is left out; NULL:
 * none. */
void xb_template_write(xb_page *page, const xb_page_slot *slots, size_t count, const char *without);

#endif
