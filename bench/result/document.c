#include "result/document.h"
#include "base/safe_text.h"
#include "base/whole_file.h"
#include "result/fields.h"
#include "result/json_file.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

static const char SCHEMA[] = "xbench/2", OLDEST[] = "xbench/1";

/* The document and its memory. */
typedef struct loaded {
  xb_document document; /* first: callers get a pointer to it */
  xb_arena arena;
} loaded;

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
  xb_code code = xb_json_parse(r.where, bytes, count, &root, err);
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
  char *bytes;
  size_t count;
  xb_arena arena = {0};
  *document = NULL;
  xb_code code = xb_read_whole_file(path, &arena, &bytes, &count, err);
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
