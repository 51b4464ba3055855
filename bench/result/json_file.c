#include "result/json_file.h"

#include "base/safe_text.h"
#include "base/whole_file.h"
#include "os/written_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Before parsing --------------------------------------------------------------------------------------------- */

static size_t string_end(const char *bytes, size_t count, size_t at)
{
  for (at++; at < count && bytes[at] != '"'; at++)
    at += bytes[at] == '\\';
  return at;
}

/* One pass over the text, because a small file can need much memory, and a deep one much stack. */
static xb_code check_counts(const char *where, const char *bytes, size_t count, xb_error *err)
{
  size_t values = 1, containers = 0, depth = 0, deepest = 0;
  for (size_t i = 0; i < count; i++) {
    const char c = bytes[i];
    const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    if (c == '"')
      i = string_end(bytes, count, i);
    containers += opens;
    values += opens || c == ',' || c == ':';
    depth = depth + opens - (closes && depth);
    deepest = depth > deepest ? depth : deepest;
  }
  if (values > XB_MAX_DOCUMENT_VALUES || containers > XB_MAX_DOCUMENT_CONTAINERS)
    return xb_fail(err, XB_INVALID, where,
                   "has more than %d values, or more than %d objects and lists: put less into one file",
                   XB_MAX_DOCUMENT_VALUES, XB_MAX_DOCUMENT_CONTAINERS);
  return deepest <= XB_MAX_DOCUMENT_DEPTH
             ? XB_OK
             : xb_fail(err, XB_INVALID, where, "nests objects and lists more than %d deep", XB_MAX_DOCUMENT_DEPTH);
}

/* The program that unpacks a file with these first bytes; NULL: it is not packed. */
static const char *unpacked_by(const char *bytes, size_t count)
{
  static const char xz[] = "\xfd"
                           "7zXZ",
                    gzip[] = "\x1f\x8b";
  return count > strlen(xz) && !memcmp(bytes, xz, strlen(xz))         ? "xz"
         : count > strlen(gzip) && !memcmp(bytes, gzip, strlen(gzip)) ? "gzip"
                                                                      : NULL;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

xb_code xb_json_parse(const char *where, const char *bytes, size_t count, json_t **root, xb_error *err)
{
  json_error_t error;
  char text[160], safe[256];
  const char *unpack = unpacked_by(bytes, count);
  xb_safe_text(where, safe, sizeof safe);
  *root = NULL;
  const xb_code code = unpack ? xb_fail(err, XB_INVALID, safe, "is compressed: unpack it first, with '%s -dk'", unpack)
                       : !count ? xb_fail(err, XB_INVALID, safe, "is empty: it is incomplete, or of another kind")
                                : check_counts(safe, bytes, count, err);
  if (code)
    return code;
  *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
  if (xb_json_ran_out()) { /* a text may then lack characters */
    json_decref(*root);
    *root = NULL;
    return xb_fail(err, XB_NOMEM, safe, "out of host memory");
  }
  if (*root)
    return XB_OK;
  return xb_fail(err, XB_INVALID, safe,
                 "is not valid JSON, line %d, column %d: %s: the file is damaged, incomplete, or of another kind",
                 error.line, error.column, xb_safe_text(error.text, text, sizeof text));
}

xb_code xb_json_load(const char *path, json_t **root, xb_error *err)
{
  char *bytes;
  size_t count;
  xb_arena arena = {0};
  *root = NULL;
  xb_code code = xb_read_whole_file(path, &arena, &bytes, &count, err);
  code = code ? code : xb_json_parse(path, bytes, count, root, err);
  xb_arena_free(&arena);
  return code;
}

xb_code xb_json_write(const char *path, const json_t *root, size_t flags, xb_error *err)
{
  char *text = root && !xb_json_ran_out() ? json_dumps(root, flags) : NULL;
  size_t bytes = text ? strlen(text) : 0;
  if (text && !(flags & JSON_COMPACT))
    text[bytes++] = '\n'; /* in place of the end */
  const bool good = text && xb_write_whole_file(path, text, bytes);
  const xb_code code = text ? XB_INVALID : XB_NOMEM;
  const int error = text ? errno : ENOMEM;
  free(text);
  return good ? XB_OK : xb_fail(err, code, path, "cannot be written: %s", strerror(error));
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static bool ran_out;

static void *take(size_t bytes)
{
  void *memory = malloc(bytes);
  ran_out |= !memory;
  return memory;
}

void xb_json_watch_memory(void)
{
  json_set_alloc_funcs(take, free);
}

bool xb_json_ran_out(void)
{
  const bool result = ran_out;
  ran_out = false;
  return result;
}
