/* Tests that register themselves before main, and the main that runs them with cmocka:
 *
 *     PROGRAM [PATTERN] [-- ARGUMENT...]
 *
 * A test is FOLDER.SOURCE.NAME, as in bench.parts.test_sizes. A pattern (fnmatch) selects tests by FOLDER.SOURCE, by
 * NAME or by all three. Sources run in the order in which they are linked, their tests in the order of the lines. No
 * test selected is a failure. */
#ifndef XB_TEST_H
#define XB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TEST_SKIPPED = 77 };

/* Of a simulation: all of them with XB_ALL_TESTS, else a tenth. */
static inline int test_trials(int all)
{
  return getenv("XB_ALL_TESTS") ? all : all / 10;
}

/* TEST(name) { ... } is a test; `state` is cmocka's. With TEST_WITH, `setup` and `teardown` (NULL: none) run around it.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                                               \
  static void name(void **state);                                                                                      \
  __attribute__((constructor)) static void register_##name(void)                                                       \
  {                                                                                                                    \
    static test_entry entry = {.test = {#name, name, setup, teardown, NULL}, .file = __FILE__, .line = __LINE__};      \
    test_register(&entry);                                                                                             \
  }                                                                                                                    \
  static void name(__attribute__((unused)) void **state)

/* What surrounds the tests of a source, at its end: TEST_SOURCE(.begin = open_all, .end = close_all) */
typedef struct test_source {
  int (*begin)(void); /* Before the first test. Returns 0; or prints why the tests do not run, and returns the exit code
                         (TEST_SKIPPED: they cannot run here). */
  int (*end)(void);   /* after the last one; returns 0 unless something failed */
  CMFixtureFunction group_setup, group_teardown; /* cmocka's, between the two */
} test_source;
#define TEST_SOURCE(...)                                                                                               \
  __attribute__((constructor)) static void register_source(void)                                                       \
  {                                                                                                                    \
    static const test_source around = {__VA_ARGS__};                                                                   \
    static test_entry entry = {.source = &around, .file = __FILE__, .line = __LINE__};                                 \
    test_register(&entry);                                                                                             \
  }                                                                                                                    \
  _Static_assert(1, "")

/* In `begin`: a test of a table, after those of the source. Its *state is `initial`. A pattern with a part of the name
 * finds it only after FOLDER.SOURCE. */
void test_add(const char *name, CMUnitTestFunction function, CMFixtureFunction setup, const void *initial);

/* The arguments after `--`; and all words of the command line, for a program that starts itself again. */
extern int test_argument_count;
extern char **test_arguments, **test_command_line;

/* Prints the reason why a backend's tests cannot run. Returns TEST_SKIPPED; 1 if the list XB_REQUIRE, as in
 * "cuda,vulkan", names the backend. */
int test_unavailable(const char *backend, const char *reason);

/* For programs with a main of their own: runs the tests that a pattern selects (NULL: all). Returns the exit code. */
int test_run(const char *pattern);

typedef struct test_entry {
  struct CMUnitTest test;
  const test_source *source; /* or NULL: a test */
  const char *file;
  int line;
  struct test_entry *next;
} test_entry;
void test_register(test_entry *entry);

#endif
