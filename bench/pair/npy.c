#include "pair/npy.h"

#include "pair/numbers.h"
#include "whole_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START = 10, ALIGNMENT = 64 }; /* magic, version, length of the header */
static const char MAGIC[] = "\x93NUMPY";

/* "f4", "i2", "u1" */
static void type_code(xb_dtype dtype, char out[4])
{
  const char *name = xb_dtype_name(dtype);
  snprintf(out, 4, "%c%u", *name, xb_dtype_bytes(dtype));
}

/* The value of a key of the header, {'descr': '<f4', ...}. */
static const char *value_of(const char *header, const char *key)
{
  const char *p = strstr(header, key);
  return p ? p + strlen(key) + strspn(p + strlen(key), "': ") : "";
}

/* The number of items in a shape such as (100, 3); UINT64_MAX if it is none. */
static uint64_t items_of(const char *shape)
{
  uint64_t items = 1;
  char *end;
  for (shape = *shape == '(' ? shape + 1 : ""; *shape != ')'; shape = end + strspn(end, ", ")) {
    const uint64_t length = strtoull(shape, &end, 10);
    if (end == shape || (length && items > INT64_MAX / length))
      return UINT64_MAX;
    items *= length;
  }
  return items;
}

static xb_code read_array(const char *path, const char *data, size_t bytes, const char *header, size_t header_end,
                          const xb_element *element, xb_array *array, xb_error *err)
{
  const xb_member *first = &element->members[0];
  const char *type = value_of(header, "descr");
  const uint64_t items = items_of(value_of(header, "shape"));
  const bool simple = *type == '<' || *type == '|' || *type == '=';
  char wanted[4];
  type_code(first->dtype, wanted);
  if (items == UINT64_MAX)
    return xb_fail(err, XB_INVALID, path, "is no .npy file: its header has no shape");
  if (*type == '>')
    return xb_fail(err, XB_INVALID, path, "has numbers in big-endian order: save them in little-endian order");
  if (!strncmp(value_of(header, "fortran_order"), "True", 4))
    return xb_fail(err, XB_INVALID, path, "is in Fortran order: save it in C order");
  if (element->member_count == 1 && (!simple || strncmp(type + 1, wanted, strlen(wanted)) != 0))
    return xb_fail(err, XB_INVALID, path, "has elements of type '%.*s', expected %s", (int)strcspn(type, "',"), type,
                   xb_dtype_name(first->dtype));
  const uint64_t each = element->member_count == 1 ? xb_dtype_bytes(first->dtype) : 0;
  const uint64_t there = bytes - header_end;
  if (each ? items > there / each || items * each != there : !items || there % items)
    return xb_fail(err, XB_INVALID, path, "has %" PRIu64 " bytes of data, not those of %" PRIu64 " items", there,
                   items);
  if (there % element->bytes)
    return xb_fail(err, XB_INVALID, path, "has %" PRIu64 " bytes of data, not a multiple of an element's %u", there,
                   element->bytes);
  *array = (xb_array){data + header_end, there / element->bytes};
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
    return xb_fail(err, XB_INVALID, path, "is no .npy file");
  const char *header = xb_arena_text(arena, "%.*s", (int)length, data + begin);
  return header ? read_array(path, data, bytes, header, begin + length, element, array, err)
                : xb_fail(err, XB_NOMEM, path, "out of host memory");
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* [('position', '<f4', (3,)), ('mass', '<f4')], with gaps as in memory. */
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
    fprintf(out, m->count > 1 ? "('%s', '<%s', (%u,)), " : "('%s', '<%s'), ", m->name, type, m->count);
    at = m->offset + m->count * xb_dtype_bytes(m->dtype);
  }
  if (e->bytes > at)
    fprintf(out, "('', '|V%u')", e->bytes - at);
  fputc(']', out);
}

static void write_header(const xb_element *e, uint64_t length, FILE *out)
{
  char type[4], shape[48], *text = NULL;
  size_t bytes = 0;
  FILE *header = open_memstream(&text, &bytes);
  if (!header)
    return;
  type_code(e->members[0].dtype, type);
  snprintf(shape, sizeof shape, e->member_count == 1 && e->members[0].count > 1 ? "%" PRIu64 ", %u" : "%" PRIu64 ",",
           length, e->members[0].count);
  fprintf(header, "{'descr': ");
  if (e->member_count == 1)
    fprintf(header, "'<%s'", type);
  else
    describe_members(e, header);
  fprintf(header, ", 'fortran_order': False, 'shape': (%s), }", shape);
  fclose(header);
  const size_t padded = (START + bytes + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - START;
  fwrite(MAGIC, 1, 6, out);
  fprintf(out, "%c%c%c%c%s%*s\n", 1, 0, (int)(padded & 255), (int)(padded >> 8), text, (int)(padded - bytes - 1), "");
  free(text);
}

FILE *xb_npy_begin(const char *path, const xb_element *element, uint64_t length)
{
  FILE *file = fopen(path, "wb");
  if (file)
    write_header(element, length, file);
  return file;
}

bool xb_npy_write(const char *path, const xb_element *element, const xb_array *array)
{
  FILE *file = xb_npy_begin(path, element, array->length);
  const bool good = file && fwrite(array->data, element->bytes, array->length, file) == array->length;
  return file && !fclose(file) && good;
}
