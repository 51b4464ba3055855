/* seal CONTAINER SOURCE LISTING: completes a DXIL container (container.h). SOURCE is the preprocessed HLSL, LISTING
 * what `dxc -dumpbin` prints. */
#include "container.h"

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void stop(const char *path, const char *why)
{
  fprintf(stderr, "seal: %s: %s\n", path, why);
  exit(1);
}

/* With a zero behind it. */
static unsigned char *read_file(const char *path, size_t *bytes)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END))
    stop(path, "cannot be read");
  const long size = ftell(file);
  unsigned char *data = size < 0 ? NULL : malloc((size_t)size + 1);
  rewind(file);
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
    stop(path, "cannot be read");
  fclose(file);
  data[size] = 0;
  *bytes = (size_t)size;
  return data;
}

int main(int argc, char **argv)
{
  if (argc != 4) {
    fputs("usage: seal CONTAINER SOURCE LISTING\n", stderr);
    return 1;
  }
  size_t bytes, unused;
  static dxil_resource resources[DXIL_MOST_RESOURCES];
  unsigned char *const old = read_file(argv[1], &bytes);
  char *const source = (char *)read_file(argv[2], &unused), *const listing = (char *)read_file(argv[3], &unused);
  if (!dxil_is_container(old, bytes))
    stop(argv[1], "is not a DXIL container");
  const uint32_t count = dxil_read_resources(source, listing, resources);
  unsigned char *const sealed = dxil_seal(old, &bytes, resources, count);
  if (!sealed)
    stop(argv[1], "out of memory");
  FILE *file = fopen(argv[1], "wb");
  if (!file || fwrite(sealed, 1, bytes, file) != bytes || fclose(file))
    stop(argv[1], "cannot be written");
  free(old);
  free(source);
  free(listing);
  free(sealed);
  return 0;
}
