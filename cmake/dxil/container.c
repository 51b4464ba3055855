/* Reads what DXC says of a DXIL container, and completes the container. */
#include "container.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE_HASHED = 20, SIZE_AT = 24, COUNT_AT = 28, TABLE_AT = 32 };

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
static bool find_binding(const char *source, const char *name, dxil_place *place)
{
  for (const char *p = source; (p = strstr(p, "vk::binding(")) != NULL; p++) {
    unsigned binding = 0, set = 0;
    sscanf(p, "vk::binding(%u ,%u", &binding, &set);
    const char *const begin = strstr(p, "]]");
    if (!begin)
      return false;
    const char *end = begin + strcspn(begin, ":;[");
    while (end > begin && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
      end--;
    const size_t length = strlen(name);
    if ((size_t)(end - begin) <= length || strncmp(end - length, name, length) != 0 ||
        isalnum((unsigned char)end[-(long)length - 1]) || end[-(long)length - 1] == '_')
      continue;
    place->set = set;
    place->binding = binding;
    return true;
  }
  return false;
}

/* "Size:" stands behind the last line of a constant buffer's declaration. */
static uint32_t size_of(const char *listing, const char *name)
{
  char heading[DXIL_NAME_BYTES + 16];
  unsigned bytes = 0;
  snprintf(heading, sizeof heading, "cbuffer %s\n", name);
  const char *p = strstr(listing, heading);
  p = p ? strstr(p, "Size:") : NULL;
  if (p)
    sscanf(p, "Size: %u", &bytes);
  return bytes;
}

/* The rows of the table "Resource Bindings": name, type, format, dimension, id, register, count. */
uint32_t dxil_read_resources(const char *source, const char *listing, dxil_resource resources[DXIL_MOST_RESOURCES])
{
  uint32_t count = 0;
  const char *p = strstr(listing, "; Resource Bindings:");
  for (p = p ? p : ""; *p && *p != '\n' && count < DXIL_MOST_RESOURCES; p += strcspn(p, "\n"), p += *p == '\n') {
    dxil_resource *r = &resources[count];
    char at[32], type[16], elements[16] = "1";
    if (sscanf(p, "; %127s %15s %7s %7s %*s %31s %15s", r->name, type, r->format, r->dimension, at, elements) < 5 ||
        strcspn(at, "0123456789") == strlen(at) || !strcmp(type, "sampler"))
      continue;
    unsigned number = 0, space = 0;
    sscanf(at + strcspn(at, "0123456789"), "%u,space%u", &number, &space);
    r->place = (dxil_place){.class = *at == 'c' ? 0 : *at == 't' ? 1 : 2};
    r->place.number = r->place.binding = number;
    r->place.space = r->place.set = space;
    r->is_array = strcmp(elements, "1") != 0;
    r->bound = find_binding(source, r->name, &r->place);
    r->place.bytes = r->place.class == 0 ? size_of(listing, r->name) : 0;
    count++;
  }
  return count;
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

bool dxil_is_container(const void *code, size_t bytes)
{
  const unsigned char *at = code;
  return bytes >= TABLE_AT && !memcmp(at, "DXBC", 4) && get(at + SIZE_AT) == bytes &&
         get(at + COUNT_AT) <= (bytes - TABLE_AT) / 4;
}

/* The data of the part PRIV, if there is one of this size already. */
static unsigned char *find_part(unsigned char *code, size_t bytes, uint32_t size)
{
  for (uint32_t i = 0; i < get(code + COUNT_AT); i++) {
    const size_t at = get(code + TABLE_AT + 4 * i);
    if (at <= bytes - 8 && bytes - 8 - at >= size && !memcmp(code + at, "PRIV", 4) && get(code + at + 4) == size)
      return code + at + 8;
  }
  return NULL;
}

/* Inserts a word in the table of parts, and appends an empty part. */
static unsigned char *add_part(const unsigned char *old, size_t *bytes, uint32_t size)
{
  const uint32_t parts = get(old + COUNT_AT);
  const size_t table = TABLE_AT + 4 * (size_t)parts, all = *bytes + 4 + 8 + size;
  unsigned char *made = calloc(1, all);
  if (!made)
    return NULL;
  memcpy(made, old, table);
  memcpy(made + table + 4, old + table, *bytes - table);
  for (uint32_t i = 0; i < parts; i++)
    put(made + TABLE_AT + 4 * i, get(old + TABLE_AT + 4 * i) + 4);
  put(made + table, (uint32_t)*bytes + 4);
  memcpy(made + *bytes + 4, "PRIV", 4);
  put(made + *bytes + 8, size);
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

void *dxil_seal(const void *code, size_t *bytes, const dxil_resource *resources, uint32_t count)
{
  const uint32_t size = count * (uint32_t)sizeof resources->place;
  unsigned char *made = malloc(*bytes), *part = NULL;
  uint32_t sum[4];
  if (made) {
    memcpy(made, code, *bytes);
    part = find_part(made, *bytes, size);
  }
  if (!part) {
    free(made);
    made = add_part(code, bytes, size);
    if (!made)
      return NULL;
    part = made + *bytes - size;
  }
  for (uint32_t i = 0; i < count; i++)
    memcpy(part + i * sizeof resources->place, &resources[i].place, sizeof resources->place);
  checksum(made + BEFORE_HASHED, *bytes - BEFORE_HASHED, sum);
  memcpy(made + 4, sum, sizeof sum);
  return made;
}
