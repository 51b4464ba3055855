/* Buffers and Results of a manifest. */
#include "os/paths.h"
#include "pair/numbers.h"
#include "pair/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_truth(xb_manifest_reader *r, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  if (value && !json_is_boolean(value))
    xb_refuse_value(r, key, "expected true or false");
  return json_is_true(value);
}

xb_texel xb_pair_texel(const xb_pair_buffer *b)
{
  const xb_member *m = &b->element.members[0];
  if (!xb_is_plain(&b->element) || m->name || m->count > 4 || m->count == 3)
    return XB_TEXEL_NONE;
  switch (m->dtype) {
  case XB_FLOAT32: return XB_TEXEL_FLOAT32;
  case XB_FLOAT16: return XB_TEXEL_FLOAT16;
  case XB_INT32: return XB_TEXEL_INT32;
  case XB_UINT32: return XB_TEXEL_UINT32;
  case XB_UINT8: return m->fractions ? XB_TEXEL_UNORM8 : XB_TEXEL_UINT8;
  default: return XB_TEXEL_NONE;
  }
}

/* Image of an item of Buffers. */
static void read_image(xb_manifest_reader *r, const json_t *buffer, xb_pair_buffer *b)
{
  static const char *const filters[] = {"point", "linear", NULL}, *const addresses[] = {"clamp", "wrap", "border",
                                                                                        NULL};
  static const char *const coordinates[] = {"texels", "normalized", NULL};
  const json_t *image = json_object_get(buffer, "Image");
  const size_t length = strlen(r->path);
  if (!image)
    return;
  snprintf(r->path + length, sizeof r->path - length, ".Image");
  xb_check_keys(r, image, "Width Height Unorm Filter Address Coordinates");
  const char *width = xb_text_of(r, image, "Width"), *height = xb_text_of(r, image, "Height");
  b->image = (xb_pair_image){
      .width = width ? width : "columns",
      .height = height ? height : "rows",
      .sampler = {.filter = (xb_filter)xb_choice_of(r, image, "Filter", filters),
                  .address = (xb_address)xb_choice_of(r, image, "Address", addresses),
                  .normalized = xb_choice_of(r, image, "Coordinates", coordinates)},
      .own_coordinates = json_object_get(image, "Coordinates"),
  };
  b->element.members[0].fractions = read_truth(r, image, "Unorm");
  if (b->element.members[0].fractions && b->element.members[0].dtype != XB_UINT8)
    xb_refuse_value(r, "Unorm", "only uint8 can be read as fractions");
  r->path[length] = 0;
  if (!xb_pair_texel(b))
    xb_refuse_value(r, "Format", "an image has 1, 2 or 4 numbers of float32, float16, int32, uint32 or uint8");
}

static const char NAME_CHARACTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* "float32", "float32x3" */
static void read_numbers(xb_manifest_reader *r, const char *key, const char *text, xb_member *member)
{
  const size_t length = strcspn(text, "xX");
  char *end = NULL;
  member->count = text[length] ? (uint32_t)strtoul(text + length + 1, &end, 10) : 1;
  if (!xb_dtype_find(text, length, &member->dtype) || (end && *end) || !member->count ||
      member->count > XB_PAIR_ELEMENT_BYTES)
    xb_refuse_value(r, key,
                    "unknown element type '%s': expected float16, float32, float64, int8 to int64, uint8 to uint64, "
                    "and several of one, such as float32x3",
                    text);
}

static void read_member(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_element *e = user;
  xb_member *m = &e->members[i];
  xb_check_keys(r, item, "Name Format Offset AddressOf");
  m->name = xb_needed_text(r, item, "Name");
  read_numbers(r, "Format", xb_needed_text(r, item, "Format"), m);
  m->address_of = xb_text_of(r, item, "AddressOf");
  if (m->address_of && (m->count != 1 || m->dtype != XB_UINT64))
    xb_refuse_value(r, "AddressOf", "an address is a uint64");
  const uint32_t bytes = r->code ? 1 : xb_dtype_bytes(m->dtype), end = e->bytes;
  m->offset = json_object_get(item, "Offset") ? xb_count_of(r, item, "Offset", XB_PAIR_ELEMENT_BYTES)
                                              : (end + bytes - 1) / bytes * bytes;
  if (m->offset < end)
    xb_refuse_value(r, "Offset", "begins inside the previous member");
  e->bytes = m->offset + m->count * bytes;
  e->member_count = i + 1;
}

static void read_element(xb_manifest_reader *r, const json_t *item, xb_element *e)
{
  const json_t *format = json_object_get(item, "Format");
  uint32_t widest = 1;
  *e = (xb_element){0};
  if (json_is_array(format)) {
    xb_each(r, item, "Format", XB_MOST_MEMBERS, read_member, e);
    for (uint32_t m = 0; m < e->member_count; m++)
      widest = xb_dtype_bytes(e->members[m].dtype) > widest ? xb_dtype_bytes(e->members[m].dtype) : widest;
  } else {
    read_numbers(r, "Format", xb_needed_text(r, item, "Format"), &e->members[0]);
    e->member_count = 1;
    e->bytes = e->members[0].count * xb_dtype_bytes(e->members[0].dtype);
  }
  const uint32_t stride = xb_count_of(r, item, "Stride", XB_PAIR_ELEMENT_BYTES);
  if (stride && stride < e->bytes)
    xb_refuse_value(r, "Stride", "is smaller than the element, which has %u bytes", e->bytes);
  e->bytes = stride ? stride : (e->bytes + widest - 1) / widest * widest;
  if (!e->member_count || e->bytes > XB_PAIR_ELEMENT_BYTES)
    xb_refuse_value(r, "Format", "expected an element of 1 to %d bytes", XB_PAIR_ELEMENT_BYTES);
}

/* "other": the contents of another buffer of the pair. */
static void read_fill(xb_manifest_reader *r, uint32_t i, xb_pair_buffer *b)
{
  const uint32_t other = b->fill_text ? xb_find_buffer(r->pair, b->fill_text) : r->pair->buffer_count;
  const char *text = b->fill_text ? b->fill_text : "mixed";
  char where[320];
  xb_error mistake;
  b->fill = (xb_fill){.number = i, .element = &b->element};
  snprintf(where, sizeof where, "%s: %s.Fill", r->m->where, r->path);
  if (other < r->pair->buffer_count && other != i)
    b->fill = r->pair->buffers[other].fill;
  else if (!r->code && xb_is_npy(text) && xb_fill_parse(where, text, r->m->folder, &r->pair->arena, &b->fill, &mistake))
    xb_refuse_file(r, &mistake);
  else if (!r->code && !xb_is_npy(text))
    r->code = xb_fill_parse(where, text, r->m->folder, &r->pair->arena, &b->fill, r->err);
  b->fill.as = &b->element;
}

/* That of its image or of its file, if it names none. A pair without a Size takes it from its files, if all have one
 * length. */
static void read_length(xb_manifest_reader *r, const json_t *item, xb_pair_buffer *b)
{
  const xb_array *file = xb_is_npy(b->fill_text) && b->fill.kind == XB_FILL_ARRAY ? &b->fill.array : NULL;
  if (file && file->rows) {
    const char *shape = xb_keep(r, "%" PRIu64 "x%" PRIu64, file->rows, file->columns);
    r->pair->file_shape = !r->pair->file_shape || !strcmp(shape, r->pair->file_shape) ? shape : "";
  }
  if (b->image.width && !json_object_get(item, "Length")) {
    b->length = xb_keep(r, "(%s) * (%s)", b->image.width, b->image.height);
    return;
  }
  const char *length = file ? xb_keep(r, "%" PRIu64, file->length) : NULL;
  b->length = json_object_get(item, "Length") || !file ? xb_needed_text(r, item, "Length") : length;
  if (!file || !b->length || (strcmp(b->length, "n") != 0 && b->length != length))
    return;
  if (!r->pair->file_length) {
    r->pair->file_length = length;
    r->pair->file = b->fill_text;
  } else if (strcmp(r->pair->file_length, length) != 0) {
    r->pair->unsized = xb_keep(r, "%s has %s elements and %s %s: give the number n, by Size or --size", r->pair->file,
                               r->pair->file_length, b->fill_text, length);
  }
}

/* AddressOf of an item of Buffers: the buffer has the addresses of these buffers. Its members may have, too. */
static void read_addresses(xb_manifest_reader *r, const json_t *item, xb_pair_buffer *b)
{
  const uint32_t count = (uint32_t)json_array_size(json_object_get(item, "AddressOf"));
  bool members = false;
  for (const xb_member *m = b->element.members; m < b->element.members + b->element.member_count; m++)
    members |= m->address_of != NULL;
  if (count) {
    b->address_of = xb_arena_take(&r->pair->arena, count, sizeof *b->address_of);
    b->address_count = b->address_of ? count : 0;
    xb_each(r, item, "AddressOf", count, xb_read_word, b->address_of);
    if (b->element.member_count != 1 || b->element.bytes != 8 || xb_is_float(b->element.members[0].dtype))
      xb_refuse_value(r, "AddressOf", "the Format of a list of addresses is uint64");
  }
  if ((count || members) && b->access != XB_PAIR_IN)
    xb_refuse_value(r, "Access", "a buffer with addresses is read only: expected in");
}

/* "y"; "y[1]": an element of an array of buffers. */
static bool is_name(const char *name)
{
  const char *end = name + strspn(name, NAME_CHARACTERS);
  const size_t digits = *end == '[' ? strspn(end + 1, "0123456789") : 0;
  return end > name && (!*end || (digits && !strcmp(end + 1 + digits, "]")));
}

/* Buffer i of the pair, or of a side: `b`. */
static void read_buffer(xb_manifest_reader *r, const json_t *item, uint32_t i, xb_pair_buffer *b)
{
  static const char *const accesses[] = {"in", "out", "inout", "scratch", NULL};
  xb_check_keys(r, item, "Name Access Format Stride Length Fill Image AddressOf");
  *b = (xb_pair_buffer){.name = xb_needed_text(r, item, "Name"), .limit = 4, .valid_in = XB_PAIR_BUFFERS};
  if (!is_name(b->name))
    xb_refuse_value(r, "Name", "'%s': expected letters, digits and _, then [0] for an element of an array", b->name);
  xb_needed_text(r, item, "Access");
  b->access = (xb_pair_access)xb_choice_of(r, item, "Access", accesses);
  read_element(r, item, &b->element);
  read_image(r, item, b);
  b->fill_text = xb_text_of(r, item, "Fill");
  if (b->fill_text && b->access == XB_PAIR_OUT)
    xb_refuse_value(r, "Fill", "an output has no Fill");
  read_addresses(r, item, b);
  read_fill(r, i, b);
  if (b->address_count && !json_object_get(item, "Length"))
    b->length = xb_keep(r, "%u", b->address_count);
  else
    read_length(r, item, b);
  b->rule = xb_is_float(b->element.members[0].dtype) ? XB_PAIR_ULP : XB_PAIR_EXACT;
}

void xb_read_buffer(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  (void)user;
  read_buffer(r, item, i, &r->pair->buffers[i]);
  if (xb_find_buffer(r->pair, r->pair->buffers[i].name) < i)
    xb_refuse_value(r, "Name", "'%s' is the name of another buffer", r->pair->buffers[i].name);
  r->pair->buffer_count = i + 1;
}

/* ---- Buffers of a side ------------------------------------------------------------------------------------------ */

/* One that the pair has, with the keys of the side over its own. */
static void read_changed(xb_manifest_reader *r, const json_t *item, uint32_t i, xb_pair_side *side)
{
  json_t *whole = json_deep_copy(json_array_get(json_object_get(r->m->root, "Buffers"), i));
  const char *key;
  json_t *value;
  json_object_del(whole, "Fill");
  json_object_foreach((json_t *)(uintptr_t)item, key, value) xb_pair_put(whole, key, value);
  const char *format = json_string_value(json_object_get(item, "Format"));
  if (format && strncmp(format, "uint8", 5) != 0) /* the pair's fractions are the numbers of such a side */
    json_object_del(json_object_get(whole, "Image"), "Unorm");
  const xb_pair_buffer *of = &r->pair->buffers[i];
  xb_pair_buffer *b = &side->buffers[i];
  if (!json_object_get(whole, "Length"))
    json_object_set_new(whole, "Length", json_string(of->length));
  read_buffer(r, whole, i, b);
  if (!json_object_get(item, "Fill")) { /* a side's element may be another: the numbers are the same */
    b->fill = of->fill;
    b->fill_text = of->fill_text;
  }
  const bool plain = b->element.member_count == 1 && of->element.member_count == 1;
  if (!r->code && (!xb_has_numbers(&b->element, &of->element) || (plain && !xb_has_numbers(&of->element, &b->element))))
    xb_refuse_value(
        r, "Format",
        "expected the same numbers as in the pair's '%s': only their types and offsets may differ on a side", b->name);
  b->untouched = of->untouched;
  if (b->untouched && xb_elements_differ(&b->element, &of->element))
    xb_refuse_value(r, "Format", "expected the pair's Format, because a part of '%s' may stay untouched", b->name);
  json_decref(whole);
}

static void read_side_buffer(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_side *side = user;
  xb_pair *pair = r->pair;
  const char *name = xb_needed_text(r, item, "Name");
  const uint32_t known = xb_find_buffer(pair, name);
  (void)i;
  if (known < pair->buffer_count && (!pair->buffers[known].only || pair->buffers[known].only == side->of + 1)) {
    if (!pair->buffers[known].only)
      read_changed(r, item, known, side);
    return;
  }
  if (known < pair->buffer_count || pair->buffer_count == XB_PAIR_BUFFERS) {
    xb_refuse_value(r, "Name",
                    known < pair->buffer_count ? "'%s' is a buffer of another side: put it into the pair's Buffers"
                                               : "'%s': there are too many buffers",
                    name);
    return;
  }
  xb_pair_buffer *b = &pair->buffers[pair->buffer_count];
  read_buffer(r, item, pair->buffer_count, b);
  b->only = side->of + 1;
  if (b->access == XB_PAIR_OUT || b->access == XB_PAIR_INOUT)
    xb_refuse_value(r, "Access", "expected in or scratch: only this side has the buffer, so nothing can be compared");
  pair->buffer_count++;
}

void xb_read_side_buffers(xb_manifest_reader *r)
{
  xb_pair *pair = r->pair;
  const json_t *sides = json_object_get(r->m->root, "Sides");
  const uint32_t common = pair->buffer_count;
  for (xb_pair_side *side = pair->sides; side < pair->sides + pair->side_count; side++) {
    memcpy(side->buffers, pair->buffers, common * sizeof *side->buffers);
    snprintf(r->path, sizeof r->path, "Sides[%u]", side->of);
    xb_each(r, json_array_get(sides, side->of), "Buffers", XB_PAIR_BUFFERS, read_side_buffer, side);
    *r->path = 0;
  }
  for (xb_pair_side *side = pair->sides; side < pair->sides + pair->side_count; side++)
    for (uint32_t i = 0; i < pair->buffer_count; i++) {
      xb_pair_buffer *b = &side->buffers[i];
      *b = i < common ? *b : pair->buffers[i];
      b->fill.as = &b->element; /* of the side */
    }
}

/* "n/2", or the name of a buffer whose first element says how many elements count. */
static void read_valid(xb_manifest_reader *r, const json_t *item, uint32_t index)
{
  xb_pair_buffer *b = &r->pair->buffers[index];
  b->valid = xb_text_of(r, item, "Valid");
  const uint32_t in = b->valid ? xb_find_buffer(r->pair, b->valid) : r->pair->buffer_count;
  if (in == r->pair->buffer_count)
    return;
  const xb_pair_buffer *counter = &r->pair->buffers[in];
  b->valid = NULL;
  b->valid_in = in;
  if (in >= index || counter->access == XB_PAIR_IN || counter->access == XB_PAIR_SCRATCH ||
      xb_is_float(counter->element.members[0].dtype))
    xb_refuse_value(r, "Valid", "'%s': expected a buffer of integers that is written, listed before '%s'",
                    counter->name, b->name);
}

void xb_read_result(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  static const char *const rules[] = {"BufferExact", "BufferFloatULP", "BufferFloatEpsilon", NULL};
  (void)i, (void)user;
  xb_check_keys(r, item, "Actual Rule ULPT Epsilon Expected Valid Untouched");
  const char *actual = xb_needed_text(r, item, "Actual"), *expected = xb_text_of(r, item, "Expected");
  const uint32_t index = xb_find_buffer(r->pair, actual);
  if (index == r->pair->buffer_count || r->pair->buffers[index].access == XB_PAIR_IN) {
    xb_refuse_value(r, "Actual", "'%s' is not a buffer that is written", actual);
    return;
  }
  xb_pair_buffer *b = &r->pair->buffers[index];
  read_valid(r, item, index);
  const json_t *untouched = json_object_get(item, "Untouched");
  if (untouched && (!json_is_boolean(untouched) || b->access != XB_PAIR_OUT))
    xb_refuse_value(r, "Untouched", "expected true or false, only for a buffer whose access is out");
  b->untouched = json_is_true(untouched);
  const xb_pair_rule rule = (xb_pair_rule)xb_choice_of(r, item, "Rule", rules);
  const char *key = rule == XB_PAIR_ULP ? "ULPT" : "Epsilon";
  const json_t *limit = json_object_get(item, key);
  if (rule != XB_PAIR_EXACT && (!json_is_number(limit) || json_number_value(limit) < 0))
    xb_refuse_value(r, key, "expected a number, 0 or more");
  if (json_object_get(item, "Rule") && !r->code) {
    b->rule = rule;
    b->limit = json_number_value(limit);
  }
  const char *path = expected ? xb_keep(r, "%s%s", xb_is_absolute(expected) ? "" : r->m->folder, expected) : NULL;
  xb_error mistake;
  if (path && !r->code && xb_npy_read(path, &b->element, &r->pair->arena, &b->expected, &mistake))
    xb_refuse_file(r, &mistake);
}
