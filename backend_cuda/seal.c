/* seal FILE: a build tool that appends the seal to FILE. */
#include "seal.h"

#include <stdio.h>
#include <stdlib.h>

static int failed(const char *name)
{
  perror(name);
  return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
  if (argc != 2)
    return EXIT_FAILURE;
  FILE *file = fopen(argv[1], "r+b");
  if (!file || fseek(file, 0, SEEK_END))
    return failed(argv[1]);
  const long bytes = ftell(file);
  char *code = bytes > 0 ? malloc((size_t)bytes) : NULL;
  rewind(file);
  if (!code || fread(code, 1, (size_t)bytes, file) != (size_t)bytes)
    return failed(argv[1]);
  const cu_seal seal = cu_seal_of(code, (size_t)bytes);
  free(code);
  if (fseek(file, 0, SEEK_END) || fwrite(&seal, sizeof seal, 1, file) != 1 || fclose(file))
    return failed(argv[1]);
  return EXIT_SUCCESS;
}
