#include "test.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_argument_count;
char **test_arguments, **test_command_line;

static test_entry *entries;

/* The sources are in the order of registration, which is that of linking; the tests of a source in the order of lines.
 */
void test_register(test_entry *entry)
{
  test_entry **at = &entries;
  while (*at && strcmp((*at)->file, entry->file) != 0)
    at = &(*at)->next;
  while (*at && !strcmp((*at)->file, entry->file) && (*at)->line < entry->line)
    at = &(*at)->next;
  entry->next = *at;
  *at = entry;
}

/* FOLDER.SOURCE of a file. */
static void name_source(const char *file, char *name, size_t bytes)
{
  const char *folder = strrchr(file, '/');
  while (folder > file && folder[-1] != '/')
    folder--;
  snprintf(name, bytes, "%s", folder);
  name[strcspn(name, "/")] = '.';
  *strrchr(name, '.') = '\0';
}

/* The source under way, and those of its tests that run. */
static char source_name[256];
static const char *only;
static struct CMUnitTest tests[4096];
static size_t count;

static bool selected(const char *test)
{
  char whole[512];
  snprintf(whole, sizeof whole, "%s.%s", source_name, test);
  return !only || !fnmatch(only, source_name, 0) || !fnmatch(only, test, 0) || !fnmatch(only, whole, 0);
}

static void add(struct CMUnitTest test)
{
  if (!selected(test.name))
    return;
  if (count == sizeof tests / sizeof *tests) {
    printf("FAILED: more than %zu tests in %s\n", count, source_name);
    exit(1);
  }
  tests[count++] = test;
}

void test_add(const char *name, CMUnitTestFunction function, CMFixtureFunction setup, const void *initial)
{
  add((struct CMUnitTest){name, function, setup, NULL, (void *)(uintptr_t)initial});
}

/* Returns 0, TEST_SKIPPED, or another number: something failed. */
static int run_source(const test_source *source)
{
  const size_t length = strlen(source_name);
  if (!count && !selected("") && (strncmp(only, source_name, length) != 0 || only[length] != '.'))
    return 0;
  const int code = source->begin ? source->begin() : 0;
  if (code)
    return code;
  if (!count)
    printf("FAILED: %s has no test%s%s\n", source_name, only ? " called " : "", only ? only : "");
  const bool failed =
      !count || _cmocka_run_group_tests(source_name, tests, count, source->group_setup, source->group_teardown);
  return source->end && source->end() ? 1 : failed;
}

int test_run(const char *pattern)
{
  static const test_source plain;
  size_t run = 0;
  bool failed = false, skipped = false;
  only = pattern;
  for (const test_entry *entry = entries; entry;) {
    const char *file = entry->file;
    const test_source *source = &plain;
    name_source(file, source_name, sizeof source_name);
    for (count = 0; entry && !strcmp(entry->file, file); entry = entry->next)
      if (entry->source)
        source = entry->source;
      else
        add(entry->test);
    const int code = run_source(source);
    if (code == TEST_SKIPPED) {
      skipped = true;
    } else {
      run += count;
      failed |= code != 0;
    }
  }
  if (!run && !failed && !skipped) {
    printf("FAILED: no test is called %s; the sources are:", pattern ? pattern : "anything");
    for (const test_entry *entry = entries, *before = NULL; entry; before = entry, entry = entry->next)
      if (!before || strcmp(entry->file, before->file) != 0) {
        name_source(entry->file, source_name, sizeof source_name);
        printf(" %s", source_name);
      }
    printf("\n");
  }
  return !failed && run ? 0 : !failed && skipped ? TEST_SKIPPED : 1;
}

int test_unavailable(const char *backend, const char *reason)
{
  const size_t length = strlen(backend);
  for (const char *list = getenv("XB_REQUIRE"); list && *list; list += strcspn(list, ","), list += *list == ',')
    if (strcspn(list, ",") == length && !strncmp(list, backend, length)) {
      printf("FAILED: %s, which XB_REQUIRE names: %s\n", backend, reason);
      return 1;
    }
  printf("skipped: %s\n", reason);
  return TEST_SKIPPED;
}
