/* vulkan_hazards: one hazard of each kind, and the check that finds it: core's tracker, or the validation layer's
 * synchronization checks. Hazards that neither finds are asserted, too, so that a change is noticed. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shaders/args.h"
#include "support.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

enum { BYTES = 4096, BUFFERS = 3 };
static const uint64_t LIMIT_NS = UINT64_C(20000000000);
static const uint32_t LAYER_VERSION = VK_MAKE_API_VERSION(0, 1, 3, 239); /* its gaps are known: it assumes that writes
                                                                          * in one stage are ordered */

static uint32_t layer_version;

typedef struct gear {
  xb_device *device;
  xb_buffer *buffers[BUFFERS]; /* 'x', 'y', 'z' */
  xb_kernel *kernel, *places;
} gear;

static void set_up(gear *g, bool validation)
{
  static const char *const LABELS[BUFFERS] = {"x", "y", "z"};
  xb_error err;
  g->device = open_device(validation);
  for (int i = 0; i < BUFFERS; i++)
    expect_ok(xb_buffer_create(g->device, &(xb_buffer_desc){.label = LABELS[i], .bytes = BYTES}, &g->buffers[i], &err),
              &err);
  expect_ok(step_kernel(g->device, &g->kernel, &err), &err);
  expect_ok(places_kernel(g->device, &g->places, &err), &err);
}

static void tear_down(gear *g)
{
  for (int i = 0; i < BUFFERS; i++)
    xb_buffer_destroy(g->buffers[i]);
  xb_kernel_destroy(g->kernel);
  xb_kernel_destroy(g->places);
  xb_device_close(g->device, NULL);
  expect_clean();
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

static void step(const gear *g, xb_commands *c, int to, int from, xb_access access)
{
  const struct step_args args = {.count = BYTES / 4, .mul = 3, .add = 1};
  const xb_binding bindings[] = {{.buffer = g->buffers[from], .access = XB_READ},
                                 {.buffer = g->buffers[to], .access = access}};
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = g->kernel,
                                    .bindings = bindings,
                                    .binding_count = 2,
                                    .args = &args,
                                    .arg_bytes = sizeof args,
                                    .groups = {BYTES / 4 / 64, 1, 1}});
}

static void fill(const gear *g, xb_commands *c, int to)
{
  xb_cmd_fill(c, g->buffers[to], 0, BYTES, 7);
}

static void copy(const gear *g, xb_commands *c, int to, int from)
{
  xb_cmd_copy(c, g->buffers[to], 0, g->buffers[from], 0, BYTES);
}

static void dispatch_raw(const gear *g, xb_commands *c, int half)
{
  half ? step(g, c, 2, 1, XB_WRITE) : step(g, c, 1, 0, XB_WRITE);
}

static void dispatch_waw(const gear *g, xb_commands *c, int half)
{
  half ? step(g, c, 1, 2, XB_WRITE) : step(g, c, 1, 0, XB_WRITE);
}

static void dispatch_war(const gear *g, xb_commands *c, int half)
{
  half ? step(g, c, 0, 2, XB_WRITE) : step(g, c, 1, 0, XB_WRITE);
}

static void transfer_raw(const gear *g, xb_commands *c, int half)
{
  half ? copy(g, c, 1, 0) : fill(g, c, 0);
}

static void transfer_waw(const gear *g, xb_commands *c, int half)
{
  half ? copy(g, c, 0, 1) : fill(g, c, 0);
}

static void transfer_war(const gear *g, xb_commands *c, int half)
{
  half ? fill(g, c, 0) : copy(g, c, 1, 0);
}

static void mixed_raw(const gear *g, xb_commands *c, int half)
{
  half ? copy(g, c, 2, 1) : step(g, c, 1, 0, XB_WRITE);
}

static void mixed_waw(const gear *g, xb_commands *c, int half)
{
  half ? fill(g, c, 1) : step(g, c, 1, 0, XB_WRITE);
}

static void mixed_war(const gear *g, xb_commands *c, int half)
{
  half ? fill(g, c, 0) : step(g, c, 1, 0, XB_WRITE);
}

/* 'x' has the group counts. */
static void indirect_step(const gear *g, xb_commands *c)
{
  const struct step_args args = {.count = BYTES / 4, .mul = 3, .add = 1};
  const xb_binding bindings[] = {{.buffer = g->buffers[2], .access = XB_READ},
                                 {.buffer = g->buffers[1], .access = XB_WRITE}};
  xb_cmd_dispatch_indirect(
      c,
      &(xb_dispatch){
          .kernel = g->kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args},
      g->buffers[0], 0);
}

static void indirect_raw(const gear *g, xb_commands *c, int half)
{
  half ? indirect_step(g, c) : fill(g, c, 0);
}

static void indirect_war(const gear *g, xb_commands *c, int half)
{
  half ? fill(g, c, 0) : indirect_step(g, c);
}

/* 'x' is the uniform buffer. */
static void uniform_raw(const gear *g, xb_commands *c, int half)
{
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_UNIFORM, .buffer = g->buffers[0], .size = 8, .access = XB_READ},
      {.buffer = g->buffers[1], .size = 256, .access = XB_READ},
      {.buffer = g->buffers[2], .size = 256, .access = XB_WRITE},
      {.buffer = g->buffers[2], .offset = 256, .size = 256, .access = XB_WRITE},
  };
  if (half)
    xb_cmd_dispatch(c,
                    &(xb_dispatch){.kernel = g->places, .bindings = bindings, .binding_count = 4, .groups = {1, 1, 1}});
  else
    fill(g, c, 0);
}

/* XB_DISJOINT_WRITE is wrong here: both dispatches write every word. */
static void broken_promise(const gear *g, xb_commands *c, int half)
{
  step(g, c, 1, half ? 2 : 0, XB_DISJOINT_WRITE);
}

/* ---- Recorded natively ------------------------------------------------------------------------------------------- */

static VkBuffer handle(const gear *g, int buffer)
{
  return (VkBuffer)(uintptr_t)xb_buffer_native(g->buffers[buffer]);
}

static void raw_fill(const gear *g, const xb_native *n, int to, VkDeviceSize offset)
{
  ((PFN_vkCmdFillBuffer)n->proc(n->device, "vkCmdFillBuffer"))((VkCommandBuffer)n->commands, handle(g, to), offset,
                                                               BYTES / 2, 7);
}

static void raw_copy(const gear *g, const xb_native *n, int to, int from)
{
  const VkBufferCopy region = {.size = BYTES};
  ((PFN_vkCmdCopyBuffer)n->proc(n->device, "vkCmdCopyBuffer"))((VkCommandBuffer)n->commands, handle(g, from),
                                                               handle(g, to), 1, &region);
}

#define NATIVE(name, body)                                                                                             \
  static xb_code name(const xb_native *n, void *user, xb_error *err)                                                   \
  {                                                                                                                    \
    const gear *g = user;                                                                                              \
    (void)err;                                                                                                         \
    body;                                                                                                              \
    return XB_OK;                                                                                                      \
  }
NATIVE(fill_x, raw_fill(g, n, 0, 0))
NATIVE(fill_x_and_copy_it, (raw_fill(g, n, 0, 0), raw_copy(g, n, 1, 0)))
NATIVE(fill_x_twice, (raw_fill(g, n, 0, 0), raw_fill(g, n, 0, 0)))
NATIVE(copy_x_and_fill_it, (raw_copy(g, n, 1, 0), raw_fill(g, n, 0, 0)))
NATIVE(copy_y, raw_copy(g, n, 2, 1))
NATIVE(fill_y, raw_fill(g, n, 1, 0))
NATIVE(fill_at_1, raw_fill(g, n, 0, 1))

/* Records `fn` alone if it has both sides, else after a dispatch from 'x' to 'y'. It does not declare its accesses. */
#define UNDECLARED(name, fn, first)                                                                                    \
  static void name(const gear *g, xb_commands *c, int half)                                                            \
  {                                                                                                                    \
    if (half)                                                                                                          \
      xb_cmd_native(c, fn, (void *)(uintptr_t)g, NULL, 0);                                                             \
    else if (first)                                                                                                    \
      step(g, c, 1, 0, XB_WRITE);                                                                                      \
  }
UNDECLARED(native_raw, fill_x_and_copy_it, false)
UNDECLARED(native_waw, fill_x_twice, false)
UNDECLARED(native_war, copy_x_and_fill_it, false)
UNDECLARED(shader_native_raw, copy_y, true)
UNDECLARED(shader_native_waw, fill_y, true)
UNDECLARED(shader_native_war, fill_x, true)
UNDECLARED(native_misuse, fill_at_1, false)

/* The same with declared accesses. */
static void declared_native(const gear *g, xb_commands *c, int half)
{
  const xb_binding bindings[] = {{.buffer = g->buffers[1], .access = XB_READ},
                                 {.buffer = g->buffers[2], .access = XB_WRITE}};
  if (half)
    xb_cmd_native(c, copy_y, (void *)(uintptr_t)g, bindings, 2);
  else
    step(g, c, 1, 0, XB_WRITE);
}

static void misuse(const gear *g, xb_commands *c, int half)
{
  if (half)
    xb_cmd_fill(c, g->buffers[0], 1, BYTES / 2, 7);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

typedef enum place {
  SAME_LIST,   /* the layer finds it without the backend's barriers */
  AS_RECORDED, /* the same with all barriers: the hazard is between them */
  SUBMISSIONS, /* each half in its own list, also without the backend's barriers */
} place;

typedef struct hazard {
  const char *name;
  void (*record)(const gear *g, xb_commands *c, int half); /* the first (0) or second (1) half */
  place place;
  const char *tracker; /* part of its message; NULL: not found */
  const char *layer;
  enum { SEEN, UNSEEN } seen; /* by layer 1.3.239 */
} hazard;

static const char RAW[] = "SYNC-HAZARD-READ-AFTER-WRITE", WAW[] = "SYNC-HAZARD-WRITE-AFTER-WRITE",
                  WAR[] = "SYNC-HAZARD-WRITE-AFTER-READ";

static const hazard HAZARDS[] = {
    {"read after write, two dispatches", dispatch_raw, SAME_LIST, "step: reads 'y', which 'step' writes since", RAW,
     SEEN},
    {"write after write, two dispatches", dispatch_waw, SAME_LIST, "step: writes 'y', which 'step' writes since", WAW,
     UNSEEN},
    {"write after read, two dispatches", dispatch_war, SAME_LIST, "step: writes 'x', which 'step' reads since", WAR,
     SEEN},
    {"read after write, fill and copy", transfer_raw, SAME_LIST, "copy: reads 'x', which 'fill' writes since", RAW,
     SEEN},
    {"write after write, fill and copy", transfer_waw, SAME_LIST, "copy: writes 'x', which 'fill' writes since", WAW,
     SEEN},
    {"write after read, copy and fill", transfer_war, SAME_LIST, "fill: writes 'x', which 'copy' reads since", WAR,
     SEEN},
    {"read after write, dispatch and copy", mixed_raw, SAME_LIST, "copy: reads 'y', which 'step' writes since", RAW,
     SEEN},
    {"write after write, dispatch and fill", mixed_waw, SAME_LIST, "fill: writes 'y', which 'step' writes since", WAW,
     SEEN},
    {"write after read, dispatch and fill", mixed_war, SAME_LIST, "fill: writes 'x', which 'step' reads since", WAR,
     SEEN},
    {"read after write, fill and group counts", indirect_raw, SAME_LIST, "step: reads 'x', which 'fill' writes since",
     RAW, SEEN},
    {"read after write, fill and uniform buffer", uniform_raw, SAME_LIST,
     "places: reads 'x', which 'fill' writes since", RAW, SEEN},
    {"write after read, group counts and fill", indirect_war, SAME_LIST, "fill: writes 'x', which 'step' reads since",
     WAR, SEEN},
    {"write after write, broken XB_DISJOINT_WRITE", broken_promise, AS_RECORDED, NULL, WAW, UNSEEN},
    {"read after write, native, declared", declared_native, AS_RECORDED,
     "xb_cmd_native: reads 'y', which 'step' writes since", NULL, SEEN},
    {"read after write, native, undeclared", native_raw, AS_RECORDED, NULL, RAW, SEEN},
    {"write after write, native, undeclared", native_waw, AS_RECORDED, NULL, WAW, SEEN},
    {"write after read, native, undeclared", native_war, AS_RECORDED, NULL, WAR, SEEN},
    {"read after write, dispatch and native", shader_native_raw, AS_RECORDED, NULL, RAW, SEEN},
    {"write after write, dispatch and native", shader_native_waw, AS_RECORDED, NULL, WAW, SEEN},
    {"write after read, dispatch and native", shader_native_war, AS_RECORDED, NULL, WAR, SEEN},
    {"read after write, two submissions", transfer_raw, SUBMISSIONS, NULL, RAW, SEEN},
    {"write after write, two submissions", transfer_waw, SUBMISSIONS, NULL, WAW, SEEN},
    {"write after read, two submissions", transfer_war, SUBMISSIONS, NULL, WAR, SEEN},
    {"read after write, dispatches of two submissions", dispatch_raw, SUBMISSIONS, NULL, RAW, SEEN},
    {"write after write, dispatches of two submissions", dispatch_waw, SUBMISSIONS, NULL, WAW, SEEN},
    {"wrong use of the API", misuse, AS_RECORDED, "both must be multiples of 4", NULL, SEEN},
    {"wrong use, native", native_misuse, AS_RECORDED, NULL, "VUID-vkCmdFillBuffer-dstOffset-00025", SEEN},
};
enum { HAZARD_COUNT = sizeof HAZARDS / sizeof *HAZARDS };

typedef struct verdict {
  bool tracker, layer, layer_asked;
} verdict;

static verdict verdicts[HAZARD_COUNT];

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static xb_commands *new_list(const gear *g)
{
  xb_commands *c;
  xb_error err;
  expect_ok(xb_commands_create(g->device, &(xb_commands_desc){.label = "list"}, &c, &err), &err);
  return c;
}

static xb_code finish_and_run(const gear *g, xb_commands *c, xb_error *err)
{
  xb_point point;
  xb_code code = xb_commands_finish(c, err);
  if (!code)
    code = xb_submit(g->device, &(xb_submission){.commands = c}, &point, err);
  return code ? code : xb_wait(g->device, point, LIMIT_NS, err);
}

static xb_code run_in_one(const gear *g, const hazard *h, bool barrier, xb_error *err)
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

/* The layer must assume that the first is in flight when the second is submitted: submitting polls for completed work,
 * and a signalled fence would end the hazard. */
static xb_code run_in_two(const gear *g, const hazard *h, xb_error *err)
{
  xb_commands *lists[2] = {new_list(g), new_list(g)};
  xb_code code = XB_OK;
  for (int i = 0; i < 2; i++)
    h->record(g, lists[i], i);
  for (int i = 0; i < 2 && !code; i++)
    code = xb_commands_finish(lists[i], err);
  if (!code)
    code = xb_submit(g->device, &(xb_submission){.commands = lists[0]}, NULL, err);
  shim->make_fail("vkWaitForFences", shim->calls("vkWaitForFences") + 1, VK_TIMEOUT, true);
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
  gear g;
  xb_error err;
  set_up(&g, false);
  const xb_code code = h->place == SUBMISSIONS ? run_in_two(&g, h, &err) : run_in_one(&g, h, false, &err);
  judge(h, "the tracker", code, &err, XB_INVALID, h->tracker, &v->tracker);
  tear_down(&g);
}

static void ask_layer(const hazard *h, verdict *v)
{
  gear g;
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
static void test_no_hazard(void **state)
{
  (void)state;
  gear g;
  xb_error err;
  set_up(&g, true);
  for (size_t i = 0; i < HAZARD_COUNT; i++) {
    if (HAZARDS[i].place == SAME_LIST)
      expect_ok(run_in_one(&g, &HAZARDS[i], true, &err), &err);
    if (HAZARDS[i].place == SUBMISSIONS)
      expect_ok(run_in_two(&g, &HAZARDS[i], &err), &err);
  }
  tear_down(&g);
}

/* Only points synchronize queues. No check finds a missing point. */
static void test_two_queues_without_a_point(void **state)
{
  (void)state;
  gear g;
  xb_error err;
  xb_point points[2];
  xb_commands *lists[2];
  shim->fake(&(xb_shim_fake){.copy_queue = true});
  set_up(&g, false);
  for (int i = 0; i < 2; i++) {
    const xb_commands_desc desc = {.queue = i ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE};
    expect_ok(xb_commands_create(g.device, &desc, &lists[i], &err), &err);
    fill(&g, lists[i], 0);
  }
  for (int i = 0; i < 2; i++)
    expect_ok(xb_submit(g.device, &(xb_submission){.commands = lists[i]}, &points[i], &err), &err);
  for (int i = 0; i < 2; i++) {
    expect_ok(xb_wait(g.device, points[i], LIMIT_NS, &err), &err);
    xb_commands_destroy(lists[i]);
  }
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
  printf("%-50s %-8s %s\n", "two queues, no point between them", "-", "(not run)");
}

int main(int argc, char **argv)
{
  (void)argc;
  setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
  const int code = support_start(argv, true);
  if (code)
    return code;
  layer_version = read_layer_version();
  struct CMUnitTest tests[HAZARD_COUNT + 2] = {
      cmocka_unit_test_setup(test_no_hazard, fresh),
      cmocka_unit_test_setup(test_two_queues_without_a_point, fresh),
  };
  for (size_t i = 0; i < HAZARD_COUNT; i++)
    tests[i + 2] = (struct CMUnitTest){.name = HAZARDS[i].name,
                                       .test_func = test_hazard,
                                       .setup_func = fresh,
                                       .initial_state = (void *)(uintptr_t)&HAZARDS[i]};
  const int failed = cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
  print_table();
  return failed;
}
