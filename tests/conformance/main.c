/* conformance BACKEND [GROUP]: tests a backend through the public headers only: all groups of cases, or the one of that
 * source. Exits with 77 if there is no device, unless the comma-separated list XB_REQUIRE names the backend. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: conformance BACKEND [GROUP]\n");
    return 2;
  }
  suite_backend = xb_backend_find(argv[1]);
  if (!suite_backend)
    return test_unavailable(argv[1], "this build has no such backend");
  if (getenv("XB_TEST_HANG"))
    return hang_child();

  uint32_t count;
  xb_error err = {0};
  const xb_code code = xb_enumerate(suite_backend, NULL, 0, &count, &err);
  if (code == XB_UNAVAILABLE)
    return test_unavailable(argv[1], err.message);
  if (code || !count) {
    printf("conformance %s: %s %s\n", argv[1], xb_code_name(code), err.message);
    return 1;
  }
  char only[256];
  snprintf(only, sizeof only, "conformance.%s", argc == 3 ? argv[2] : "*");
  return test_run(only);
}
