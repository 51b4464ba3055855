/* The columns of a comparison's two tables. */
#ifndef XB_COMPARISON_TABLE_H
#define XB_COMPARISON_TABLE_H

#include "formats/table_text.h"

/* The same for all lines of a group. */
typedef struct xb_pair_columns {
  const xb_group *group;
  unsigned pairs, facts; /* those that are shown */
  bool left_out;         /* some columns with known values do not fit */
  bool has_times;        /* the pairs show the times of both sides; otherwise the facts do */
  int before_facts, fact_name_width;
} xb_pair_columns;

/* True if a pair of the group has this side. */
bool xb_is_side(const xb_group *group, const xb_result *result);

void xb_lay_out_facts(xb_pair_columns *columns);
void xb_print_fact_heads(const xb_pair_columns *columns);
void xb_print_facts(const xb_pair_columns *columns, const xb_result *result);

#endif
