#include "pair/cuda_source.h"

#include "pair/numbers.h"
#include "source/values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------ */

typedef struct c_type {
  const char *name;
  xb_dtype dtype;
} c_type;

static const c_type c_types[] = {
    {"float", XB_FLOAT32},    {"double", XB_FLOAT64},
    {"__half", XB_FLOAT16},   {"half", XB_FLOAT16},
    {"bool", XB_UINT8},       {"int", XB_INT32},
    {"unsigned", XB_UINT32},  {"unsigned int", XB_UINT32},
    {"uint", XB_UINT32},      {"char", XB_INT8},
    {"signed char", XB_INT8}, {"unsigned char", XB_UINT8},
    {"short", XB_INT16},      {"unsigned short", XB_UINT16},
    {"long long", XB_INT64},  {"unsigned long long", XB_UINT64},
    {"long", XB_INT64},       {"unsigned long", XB_UINT64},
    {"size_t", XB_UINT64},    {"longlong", XB_INT64},
    {"ulonglong", XB_UINT64}, {"uchar", XB_UINT8},
    {"ushort", XB_UINT16},    {"ulong", XB_UINT64},
};

bool xb_cuda_type(const char *name, size_t length, xb_member *member)
{
  for (size_t i = length; i-- > 0;)
    if (name[i] == ':') { /* std::int64_t */
      name += i + 1;
      length -= i + 1;
      break;
    }
  const char last = length ? name[length - 1] : 0;
  *member = (xb_member){.count = 1};
  for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
    if (strlen(c_types[i].name) == length && !strncmp(name, c_types[i].name, length)) {
      member->dtype = c_types[i].dtype;
      return true;
    }
  if (length > 2 && !strncmp(name + length - 2, "_t", 2) && xb_dtype_find(name, length - 2, &member->dtype))
    return true; /* int32_t */
  if (length == 4 && !strncmp(name, "dim3", 4))
    return xb_cuda_type("uint3", 5, member);
  if (last < '1' || last > '4' || length < 4 || !xb_cuda_type(name, length - 1, member))
    return false;
  member->count = (uint32_t)(last - '0');
  return member->count == 1 || !isdigit((unsigned char)name[length - 2]);
}

/* ---- Structs ---------------------------------------------------------------------------------------------------- */

typedef struct reading {
  const xb_tokens *t;
  xb_arena *arena;
  int depth;
} reading;

static bool read_type(const reading *r, const char *type, xb_element *element, uint32_t *align);

/* Adds a word; one that has no room is left out. */
static void append(char words[96], const xb_token *t)
{
  const size_t at = strlen(words), blank = at != 0;
  if (at + blank + t->length < 96)
    snprintf(words + at, 96 - at, "%s%.*s", blank ? " " : "", (int)t->length, t->text);
}

static bool is_qualifier(const xb_token *t)
{
  return xb_token_in(t,
                     "const __restrict__ __restrict restrict volatile struct constexpr __grid_constant__ static extern "
                     "typename __device__");
}

static bool is_alignment(const xb_token *t)
{
  return xb_token_in(t, "alignas __align__");
}

/* The semicolon, or the closing brace of a function, that ends the member at `i`. `skipped`: it is no variable. */
static size_t end_of_member(const xb_tokens *t, size_t i, size_t close, bool *skipped)
{
  bool function = false;
  *skipped = false;
  for (; i < close; i++) {
    const xb_token *token = &t->list[i];
    *skipped |= xb_token_in(token, "static using typedef enum template friend operator");
    if (xb_token_is(token, ";"))
      break;
    if (xb_token_is(token, "(")) {
      function |= !is_alignment(token - 1);
      i = xb_token_close(t, i);
    } else if (xb_token_is(token, "{")) {
      i = xb_token_close(t, i);
      if (function && !xb_token_is(xb_token_at(t, i + 1), ";"))
        break;
    }
  }
  *skipped |= function;
  return i;
}

/* "[3][N]": the number of items; 0: unknown. `at` is moved behind it. */
static uint32_t read_dimensions(const xb_tokens *t, size_t *at)
{
  uint32_t count = 1;
  while (xb_token_is(xb_token_at(t, *at), "[")) {
    const xb_token *size = xb_token_at(t, *at + 1);
    if (!xb_token_is(xb_token_at(t, *at + 2), "]"))
      return 0;
    count *= size->kind == XB_TOKEN_NUMBER ? (uint32_t)strtoul(size->text, NULL, 0) : xb_source_number(t, size);
    *at += 3;
  }
  return count <= 1024 ? count : 0;
}

/* Adds a member, or those of a struct. */
static bool add_members(const reading *r, const xb_element *type, uint32_t align, const xb_token *name, uint32_t count,
                        xb_element *to)
{
  const uint32_t offset = (to->bytes + align - 1) / align * align;
  if (!count || (type->members[0].name && count > 1) || to->member_count + type->member_count > XB_MOST_MEMBERS)
    return false;
  for (uint32_t i = 0; i < type->member_count; i++) {
    xb_member *m = &to->members[to->member_count++];
    *m = type->members[i];
    m->name = m->name ? m->name : xb_arena_text(r->arena, "%.*s", (int)name->length, name->text);
    m->offset += offset;
    m->count *= count;
  }
  to->bytes = offset + type->bytes * count;
  return true;
}

/* "unsigned int a, b[4] = {1};" */
static bool read_member(const reading *r, size_t i, size_t end, xb_element *element, uint32_t *widest)
{
  const xb_tokens *t = r->t;
  const xb_token *name = NULL;
  char type[96] = "";
  bool any = false, pointer = false;
  xb_element one;
  uint32_t align = 1, asked = 1;
  while (i < end) {
    const xb_token *token = &t->list[i];
    if (is_alignment(token)) {
      asked = (uint32_t)strtoul(xb_token_at(t, i + 2)->text, NULL, 0);
      i = xb_token_close(t, i + 1) + 1;
      continue;
    }
    if (token->kind == XB_TOKEN_NAME) {
      if (name)
        append(type, name);
      name = is_qualifier(token) ? NULL : token;
      if (++i < end)
        continue;
    }
    if (xb_token_is(token, "*") && i < end) { /* "const float *values": what is before it is the type */
      if (name)
        append(type, name);
      name = NULL;
      pointer = true;
      i++;
      continue;
    }
    if (!name || (i < end && !strchr("[,={", *token->text)) || (!pointer && !read_type(r, type, &one, &align)))
      return false;
    if (pointer) {
      one = (xb_element){.members = {{.dtype = XB_UINT64, .count = 1, .pointer = true}}, .member_count = 1, .bytes = 8};
      align = 8;
    }
    pointer = false;
    const uint32_t count = read_dimensions(t, &i);
    align = asked > align ? asked : align;
    if (!add_members(r, &one, align, name, count, element))
      return false;
    *widest = align > *widest ? align : *widest;
    any = true;
    name = NULL;
    for (; i < end && !xb_token_is(&t->list[i], ","); i++) /* a value */
      i = strchr("({[", *t->list[i].text) ? xb_token_close(t, i) : i;
    i++;
  }
  return any;
}

static bool read_members(const reading *r, size_t open, uint32_t widest, xb_element *element, uint32_t *align)
{
  const size_t close = xb_token_close(r->t, open);
  for (size_t i = open + 1; i < close; i++) {
    const xb_token *token = &r->t->list[i];
    bool skipped;
    if (token->in_directive || xb_token_in(token, "; : public private"))
      continue;
    const size_t end = end_of_member(r->t, i, close, &skipped);
    if (!skipped && !read_member(r, i, end, element, &widest))
      return false;
    i = end;
  }
  element->bytes = (element->bytes + widest - 1) / widest * widest;
  *align = widest;
  return element->member_count;
}

/* One behind the brace that opens the struct at `i`; 0: none of this name. `align`: what it asks for. */
static size_t struct_at(const xb_tokens *t, size_t i, const char *name, uint32_t *align)
{
  size_t k = i + 1;
  *align = 1;
  for (; is_alignment(xb_token_at(t, k)); k = xb_token_close(t, k + 1) + 1)
    *align = (uint32_t)strtoul(xb_token_at(t, k + 2)->text, NULL, 0);
  const bool named = xb_token_ends(xb_token_at(t, k), name);
  k += xb_token_at(t, k)->kind == XB_TOKEN_NAME;
  if (!xb_token_is(xb_token_at(t, k), "{"))
    return 0;
  const bool alias =
      i && xb_token_is(&t->list[i - 1], "typedef") && xb_token_is(xb_token_at(t, xb_token_close(t, k) + 1), name);
  return named || alias ? k + 1 : 0;
}

/* The word in front of `at` that begins what the name there belongs to: struct, using or typedef. 0: none is near. */
static size_t begin_of(const xb_tokens *t, size_t at, const char *words)
{
  for (size_t i = at; i > 0 && at - i < XB_TOKEN_REACH && !xb_token_is(&t->list[i - 1], ";"); i--)
    if (xb_token_in(&t->list[i - 1], words))
      return i;
    else if (xb_token_is(&t->list[i - 1], "}"))
      i = xb_token_open(t, i - 1, "{", "}") + 1;
  return 0;
}

static size_t find_struct(const xb_tokens *t, const char *name, uint32_t *align)
{
  for (size_t i = xb_token_alike(t, name, strlen(name)); i; i = t->list[i - 1].alike) {
    const size_t begin = xb_token_ends(&t->list[i - 1], name) ? begin_of(t, i - 1, "struct class") : 0;
    const size_t open = begin ? struct_at(t, begin - 1, name, align) : 0;
    if (open)
      return open - 1;
  }
  return 0;
}

/* The type that `name` is another name of, "unsigned int"; "": none. */
static void find_alias(const xb_tokens *t, const char *name, char type[96])
{
  *type = 0;
  for (size_t i = xb_token_alike(t, name, strlen(name)); i && !*type; i = t->list[i - 1].alike) {
    const bool is_using = i > 1 && xb_token_is(&t->list[i - 2], "using") && xb_token_is(xb_token_at(t, i), "=");
    const bool ends = strchr(";{", *xb_token_at(t, i)->text);
    if (!xb_token_is(&t->list[i - 1], name) || (!is_using && !ends))
      continue;
    size_t from = is_using ? i + 1 : begin_of(t, i - 1, "typedef"), to = is_using ? from : i - 1;
    while (is_using && to < xb_token_reach(t, from) && !strchr(";{", *t->list[to].text))
      to++;
    for (; from && from < to && !strchr(";{", *t->list[from].text); from++)
      if (!is_qualifier(&t->list[from]))
        append(type, &t->list[from]);
  }
}

static bool read_type(const reading *r, const char *type, xb_element *element, uint32_t *align)
{
  xb_member *m = &element->members[0];
  const reading inner = {r->t, r->arena, r->depth + 1};
  const char *colon = strrchr(type, ':'), *name = colon ? colon + 1 : type;
  char alias[96];
  uint32_t asked;
  *element = (xb_element){.member_count = 1};
  if (!*type || r->depth > 8)
    return false;
  if (xb_cuda_type(type, strlen(type), m)) {
    const uint32_t bytes = xb_dtype_bytes(m->dtype), all = m->count * bytes;
    element->bytes = all;
    *align = m->count != 2 && m->count != 4 ? bytes : all > 16 ? 16 : all;
    return true;
  }
  find_alias(r->t, name, alias);
  if (*alias && strcmp(alias, type) != 0 && read_type(&inner, alias, element, align))
    return true;
  *element = (xb_element){0};
  const size_t open = find_struct(r->t, name, &asked);
  return open && asked && read_members(&inner, open, asked, element, align);
}

bool xb_cuda_element(const xb_tokens *tokens, const char *type, xb_arena *arena, xb_element *element)
{
  uint32_t align;
  const bool known = read_type(&(reading){tokens, arena, 0}, type, element, &align);
  if (!known)
    *element = (xb_element){0};
  return known;
}

bool xb_cuda_variable(const xb_tokens *tokens, size_t begin, size_t end, xb_arena *arena, xb_element *element)
{
  uint32_t widest = 1;
  *element = (xb_element){0};
  return read_member(&(reading){tokens, arena, 0}, begin, end, element, &widest);
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* "const float *__restrict__ x": the last name is that of the parameter, those before it are the type. */
static void read_parameter(const xb_tokens *t, xb_cuda_parameter *p)
{
  const xb_token *name = NULL;
  int depth = 0;
  for (size_t i = p->begin; i < (p->value ? p->value - 1 : p->end); i++) {
    const xb_token *token = &t->list[i];
    depth += xb_token_is(token, "<") - xb_token_is(token, ">");
    p->is_const |= xb_token_is(token, "const") && !p->is_pointer;
    p->is_pointer |= xb_token_in(token, "* [");
    if (token->kind != XB_TOKEN_NAME || depth || is_qualifier(token) || xb_token_is(token - 1, "["))
      continue;
    if (name)
      append(p->type, name);
    name = token;
  }
  if (name)
    append(p->name, name);
}

static bool read_parameters(const xb_tokens *t, size_t open, size_t close, xb_cuda_kernel *k)
{
  int depth = 0;
  size_t begin = open + 1, value = 0;
  k->count = 0;
  for (size_t i = open + 1; i <= close; i++) {
    const xb_token *token = &t->list[i];
    const char c = token->length == 1 && token->kind == XB_TOKEN_OPERATOR ? *token->text : 0;
    if (i == close || (c == ',' && !depth)) {
      const bool is_void = begin == open + 1 && i == begin + 1 && xb_token_is(&t->list[begin], "void"); /* k(void) */
      if (i > begin && k->count == XB_MAX_PARAMETERS)
        return false;
      if (i > begin && !is_void) {
        xb_cuda_parameter *p = &k->parameters[k->count++];
        *p = (xb_cuda_parameter){.begin = begin, .end = i, .value = value};
        read_parameter(t, p);
      }
      begin = i + 1;
      value = 0;
    }
    value = c == '=' && !depth ? i + 1 : value;
    depth += (c && strchr("(<{[", c)) - (c && strchr(")>}]", c));
  }
  return true;
}

const char *xb_cuda_base_name(const char *entry, xb_arena *arena)
{
  const char *name = entry ? entry : "";
  int depth = 0;
  for (const char *p = name; *p && (*p != '(' || !strncmp(p, "(anonymous", 10)); p++) {
    depth += (*p == '<') - (*p == '>');
    if (!depth && (*p == ' ' || *p == ':' || *p == ')'))
      name = p + 1;
  }
  const char *base = xb_arena_text(arena, "%.*s", (int)strcspn(name, "<("), name);
  return base ? base : "";
}

bool xb_cuda_find_kernel(const xb_tokens *t, const char *name, size_t from, xb_cuda_kernel *k)
{
  for (size_t i = from; i < t->count; i++) {
    if (!xb_token_is(&t->list[i], "__global__"))
      continue;
    for (size_t at = i + 1; at < t->count && !strchr("{;", *t->list[at].text); at++) {
      const xb_token *word = &t->list[at];
      if (word->kind != XB_TOKEN_NAME || !xb_token_is(xb_token_at(t, at + 1), "("))
        continue;
      const bool bounds = xb_token_is(word, "__launch_bounds__") || is_alignment(word);
      const size_t close = xb_token_close(t, at + 1);
      if (!bounds && (!*name || xb_token_ends(word, name)) && read_parameters(t, at + 1, close, k)) {
        k->begin = i;
        k->name = at;
        k->open = close + 1 < t->count ? close + 1 : close;
        k->close = xb_token_is(&t->list[k->open], "{") ? xb_token_close(t, k->open) : k->open;
        return true;
      }
      at = close;
    }
  }
  return false;
}
