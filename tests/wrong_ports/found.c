/* What the emulation of CUDA finds: the result, the watched run, and, where the result is right, other orders. */
#define _POSIX_C_SOURCE 200809L
#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 8 };

static void add(char found[64], const char *word)
{
  const size_t used = strlen(found);
  snprintf(found + used, 64 - used, "%s%s", used ? ", " : "", word);
}

/* The backend reads the seed at each dispatch. */
static xb_code run_orders(xb_device *device, const wrong_port *port, wrong_form form, wrong_outcome *o, xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t seed = 1; seed <= ORDERS && !code && !o->caught; seed++) {
    char number[16];
    snprintf(number, sizeof number, "%u", seed);
    setenv("XB_ORDER", number, 1);
    code = wrong_port_run(device, port, form, o, err);
  }
  unsetenv("XB_ORDER");
  return code;
}

xb_code wrong_port_found(xb_device *device, const wrong_port *port, bool wrong, char found[64], char text[700],
                         xb_error *err)
{
  wrong_outcome plain, watched, order = {0};
  *found = *text = '\0';
  xb_code code = wrong_port_run(device, port, (wrong_form){.wrong = wrong}, &plain, err);
  if (!code)
    code = wrong_port_run(device, port, (wrong_form){.wrong = wrong, .watched = true}, &watched, err);
  if (!code && !plain.caught)
    code = run_orders(device, port, (wrong_form){.wrong = wrong}, &order, err);
  if (code)
    return code;
  if (plain.caught)
    add(found, plain.caught == BY_TRACKER ? "the tracker" : "result");
  if (watched.caught == BY_RACES || watched.caught == BY_MEMORY)
    add(found, wrong_check_name(watched.caught));
  if (order.caught)
    add(found, "order");
  if (!*found)
    add(found, "nothing");
  snprintf(text, 700, "%s", order.caught ? order.text : watched.caught ? watched.text : plain.text);
  return XB_OK;
}
