/* A table of devices or machines: one row per fact, one column per device or machine. */
#ifndef XB_FACTS_H
#define XB_FACTS_H

#include "page/sections/sections.h"

enum { XB_FACTS_COLUMNS = 32 };

typedef struct xb_fact xb_fact;
struct xb_fact {
  const char *name;
  /* The fact as text, in `out` or in the document; NULL if unknown. */
  const char *(*describe)(const xb_fact *fact, const void *of, char out[XB_NAME]);
  size_t offset; /* of the field in the structure `of` */
  double scale;  /* a number is divided by it for the unit */
  const char *unit;
};

typedef struct xb_facts {
  const char *title;
  const xb_fact *facts;
  size_t count;
  const char *heads[XB_FACTS_COLUMNS];
  const void *of[XB_FACTS_COLUMNS];
  size_t columns, columns_in_all;
} xb_facts;

/* Adds a column, unless `same` is true for an existing one. */
void xb_facts_add(xb_facts *facts, const void *of, const char *head, bool (*same)(const void *a, const void *b));
/* Omits facts that no device reports. */
void xb_facts_write(const xb_facts *facts, FILE *out);

#endif
