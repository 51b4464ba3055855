/* A CUDA source tells the names and types of parameters. */
#include "pair/reflect.h"

#include <ctype.h>
#include <stdio.h>
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
  uint32_t count;
} c_type;

/* The longest name that matches counts. */
static const c_type c_types[] = {
    {"float", XB_FLOAT32, 1},
    {"double", XB_FLOAT64, 1},
    {"__half", XB_FLOAT16, 1},
    {"half", XB_FLOAT16, 1},
    {"int", XB_INT32, 1},
    {"unsigned", XB_UINT32, 1},
    {"unsigned int", XB_UINT32, 1},
    {"int32_t", XB_INT32, 1},
    {"uint32_t", XB_UINT32, 1},
    {"char", XB_INT8, 1},
    {"signed char", XB_INT8, 1},
    {"unsigned char", XB_UINT8, 1},
    {"int8_t", XB_INT8, 1},
    {"uint8_t", XB_UINT8, 1},
    {"short", XB_INT16, 1},
    {"unsigned short", XB_UINT16, 1},
    {"int16_t", XB_INT16, 1},
    {"uint16_t", XB_UINT16, 1},
    {"long long", XB_INT64, 1},
    {"unsigned long long", XB_UINT64, 1},
    {"int64_t", XB_INT64, 1},
    {"long", XB_INT64, 1},
    {"unsigned long", XB_UINT64, 1},
    {"uint64_t", XB_UINT64, 1},
    {"size_t", XB_UINT64, 1},
    {"float2", XB_FLOAT32, 2},
    {"float4", XB_FLOAT32, 4},
    {"int2", XB_INT32, 2},
    {"int4", XB_INT32, 4},
    {"double2", XB_FLOAT64, 2},
    {"uint2", XB_UINT32, 2},
    {"uint4", XB_UINT32, 4},
    {"__half2", XB_FLOAT16, 2},
    {"half2", XB_FLOAT16, 2},
};

static void set_type(const char *type, xb_element *element)
{
  for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
    if (!strcmp(type, c_types[i].name)) {
      element->members[0] = (xb_member){.dtype = c_types[i].dtype, .count = c_types[i].count};
      element->member_count = 1;
      element->bytes = c_types[i].count * xb_dtype_bytes(c_types[i].dtype);
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

/* "const float *__restrict__ x": the last word is the name, the words before it are the type. */
static void read_declaration(const char *text, size_t length, xb_arena *arena, xb_code_parameter *p)
{
  char type[128] = "", name[128] = "";
  bool is_const = false;
  for (size_t i = 0, word; i < length; i += word ? word : 1) {
    for (word = 0; i + word < length && (isalnum((unsigned char)text[i + word]) || text[i + word] == '_');)
      word++;
    p->is_buffer |= text[i] == '*' || text[i] == '[';
    is_const |= word == 5 && !strncmp(text + i, "const", 5) && !p->is_buffer;
    if (!word || word >= sizeof name || text[i] == ']' || is_qualifier(text + i, word))
      continue;
    if (*name && strlen(type) + strlen(name) + 2 < sizeof type)
      strcat(strcat(type, *type ? " " : ""), name);
    snprintf(name, sizeof name, "%.*s", (int)word, text + i);
  }
  p->name = xb_arena_text(arena, "%s", name);
  p->read_only = p->is_buffer && is_const;
  xb_element named = {0};
  set_type(type, &named);
  const bool number = named.member_count && named.members[0].count == 1 && named.bytes == p->element.bytes;
  if (p->is_buffer || number) /* a vector by value counts as a struct */
    p->element = named;
}

void xb_reflect_cuda_source(const char *source, const char *entry, xb_arena *arena, xb_reflection *reflection)
{
  char *text = xb_arena_text(arena, "%s", source);
  const char *p = text && entry ? (drop_comments(text), find_kernel(text, entry)) : NULL;
  size_t starts[XB_MAX_ARG_BYTES + 1], count = 0, at = 0;
  int depth = 0;
  if (!p)
    return;
  starts[count++] = 0;
  for (; p[at] && (p[at] != ')' || depth) && count < XB_MAX_ARG_BYTES; at++) {
    depth += (p[at] == '(' || p[at] == '<') - (p[at] == ')' || p[at] == '>');
    if (p[at] == ',' && !depth)
      starts[count++] = at + 1;
  }
  starts[count] = at + 1;
  for (size_t i = 0; i < count && count == reflection->count; i++)
    read_declaration(p + starts[i], starts[i + 1] - 1 - starts[i], arena, &reflection->parameters[i]);
}
