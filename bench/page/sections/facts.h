/* What is known of devices and machines, as a table: a line a fact, a column each of those that it is of. */
#ifndef XB_FACTS_H
#define XB_FACTS_H

#include "page/sections/sections.h"

enum { XB_FACTS_COLUMNS = 32 };

typedef struct xb_fact xb_fact;
struct xb_fact {
  const char *name;
  /* As text: `out`, or text of the document; NULL: not known. */
  const char *(*describe)(const xb_fact *fact, const void *of, char out[XB_NAME]);
  size_t offset; /* of the field in what it is of */
  double scale;  /* of a number: what a unit has */
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

/* A column more, unless there is one that is `same`. */
void xb_facts_add(xb_facts *facts, const void *of, const char *head, bool (*same)(const void *a, const void *b));
/* Omits facts that no device reports. */
void xb_facts_write(const xb_facts *facts, FILE *out);

#endif
