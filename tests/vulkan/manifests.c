/* vulkan_manifests: VK_DRIVER_FILES or VK_ICD_FILENAMES names what the real loader cannot load. The message has the
 * variable and its value. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char folder[] = "/tmp/xb_manifests.XXXXXX";

/* Writes `text` as a file of the folder. */
static const char *file(const char *name, const char *text)
{
  static char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0 && !fclose(f));
  return path;
}

static const char *manifest(const char *name, const char *library)
{
  char text[256];
  snprintf(text, sizeof text,
           "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"%s\", \"api_version\": \"1.3.0\"}}",
           library);
  return file(name, text);
}

static void expect_named(const char *variable, const char *value)
{
  char text[160];
  snprintf(text, sizeof text, "no Vulkan device: %s is '%s'", variable, value);
  setenv(variable, value, 1);
  xb_error err;
  xb_device *device;
  uint32_t count;
  expect_error(xb_enumerate(vulkan, NULL, 0, &count, &err), &err, XB_UNAVAILABLE, text);
  expect_error(xb_device_open(&(xb_device_desc){.backend = vulkan}, &device, &err), &err, XB_UNAVAILABLE, text);
  unsetenv(variable);
}

TEST(test_drivers_that_cannot_be_loaded)
{
  static const char *const variables[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
  for (size_t i = 0; i < COUNT(variables); i++) {
    expect_named(variables[i], "");
    expect_named(variables[i], "/etc/passwd/none.json");
    expect_named(variables[i], file("damaged.json", "{ \"ICD\""));
    expect_named(variables[i], manifest("no_library.json", "/etc/passwd/none.so"));
    char library[64];
    snprintf(library, sizeof library, "%s", file("library.so", "text"));
    expect_named(variables[i], manifest("no_driver.json", library));
  }
}

/* The loader ignores the older variable if both are set. */
TEST(test_both_variables)
{
  setenv("VK_ICD_FILENAMES", "/ignored", 1);
  expect_named("VK_DRIVER_FILES", "/etc/passwd/none.json");
  unsetenv("VK_ICD_FILENAMES");
}

/* Without the variables, out of memory is what it says. */
TEST(test_out_of_memory)
{
  xb_device *device;
  xb_error err;
  shim->make_fail("vkCreateInstance", 1 + shim->calls("vkCreateInstance"), -1, true);
  expect_error(xb_device_open(&(xb_device_desc){.backend = vulkan}, &device, &err), &err, XB_NOMEM,
               "VK_ERROR_OUT_OF_HOST_MEMORY");
}

static int remove_files(void **state)
{
  (void)state;
  static const char *const names[] = {"damaged.json", "no_library.json", "library.so", "no_driver.json"};
  for (size_t i = 0; i < COUNT(names); i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    remove(path);
  }
  return rmdir(folder);
}

static int begin(void)
{
  const int code = support_start(false);
  if (code)
    return code;
  unsetenv("VK_DRIVER_FILES");
  unsetenv("VK_ICD_FILENAMES");
  return mkdtemp(folder) ? 0 : 1;
}

TEST_SOURCE(.begin = begin, .group_teardown = remove_files);
