#include "pair/read.h"

#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/word_list.h"
#include "pair/numbers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- The line of a value, in a text that was parsed before ------------------------------------------------------ */

typedef struct search {
  const char *target, *found;
  char path[256]; /* of the value at hand */
} search;

static const char *skip(const char *p, const char *characters)
{
  return p + strspn(p, characters);
}

/* The end of the string that begins at `p`. */
static const char *skip_string(const char *p)
{
  for (p++; *p && *p != '"'; p++)
    p += *p == '\\' && p[1];
  return *p ? p + 1 : p;
}

static const char *value(search *s, const char *p)
{
  const char open = *p;
  const size_t length = strlen(s->path);
  if (!strcmp(s->path, s->target))
    s->found = p;
  if (open == '"')
    return skip_string(p);
  if (open != '{' && open != '[')
    return p + strcspn(p, ",]} \t\r\n");
  p = skip(p + 1, " \t\r\n");
  for (int i = 0; *p && *p != '}' && *p != ']'; i++) {
    const char *key = p;
    if (open == '{') {
      p = skip(skip_string(p), " \t\r\n:");
      snprintf(s->path + length, sizeof s->path - length, "%s%.*s", length ? "." : "", (int)strcspn(key + 1, "\""),
               key + 1);
    } else {
      snprintf(s->path + length, sizeof s->path - length, "[%d]", i);
    }
    p = skip(value(s, p), " \t\r\n,");
    s->path[length] = 0;
  }
  return *p ? p + 1 : p;
}

int xb_pair_line(const char *text, const char *path)
{
  search s = {.target = path};
  int line = 1;
  value(&s, skip(text, " \t\r\n"));
  for (const char *p = text; s.found && p < s.found; p++)
    line += *p == '\n';
  return s.found ? line : 0;
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

void xb_refuse_value(xb_manifest_reader *r, const char *key, const char *format, ...)
{
  char text[600], safe[600], path[300], where[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(path, sizeof path, "%s%s%s", r->path, *r->path && key ? "." : "", key ? key : "");
  int line = r->m->text ? xb_pair_line(r->m->text, path) : 0;
  const char *common = strncmp(path, "Sides[", 6) != 0 || line ? NULL : strstr(path, "].Shaders");
  if (common) { /* a side has it from the pair */
    memmove(path, common + 2, strlen(common + 2) + 1);
    line = r->m->text ? xb_pair_line(r->m->text, path) : 0;
  }
  snprintf(where, sizeof where, "%s%s%.0d%s%s", r->m->where, line ? ":" : "", line, *path ? ": " : "", path);
  if (!r->code)
    r->code = xb_fail(r->err, XB_INVALID, where, "%s", xb_safe_text(text, safe, sizeof safe));
}

void xb_refuse_file(xb_manifest_reader *r, const xb_error *mistake)
{
  if (r->file.code)
    xb_report_error(0, "%s", r->file.message);
  r->file = *mistake;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

const char *xb_kept(xb_manifest_reader *r, const char *text)
{
  if (!text && !r->code)
    r->code = xb_fail(r->err, XB_NOMEM, r->m->where, "out of host memory");
  return text ? text : "";
}

const char *xb_text_of(xb_manifest_reader *r, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  char number[32];
  if (!value)
    return NULL;
  if (json_is_integer(value) && json_integer_value(value) >= 0)
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
  else if (!json_is_string(value)) {
    xb_refuse_value(r, key, "expected a text or a whole number");
    return "";
  }
  const char *text = json_is_string(value) ? json_string_value(value) : number;
  if (!strcmp(text, "?"))
    xb_unknown_value(r, key);
  return xb_keep(r, "%s", text);
}

/* All arguments without a value: "--arg a=NUMBER --arg w=NUMBER,NUMBER,NUMBER". */
static void list_unknown(json_t *arguments, char text[240])
{
  const char *name;
  json_t *value;
  *text = 0;
  json_object_foreach(arguments, name, value)
  {
    const json_t *first = json_is_array(value) ? json_array_get(value, 0) : value;
    if (!json_is_string(first) || strcmp(json_string_value(first), "?") != 0)
      continue;
    for (size_t i = 0; !i || i < json_array_size(value); i++) {
      const size_t at = strlen(text);
      snprintf(text + at, 240 - at, "%s%s%s",
               i    ? ","
               : at ? " --arg "
                    : "--arg ",
               i ? "" : name, i ? "NUMBER" : "=NUMBER");
    }
  }
}

const char *xb_pair_structs(const xb_pair *pair, uint32_t kernel, char text[240])
{
  *text = 0;
  for (uint32_t s = 0; s < pair->side_count && !*text; s++) {
    const xb_reflection *r = &pair->sides[s].codes[kernel].reflection;
    for (size_t i = 0; i < r->count; i++) {
      const xb_code_parameter *p = &r->parameters[i];
      const size_t at = strlen(text);
      char members[160];
      if (p->is_buffer || !p->name || !p->element.member_count || !p->element.members[0].name)
        continue;
      xb_describe_members(&p->element, members, sizeof members);
      snprintf(text + at, 240 - at, "; %s is a struct, its members are arguments: %s", p->name, members);
    }
  }
  return text;
}

void xb_unknown_value(xb_manifest_reader *r, const char *key)
{
  unsigned i, s, k;
  char unknown[240], structs[240];
  const bool words = !r->m->text, buffer = words && sscanf(r->path, "Buffers[%u]", &i) == 1;
  const char *name = json_string_value(
      json_object_get(buffer ? json_array_get(json_object_get(r->m->root, "Buffers"), i) : NULL, "Name"));
  if (name)
    xb_refuse_value(r, key,
                    "the access of '%s' is unknown: give --in %s, --out %s or --inout %s, or a manifest (--init)", name,
                    name, name, name);
  else if (words && key && !strncmp(key, "Arguments.", 10) && sscanf(r->path, "Sides[%u].Shaders[%u]", &s, &k) == 2 &&
           k < XB_PAIR_KERNELS) {
    const json_t *shaders = json_object_get(json_array_get(json_object_get(r->m->root, "Sides"), s), "Shaders");
    list_unknown(json_object_get(json_array_get(shaders, k), "Arguments"), unknown);
    xb_refuse_value(r, key, "unknown value: give %s, or a manifest (--init)%s", unknown,
                    xb_pair_structs(r->pair, k, structs));
  } else
    xb_refuse_value(r, key, "unknown value: fill it in");
}

const char *xb_needed_text(xb_manifest_reader *r, const json_t *object, const char *key)
{
  const char *text = xb_text_of(r, object, key);
  if (!text)
    xb_refuse_value(r, key, "is missing");
  return text ? text : "";
}

int xb_choice_of(xb_manifest_reader *r, const json_t *object, const char *key, const char *const *words)
{
  const char *text = xb_text_of(r, object, key);
  char all[200];
  int i = 0, count = 0;
  if (!text)
    return 0;
  while (words[i] && strcmp(text, words[i]) != 0)
    i++;
  if (words[i])
    return i;
  for (*all = 0; words[count]; count++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
             !count             ? ""
             : words[count + 1] ? ", "
                                : " or ",
             words[count]);
  xb_refuse_value(r, key, "'%s': expected %s", text, all);
  return 0;
}

uint32_t xb_count_of(xb_manifest_reader *r, const json_t *object, const char *key, uint32_t most)
{
  const json_t *value = json_object_get(object, key);
  const json_int_t count = json_integer_value(value);
  if (value && (!json_is_integer(value) || count < 0 || count > most))
    xb_refuse_value(r, key, "expected a whole number, at most %u", most);
  return value ? (uint32_t)count : 0;
}

void xb_check_keys(xb_manifest_reader *r, const json_t *object, const char *known)
{
  const char *key;
  json_t *value;
  if (!json_is_object(object)) {
    xb_refuse_value(r, NULL, "expected an object");
    return;
  }
  json_object_foreach((json_t *)(uintptr_t)object, key, value)
  {
    if (!xb_is_listed(known, key, strlen(key)))
      xb_refuse_value(r, key, "unknown key; expected one of: %s", known);
  }
}

void xb_each(xb_manifest_reader *r, const json_t *object, const char *key, size_t most, xb_read_item *read, void *user)
{
  const json_t *list = json_object_get(object, key);
  const size_t length = strlen(r->path);
  if (list && !json_is_array(list))
    xb_refuse_value(r, key, "expected a list");
  else if (json_array_size(list) > most)
    xb_refuse_value(r, key, "has more than %zu items", most);
  for (size_t i = 0; i < json_array_size(list) && !r->code; i++) {
    snprintf(r->path + length, sizeof r->path - length, "%s%s[%zu]", length ? "." : "", key, i);
    read(r, json_array_get(list, i), (uint32_t)i, user);
    r->path[length] = 0;
  }
}

void xb_read_word(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char **words = user;
  if (!json_is_string(item))
    xb_refuse_value(r, NULL, "expected a text");
  else
    words[i] = xb_keep(r, "%s", json_string_value(item));
}

uint32_t xb_find_buffer(const xb_pair *pair, const char *name)
{
  uint32_t i = 0;
  while (i < pair->buffer_count && strcmp(pair->buffers[i].name, name) != 0)
    i++;
  return i;
}
