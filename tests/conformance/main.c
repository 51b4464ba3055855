/* conformance BACKEND [GROUP]: tests a backend through the public headers only: all groups of cases, or one. Exits with
 * 77 if there is no device, unless the comma-separated list XB_REQUIRE names the backend. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static const struct {
  const char *name;
  int (*run)(void);
} GROUPS[] = {
    {"devices", devices_cases},      {"memory", memory_cases},        {"dispatch", dispatch_cases},
    {"ordering", ordering_cases},    {"kernels", kernel_cases},       {"forms", form_cases},
    {"timestamps", timestamp_cases}, {"submitting", submit_cases},    {"hang", hang_cases},
    {"bindings", binding_cases},     {"indirect", indirect_cases},    {"signatures", signature_cases},
    {"features", feature_cases},     {"queues", queue_cases},         {"host_memory", host_memory_cases},
    {"windows", window_cases},       {"semaphores", semaphore_cases}, {"binaries", binary_cases},
    {"images", image_cases},         {"texels", texel_cases},         {"constants", constant_cases},
};

static bool required(const char *backend)
{
  const char *list = getenv("XB_REQUIRE");
  const size_t length = strlen(backend);
  for (const char *item = list; item && *item; item += strcspn(item, ","), item += *item == ',')
    if (strcspn(item, ",") == length && !strncmp(item, backend, length))
      return true;
  return false;
}

static int unavailable(const char *backend, const char *reason)
{
  const bool must = required(backend);
  printf("conformance %s: %s: %s\n", backend, must ? "required by XB_REQUIRE, and not there" : "skipped", reason);
  return must ? 1 : SKIPPED;
}

static bool known(const char *group)
{
  for (size_t i = 0; i < COUNT(GROUPS); i++)
    if (!strcmp(GROUPS[i].name, group))
      return true;
  return false;
}

static int usage(void)
{
  fprintf(stderr, "usage: conformance BACKEND [GROUP], of:");
  for (size_t i = 0; i < COUNT(GROUPS); i++)
    fprintf(stderr, " %s", GROUPS[i].name);
  fprintf(stderr, "\n");
  return 2;
}

int main(int argc, char **argv)
{
  const char *only = argc == 3 ? argv[2] : NULL;
  if (argc < 2 || argc > 3 || (only && !known(only)))
    return usage();
  suite_backend = xb_backend_find(argv[1]);
  if (!suite_backend)
    return unavailable(argv[1], "this build has no such backend");
  if (getenv("XB_TEST_HANG"))
    return hang_child();

  uint32_t count;
  xb_error err = {0};
  const xb_code code = xb_enumerate(suite_backend, NULL, 0, &count, &err);
  if (code == XB_UNAVAILABLE)
    return unavailable(argv[1], err.message);
  if (code || !count) {
    printf("conformance %s: %s %s\n", argv[1], xb_code_name(code), err.message);
    return 1;
  }
  int failed = 0;
  for (size_t i = 0; i < COUNT(GROUPS); i++)
    if (!only || !strcmp(GROUPS[i].name, only))
      failed += GROUPS[i].run();
  return failed ? 1 : 0;
}
