/* What CUDA's code says of parameters: PTX their sizes, a module for the processor their types, and the source their
 * names, and the memory that is declared outside of them. */
#include "base/word_list.h"
#include "core/elf.h"
#include "pair/cuda_source.h"
#include "pair/numbers.h"
#include "pair/reflect.h"
#include "source/includes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- PTX -------------------------------------------------------------------------------------------------------- */

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
    question = xb_is_probe_symbol(here) ? here : NULL;
  for (const char *p = code, *here; (here = next_entry(&p, arena));) {
    if (xb_is_probe_symbol(here))
      continue;
    if (question
            ? xb_matches_probe(question, here, arena)
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
  const xb_code failed = xb_reflection_begin(where, arena, reflection, err);
  if (failed)
    return failed;
  if (!strstr(code, ".version"))
    return xb_fail(err, XB_INVALID, where, "is not PTX");
  const char *p = find_entry(where, code, entry, arena, &reflection->entry, err);
  if (!p)
    return XB_INVALID;
  const char *end = p + strcspn(p, ")");
  while ((p = strstr(p, ".param")) && p < end && reflection->count < XB_MAX_ARG_BYTES) {
    const size_t length = strcspn(p, ",)");
    read_parameter(p, length, reflection);
    p += length;
  }
  return XB_OK;
}

/* ---- Modules for the processor: what the compiler wrote into a section (compile/describe.hpp) ------------------- */

enum { POINTER = 16, STRUCT = 0, SIGNED = 1, UNSIGNED = 2, FLOAT = 3 };

typedef struct described {
  uint32_t kind, is_const, bytes, align;
} described;

static void take(const described *d, xb_reflection *r)
{
  static const char *const kinds[] = {[STRUCT] = "", [SIGNED] = "int", [UNSIGNED] = "uint", [FLOAT] = "float"};
  const bool pointer = d->kind >= POINTER;
  const uint32_t align = pointer ? (uint32_t)sizeof(void *) : d->align ? d->align : 1;
  xb_code_parameter *p = &r->parameters[r->count++];
  xb_member *m = &p->element.members[0];
  p->is_buffer = pointer;
  p->read_only = pointer && d->is_const;
  p->offset = (r->value_bytes + align - 1) / align * align;
  p->element.bytes = d->bytes;
  p->element.member_count = d->kind % POINTER <= FLOAT && xb_dtype_of(kinds[d->kind % POINTER], d->bytes, &m->dtype);
  m->count = p->element.member_count;
  r->value_bytes = p->offset + (pointer ? (uint32_t)sizeof(void *) : d->bytes);
}

xb_code xb_reflect_module(const char *where, const char *code, size_t bytes, xb_arena *arena, xb_reflection *reflection,
                          xb_error *err)
{
  size_t section_bytes, name_bytes, unwatched_bytes;
  xb_elf elf;
  xb_elf_open(&elf, code, bytes);
  const char *name = xb_elf_contents(&elf, "xb_kernel_name", &name_bytes);
  const char *section = xb_elf_contents(&elf, "xb_parameters", &section_bytes);
  const size_t count = section_bytes / sizeof(described);
  const char *unwatched = xb_elf_contents(&elf, "xb_unwatched", &unwatched_bytes);
  const xb_code failed = xb_reflection_begin(where, arena, reflection, err);
  reflection->entry = name;
  reflection->unwatched = unwatched && *unwatched ? unwatched : NULL;
  if (!name || !name_bytes || name[name_bytes - 1] || !section || !count || count > XB_MAX_PARAMETERS + 1)
    return xb_fail(err, XB_INVALID, where, "the compiled code does not describe its parameters");
  for (size_t i = 0; i + 1 < count && !failed; i++) { /* the last one is an end mark */
    described d;
    memcpy(&d, section + i * sizeof d, sizeof d);
    take(&d, reflection);
  }
  return failed;
}

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

bool xb_reflect_cuda_text(const char *text, const char *entry, xb_arena *arena, xb_reflection *reflection)
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
  for (size_t i = 0; known && i < reflection->count; i++)
    reflection->parameters[i].only_read = reflection->parameters[i].is_buffer && reflection->parameters[i].name &&
                                          xb_cuda_only_reads(&tokens, &kernel, reflection->parameters[i].name);
  if (known)
    take_memory(&tokens, &kernel, arena, reflection);
  xb_tokens_free(&tokens);
  return known;
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
  if (text && !xb_reflect_cuda_text(text, name, arena, reflection)) { /* a macro may make the kernel */
    text = xb_source_expand(text, &options, arena);
    if (text)
      xb_reflect_cuda_text(text, name, arena, reflection);
  }
  if (reflection->entry)
    read_signature(xb_demangle(reflection->entry, arena), reflection);
}
