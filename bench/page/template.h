/* The template of pages, whose {{slots}} are filled by functions. */
#ifndef XB_TEMPLATE_H
#define XB_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

typedef struct xb_page_slot {
  const char *name;
  void (*write)(void *user);
} xb_page_slot;

/* Writes the template until `*code`, which is -1, becomes something else. The section with the id `without` is left
 * out; NULL: none. */
void xb_template_write(FILE *out, const xb_page_slot *slots, size_t count, void *user, const char *without,
                       const int *code);

#endif
