#include "test.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
  test_command_line = argv;
  int words = 1;
  while (words < argc && strcmp(argv[words], "--") != 0)
    words++;
  if (words > 2) {
    fprintf(stderr, "usage: %s [PATTERN] [-- ARGUMENT...]\n", argv[0]);
    return 2;
  }
  const int used = words < argc ? words + 1 : argc;
  test_argument_count = argc - used;
  test_arguments = argv + used;
  return test_run(words == 2 ? argv[1] : NULL);
}
