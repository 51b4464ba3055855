#include "code.h"

#include <stdio.h>
#include <stdlib.h>

static void *read_all(FILE *file, size_t *bytes)
{
  if (fseek(file, 0, SEEK_END))
    return NULL;
  const long size = ftell(file);
  void *code = size > 0 ? malloc((size_t)size) : NULL;
  rewind(file);
  if (code && fread(code, 1, (size_t)size, file) == (size_t)size) {
    *bytes = (size_t)size;
    return code;
  }
  free(code);
  return NULL;
}

void *read_code(const char *folder, const char *name, size_t *bytes)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  void *code = file ? read_all(file, bytes) : NULL;
  if (file)
    fclose(file);
  return code;
}
