/* Two documents of `xbench isa`, held against each other: exactly, as a compiler has no noise. */
#include "isa/isa.h"

#include "base/exit_codes.h"
#include "formats/formats.h"
#include "result/fields.h"
#include "result/json_file.h"

#include <string.h>

const char xb_isa_schema[] = "xbench-isa/2";

typedef struct comparison {
  size_t same, worse, better, other;
  size_t hashed, rewritten; /* kernels whose code is known, and of them those whose code changed */
  json_t *changes;
} comparison;

/* xbench-isa/1 had for AMD the scratch memory of a wave, and from gfx10 on, waves of 64 counted twice. Where the GPU is
 * not named, its waves cannot be told. */
static void renew(json_t *row)
{
  enum { SMALLEST = 32 };
  const char *gpu = xb_isa_text(row, "for");
  const json_int_t wave = json_integer_value(json_object_get(row, "wave"));
  json_t *waves = json_object_get(row, "waves_per_simd"), *bytes = json_object_get(row, "spill_bytes");
  if (!waves || wave < SMALLEST)
    return;
  json_integer_set(bytes, json_integer_value(bytes) / wave);
  if (strncmp(gpu, "gfx", 3) != 0)
    json_object_del(row, "waves_per_simd");
  else if (strlen(gpu) > strlen("gfx900"))
    json_integer_set(waves, json_integer_value(waves) * SMALLEST / wave);
}

static const xb_fields row_fields = XB_CHECKED_FIELDS(
    XB_CHECKED("kernel", TEXT, NEEDED), XB_CHECKED("part", TEXT, NEEDED), XB_CHECKED("dtype", TEXT, NEEDED),
    XB_CHECKED("group", COUNT, NEEDED), XB_CHECKED("default", FLAG, NEEDED), XB_CHECKED("at", TEXT, NEEDED),
    XB_CHECKED("for", TEXT, NEEDED), XB_CHECKED("api", TEXT, NEEDED), XB_CHECKED("driver", TEXT, NEEDED),
    XB_CHECKED("error", TEXT, OPTIONAL), XB_CHECKED("lacks", FLAG, OPTIONAL), XB_CHECKED("wave", KNOWN, OPTIONAL),
    XB_CHECKED("registers", COUNT, OPTIONAL), XB_CHECKED("scalar_registers", COUNT, OPTIONAL),
    XB_CHECKED("spill_bytes", COUNT, OPTIONAL), XB_CHECKED("spilled_registers", COUNT, OPTIONAL),
    XB_CHECKED("shared_bytes", COUNT, OPTIONAL), XB_CHECKED("spilled_scalars", COUNT, OPTIONAL),
    XB_CHECKED("code_bytes", COUNT, OPTIONAL), XB_CHECKED("instructions", COUNT, OPTIONAL),
    XB_CHECKED("waves_per_simd", COUNT, OPTIONAL), XB_CHECKED("groups", COUNT, OPTIONAL),
    XB_CHECKED("code_hash", TEXT, OPTIONAL), XB_CHECKED("no_text", TEXT, OPTIONAL));

static const char *key_of(const json_t *row, char key[320])
{
  char name[256];
  snprintf(key, 320, "%s for %s", xb_isa_name(row, name), xb_isa_text(row, "for"));
  return key;
}

static xb_code check_rows(const char *path, const json_t *rows, xb_error *err)
{
  json_t *known = json_object(), *row;
  size_t i;
  char key[320];
  xb_code code = json_is_array(rows) ? xb_check_objects(path, "rows", rows, &row_fields, err)
                                     : xb_fail(err, XB_INVALID, path, "rows: expected a list");
  json_array_foreach(rows, i, row)
  {
    const json_t *text = json_object_get(row, "text");
    if (!code && text && !json_is_string(text))
      code = xb_fail(err, XB_INVALID, path, "rows[%zu].text: expected text", i);
    if (!code && json_object_get(known, key_of(row, key)))
      code = xb_fail(err, XB_INVALID, path, "rows[%zu]: %s is listed twice", i, key);
    json_object_set_new(known, key, json_null());
  }
  json_decref(known);
  return code;
}

static int version_of(const json_t *root)
{
  const char *schema = xb_isa_text(root, "schema");
  return !strcmp(schema, xb_isa_schema) ? 2 : !strcmp(schema, "xbench-isa/1");
}

xb_code xb_isa_load(const char *path, json_t **rows, xb_error *err)
{
  json_t *root, *row;
  size_t i;
  *rows = NULL;
  xb_code code = xb_json_load(path, &root, err);
  const int version = version_of(root);
  if (!code && !version)
    code = xb_fail(err, XB_INVALID, path, "was not written by 'xbench isa --json'");
  code = code ? code : check_rows(path, json_object_get(root, "rows"), err);
  *rows = code ? NULL : json_incref(json_object_get(root, "rows"));
  json_decref(root);
  if (version == 1)
    json_array_foreach(*rows, i, row) renew(row);
  return code;
}

bool xb_isa_is_document(const char *path)
{
  json_t *root;
  const bool is = !xb_json_load(path, &root, NULL) && version_of(root);
  json_decref(root);
  return is;
}

static json_t *with_keys(const json_t *rows)
{
  json_t *by_key = json_object(), *row;
  size_t i;
  char key[320];
  json_array_foreach(rows, i, row) json_object_set(by_key, key_of(row, key), row);
  return by_key;
}

/* `verdict`: "worse", "better", "other". Prints a line, and keeps it. */
static void add(comparison *c, const char *key, const char *verdict, const char *what)
{
  printf("%-7s %s: %s\n", verdict, key, what);
  json_array_append_new(c->changes, json_pack("{s:s, s:s, s:s}", "kernel", key, "verdict", verdict, "what", what));
  *(!strcmp(verdict, "worse") ? &c->worse : !strcmp(verdict, "better") ? &c->better : &c->other) += 1;
}

static void compare_row(comparison *c, const char *key, const json_t *base, const json_t *now)
{
  const size_t before = json_array_size(c->changes);
  const char *was = xb_isa_text(base, "error"), *is = xb_isa_text(now, "error");
  char what[512];
  if (*is && !*was) {
    snprintf(what, sizeof what, "is refused: %s", is);
    add(c, key, "worse", what);
  } else if (*was && !*is)
    add(c, key, "better", "compiles");
  for (size_t i = 0; !*was && !*is && xb_isa_facts[i].key; i++) {
    const json_t *old = json_object_get(base, xb_isa_facts[i].key), *new = json_object_get(now, xb_isa_facts[i].key);
    const json_int_t a = json_integer_value(old), b = json_integer_value(new);
    if (!old || !new || a == b)
      continue;
    snprintf(what, sizeof what, "%" JSON_INTEGER_FORMAT " %s, before %" JSON_INTEGER_FORMAT, b, xb_isa_facts[i].name,
             a);
    add(c, key, !xb_isa_facts[i].worse ? "other" : (b > a) == (xb_isa_facts[i].worse > 0) ? "worse" : "better", what);
  }
  const char *hash = xb_isa_text(base, "code_hash"), *new_hash = xb_isa_text(now, "code_hash");
  const bool other = *hash && *new_hash && strcmp(hash, new_hash) != 0;
  c->hashed += *hash && *new_hash;
  c->rewritten += other;
  if (other && json_array_size(c->changes) == before)
    add(c, key, "other", "different code with the same counts");
  c->same += json_array_size(c->changes) == before;
}

/* Another compiler makes other code of the same kernel. */
static int check_compilers(const json_t *base, const json_t *now)
{
  const char *key;
  json_t *row;
  json_object_foreach((json_t *)base, key, row)
  {
    const json_t *other = json_object_get(now, key);
    if (other && strcmp(xb_isa_text(row, "driver"), xb_isa_text(other, "driver")) != 0)
      return xb_report_error(XB_EXIT_USAGE,
                             "diff: other compilers of %s (base: %s; new: %s); compare anyway with --force", key,
                             xb_isa_text(row, "driver"), xb_isa_text(other, "driver"));
  }
  return -1;
}

static int compare(const json_t *base, const json_t *now, bool force, xb_output *json)
{
  const char *key;
  json_t *row;
  size_t common = 0;
  const int code = force ? -1 : check_compilers(base, now);
  if (code >= 0)
    return code;
  comparison c = {.changes = json_array()};
  json_object_foreach((json_t *)base, key, row)
  {
    const json_t *other = json_object_get(now, key);
    common += other != NULL;
    if (other)
      compare_row(&c, key, row, other);
    else
      add(&c, key, "worse", "is not in the new file");
  }
  json_object_foreach((json_t *)now, key, row) if (!json_object_get(base, key))
      add(&c, key, "other", "is not in the base");
  printf("%zu kernels compared: %zu the same; changes: %zu worse, %zu better, %zu other\n", common, c.same, c.worse,
         c.better, c.other);
  if (c.hashed)
    printf("the code of %zu of %zu kernels changed\n", c.rewritten, c.hashed);
  json_t *root = json_pack("{s:s, s:o, s:I, s:I}", "schema", "xbench-isa-diff/1", "changes", c.changes, "same",
                           (json_int_t)c.same, "worse", (json_int_t)c.worse);
  if (json->file)
    xb_output_json(json, root, JSON_INDENT(1));
  else
    json_decref(root);
  if (!common)
    return xb_report_error(XB_EXIT_USAGE,
                           "diff: the files have no kernel in common: compile both with the same arguments");
  return c.worse ? xb_report_error(XB_EXIT_REGRESSION, "diff: %zu changes for the worse", c.worse) : XB_EXIT_OK;
}

int xb_isa_diff(const char *base, const char *now, bool force, xb_output *json)
{
  json_t *old, *new = NULL;
  xb_error error;
  xb_code failed = xb_isa_load(base, &old, &error);
  failed = failed ? failed : xb_isa_load(now, &new, &error);
  int code = xb_report_refusal(failed, &error);
  if (code < 0) {
    json_t *a = with_keys(old), *b = with_keys(new);
    code = compare(a, b, force, json);
    json_decref(a);
    json_decref(b);
  }
  json_decref(old);
  json_decref(new);
  return code;
}
