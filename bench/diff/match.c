#include "diff/diff.h"
#include "diff/identity.h"

#include <stdio.h>
#include <stdlib.h>

static size_t first_dimension; /* for qsort(): XB_DEVICE_DIMENSIONS to ignore the device */

static int compare_cells(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  const int order = xb_compare_identity(x, y, first_dimension);
  return order ? order : (x > y) - (x < y); /* in the order of the document */
}

/* True if one run measured the cell more often than the other. */
static bool is_left_over(const xb_diff *diff, const xb_result *base, const xb_result *now)
{
  const xb_diff_cell *last = diff->cell_count ? &diff->cells[diff->cell_count - 1] : NULL;
  return last && (!base || !now) &&
         !xb_compare_identity(last->now ? last->now : last->base, base ? base : now, first_dimension);
}

static void add_cell(xb_diff *diff, const xb_result *base, const xb_result *now)
{
  xb_diff_cell *cell = &diff->cells[diff->cell_count];
  *cell = (xb_diff_cell){.base = base,
                         .now = now,
                         .runs = {now},
                         .run_count = now ? 1 : 0,
                         .base_ns = base ? base->median_ns : 0,
                         .now_ns = now ? now->median_ns : 0};
  if (is_left_over(diff, base, now))
    snprintf(cell->reason, sizeof cell->reason, "measured again, and fewer times in %s: not compared",
             base ? "new" : "the base");
  diff->cell_count++;
}

xb_code xb_diff_match(xb_diff *diff, xb_error *err)
{
  size_t base_count, now_count, b = 0, n = 0;
  const xb_result **base = xb_diff_results(diff->base, &base_count);
  const xb_result **now = xb_diff_results(diff->now, &now_count);
  xb_code code = XB_OK;
  diff->cells = base && now ? calloc(base_count + now_count + 1, sizeof *diff->cells) : NULL;
  if (!diff->cells) {
    code = xb_fail(err, XB_NOMEM, "diff", "out of host memory");
    goto fail;
  }
  first_dimension = diff->across_devices ? XB_DEVICE_DIMENSIONS : 0;
  qsort(base, base_count, sizeof(*base), compare_cells);
  qsort(now, now_count, sizeof(*now), compare_cells);
  while (b < base_count || n < now_count) {
    const int order = b == base_count ? 1 : n == now_count ? -1 : xb_compare_identity(base[b], now[n], first_dimension);
    add_cell(diff, order <= 0 ? base[b] : NULL, order >= 0 ? now[n] : NULL);
    b += order <= 0;
    n += order >= 0;
  }
fail:
  free(base);
  free(now);
  return code;
}
