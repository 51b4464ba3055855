/* vulkan_failures: makes every driver call that can fail do so, at its first use, at its second and so on, until the
 * scenario passes. Each time, the error must be right, it must name the call, and nothing may leak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend_vulkan/symbols.h"
#include "support.h"

enum { MAX_CALLS = 100 };

/* A device for which the backend uses every function. */
static const xb_shim_fake EVERYTHING = {
    .queue_count = 2, .copy_queue = true, .memory = XB_SHIM_MEMORY_NON_COHERENT, .semaphores = true};

typedef struct injection {
  const char *function;
  uint32_t from;
  int32_t result;
  bool once;
  xb_code wanted;
} injection;

typedef struct expected {
  int32_t result;
  const char *name;
  xb_code code;
} expected;

static const expected EVERYWHERE[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY", XB_NOMEM},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY", XB_NOMEM},
    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", XB_INTERNAL},
    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST", XB_LOST},
};

static const struct {
  const char *function;
  expected expected;
} ALSO[] = {
    {"vkCreateInstance", {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT", XB_UNAVAILABLE}},
    {"vkCreateInstance", {VK_ERROR_INCOMPATIBLE_DRIVER, "", XB_UNAVAILABLE}},
    {"vkCreateDevice", {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", XB_UNSUPPORTED}},
    {"vkCreateDevice", {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", XB_NOMEM}},
    {"vkAllocateMemory", {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", XB_NOMEM}},
    {"vkAllocateDescriptorSets", {VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL", XB_NOMEM}},
    {"vkAllocateDescriptorSets", {VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY", XB_NOMEM}},
    {"vkMapMemory", {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED", XB_NOMEM}},
    {"vkCreateComputePipelines", {VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV", XB_INTERNAL}},
    {"vkGetQueryPoolResults", {VK_NOT_READY, "VK_NOT_READY", XB_INTERNAL}},
    {"vkQueueSubmit", {-12345, "VK_RESULT_UNKNOWN", XB_INTERNAL}},
};

/* Functions that may fail, and the effect. */
static const char *const HARMLESS[] = {
    "vkEnumerateDeviceExtensionProperties",              /* the device seems to have no extensions */
    "vkCreatePipelineCache",                             /* no file */
    "vkGetPipelineCacheData",                            /* the same */
    "vkGetPipelineExecutablePropertiesKHR",              /* statistics are unknown */
    "vkGetPipelineExecutableStatisticsKHR",              /* the same */
    "vkSetDebugUtilsObjectNameEXT",                      /* messages lack a label */
    "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", /* the device seems to have none */
    "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT",    /* the device seems to have no common clock */
};

/* Called with validation only. */
static const char *const VALIDATION[] = {"vkEnumerateInstanceLayerProperties", "vkCreateDebugUtilsMessengerEXT",
                                         "vkSetDebugUtilsObjectNameEXT"};

/* Calls that may report a lost device, according to the specification. After them the backend makes no calls. After
 * others it first undoes what it began. */
static const char *const LOSING[] = {"vkQueueSubmit", "vkWaitForFences", "vkGetQueryPoolResults"};

#define ONE_OF(list, name) one_of(list, sizeof(list) / sizeof *(list), name)

static bool one_of(const char *const *list, size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i], name))
      return true;
  return false;
}

/* ---- One case ---------------------------------------------------------------------------------------------------- */

static uint64_t calls_at_failure;
static uint32_t cases;

static void on_failure(xb_device *device)
{
  (void)device;
  calls_at_failure = shim->all_calls();
}

#define CHECK(condition, ...) check(condition, in, o, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static void check(bool good, const injection *in, const scenario_outcome *o,
                                                        const char *format, ...)
{
  if (good)
    return;
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fail_msg("%s gives %d at call %u%s: %s; step '%s' gave %s: %s", in->function, in->result, in->from,
           in->once ? "" : " and after", text, o->step, xb_code_name(o->code), o->error.message);
}

static void check_message(const injection *in, const char *name, const scenario_outcome *o)
{
  const bool no_semaphore =
      !strcmp(in->function, "vkImportSemaphoreFdKHR") && !strcmp(name, "VK_ERROR_INITIALIZATION_FAILED");
  const xb_code wanted =
      no_semaphore ? XB_INVALID : in->wanted; /* what NVIDIA's driver says of another file descriptor */
  CHECK(o->code == wanted, "expected %s", xb_code_name(wanted));
  CHECK(o->error.code == o->code, "the error has the code %s", xb_code_name(o->error.code));
  if (!*name) { /* the message is for users without a driver */
    CHECK(strstr(o->error.message, "no Vulkan device") != NULL, "expected 'no Vulkan device'");
    return;
  }
  CHECK(!strcmp(o->error.where, in->function), "where is '%s'", o->error.where);
  CHECK(o->error.native == in->result, "the native result is %d", o->error.native);
  CHECK(!strcmp(o->error.native_name, name), "the native name is '%s'", o->error.native_name);
  CHECK(strstr(o->error.message, in->function) && strstr(o->error.message, name), "expected both names in the message");
}

static bool fatal(xb_code code)
{
  return code == XB_LOST || code == XB_TIMEOUT;
}

static void check_left(const injection *in, const scenario_outcome *o)
{
  CHECK(!shim->fault(), "%s", shim->fault());
  const bool killed = o->opened && fatal(o->status);
  if (killed) {
    const uint64_t more = shim->all_calls() - calls_at_failure;
    CHECK(!more, "%llu driver calls after the device was lost", (unsigned long long)more);
    CHECK(!o->closed, "closing a lost device returned %s", xb_code_name(o->closed));
    if (ONE_OF(LOSING, in->function))
      CHECK(!shim->calls_after(), "%llu driver calls after that", (unsigned long long)shim->calls_after());
  } else if (o->opened && o->closed && shim->alive()) { /* work may still run, so nothing may be freed */
    CHECK(fatal(o->closed) || !strcmp(in->function, "vkWaitForFences") || !strcmp(in->function, "vkResetFences"),
          "closing left %u objects", shim->alive());
    CHECK(!shim->calls_after(), "%llu driver calls after that", (unsigned long long)shim->calls_after());
  } else {
    CHECK(!shim->alive(), "%u objects left, the first one needs %s", shim->alive(), shim->first_alive());
  }
}

static void run(const xb_shim_fake *fake, const injection *in, bool validation, scenario_outcome *o)
{
  scenario_backend backend = vulkan_scenario();
  backend.open.validation = validation;
  backend.again = in && in->once;
  backend.failed = on_failure;
  shim->reset();
  shim->fake(fake);
  if (in)
    shim->make_fail(in->function, in->from, in->result, in->once);
  scenario_run(&backend, o);
}

/* Returns false if the scenario has fewer calls. */
static bool run_case(const injection *in, const char *name, bool validation)
{
  scenario_outcome outcome, *const o = &outcome;
  run(&EVERYTHING, in, validation, o);
  const bool failed = shim->failures();
  if (failed && in->wanted)
    check_message(in, name, o);
  else
    CHECK(!o->code, "expected the scenario to pass");
  if (o->tried_again)
    CHECK(!o->again, "repeating the work returned %s", xb_code_name(o->again));
  if (in->once && o->opened && o->code != o->closed)
    CHECK(!o->closed, "closing gave %s", xb_code_name(o->closed));
  check_left(in, o);
  shim->bury();
  cases += failed;
  return failed;
}

/* ---- One function ------------------------------------------------------------------------------------------------ */

static xb_code wanted(const char *function, uint32_t call, const expected *e, const char **name)
{
  *name = e->name;
  if (ONE_OF(HARMLESS, function))
    return XB_OK;
  /* The list is queried twice: for its length, and for its items. Some loaders return this if there is no driver. */
  if (!strcmp(function, "vkEnumeratePhysicalDevices") && e->result == VK_ERROR_INITIALIZATION_FAILED && call % 2) {
    *name = "";
    return XB_UNAVAILABLE;
  }
  /* Some loaders return this for a damaged manifest. */
  if (!strcmp(function, "vkCreateInstance") && e->result == VK_ERROR_OUT_OF_HOST_MEMORY &&
      (getenv("VK_DRIVER_FILES") || getenv("VK_ICD_FILENAMES"))) {
    *name = "";
    return XB_UNAVAILABLE;
  }
  return e->code;
}

typedef struct way {
  const expected *with;
  bool once;
} way;

/* All ways of failing. Of its first call always; of the later ones each in its turn, but with XB_ALL_TESTS. */
static void test_function(void **state)
{
  injection in = {.function = *state};
  const bool validation = ONE_OF(VALIDATION, in.function), all = getenv("XB_ALL_TESTS");
  way ways[16];
  uint32_t count = 0;
  if (validation && !support_has_layer())
    skip();
  for (size_t i = 0; i < sizeof EVERYWHERE / sizeof *EVERYWHERE; i++) {
    ways[count++] = (way){&EVERYWHERE[i], true};
    /* Lack of host memory is like that of device memory; without XB_ALL_TESTS one code has to do. */
    if (EVERYWHERE[i].result != VK_ERROR_OUT_OF_HOST_MEMORY && (i == 1 || all))
      ways[count++] = (way){&EVERYWHERE[i], false};
  }
  for (size_t i = 0; i < sizeof ALSO / sizeof *ALSO; i++)
    if (!strcmp(ALSO[i].function, in.function))
      ways[count++] = (way){&ALSO[i].expected, true};
  bool failed = true;
  for (in.from = 1; failed && in.from <= MAX_CALLS; in.from++) {
    failed = false;
    for (uint32_t i = 0; i < count; i++)
      if (in.from == 1 || in.from % count == i || all) {
        const char *name;
        in.result = ways[i].with->result;
        in.once = ways[i].once;
        in.wanted = wanted(in.function, in.from, ways[i].with, &name);
        failed |= run_case(&in, name, validation);
      }
  }
  assert_false(failed); /* or the scenario is too long for MAX_CALLS */
  if (in.from == 2 && !strstr(in.function, "Executable") && !strstr(in.function, "PipelineBinar") &&
      !strstr(in.function, "CooperativeMatrix")) /* some devices lack them */
    fail_msg("%s is never called: remove it from symbols.h, or extend the scenario", in.function);
}

static int fresh(void **state)
{
  (void)state;
  shim->bury(); /* the objects of a failed test */
  shim->reset();
  return 0;
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

/* A hung device: no fence is ever signalled. Polling is harmless, the first wait times out. */
TEST_WITH(test_never_finishes, fresh, NULL)
{
  const injection in = {.function = "vkWaitForFences", .from = 1, .result = VK_TIMEOUT, .wanted = XB_TIMEOUT};
  scenario_outcome outcome, *const o = &outcome;
  run(&EVERYTHING, &in, false, o);
  expect_error(o->code, &o->error, XB_TIMEOUT, "xb_wait: the work did not finish within ");
  assert_int_equal(o->status, XB_TIMEOUT);
  assert_true(shim->alive() > 0);
  check_left(&in, o);
  shim->bury();
}

/* ---- Missing functions ------------------------------------------------------------------------------------------- */

static void without(const char *function, bool needed)
{
  scenario_outcome o;
  xb_shim_fake fake = EVERYTHING;
  fake.no_function = function;
  run(&fake, NULL, false, &o);
  if (needed)
    expect_error(o.code, &o.error, XB_UNAVAILABLE, function);
  else
    expect_ok(o.code, &o.error);
  expect_clean();
}

TEST_WITH(test_missing_functions, fresh, NULL)
{
#define NEEDED(name)                                                                                                   \
  if (strcmp("DestroyInstance", #name) && strcmp("DestroyDevice", #name)) /* cleanup needs these */                    \
    without("vk" #name, true);
#define OPTIONAL(name)                                                                                                 \
  if (strcmp("ResetQueryPool", #name) && !strstr(#name, "Executable") && !strstr(#name, "PipelineBinar") &&            \
      strcmp("GetCalibratedTimestampsEXT", #name)) /* they are used where the device promises them */                  \
    without("vk" #name, false);
  VK_INSTANCE_SYMBOLS(NEEDED)
  VK_DEVICE_SYMBOLS(NEEDED)
  VK_INSTANCE_OPTIONAL_SYMBOLS(OPTIONAL)
  VK_DEVICE_OPTIONAL_SYMBOLS(OPTIONAL)
#undef NEEDED
#undef OPTIONAL
}

TEST_WITH(test_unharmed, fresh, NULL)
{
  scenario_outcome o;
  run(&EVERYTHING, NULL, false, &o);
  expect_ok(o.code, &o.error);
  assert_int_equal(shim->failures(), 0);
  expect_clean();
}

static int begin(void)
{
  setenv("XB_PIPELINE_CACHE", "/etc/passwd/none", 1); /* else its functions are not called */
  const int code = support_start(false);
  if (code)
    return code;
#define NAME(name) "vk" #name,
  static const char *const names[] = {VK_GLOBAL_SYMBOLS(NAME) VK_INSTANCE_SYMBOLS(NAME) VK_INSTANCE_OPTIONAL_SYMBOLS(
      NAME) VK_DEVICE_SYMBOLS(NAME) VK_DEVICE_OPTIONAL_SYMBOLS(NAME)};
#undef NAME
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (shim->can_fail(names[i]))
      test_add(names[i], test_function, fresh, names[i]);
  return 0;
}

static int end(void)
{
  printf("%u failing calls\n", cases);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
