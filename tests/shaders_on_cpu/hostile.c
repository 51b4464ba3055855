/* Modules that are cut, damaged, or need what is not translated: refused in one line, without a crash. */
#include <stdio.h>
#include <string.h>

#include "shader_run.h"

static const char *const names[] = {"integers", "floats", "layouts", "atomics", "waves", "lanes", "special"};
enum { NAMES = sizeof names / sizeof *names };

static void expect_refused(const void *code, size_t bytes, const char *what)
{
  xb_error err = {0};
  const xb_code result = load_shader(code, bytes, "main", 64, 2, &err);
  if (!result)
    fail_msg("%s is taken", what);
  assert_non_null(err.message);
  assert_null(strchr(err.message, '\n'));
}

TEST(test_cut_modules)
{
  for (size_t n = 0; n < NAMES; n++) {
    size_t bytes;
    char *code = read_shader(names[n], &bytes);
    for (size_t end = 0; end + 4 < bytes; end += bytes / 64 / 4 * 4 + 4)
      expect_refused(code, end, "a module that is cut");
    expect_refused(code, bytes - 3, "a module with a part of a word");
    free(code);
  }
}

/* Words become others, one after another: ids beyond the bound, lengths, opcodes. A module that is taken all the same
 * is only translated and compiled, so few are left to the compiler. */
TEST(test_damaged_modules)
{
  static const uint32_t values[] = {0, 1, 2, 0xffff, 0x7fffffff, 0xffffffff};
  uint32_t refused = 0, tried = 0;
  for (size_t n = 0; n < NAMES; n++) {
    size_t bytes;
    uint32_t *code = read_shader(names[n], &bytes);
    const size_t words = bytes / 4;
    for (size_t i = 3; i < words; i += (size_t)test_trials(1) ? 7 : 131) {
      const uint32_t before = code[i];
      for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        xb_error err = {0};
        code[i] = values[v];
        tried++;
        /* no group of the module has 63 threads, so what is translated is refused before it is compiled */
        refused += load_shader(code, bytes, "main", 63, 2, &err) != XB_OK;
      }
      code[i] = before;
    }
    free(code);
  }
  assert_int_equal(refused, tried);
}

TEST(test_refusals)
{
  xb_error err = {0};
  size_t bytes;
  char *code = read_shader("integers", &bytes);
  assert_int_equal(load_shader(code, bytes, "other", 64, 2, &err), XB_INVALID);
  assert_string_equal(err.message, "other: the code has no entry point 'other', it has 'main'");
  assert_int_equal(load_shader(code, bytes, "main", 32, 2, &err), XB_INVALID);
  assert_string_equal(err.message, "main: the code has groups of 64 x 1 x 1 threads, the description has 32 x 1 x 1");
  assert_int_equal(load_shader(code, bytes, "main", 64, 1, &err), XB_INVALID);
  assert_string_equal(err.message, "main: the code uses binding 1, the description has 1 bindings");
  assert_int_equal(load_shader(code, bytes, "main", 64, 3, &err), XB_INVALID);
  free(code);
  /* A word that is not translated is refused by its name, with the line. */
  code = read_shader("unknown", &bytes);
  assert_int_equal(load_shader(code, bytes, "main", 1, 0, &err), XB_UNSUPPORTED);
  assert_string_equal(err.message, "main: OpGroupWaitEvents is not translated");
  free(code);
}

TEST(test_waves_that_are_none)
{
  static const uint32_t sizes[] = {1, 2, 3, 5, 12, 256, 0x80000000};
  xb_error err;
  xb_device *device;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    assert_int_equal(
        xb_device_open(&(xb_device_desc){.backend = xb_backend_find("cpu"), .wave = sizes[i]}, &device, &err),
        XB_UNSUPPORTED);
}
