#include "pair/fill.h"

#include "base/whole_file.h"
#include "pair/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START = 10, ALIGNMENT = 64 }; /* magic, version, length of the header */
static const char MAGIC[] = "\x93NUMPY";

bool xb_is_npy(const char *name)
{
  const size_t length = name ? strlen(name) : 0;
  return length > 4 && !strcmp(name + length - 4, ".npy");
}

/* "f4", "i2", "u1" */
static void type_code(xb_dtype dtype, char out[4])
{
  const char *name = xb_dtype_name(dtype);
  snprintf(out, 4, "%c%u", *name, xb_dtype_bytes(dtype));
}

/* [('position', '<f4', (3,)), ('mass', '<f4'), ('', '|V4')], with gaps as in memory. */
static void describe_members(const xb_element *e, FILE *out)
{
  char type[4];
  uint32_t at = 0;
  fputc('[', out);
  for (uint32_t i = 0; i < e->member_count; i++) {
    const xb_member *m = &e->members[i];
    if (m->offset > at)
      fprintf(out, "('', '|V%u'), ", m->offset - at);
    type_code(m->dtype, type);
    fprintf(out, m->count > 1 ? "('%s', '<%s', (%u,)), " : "('%s', '<%s'), ", m->name ? m->name : "value", type,
            m->count);
    at = m->offset + m->count * xb_dtype_bytes(m->dtype);
  }
  if (e->bytes > at)
    fprintf(out, "('', '|V%u')", e->bytes - at);
  fputc(']', out);
}

/* Of a plain element the number of its numbers is the last dimension of the array. */
static void describe(const xb_element *e, FILE *out)
{
  char type[4];
  type_code(e->members[0].dtype, type);
  if (xb_is_plain(e))
    fprintf(out, "'<%s'", type);
  else
    describe_members(e, out);
}

/* The value of a key of the header, {'descr': '<f4', ...}. A member may have the name of a key, but no colon. */
static const char *value_of(const char *header, const char *key)
{
  char text[32];
  snprintf(text, sizeof text, "'%s':", key);
  const char *p = strstr(header, text);
  return p ? p + strlen(text) + strspn(p + strlen(text), " ") : "";
}

enum { DIMENSIONS = 3 };

/* The number of items in a shape such as (100, 3), and its last dimensions, the last one first; UINT64_MAX if it is
 * none. */
static uint64_t items_of(const char *shape, uint64_t last[DIMENSIONS], uint32_t *count)
{
  uint64_t items = 1;
  char *end;
  *last = 1;
  *count = 0;
  for (shape = *shape == '(' ? shape + 1 : ""; *shape != ')'; shape = end + strspn(end, ", ")) {
    const uint64_t length = strtoull(shape, &end, 10);
    if (end == shape || (length && items > INT64_MAX / length))
      return UINT64_MAX;
    items *= length;
    memmove(last + 1, last, (DIMENSIONS - 1) * sizeof *last);
    *last = length;
    ++*count;
  }
  return items;
}

/* Without what does not matter: blanks, and commas before the end of a list. NumPy writes |i1, where others write <i1.
 */
static void simplify(const char *p, char *out, size_t bytes)
{
  size_t length = 0;
  for (; *p && length + 1 < bytes; p++) {
    if (*p == ' ')
      continue;
    if (length && out[length - 1] == ',' && (*p == ')' || *p == ']'))
      length--;
    out[length++] = *p == '=' || *p == '|' ? '<' : *p;
  }
  out[length] = 0;
}

/* True if the header begins with the description. */
static bool is_described(const char *header, const char *description)
{
  char is[8192], wanted[8192];
  simplify(header, is, sizeof is);
  simplify(description, wanted, sizeof wanted);
  return !strncmp(is, wanted, strlen(wanted));
}

/* The length of a description, for messages. */
static int described_length(const char *p)
{
  const char *end = *p == '[' ? strstr(p, ")]") : *p ? strchr(p + 1, '\'') : NULL;
  const size_t length = end ? (size_t)(end - p) + (*p == '[' ? 2 : 1) : strlen(p);
  return length < 160 ? (int)length : 160;
}

static xb_code check_type(const char *path, const char *type, const xb_element *element, xb_error *err)
{
  char *expected = NULL, plain[64] = "", code[4];
  size_t bytes = 0;
  FILE *out = open_memstream(&expected, &bytes);
  if (!out)
    return xb_fail(err, XB_NOMEM, path, "out of host memory");
  describe(element, out);
  fclose(out);
  type_code(element->members[0].dtype, code);
  if (xb_is_plain(element))
    snprintf(plain, sizeof plain, " (%s): save x.astype(\"%s\")", xb_dtype_name(element->members[0].dtype), code);
  const xb_code failed = is_described(type, expected)
                             ? XB_OK
                             : xb_fail(err, XB_INVALID, path, "has elements of type %.*s, expected %.*s%s",
                                       described_length(type), type, described_length(expected), expected, plain);
  free(expected);
  return failed;
}

static xb_code read_array(const char *path, const char *data, size_t bytes, const char *header, size_t header_end,
                          const xb_element *element, xb_array *array, xb_error *err)
{
  const char *type = value_of(header, "descr");
  uint64_t dimensions[DIMENSIONS] = {0}, last;
  uint32_t count;
  const uint64_t items = items_of(value_of(header, "shape"), dimensions, &count);
  last = *dimensions;
  const uint32_t numbers = xb_is_plain(element) ? element->members[0].count : 1, each = element->bytes / numbers;
  if (items == UINT64_MAX)
    return xb_fail(err, XB_INVALID, path, "is not an .npy file: its header has no shape");
  if (!strncmp(type, "'>", 2))
    return xb_fail(err, XB_INVALID, path, "has numbers in big-endian order: save them in little-endian order");
  if (!strncmp(value_of(header, "fortran_order"), "True", 4))
    return xb_fail(err, XB_INVALID, path, "is in Fortran order: save np.ascontiguousarray(x)");
  const xb_code code = check_type(path, type, element, err);
  if (code)
    return code;
  if (numbers > 1 && last != numbers)
    return xb_fail(err, XB_INVALID, path,
                   "has %" PRIu64 " as its last dimension, expected %u: the numbers of an element", last, numbers);
  const uint64_t there = bytes - header_end;
  if (items > there / each || items * each != there)
    return xb_fail(err, XB_INVALID, path, "has %" PRIu64 " bytes of data, not those of %" PRIu64 " items", there,
                   items);
  const uint64_t *columns = dimensions + (numbers > 1);
  const bool matrix = count == 2 + (uint32_t)(numbers > 1);
  *array = (xb_array){data + header_end, items / numbers, matrix ? columns[1] : 0, matrix ? columns[0] : 0};
  return XB_OK;
}

xb_code xb_npy_read(const char *path, const xb_element *element, xb_arena *arena, xb_array *array, xb_error *err)
{
  char *data;
  size_t bytes;
  const xb_code code = xb_read_whole_file(path, arena, &data, &bytes, err);
  if (code)
    return code;
  const unsigned char *b = (unsigned char *)data;
  const bool magic = bytes >= START + 2 && !memcmp(data, MAGIC, 6), first = magic && b[6] == 1;
  const size_t begin = first ? START : START + 2;
  const size_t low = magic ? b[8] + 256u * b[9] : 0, length = first ? low : magic ? low + 65536u * b[10] : 0;
  if (!magic || length > bytes - begin)
    return xb_fail(err, XB_INVALID, path, "is not an .npy file");
  const char *header = xb_arena_text(arena, "%.*s", (int)length, data + begin);
  return header ? read_array(path, data, bytes, header, begin + length, element, array, err)
                : xb_fail(err, XB_NOMEM, path, "out of host memory");
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* "(480, 640, 4)" */
static void write_shape(const xb_element *e, const xb_array *shape, FILE *out)
{
  const bool several = xb_is_plain(e) && e->members[0].count > 1;
  fprintf(out, "(%" PRIu64, shape->rows ? shape->rows : shape->length);
  if (shape->rows)
    fprintf(out, ", %" PRIu64, shape->columns);
  if (several)
    fprintf(out, ", %u", e->members[0].count);
  fprintf(out, several || shape->rows ? ")" : ",)");
}

bool xb_npy_header(const xb_element *e, const xb_array *shape, FILE *out)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *header = open_memstream(&text, &bytes);
  if (!header)
    return false;
  fprintf(header, "{'descr': ");
  describe(e, header);
  fprintf(header, ", 'fortran_order': False, 'shape': ");
  write_shape(e, shape, header);
  fprintf(header, ", }");
  if (fclose(header))
    bytes = 0;
  const size_t padded = (START + bytes + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - START;
  fwrite(MAGIC, 1, 6, out);
  fprintf(out, "%c%c%c%c%s%*s\n", 1, 0, (int)(padded & 255), (int)(padded >> 8), text, (int)(padded - bytes - 1), "");
  free(text);
  return bytes && !ferror(out);
}
