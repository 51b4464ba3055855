/* What the backend cpu finds: the result, the watched run, and, where the result is right, other orders. */
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

/* ---- Shaders ---------------------------------------------------------------------------------------------------- */

enum { RACES = 1, MEMORY = 2 };

/* One run, on a device of its own; without checks also in other orders, if the result is right. */
static xb_code run_shader(const wrong_port *port, bool wrong, uint32_t wave, uint32_t checks, wrong_outcome *o,
                          wrong_outcome *order, xb_error *err)
{
  xb_device *device;
  xb_error closing;
  const xb_device_desc desc = {.backend = xb_backend_find("cpu"), .wave = wave, .checks = checks};
  xb_code code = xb_device_open(&desc, &device, err);
  if (code)
    return code;
  code = wrong_port_run(device, port, (wrong_form){.wrong = wrong, .watched = checks}, o, err);
  if (!code && !checks && !o->caught && !order->caught)
    code = run_orders(device, port, (wrong_form){.wrong = wrong}, order, err);
  const xb_code closed = xb_device_close(device, &closing);
  if (!code && closed)
    *err = closing;
  return code ? code : closed;
}

xb_code wrong_shader_found(const wrong_port *port, bool wrong, char found[64], char text[700], xb_error *err)
{
  static const uint32_t waves[] = {8, 32, 64};
  wrong_outcome plain = {0}, races = {0}, memory = {0}, order = {0};
  xb_code code = XB_OK;
  *found = *text = '\0';
  for (int i = 0; i < 3 && !code && !plain.caught; i++)
    code = run_shader(port, wrong, waves[i], 0, &plain, &order, err);
  if (!code)
    code = run_shader(port, wrong, 32, RACES, &races, &order, err);
  if (!code)
    code = run_shader(port, wrong, 32, MEMORY, &memory, &order, err);
  if (code)
    return code;
  if (plain.caught)
    add(found, plain.caught == BY_TRACKER ? "the tracker" : "result");
  if (races.caught == BY_RACES)
    add(found, "races");
  if (memory.caught == BY_MEMORY)
    add(found, "memory");
  if (order.caught && !plain.caught)
    add(found, "order");
  if (!*found)
    add(found, "nothing");
  snprintf(text, 700, "%s",
           races.caught    ? races.text
           : memory.caught ? memory.text
           : plain.caught  ? plain.text
                           : order.text);
  return XB_OK;
}
