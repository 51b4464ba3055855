/* conformance BACKEND[:WAVE] [GROUP]: tests a backend through the public headers only: all groups of cases, or the one
 * of that source. WAVE: it emulates shaders, whose waves have this size. Exits with 77 if there is no device, unless
 * the comma-separated list XB_REQUIRE names the backend. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: conformance BACKEND[:WAVE] [GROUP]\n");
    return 2;
  }
  const char *const wave = strchr(argv[1], ':'); /* argv stays: hang.c reads it anew */
  char name[32];
  snprintf(name, sizeof name, "%.*s", wave ? (int)(wave - argv[1]) : (int)sizeof name - 1, argv[1]);
  suite_wave = wave ? (uint32_t)strtoul(wave + 1, NULL, 10) : 0;
  suite_backend = xb_backend_find(name);
  if (!suite_backend)
    return test_unavailable(name, "this build has no such backend");
  if (getenv("XB_TEST_HANG"))
    return hang_child();

  uint32_t count;
  xb_error err = {0};
  const xb_code code = xb_enumerate(suite_backend, NULL, 0, &count, &err);
  if (code == XB_UNAVAILABLE)
    return test_unavailable(name, err.message);
  if (code || !count) {
    printf("conformance %s: %s %s\n", argv[1], xb_code_name(code), err.message);
    return 1;
  }
  char only[256];
  snprintf(only, sizeof only, "conformance.%s", argc == 3 ? argv[2] : "*");
  return test_run(only);
}
