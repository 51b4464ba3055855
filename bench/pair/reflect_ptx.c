/* PTX tells the sizes of parameters. */
#include "base/word_list.h"
#include "pair/cuda_source.h"
#include "pair/numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The name of the next entry; `at` is moved behind it. */
static const char *next_entry(const char **at, xb_arena *arena)
{
  const char *p = strstr(*at, ".entry ");
  if (!p)
    return NULL;
  p += strlen(".entry ");
  *at = p + strcspn(p, "( \t\n");
  return xb_arena_text(arena, "%.*s", (int)(*at - p), p);
}

/* The text behind ".entry NAME(" of the only match. */
static const char *find_entry(const char *where, const char *code, const char *entry, xb_arena *arena,
                              const char **name, xb_error *err)
{
  const char *found = NULL, *question = NULL;
  char all[300] = "", near[300] = "";
  size_t count = 0;
  const char *base = xb_cuda_base_name(entry, arena);
  for (const char *p = code, *here; !question && (here = next_entry(&p, arena));)
    question = xb_is_question(here) ? here : NULL;
  for (const char *p = code, *here; (here = next_entry(&p, arena));) {
    if (xb_is_question(here))
      continue;
    if (question
            ? xb_is_answer(question, here, arena)
            : !entry || !strcmp(here, entry) || !strcmp(xb_cuda_base_name(xb_demangle(here, arena), arena), entry)) {
      found = p;
      *name = here;
      count++;
    }
    xb_add_listed(all, sizeof all, xb_demangle(here, arena));
    if (*base && strstr(here, base))
      xb_add_listed(near, sizeof near, xb_demangle(here, arena));
  }
  if (count == 1)
    return found;
  xb_fail(err, XB_INVALID, where, "%s%s%s; the code has: %s",
          !entry  ? "name one entry point, or several with commas between"
          : count ? "more than one kernel is named '"
                  : "there is no entry point '",
          entry ? entry : "", entry ? "'" : "",
          *near  ? near
          : *all ? all
                 : "none: a template is a kernel only with its arguments, as in 'kernel<256, float>'");
  return NULL;
}

/* ".param .align 8 .b8 name[16]", ".param .f32 name" */
static void read_parameter(const char *text, size_t length, xb_reflection *r)
{
  const char *end = text + length, *align_at = strstr(text, ".align "), *bracket = memchr(text, '[', length);
  const char *type = text;
  xb_code_parameter *p = &r->parameters[r->count++];
  for (const char *t = text; (t = strstr(t, " .")) && t < end; t += 2)
    if (strspn(t + 2, "busf") == 1 && isdigit((unsigned char)t[3]))
      type = t + 2;
  const uint32_t bytes = (uint32_t)strtoul(type + 1, NULL, 10) / 8;
  const uint32_t count = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 1;
  const bool aligned = align_at && align_at < end && bracket;
  const uint32_t align = aligned ? (uint32_t)strtoul(align_at + 7, NULL, 10) : bytes;
  *p = (xb_code_parameter){.offset = (r->value_bytes + align - 1) / (align ? align : 1) * align};
  p->element.bytes = bytes * count;
  p->element.members[0].count = 1;
  p->element.member_count =
      !bracket && xb_dtype_of(*type == 'f' ? "float" : "int", bytes, &p->element.members[0].dtype);
  r->value_bytes = p->offset + p->element.bytes;
}

xb_code xb_reflect_ptx(const char *where, const char *code, const char *entry, xb_arena *arena,
                       xb_reflection *reflection, xb_error *err)
{
  *reflection = (xb_reflection){0};
  if (!strstr(code, ".version"))
    return xb_fail(err, XB_INVALID, where, "is no PTX");
  const char *p = find_entry(where, code, entry, arena, &reflection->entry, err);
  if (!p)
    return XB_INVALID;
  reflection->parameters = xb_arena_take(arena, XB_MAX_ARG_BYTES + 1, sizeof *reflection->parameters);
  if (!reflection->parameters)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  const char *end = p + strcspn(p, ")");
  while ((p = strstr(p, ".param")) && p < end && reflection->count < XB_MAX_ARG_BYTES) {
    const size_t length = strcspn(p, ",)");
    read_parameter(p, length, reflection);
    p += length;
  }
  return XB_OK;
}
