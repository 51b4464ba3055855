/* conformance BACKEND: what every backend has to do, asked through the public contract only. Exits with 77 where there
 * is no device, unless the comma list XB_REQUIRE names the backend. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

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

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: conformance BACKEND\n");
    return 2;
  }
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
  const int failed = devices_cases() + memory_cases() + dispatch_cases() + ordering_cases() + kernel_cases() +
                     form_cases() + timestamp_cases() + submit_cases() + hang_cases();
  return failed ? 1 : 0;
}
