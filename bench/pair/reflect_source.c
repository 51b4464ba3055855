/* A CUDA source tells the names and types of parameters, and the memory that is declared outside of them. */
#include "pair/cuda_source.h"
#include "source/includes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

/* "nullptr", "0", "make_uint3(0, 0, 0)" */
static bool is_zero(const xb_tokens *t, size_t from, size_t end)
{
  bool zero = from < end;
  for (size_t i = from; i < end; i++) {
    const xb_token *token = &t->list[i];
    char *behind;
    if (token->kind == XB_TOKEN_NUMBER)
      zero &= strtod(token->text, &behind) == 0 && behind > token->text;
    else if (token->kind == XB_TOKEN_NAME)
      zero &= xb_token_in(token, "nullptr NULL false") || !strncmp(token->text, "make_", 5);
    else
      zero &= strchr("(),{}", *token->text) != NULL;
  }
  return zero;
}

static void set_element(const xb_tokens *t, const char *type, xb_arena *arena, xb_code_parameter *p, bool compiled)
{
  xb_element named;
  xb_cuda_element(t, type, arena, &named);
  const bool fits = named.member_count && named.bytes == p->element.bytes;
  if (p->is_buffer ? !compiled || fits : fits)
    p->element = named;
}

/* True if "tex1Dfetch<T>(name, ..." is somewhere: then it is no image, but a buffer. */
static bool is_fetched(const xb_tokens *t, const char *name)
{
  for (size_t i = 0; i < t->count; i++) {
    size_t open = i + 1;
    if (!xb_token_is(&t->list[i], "tex1Dfetch"))
      continue;
    while (open < t->count && !xb_token_is(&t->list[open], "("))
      open++;
    if (xb_token_is(xb_token_at(t, open + 1), name))
      return true;
  }
  return false;
}

static void take_parameter(const xb_tokens *t, const xb_cuda_parameter *from, xb_arena *arena, xb_code_parameter *p)
{
  const bool compiled = p->is_buffer; /* the compiler told what it points to */
  p->optional = from->value && is_zero(t, from->value, from->end);
  p->name = xb_arena_text(arena, "%s", from->name);
  p->image = !strcmp(from->type, "cudaTextureObject_t")   ? XB_CODE_SAMPLED_IMAGE
             : !strcmp(from->type, "cudaSurfaceObject_t") ? XB_CODE_STORAGE_IMAGE
                                                          : XB_CODE_BUFFER;
  p->is_buffer = from->is_pointer || p->image;
  p->read_only = p->image ? p->image == XB_CODE_SAMPLED_IMAGE : from->is_pointer && from->is_const;
  p->texels = p->image == XB_CODE_SAMPLED_IMAGE && is_fetched(t, from->name);
  if (p->texels)
    p->image = XB_CODE_BUFFER;
  set_element(t, from->type, arena, p, compiled);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

/* True if another kernel has the token. */
static bool is_elsewhere(const xb_tokens *t, size_t i, const xb_cuda_kernel *k)
{
  return t->list[i].scope == XB_SCOPE_KERNEL && (i < k->begin || i > k->close);
}

/* True if the kernel, or a function that it may call, has the name. */
static bool is_used(const xb_tokens *t, const xb_token *name, const xb_cuda_kernel *k)
{
  for (size_t i = 0; i < t->count; i++)
    if (&t->list[i] != name && xb_token_equals(&t->list[i], name) && t->list[i].scope >= XB_SCOPE_DEVICE &&
        !is_elsewhere(t, i, k))
      return true;
  return false;
}

/* "__constant__ float weights[9];": the host fills it. One that has a value keeps it. */
static void take_constant(const xb_tokens *t, size_t at, const xb_cuda_kernel *k, xb_arena *arena, xb_reflection *r)
{
  const size_t begin = at;
  while (at < t->count && !strchr(";={", *t->list[at].text))
    at++;
  if (at == t->count || !xb_token_is(&t->list[at], ";") || at - begin < 3)
    return;
  size_t name = begin + 1; /* of the declarator */
  while (name < at && !xb_token_is(&t->list[name], "["))
    name++;
  name--;
  if (r->constant_count == XB_MOST_CONSTANTS || !is_used(t, &t->list[name], k))
    return;
  xb_code_parameter *p = &r->constants[r->constant_count++];
  *p = (xb_code_parameter){.name = xb_arena_text(arena, "%.*s", (int)t->list[name].length, t->list[name].text)};
  if (!xb_cuda_variable(t, begin + 1, at, arena, &p->element) || p->element.member_count != 1)
    p->element = (xb_element){0};
}

static void take_memory(const xb_tokens *t, const xb_cuda_kernel *k, xb_arena *arena, xb_reflection *r)
{
  r->constants = xb_arena_take(arena, XB_MOST_CONSTANTS, sizeof *r->constants);
  for (size_t i = 0; i + 2 < t->count && r->constants; i++) {
    const bool is_extern = xb_token_is(&t->list[i], "extern");
    if (is_extern && (xb_token_is(&t->list[i + 1], "__shared__") || xb_token_is(&t->list[i + 2], "__shared__"))) {
      size_t name = i + 2;
      while (name + 1 < t->count && !strchr("[;", *t->list[name + 1].text))
        name++;
      r->dynamic_shared |= !is_elsewhere(t, i, k) && is_used(t, &t->list[name], k);
    }
    if (xb_token_is(&t->list[i], "__constant__") && !t->list[i].in_directive)
      take_constant(t, i, k, arena, r);
  }
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* False: the text has no such kernel. */
static bool read_kernel(const char *text, const char *entry, xb_arena *arena, xb_reflection *reflection)
{
  xb_tokens tokens = {0};
  xb_cuda_kernel kernel = {0};
  xb_tokens_read(&tokens, text);
  xb_tokens_set_scopes(&tokens, false);
  bool found = *entry && !tokens.out_of_memory && xb_cuda_find_kernel(&tokens, entry, 0, &kernel);
  while (found && kernel.count != reflection->count) /* an overload */
    found = xb_cuda_find_kernel(&tokens, entry, kernel.name, &kernel);
  for (size_t i = 0; found && i < kernel.count; i++)
    take_parameter(&tokens, &kernel.parameters[i], arena, &reflection->parameters[i]);
  const bool known = found;
  while (found && kernel.close == kernel.open) /* a declaration: its body is further on */
    found = xb_cuda_find_kernel(&tokens, entry, kernel.name, &kernel);
  if (known)
    take_memory(&tokens, &kernel, arena, reflection);
  xb_tokens_free(&tokens);
  return known;
}

void xb_reflect_cuda_text(const char *text, const char *entry, xb_arena *arena, xb_reflection *reflection)
{
  read_kernel(text, entry, arena, reflection);
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
    const size_t type = is_const && star && is_const < star ? (size_t)(is_const - from)
                        : star                              ? (size_t)(star - from)
                                                            : length;
    xb_code_parameter *to = &r->parameters[i];
    xb_element named = {.member_count = 1};
    if (star) {
      to->is_buffer = true;
      to->read_only = is_const && is_const < star;
    }
    if (!xb_cuda_type(from, type, &named.members[0]))
      continue;
    named.bytes = named.members[0].count * xb_dtype_bytes(named.members[0].dtype);
    if (star || named.bytes == to->element.bytes)
      to->element = named;
  }
}

void xb_reflect_cuda_source(const char *path, const char *const *flags, const char *entry, xb_arena *arena,
                            xb_reflection *reflection)
{
  const xb_source_options options = {.flags = flags, .headers = xb_public_headers(arena)};
  const char *name = xb_cuda_base_name(entry, arena), *text = xb_source_read(path, &options, arena);
  if (text && !read_kernel(text, name, arena, reflection)) { /* a macro may make the kernel */
    text = xb_source_expand(text, &options, arena);
    if (text)
      read_kernel(text, name, arena, reflection);
  }
  if (reflection->entry)
    read_signature(xb_demangle(reflection->entry, arena), reflection);
}
