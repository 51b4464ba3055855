/* CUDA leaves open in which order blocks begin and threads run. A device that emulates it takes the order from a seed,
 * in the variable XB_ORDER; each seed runs in a process of its own, and only whether it was right counts. */
#include "commands/run_parts.h"

#include "base/exit_codes.h"
#include "benchmarks/benchmark.h"
#include "commands/run_apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ORDERS = 8 };

typedef struct order_run {
  const xb_options *options;
  int (*run)(const xb_options *options);
  uint32_t seed;
} order_run;

/* In the other process. A run that was not right leaves no document, but says why. */
static int run_order(const char *path, void *user)
{
  const order_run *r = user;
  xb_options o = *r->options;
  char text[16];
  snprintf(text, sizeof text, "%u", r->seed);
  o.json = path;
  o.csv = NULL;
  o.apart = o.quiet = o.how.no_yardsticks = true;
  o.sampling.min_time_s = o.sampling.max_time_s = 1e-6; /* no time is shown */
  const int code = setenv("XB_ORDER", text, 1) ? XB_EXIT_DEVICE : r->run(&o);
  if (code && truncate(path, 0))
    return XB_EXIT_DEVICE;
  return xb_finish_stdout(code);
}

int xb_check_order(const xb_options *options, int (*run)(const xb_options *options))
{
  order_run r = {.options = options, .run = run};
  const bool checked = !options->what->selected[0].variant->benchmark->methods->proves_nothing; /* only a pair */
  for (r.seed = 1; r.seed <= ORDERS; r.seed++) {
    char *document, why[XB_WHY];
    size_t bytes;
    const int code = xb_call_apart(run_order, &r, &document, &bytes, why);
    free(document);
    if (code == XB_EXIT_WRONG || code == XB_EXIT_DEVICE)
      return xb_report_error(XB_EXIT_WRONG, "order: %s with seed %u (smallest failing; XB_ORDER=%u repeats it): %s",
                             checked ? "correct in default order, wrong"
                                     : "nothing checks the result, and it differs from that in default order",
                             r.seed, r.seed, why);
    if (code >= 0)
      return xb_report_error(code, "order: not all orders ran: %s", why);
  }
  printf(checked ? "order: correct in %d other orders of threads and blocks\n"
                 : "order: the same in %d other orders of threads and blocks; nothing checks the result itself\n",
         ORDERS);
  return XB_EXIT_OK;
}
