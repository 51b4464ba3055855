/* vulkan_hazards: one hazard of each kind, and the check that finds it: core's tracker, or the validation layer's
 * synchronization checks. Hazards that neither finds are asserted, too, so that a change is noticed. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hazard_list.h"
#include "patience.h"
#include "test.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

static const uint32_t LAYER_VERSION = VK_MAKE_API_VERSION(0, 1, 3, 239); /* its gaps are known: it assumes that writes
                                                                          * in one stage are ordered */

static uint32_t layer_version;

static void set_up(fixture *g, bool validation)
{
  static const char *const LABELS[BUFFERS] = {"x", "y", "z"};
  const xb_kernel_desc places = places_desc();
  xb_error err;
  g->device = open_device(validation);
  for (int i = 0; i < BUFFERS; i++)
    expect_ok(xb_buffer_create(g->device, &(xb_buffer_desc){.label = LABELS[i], .bytes = BYTES}, &g->buffers[i], &err),
              &err);
  expect_ok(step_kernel(g->device, &g->kernel, &err), &err);
  expect_ok(xb_kernel_create(g->device, &places, &g->places, &err), &err);
}

static void tear_down(fixture *g)
{
  for (int i = 0; i < BUFFERS; i++)
    xb_buffer_destroy(g->buffers[i]);
  xb_kernel_destroy(g->kernel);
  xb_kernel_destroy(g->places);
  xb_device_close(g->device, NULL);
  expect_clean();
}

typedef struct verdict {
  bool tracker, layer, layer_asked;
} verdict;

static verdict verdicts[HAZARD_COUNT];

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static xb_commands *new_list(const fixture *g)
{
  xb_commands *c;
  xb_error err;
  expect_ok(xb_commands_create(g->device, &(xb_commands_desc){.label = "list"}, &c, &err), &err);
  return c;
}

static xb_code finish_and_run(const fixture *g, xb_commands *c, xb_error *err)
{
  xb_point point;
  xb_code code = xb_commands_finish(c, err);
  if (!code)
    code = xb_submit(g->device, &(xb_submission){.commands = c}, &point, err);
  return code ? code : xb_wait(g->device, point, patience_ns(), err);
}

static xb_code run_in_one(const fixture *g, const hazard *h, bool barrier, xb_error *err)
{
  xb_commands *c = new_list(g);
  h->record(g, c, 0);
  if (barrier)
    xb_cmd_barrier(c);
  h->record(g, c, 1);
  const xb_code code = finish_and_run(g, c, err);
  xb_commands_destroy(c);
  return code;
}

/* The layer must assume that the first is in flight when the second is submitted, so nothing waits for its fence. */
static xb_code run_in_two(const fixture *g, const hazard *h, xb_error *err)
{
  xb_commands *lists[2] = {new_list(g), new_list(g)};
  xb_code code = XB_OK;
  for (int i = 0; i < 2; i++)
    h->record(g, lists[i], i);
  for (int i = 0; i < 2 && !code; i++)
    code = xb_commands_finish(lists[i], err);
  if (!code)
    code = xb_submit(g->device, &(xb_submission){.commands = lists[0]}, NULL, err);
  if (!code)
    code = finish_and_run(g, lists[1], err);
  for (int i = 0; i < 2; i++)
    xb_commands_destroy(lists[i]);
  return code;
}

static void judge(const hazard *h, const char *check, xb_code code, const xb_error *err, xb_code wanted_code,
                  const char *wanted, bool *caught)
{
  *caught = code == wanted_code && wanted && strstr(err->message, wanted);
  if (code && !*caught)
    fail_msg("%s, %s: expected %s, got %s: %s", h->name, check, wanted ? wanted : "nothing", xb_code_name(code),
             err->message);
}

static void ask_tracker(const hazard *h, verdict *v)
{
  fixture g;
  xb_error err;
  set_up(&g, false);
  const xb_code code = h->place == SUBMISSIONS ? run_in_two(&g, h, &err) : run_in_one(&g, h, false, &err);
  judge(h, "the tracker", code, &err, XB_INVALID, h->tracker, &v->tracker);
  tear_down(&g);
}

static void ask_layer(const hazard *h, verdict *v)
{
  fixture g;
  xb_error err;
  set_up(&g, true);
  if (h->place != AS_RECORDED)
    shim->fake(&(xb_shim_fake){.no_barriers = true});
  const xb_code code =
      h->place == SUBMISSIONS ? run_in_two(&g, h, &err) : run_in_one(&g, h, h->place == SAME_LIST, &err);
  judge(h, "the layer", code, &err, XB_INTERNAL, h->layer, &v->layer);
  v->layer_asked = true;
  tear_down(&g);
}

static int fresh(void **state)
{
  (void)state;
  shim->bury();
  shim->reset();
  return 0;
}

static void test_hazard(void **state)
{
  const hazard *h = *state;
  verdict *v = &verdicts[h - HAZARDS];
  ask_tracker(h, v);
  assert_int_equal(v->tracker, h->tracker != NULL);
  if (h->place == AS_RECORDED && h->tracker) /* refused before the layer sees it */
    return;
  ask_layer(h, v);
  if (h->seen == SEEN)
    assert_true(v->layer);
  else if (layer_version == LAYER_VERSION)
    assert_false(v->layer); /* else the gap is closed */
}

/* With all barriers, neither check reports anything. */
TEST_WITH(test_no_hazard, fresh, NULL)
{
  fixture g;
  xb_error err;
  set_up(&g, true);
  for (size_t i = 0; i < HAZARD_COUNT; i++) {
    if (HAZARDS[i].place == SAME_LIST)
      expect_ok(run_in_one(&g, &HAZARDS[i], true, &err), &err);
    if (HAZARDS[i].place == SUBMISSIONS)
      expect_ok(run_in_two(&g, &HAZARDS[i], &err), &err);
  }
  xb_commands *c = new_list(&g);
  counts_of_a_native_command(&g, c);
  expect_ok(finish_and_run(&g, c, &err), &err);
  xb_commands_destroy(c);
  tear_down(&g);
}

/* Only points synchronize queues. The layer does not find a missing one. */
TEST_WITH(test_two_queues_without_a_point, fresh, NULL)
{
  fixture g;
  xb_error err;
  xb_point point;
  xb_commands *lists[2];
  shim->fake(&(xb_shim_fake){.copy_queue = true});
  set_up(&g, false);
  for (int i = 0; i < 2; i++) {
    const xb_commands_desc desc = {.queue = i ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE};
    expect_ok(xb_commands_create(g.device, &desc, &lists[i], &err), &err);
    fill(&g, lists[i], 0);
  }
  expect_ok(xb_submit(g.device, &(xb_submission){.commands = lists[0]}, &point, &err), &err);
  expect_error(xb_submit(g.device, &(xb_submission){.commands = lists[1]}, NULL, &err), &err, XB_INVALID,
               "add the point of 'commands' to xb_submission.after");
  expect_ok(xb_wait(g.device, point, patience_ns(), &err), &err);
  for (int i = 0; i < 2; i++)
    xb_commands_destroy(lists[i]);
  tear_down(&g);
}

/* ---- Main -------------------------------------------------------------------------------------------------------- */

static uint32_t read_layer_version(void)
{
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  void *symbol = dlsym(library, "vkGetInstanceProcAddr");
  PFN_vkGetInstanceProcAddr proc;
  memcpy(&proc, &symbol, sizeof symbol);
  static VkLayerProperties layers[64];
  uint32_t count = sizeof layers / sizeof *layers;
  ((PFN_vkEnumerateInstanceLayerProperties)proc(NULL, "vkEnumerateInstanceLayerProperties"))(&count, layers);
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation"))
      return layers[i].specVersion;
  return 0;
}

static void print_table(void)
{
  char layer[32];
  snprintf(layer, sizeof layer, "layer %u.%u.%u", VK_API_VERSION_MAJOR(layer_version),
           VK_API_VERSION_MINOR(layer_version), VK_API_VERSION_PATCH(layer_version));
  printf("\n%-50s %-8s %s\n", "hazard", "tracker", layer);
  for (size_t i = 0; i < HAZARD_COUNT; i++)
    printf("%-50s %-8s %s\n", HAZARDS[i].name, verdicts[i].tracker ? "caught" : "-",
           !verdicts[i].layer_asked ? "(refused before)"
           : verdicts[i].layer      ? "caught"
                                    : "missed");
  printf("%-50s %-8s %s\n", "two queues, no point between them", "caught", "(refused before)");
}

static int begin(void)
{
  setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
  const int code = support_start(true);
  if (code)
    return code;
  layer_version = read_layer_version();
  for (size_t i = 0; i < HAZARD_COUNT; i++)
    test_add(HAZARDS[i].name, test_hazard, fresh, &HAZARDS[i]);
  return 0;
}

static int end(void)
{
  print_table();
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
