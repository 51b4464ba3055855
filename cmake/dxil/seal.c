/* seal CONTAINER SOURCE LISTING: adds the part PRIV (places.h) to a DXIL container, then its checksum, without which no
 * runtime takes it: DXC leaves that to a library that exists for Windows only. SOURCE is the preprocessed HLSL, LISTING
 * what `dxc -dumpbin` prints. */
#include "places.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 64, NAME_BYTES = 128, BEFORE_HASHED = 20, SIZE_AT = 24, COUNT_AT = 28, TABLE_AT = 32 };

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

static uint32_t get(const unsigned char *at)
{
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static void put(unsigned char *at, uint32_t word)
{
  memcpy(at, &word, sizeof word);
}

/* ---- Places ----------------------------------------------------------------------------------------------------- */

/* In "[[vk::binding(2, 0)]] StructuredBuffer<T> name : register(t1);" the numbers before `name`. */
static void find_binding(const char *source, const char *name, dxil_place *place)
{
  for (const char *p = source; (p = strstr(p, "vk::binding(")) != NULL; p++) {
    unsigned binding = 0, set = 0;
    sscanf(p, "vk::binding(%u ,%u", &binding, &set);
    const char *const begin = strstr(p, "]]");
    if (!begin)
      return;
    const char *end = begin + strcspn(begin, ":;[");
    while (end > begin && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
      end--;
    const size_t length = strlen(name);
    if ((size_t)(end - begin) <= length || strncmp(end - length, name, length) != 0 ||
        isalnum((unsigned char)end[-(long)length - 1]) || end[-(long)length - 1] == '_')
      continue;
    place->set = set;
    place->binding = binding;
    return;
  }
}

/* "Size:" stands behind the last line of a constant buffer's declaration. */
static uint32_t size_of(const char *listing, const char *name)
{
  char heading[NAME_BYTES + 16];
  unsigned bytes = 0;
  snprintf(heading, sizeof heading, "cbuffer %s\n", name);
  const char *p = strstr(listing, heading);
  p = p ? strstr(p, "Size:") : NULL;
  if (p)
    sscanf(p, "Size: %u", &bytes);
  return bytes;
}

/* The rows of the table "Resource Bindings": name, type, format, dimension, id, register, count. */
static uint32_t read_places(const char *source, const char *listing, dxil_place *places)
{
  uint32_t count = 0;
  const char *p = strstr(listing, "; Resource Bindings:");
  for (p = p ? p : ""; *p && *p != '\n'; p += strcspn(p, "\n"), p += *p == '\n') {
    char name[NAME_BYTES], type[32], at[32];
    if (sscanf(p, "; %127s %31s %*s %*s %*s %31s", name, type, at) != 3 || strcspn(at, "0123456789") == strlen(at))
      continue;
    dxil_place place = {.class = *at == 'c' ? 0 : *at == 't' ? 1 : 2};
    unsigned number = 0, space = 0;
    sscanf(at + strcspn(at, "0123456789"), "%u,space%u", &number, &space);
    place.number = place.binding = number;
    place.space = place.set = space;
    find_binding(source, name, &place);
    place.bytes = place.class == 0 ? size_of(listing, name) : 0;
    if (count < MOST_PLACES)
      places[count++] = place;
  }
  return count;
}

/* Inserts a word in the table of parts, and appends the part. */
static unsigned char *add_part(const unsigned char *old, size_t *bytes, const dxil_place *places, uint32_t count)
{
  const uint32_t parts = get(old + COUNT_AT), size = count * (uint32_t)sizeof *places;
  const size_t table = TABLE_AT + 4 * (size_t)parts, all = *bytes + 4 + 8 + size;
  unsigned char *made = calloc(1, all);
  if (!made)
    stop("container", "out of memory");
  memcpy(made, old, table);
  memcpy(made + table + 4, old + table, *bytes - table);
  for (uint32_t i = 0; i < parts; i++)
    put(made + TABLE_AT + 4 * i, get(old + TABLE_AT + 4 * i) + 4);
  put(made + table, (uint32_t)*bytes + 4);
  memcpy(made + *bytes + 4, "PRIV", 4);
  put(made + *bytes + 8, size);
  memcpy(made + *bytes + 12, places, size);
  put(made + COUNT_AT, parts + 1);
  put(made + SIZE_AT, (uint32_t)all);
  *bytes = all;
  return made;
}

/* ---- Checksum: MD5 with an end of its own ------------------------------------------------------------------------ */

static void mix(uint32_t state[4], const unsigned char block[64])
{
  static const int SHIFTS[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (uint32_t i = 0; i < 64; i++) {
    const uint32_t round = i / 16, place = (round == 0   ? i
                                            : round == 1 ? 5 * i + 1
                                            : round == 2 ? 3 * i + 5
                                                         : 7 * i) %
                                           16;
    const uint32_t f = round == 0   ? (b & c) | (~b & d)
                       : round == 1 ? (d & b) | (~d & c)
                       : round == 2 ? b ^ c ^ d
                                    : c ^ (b | ~d);
    const uint32_t sum = a + f + (uint32_t)(fabs(sin(i + 1.0)) * 0x1p32) + get(block + 4 * place);
    const int shift = SHIFTS[round][i % 4];
    a = d;
    d = c;
    c = b;
    b += sum << shift | sum >> (32 - shift);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

static void checksum(const unsigned char *data, size_t bytes, uint32_t state[4])
{
  static const uint32_t FIRST[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const size_t whole = bytes / 64 * 64, left = bytes - whole;
  unsigned char end[64] = {0};
  memcpy(state, FIRST, sizeof FIRST);
  for (size_t i = 0; i < whole; i += 64)
    mix(state, data + i);
  if (left >= 56) {
    memcpy(end, data + whole, left);
    end[left] = 0x80;
    mix(state, end);
    memset(end, 0, sizeof end);
  } else {
    memcpy(end + 4, data + whole, left);
    end[4 + left] = 0x80;
  }
  put(end, (uint32_t)bytes * 8);
  put(end + 60, (uint32_t)bytes * 2 | 1);
  mix(state, end);
}

int main(int argc, char **argv)
{
  if (argc != 4) {
    fputs("usage: seal CONTAINER SOURCE LISTING\n", stderr);
    return 1;
  }
  size_t bytes, unused;
  dxil_place places[MOST_PLACES];
  const unsigned char *const old = read_file(argv[1], &bytes);
  if (bytes < TABLE_AT || memcmp(old, "DXBC", 4) != 0 || get(old + SIZE_AT) != bytes)
    stop(argv[1], "is not a DXIL container");
  const uint32_t count = read_places((char *)read_file(argv[2], &unused), (char *)read_file(argv[3], &unused), places);
  unsigned char *const sealed = add_part(old, &bytes, places, count);
  uint32_t sum[4];
  checksum(sealed + BEFORE_HASHED, bytes - BEFORE_HASHED, sum);
  memcpy(sealed + 4, sum, sizeof sum);
  FILE *file = fopen(argv[1], "wb");
  if (!file || fwrite(sealed, 1, bytes, file) != bytes || fclose(file))
    stop(argv[1], "cannot be written");
  return 0;
}
