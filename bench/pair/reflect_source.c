/* A CUDA source tells the names and types of parameters. */
#include "pair/reflect.h"

#include "base/whole_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces comments by blanks. */
static void drop_comments(char *text)
{
  for (char *p = text; (p = strchr(p, '/'));) {
    const char *end = p[1] == '/' ? strchr(p, '\n') : p[1] == '*' ? strstr(p + 2, "*/") : NULL;
    const bool comment = p[1] == '/' || p[1] == '*';
    const size_t length = !comment ? 1 : !end ? strlen(p) : (size_t)(end - p) + (p[1] == '*' ? 2 : 0);
    if (comment)
      memset(p, ' ', length);
    p += length;
  }
}

/* The text behind "__global__ ... entry (". */
static const char *find_kernel(const char *text, const char *entry)
{
  const size_t length = strlen(entry);
  for (const char *kernel = strstr(text, "__global__"); kernel; kernel = strstr(kernel + 1, "__global__")) {
    for (const char *p = strstr(kernel, entry); p; p = strstr(p + 1, entry)) {
      const char *behind = p + length + strspn(p + length, " \t\n");
      const bool whole = !isalnum((unsigned char)p[-1]) && p[-1] != '_' && *behind == '(';
      const char *body = strpbrk(kernel, "{;");
      if (whole && body && p < body)
        return behind + 1;
    }
  }
  return NULL;
}

typedef struct c_type {
  const char *name;
  xb_dtype dtype;
} c_type;

static const c_type c_types[] = {
    {"float", XB_FLOAT32},        {"double", XB_FLOAT64},
    {"__half", XB_FLOAT16},       {"half", XB_FLOAT16},
    {"bool", XB_UINT8},           {"int", XB_INT32},
    {"unsigned", XB_UINT32},      {"unsigned int", XB_UINT32},
    {"int32_t", XB_INT32},        {"uint32_t", XB_UINT32},
    {"uint", XB_UINT32},          {"char", XB_INT8},
    {"signed char", XB_INT8},     {"unsigned char", XB_UINT8},
    {"int8_t", XB_INT8},          {"uint8_t", XB_UINT8},
    {"short", XB_INT16},          {"unsigned short", XB_UINT16},
    {"int16_t", XB_INT16},        {"uint16_t", XB_UINT16},
    {"long long", XB_INT64},      {"unsigned long long", XB_UINT64},
    {"int64_t", XB_INT64},        {"long", XB_INT64},
    {"unsigned long", XB_UINT64}, {"uint64_t", XB_UINT64},
    {"size_t", XB_UINT64},        {"longlong", XB_INT64},
    {"ulonglong", XB_UINT64},     {"uchar", XB_UINT8},
    {"ushort", XB_UINT16},        {"ulong", XB_UINT64},
    {"half2", XB_FLOAT16},
};

/* "float", "uint4", "dim3". False: another type. */
static bool find_type(const char *name, size_t length, xb_member *member)
{
  const char last = length ? name[length - 1] : 0;
  *member = (xb_member){.count = 1};
  for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
    if (strlen(c_types[i].name) == length && !strncmp(name, c_types[i].name, length)) {
      member->dtype = c_types[i].dtype;
      return true;
    }
  if (length == 4 && !strncmp(name, "dim3", 4))
    return find_type("uint3", 5, member);
  if (last < '1' || last > '4' || length < 4 || !find_type(name, length - 1, member))
    return false;
  member->count = (uint32_t)(last - '0');
  return member->count == 1 || !isdigit((unsigned char)name[length - 2]);
}

static void set_type(const char *type, size_t length, xb_element *element)
{
  *element = (xb_element){.member_count = find_type(type, length, &element->members[0])};
  if (find_type(type, length, &element->members[0])) {
    element->member_count = 1;
    element->bytes = element->members[0].count * xb_dtype_bytes(element->members[0].dtype);
  }
}

static bool is_qualifier(const char *word, size_t length)
{
  static const char *const all[] = {"const",    "__restrict__",      "__restrict", "restrict",
                                    "volatile", "__grid_constant__", "struct"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strlen(all[i]) == length && !strncmp(word, all[i], length))
      return true;
  return false;
}

/* "nullptr", "0", "make_uint3(0, 0, 0)" */
static bool is_zero(const char *text, size_t length)
{
  static const char *const words[] = {"nullptr", "NULL", "false"};
  while (length && isspace((unsigned char)*text))
    text++, length--;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncmp(text, words[i], strlen(words[i])))
      return true;
  size_t name = 0;
  while (name < length && !strncmp(text, "make_", 5) && text[name] != '(')
    name++;
  for (size_t i = name; i < length; i++)
    if (!strchr("0.,f(){} \t\r\n", text[i]))
      return false;
  return length > name;
}

typedef struct declaration {
  char type[128], name[128];
  bool is_pointer, is_const;
  uint32_t count; /* of an array; else 1 */
} declaration;

/* "const float *__restrict__ x": the last word is the name, the words before it are the type. */
static declaration read_words(const char *text, size_t length)
{
  declaration d = {.count = 1};
  int depth = 0;
  for (size_t i = 0, word; i < length; i += word ? word : 1) {
    for (word = 0; i + word < length && (isalnum((unsigned char)text[i + word]) || text[i + word] == '_');)
      word++;
    depth += (text[i] == '<') - (text[i] == '>');
    d.is_pointer |= text[i] == '*';
    d.is_const |= word == 5 && !strncmp(text + i, "const", 5) && !d.is_pointer;
    if (text[i] == '[')
      d.count = (uint32_t)strtoul(text + i + 1, NULL, 0);
    if (!word || word >= sizeof d.name || depth || (i && text[i - 1] == '[') || is_qualifier(text + i, word))
      continue;
    if (*d.name && strlen(d.type) + strlen(d.name) + 2 < sizeof d.type)
      strcat(strcat(d.type, *d.type ? " " : ""), d.name);
    snprintf(d.name, sizeof d.name, "%.*s", (int)word, text + i);
  }
  return d;
}

/* Members of "struct name { int a, b; float c[4]; };". One that holds anything else stays unknown. */
static void read_struct(const char *text, const char *name, xb_arena *arena, xb_element *element)
{
  xb_element found = {0};
  uint32_t widest = 1;
  char heading[140];
  snprintf(heading, sizeof heading, "struct %s", name);
  const char *p = strstr(text, heading);
  p = p ? p + strlen(heading) : NULL;
  while (p && !strchr(" \t\r\n{", *p))
    p = (p = strstr(p, heading)) ? p + strlen(heading) : NULL;
  if (!p || *(p += strspn(p, " \t\r\n")) != '{')
    return;
  for (p++; *(p += strspn(p, " \t\r\n;")) && *p != '}';) {
    const char *end = p + strcspn(p, ";{(}");
    if (*end != ';')
      return;
    const declaration first = read_words(p, strcspn(p, ",;"));
    for (const char *item = p; item < end; item += strcspn(item, ",;") + 1) {
      const declaration d = read_words(item, strcspn(item, ",;"));
      xb_member *m = &found.members[found.member_count];
      if (d.is_pointer || found.member_count == XB_MOST_MEMBERS || !find_type(first.type, strlen(first.type), m))
        return;
      const uint32_t bytes = xb_dtype_bytes(m->dtype);
      const uint32_t align = m->count == 2 || m->count == 4 ? m->count * bytes > 16 ? 16 : m->count * bytes : bytes;
      m->name = xb_arena_text(arena, "%s", d.name);
      m->offset = (found.bytes + align - 1) / align * align;
      m->count *= d.count;
      found.bytes = m->offset + m->count * bytes;
      found.member_count++;
      widest = align > widest ? align : widest;
    }
    p = end;
  }
  found.bytes = (found.bytes + widest - 1) / widest * widest;
  if (found.bytes == element->bytes)
    *element = found;
}

static void read_declaration(const char *file, const char *text, size_t length, xb_arena *arena, xb_code_parameter *p)
{
  const char *equals = memchr(text, '=', length);
  const declaration d = read_words(text, equals ? (size_t)(equals - text) : length);
  p->optional = equals && is_zero(equals + 1, length - (size_t)(equals + 1 - text));
  p->name = xb_arena_text(arena, "%s", d.name);
  const bool known = p->is_buffer; /* the compiler told what it points to */
  p->is_buffer = d.is_pointer || memchr(text, '[', length);
  p->read_only = p->is_buffer && d.is_const;
  xb_element named;
  set_type(d.type, strlen(d.type), &named);
  if ((p->is_buffer && !known) || (named.member_count && named.bytes == p->element.bytes))
    p->element = named;
  else if (!p->element.member_count)
    read_struct(file, d.type, arena, &p->element);
}

/* True if the text has the kernel, with as many parameters. */
static bool read_kernel(const char *file, const char *entry, xb_arena *arena, xb_reflection *reflection)
{
  const char *p = find_kernel(file, entry);
  size_t starts[XB_MAX_ARG_BYTES + 1], count = 0, at = 0;
  int depth = 0;
  if (!p)
    return false;
  starts[count++] = 0;
  for (; p[at] && (p[at] != ')' || depth) && count < XB_MAX_ARG_BYTES; at++) {
    depth += (strchr("(<{", p[at]) != NULL) - (strchr(")>}", p[at]) != NULL);
    if (p[at] == ',' && !depth)
      starts[count++] = at + 1;
  }
  starts[count] = at + 1;
  for (size_t i = 0; i < count && count == reflection->count; i++)
    read_declaration(file, p + starts[i], starts[i + 1] - 1 - starts[i], arena, &reflection->parameters[i]);
  return count == reflection->count || read_kernel(p + at, entry, arena, reflection); /* an overload */
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

typedef struct looking {
  const char *const *flags;
  const char *entry;
  xb_arena *arena;
  xb_reflection *reflection;
  int files; /* that were read */
} looking;

static bool look(looking *l, const char *path);

/* In a file that `path` includes. */
static bool look_in_includes(looking *l, const char *path, const char *text)
{
  const char *slash = strrchr(path, '/');
  for (const char *p = strstr(text, "#include"); p; p = strstr(p + 1, "#include")) {
    const char *name = p + strcspn(p, "\"<\n");
    const int length = *name && *name != '\n' ? (int)strcspn(name + 1, "\">\n") : 0;
    if (!length)
      continue;
    if (look(l, xb_arena_text(l->arena, "%.*s%.*s", slash ? (int)(slash + 1 - path) : 0, path, length, name + 1)))
      return true;
    for (const char *const *flag = l->flags; flag && *flag; flag++)
      if (!strncmp(*flag, "-I", 2) && look(l, xb_arena_text(l->arena, "%s/%.*s", *flag + 2, length, name + 1)))
        return true;
  }
  return false;
}

static bool look(looking *l, const char *path)
{
  enum { MOST_FILES = 64 };
  char *text;
  size_t bytes;
  if (!path || l->files == MOST_FILES || xb_read_whole_file(path, l->arena, &text, &bytes, NULL))
    return false;
  l->files++;
  const char *whole = xb_arena_text(l->arena, "%s", text);
  drop_comments(text);
  return read_kernel(text, l->entry, l->arena, l->reflection) || (whole && look_in_includes(l, path, whole));
}

/* ---- Names of the code ------------------------------------------------------------------------------------------ */

/* "void kernel<float>(float const*, int)": its types hold for the instance; those of the source may be T. */
static void read_signature(const char *signature, xb_reflection *r)
{
  const char *p = strchr(signature, '(');
  while (p && !strncmp(p, "(anonymous", 10))
    p = strchr(p + 1, '(');
  for (size_t i = 0; p && i < r->count && *p && *p != ')'; i++) {
    const char *from = p + 1 + (p[1] == ' ');
    int depth = 0;
    for (p = from; *p && (depth || (*p != ',' && *p != ')')); p++)
      depth += (strchr("(<", *p) != NULL) - (strchr(")>", *p) != NULL);
    const size_t length = (size_t)(p - from);
    const char *star = memchr(from, '*', length), *is_const = strstr(from, " const*");
    xb_code_parameter *to = &r->parameters[i];
    xb_element named;
    set_type(from, star ? strcspn(from, "* ") : length, &named);
    if (star && !named.member_count) /* "unsigned int const*" */
      set_type(from, (size_t)((is_const && is_const < star ? is_const : star) - from), &named);
    if (star) {
      to->is_buffer = true;
      to->read_only = is_const && is_const < star;
    }
    if (named.member_count && (star || named.bytes == to->element.bytes))
      to->element = named;
  }
}

void xb_reflect_cuda_source(const char *path, const char *const *flags, const char *entry, xb_arena *arena,
                            xb_reflection *reflection)
{
  const size_t end = entry ? strcspn(entry, "<(") : 0;
  size_t begin = end;
  while (begin && entry[begin - 1] != ':' && entry[begin - 1] != ' ')
    begin--;
  looking l = {.flags = flags, .arena = arena, .reflection = reflection};
  l.entry = xb_arena_text(arena, "%.*s", (int)(end - begin), entry ? entry + begin : "");
  if (l.entry && *l.entry)
    look(&l, path);
  if (reflection->entry)
    read_signature(xb_demangle(reflection->entry, arena), reflection);
}
