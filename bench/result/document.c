#include "result/document.h"
#include "result/check.h"
#include "result/fields.h"
#include "result/file.h"
#include "safe_text.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

static const char SCHEMA[] = "xbench/2", OLDEST[] = "xbench/1";

/* The document with what it owns. */
typedef struct loaded {
  xb_document document; /* first: what callers see is this */
  xb_arena arena;
} loaded;

/* ---- Before it is parsed ---------------------------------------------------------------------------------------- */

/* Counts what could become values, in one pass: a small file can stand for a lot of memory. Inside strings it counts
 * too much, which is on the safe side. */
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
                 "holds more than %d values, or more than %d objects and lists: run fewer "
                 "cells a file",
                 XB_MAX_DOCUMENT_VALUES, XB_MAX_DOCUMENT_CONTAINERS);
}

static xb_code parse_json(xb_reader *r, const char *bytes, size_t count, json_t **root)
{
  json_error_t error;
  char text[160];
  *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
  if (*root)
    return XB_OK;
  if (json_error_code(&error) == json_error_out_of_memory)
    return xb_reader_nomem(r);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "no valid JSON, line %d, column %d: %s: the file was damaged, or cut "
                 "short, or is something else",
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
                   "is of version '%s', and xbench " XB_VERSION " reads '%s' and '%s': read it with "
                   "the xbench that wrote it, or a newer one",
                   xb_safe_text(schema, text, sizeof text), OLDEST, SCHEMA);
  return xb_fail(r->err, XB_INVALID, r->where,
                 "is no result document: it does not begin with {\"schema\": \"%s\"; such "
                 "files come from 'xbench --json FILE'",
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
  if (!code)
    code = parse_json(&r, bytes, count, &root);
  if (!code)
    code = check_schema(&r, root);
  if (!code)
    code = xb_read_fields(&r, root, &xb_document_fields, &l->document);
  if (!code)
    code = xb_check_document(&r, &l->document);
  if (!code && !(l->document.path = xb_arena_copy(r.arena, path, strlen(path))))
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
  *document = NULL;
  xb_safe_text(path, where, sizeof where);
  xb_code code = xb_read_file(path, where, XB_MAX_DOCUMENT_BYTES, &bytes, &count, err);
  if (!code)
    code = xb_document_parse(path, bytes, count, document, err);
  free(bytes);
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
