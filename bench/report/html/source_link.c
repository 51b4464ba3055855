#include "report/html/page.h"

#include "benchmarks/table.h"
#include "report/html/text.h"

/* The command; what is not in this program's own table has no source here. */
void xb_source_link(FILE *out, const xb_saved_result *cell)
{
  const xb_variant *v = xb_variant_find(cell->benchmark, cell->variant);
  if (v && (v->source == KERNEL || v->source == SAME_KERNEL))
    fprintf(out, "<code>xbench show %s/%u</code>", v->benchmark, v->number);
}
