#include "result/document.h"
#include "base/safe_text.h"
#include "base/whole_file.h"
#include "result/fields.h"
#include "result/json_memory.h"
#include "version.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SCHEMA[] = "xbench/2", OLDEST[] = "xbench/1";

/* The document and its memory. */
typedef struct loaded {
  xb_document document; /* first: callers get a pointer to it */
  xb_arena arena;
} loaded;

/* ---- The file --------------------------------------------------------------------------------------------------- */

static xb_code check_kind(const struct stat *status, const char *where, xb_error *err)
{
  if (S_ISDIR(status->st_mode))
    return xb_fail(err, XB_INVALID, where, "is a directory: name a file in it");
  if (!S_ISREG(status->st_mode))
    return xb_fail(err, XB_INVALID, where, "is not a regular file: save its content to a file, and name that");
  if (!status->st_size)
    return xb_fail(err, XB_INVALID, where, "is empty");
  if ((unsigned long long)status->st_size > XB_MAX_DOCUMENT_BYTES)
    return xb_fail(err, XB_INVALID, where, "has %llu bytes, but at most %d are supported: run fewer cells per file",
                   (unsigned long long)status->st_size, XB_MAX_DOCUMENT_BYTES);
  return XB_OK;
}

/* Only the bytes that existed when the file was opened: a file that is being written is still the old document, or not
 * yet one. */
static xb_code read_file(const char *path, const char *where, xb_arena *arena, char **bytes, size_t *count,
                         xb_error *err)
{
  struct stat status;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO without a writer would block */
  xb_code code = fd < 0 || fstat(fd, &status) ? XB_OK : check_kind(&status, where, err);
  code = code ? code : xb_read_open_file(fd, where, arena, bytes, count, err); /* also says why it is not open */
  if (fd >= 0)
    close(fd);
  return code;
}

/* ---- Before parsing --------------------------------------------------------------------------------------------- */

/* Counts possible values in one pass, because a small file can need much memory. It also counts characters inside
 * strings, which only makes the limit stricter. */
static xb_code check_counts(xb_reader *r, const char *bytes, size_t count)
{
  size_t values = 1, containers = 0;
  for (size_t i = 0; i < count; i++) {
    const bool opens = bytes[i] == '{' || bytes[i] == '[';
    containers += opens;
    values += opens || bytes[i] == ',' || bytes[i] == ':';
  }
  if (values <= XB_MAX_DOCUMENT_VALUES && containers <= XB_MAX_DOCUMENT_CONTAINERS)
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->where,
                 "has more than %d values, or more than %d objects and lists: run fewer cells per file",
                 XB_MAX_DOCUMENT_VALUES, XB_MAX_DOCUMENT_CONTAINERS);
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

static xb_code parse_json(xb_reader *r, const char *bytes, size_t count, json_t **root)
{
  json_error_t error;
  char text[160];
  const char *unpack = unpacked_by(bytes, count);
  if (unpack)
    return xb_fail(r->err, XB_INVALID, r->where, "is compressed: unpack it first, with '%s -dk'", unpack);
  *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
  if (xb_json_ran_out()) /* a text may then lack characters */
    return xb_reader_nomem(r);
  if (*root)
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->where,
                 "is not valid JSON, line %d, column %d: %s: the file is damaged, incomplete, or of another kind",
                 error.line, error.column, xb_safe_text(error.text, text, sizeof text));
}

static xb_code check_schema(xb_reader *r, const json_t *root)
{
  char text[64];
  const char *schema = json_string_value(json_object_get(root, "schema"));
  if (schema && (!strcmp(schema, SCHEMA) || !strcmp(schema, OLDEST)))
    return XB_OK;
  if (schema && !strncmp(schema, "xbench/", 7))
    return xb_fail(r->err, XB_INVALID, r->where,
                   "is of version '%s', but xbench " XB_VERSION " reads '%s' and '%s': read it with the xbench that "
                   "wrote it, or a newer one",
                   xb_safe_text(schema, text, sizeof text), OLDEST, SCHEMA);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "is not a result document: it does not begin with {\"schema\": \"%s\"; 'xbench --json FILE' "
                 "writes such files",
                 SCHEMA);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err)
{
  char where[256];
  json_t *root = NULL;
  *document = NULL;
  loaded *l = calloc(1, sizeof *l);
  xb_reader r = {.where = xb_safe_text(path, where, sizeof where), .err = err};
  if (!l)
    return xb_reader_nomem(&r);
  r.arena = &l->arena;
  xb_code code = check_counts(&r, bytes, count);
  code = code ? code : parse_json(&r, bytes, count, &root);
  code = code ? code : check_schema(&r, root);
  code = code ? code : xb_read_fields(&r, root, &xb_document_fields, &l->document);
  code = code ? code : xb_check_document(&r, &l->document);
  if (!code && !(l->document.path = xb_arena_text(r.arena, "%s", path)))
    code = xb_reader_nomem(&r);
  json_decref(root);
  if (code)
    xb_document_free(&l->document);
  else
    *document = &l->document;
  return code;
}

xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err)
{
  char where[256], *bytes;
  size_t count;
  xb_arena arena = {0};
  *document = NULL;
  xb_safe_text(path, where, sizeof where);
  xb_code code = read_file(path, where, &arena, &bytes, &count, err);
  code = code ? code : xb_document_parse(path, bytes, count, document, err);
  xb_arena_free(&arena);
  return code;
}

void xb_document_free(const xb_document *document)
{
  if (!document)
    return;
  loaded *l = (loaded *)document;
  xb_arena_free(&l->arena);
  free(l);
}
