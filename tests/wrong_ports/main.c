/* wrong_ports list
 * wrong_ports BACKEND CASE|all right|wrong [blind]
 * wrong_ports BACKEND check
 * wrong_ports cpu shaders
 *
 * Runs wrong ports and their corrected forms, and prints which check catches them. `blind` disables that check, if
 * possible, to see which other check would catch them. `check` runs every form and compares the results with the table
 * in cases.c; `shaders` runs the HLSL forms on the CPU, and compares what finds them with the table.
 *
 * Exit code: 0 nothing was caught (check: all results match the table); 1 check: some do not; 2 the command line is
 * invalid; 3 the backend or device is missing (check: 77, or 1 if XB_REQUIRE names the backend); 4 the device failed;
 * caught by: 11 the tracker, 12 the validation layer, 13 the reference, 14 the reference in the second run, 15 the
 * guard words, 16 the emulation, 17 and 18 its checks of races and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "found.h"
#include "run.h"

enum { SKIPPED = 77, CAUGHT = 10 };

static xb_device *device;

static bool required(const char *backend)
{
  const char *list = getenv("XB_REQUIRE");
  const size_t length = strlen(backend);
  for (; list && *list; list += strcspn(list, ","), list += *list == ',')
    if (strcspn(list, ",") == length && !strncmp(list, backend, length))
      return true;
  return false;
}

/* Closing a device that failed may block. */
static void leave(int code)
{
  fflush(NULL);
  _exit(code);
}

static const char *form_name(wrong_form form)
{
  return form.wrong ? form.blind ? "wrong, blind" : "wrong" : form.blind ? "right, blind" : "right";
}

static wrong_outcome run_form(const wrong_port *port, wrong_form form)
{
  wrong_outcome outcome;
  xb_error err;
  const xb_code code = wrong_port_run(device, port, form, &outcome, &err);
  if (code) {
    printf("%s, %s: %s\n", port->name, form_name(form), err.message);
    leave(code == XB_UNAVAILABLE ? 3 : 4);
  }
  printf("%-20s %-12s caught by %s%s%s\n", port->name, form_name(form), wrong_check_name(outcome.caught),
         outcome.caught ? ": " : "", outcome.text);
  return outcome;
}

/* ---- Comparison with the table ---------------------------------------------------------------------------------- */

static bool on(const char *api)
{
  const xb_device_info *info = xb_device_get_info(device);
  return !strcmp(info->emulates ? info->emulates : info->backend, api);
}

static bool validated(void)
{
  const char *asked = getenv("XB_VALIDATION");
  return on("vulkan") && asked && *asked && strcmp(asked, "0") != 0;
}

/* True if the layer adds checks of bounds to the shaders. */
static bool gpu_assisted(void)
{
  const char *enabled = getenv("VK_LAYER_ENABLES");
  return validated() && enabled && strstr(enabled, "GPU_ASSISTED");
}

/* The check that catches the blind form: if the layer is on, it must find dispatches that overlap, and on a GPU the
 * result may be wrong; only the layer's checks of bounds find stores past the end. */
static wrong_check expected_blind(const wrong_port *port, bool *may_pass)
{
  const bool emulated = xb_device_get_info(device)->emulates != NULL;
  *may_pass = false;
  if (emulated)
    return port->two_dispatches ? BY_NOTHING : BY_EMULATION;
  *may_pass = !(port->two_dispatches ? validated() : gpu_assisted());
  if (!*may_pass)
    return BY_LAYER;
  return port->two_dispatches && xb_device_get_info(device)->type != XB_DEVICE_CPU ? BY_REFERENCE : BY_NOTHING;
}

/* The check that has to catch the form on this device. Sets `may_pass` if the form may also pass. */
static wrong_check expected(const wrong_port *port, wrong_form form, bool *may_pass)
{
  const xb_device_info *info = xb_device_get_info(device);
  const wrong_catch c = on("cuda") ? port->cuda : port->vulkan; /* Direct3D 12 runs the same HLSL */
  *may_pass = false;
  if (!form.wrong)
    return BY_NOTHING;
  if (info->emulates && port->overlaps)
    return BY_NOTHING;
  if (form.blind)
    return expected_blind(port, may_pass);
  if (c.when == BY_LUCK && info->type == XB_DEVICE_CPU && !info->emulates)
    return BY_NOTHING;
  *may_pass = c.when == BY_LUCK || (c.when == IN_SMALL_WAVES && info->subgroup_size >= 32) ||
              ((c.when == IN_STEP || c.when == ON_CPU) && info->type != XB_DEVICE_CPU);
  return c.check;
}

static bool as_expected(const wrong_port *port, wrong_form form)
{
  bool may_pass;
  const wrong_check wanted = expected(port, form, &may_pass);
  const wrong_outcome outcome = run_form(port, form);
  const bool later = wanted == BY_REFERENCE && outcome.caught == BY_SECOND_RUN; /* by luck, found in this run only */
  if (outcome.caught == wanted || (may_pass && (outcome.caught == BY_NOTHING || later)))
    return true;
  printf("%s, %s: FAILED: expected to be caught by %s\n", port->name, form_name(form), wrong_check_name(wanted));
  return false;
}

/* What finds the form on the backend cpu, as the table says; nothing may be found in the corrected one. `shader`: the
 * HLSL form. */
static bool as_found(const wrong_port *port, bool shader, bool wrong)
{
  char found[64], text[700];
  xb_error err;
  const xb_code code = shader ? wrong_shader_found(port, wrong, found, text, &err)
                              : wrong_port_found(device, port, wrong, found, text, &err);
  const char *wanted = !wrong ? "nothing" : shader && port->shader_on_cpu ? port->shader_on_cpu : port->on_cpu;
  if (code) {
    printf("%s, %s: FAILED: %s\n", port->name, wrong ? "wrong" : "right", err.message);
    return false;
  }
  printf("%-20s %-12s found on the CPU by %s%s%s\n", port->name, wrong ? "wrong" : "right", found, *text ? ": " : "",
         text);
  if (!strcmp(found, wanted))
    return true;
  printf("%s, %s: FAILED: expected to be found by %s\n", port->name, wrong ? "wrong" : "right", wanted);
  return false;
}

static int check_all(void)
{
  int bad = 0;
  const xb_device_info *info = xb_device_get_info(device);
  const bool emulated = info->emulates != NULL;
  for (uint32_t i = 0; i < wrong_port_count; i++)
    for (int form = 0; form < 4; form++)
      if ((form < 2 || wrong_ports[i].blind_to) && (info->max_texels || !wrong_ports[i].texels))
        bad += !as_expected(&wrong_ports[i], (wrong_form){.wrong = form & 1, .blind = form & 2});
  for (uint32_t i = 0; emulated && i < wrong_port_count; i++)
    bad += !as_found(&wrong_ports[i], false, true) + !as_found(&wrong_ports[i], false, false);
  printf("%s: %d forms were not caught as the table says\n", bad ? "FAILED" : "PASSED", bad);
  return bad ? 1 : 0;
}

static int check_shaders(void)
{
  int bad = 0;
  for (uint32_t i = 0; i < wrong_port_count; i++)
    bad += !as_found(&wrong_ports[i], true, true) + !as_found(&wrong_ports[i], true, false);
  printf("%s: %d forms were not found as the table says\n", bad ? "FAILED" : "PASSED", bad);
  return bad ? 1 : 0;
}

/* ---- Main -------------------------------------------------------------------------------------------------------- */

static int usage(void)
{
  fprintf(stderr, "usage: wrong_ports list | wrong_ports BACKEND check | wrong_ports cpu shaders | "
                  "wrong_ports BACKEND CASE|all right|wrong [blind]\n");
  return 2;
}

static int run_some(const char *name, wrong_form form)
{
  const wrong_port *only = strcmp(name, "all") ? wrong_port_find(name) : NULL;
  int code = 0;
  for (uint32_t i = 0; i < wrong_port_count; i++) {
    if (only && only != &wrong_ports[i])
      continue;
    const wrong_check caught = run_form(&wrong_ports[i], form).caught;
    if (caught && !code)
      code = CAUGHT + (int)caught;
  }
  return code;
}

static bool parse(int argc, char **argv, bool *check, wrong_form *form)
{
  *check = argc == 3 && !strcmp(argv[2], "check");
  if (*check)
    return true;
  if (argc < 4 || argc > 5 || (strcmp(argv[3], "right") != 0 && strcmp(argv[3], "wrong") != 0))
    return false;
  if (argc == 5 && strcmp(argv[4], "blind") != 0)
    return false;
  form->wrong = !strcmp(argv[3], "wrong");
  form->blind = argc == 5;
  const wrong_port *port = wrong_port_find(argv[2]);
  return !strcmp(argv[2], "all") || (port && (!form->blind || port->blind_to));
}

int main(int argc, char **argv)
{
  bool check;
  wrong_form form = {0};
  xb_error err;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (argc == 2 && !strcmp(argv[1], "list")) {
    wrong_ports_list();
    return 0;
  }
  if (argc == 3 && !strcmp(argv[1], "cpu") && !strcmp(argv[2], "shaders"))
    return xb_backend_find("cpu") ? check_shaders() : SKIPPED;
  if (!parse(argc, argv, &check, &form))
    return usage();
  const xb_backend *backend = xb_backend_find(argv[1]);
  const char *launch = getenv("XB_LAUNCH"); /* CUDA: streams instead of graphs */
  const xb_device_desc desc = {
      .backend = backend,
      .launch_mode = launch && !strcmp(launch, "stream") ? XB_LAUNCH_STREAM : XB_LAUNCH_DEFAULT,
  };
  if (!backend || xb_device_open(&desc, &device, &err)) {
    const bool must = !check || required(argv[1]);
    printf("wrong_ports %s: %s: %s\n", argv[1], must ? "FAILED" : "skipped",
           backend ? err.message : "this build has no such backend");
    return !must ? SKIPPED : check ? 1 : 3;
  }
  const int code = check ? check_all() : run_some(argv[2], form);
  if (xb_device_close(device, &err)) {
    printf("%s\n", err.message);
    return code ? code : 4;
  }
  return code;
}
