/* Tokens of CUDA, as HLSL says them. */
#include "pair/scaffold/scaffold.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------------------------------------------------- */

const char *xb_scaffold_gap(const xb_scaffold *s, size_t at, size_t *length)
{
  const xb_token *t = &s->tokens.list[at];
  const char *from = at ? t[-1].text + t[-1].length : s->text;
  *length = (size_t)(t->text - from);
  return from;
}

const char *xb_scaffold_blanks(const xb_scaffold *s, size_t at, bool first, size_t *length)
{
  const char *gap = xb_scaffold_gap(s, at, length), *as = s->as[at];
  if (as && !*as && !memchr(gap, '\n', *length))
    *length = 0;
  for (; first && at && s->as[at - 1] && !*s->as[at - 1] && *length && (*gap == ' ' || *gap == '\t'); --*length)
    gap++;
  if (as && s->tokens.list[at].kind == XB_TOKEN_DIRECTIVE) /* without its # */
    while (*length && gap[*length - 1] != '\n' && gap[*length - 1] != ' ')
      --*length;
  return gap;
}

const char *xb_scaffold_render(const xb_scaffold *s, size_t begin, size_t end)
{
  char *text = NULL;
  size_t bytes, length;
  FILE *out = open_memstream(&text, &bytes);
  if (!out)
    return "";
  for (size_t i = begin; i < end; i++) {
    const char *gap = xb_scaffold_blanks(s, i, !ftell(out), &length);
    if (i > begin)
      fwrite(gap, 1, length, out);
    fputs(xb_scaffold_said(s, i), out);
  }
  fclose(out);
  while (bytes && isspace((unsigned char)text[bytes - 1]))
    bytes--;
  const char *kept = xb_arena_text(s->arena, "%.*s", (int)bytes, text);
  free(text);
  return kept ? kept : "";
}

static void leave_out(xb_scaffold *s, size_t begin, size_t end)
{
  for (; begin < end; begin++)
    s->as[begin] = "";
}

void xb_scaffold_leave_out(xb_scaffold *s, size_t begin, size_t end, const char *words)
{
  for (; begin < end; begin++)
    if (xb_token_in(&s->tokens.list[begin], words))
      s->as[begin] = "";
}

const char *xb_scaffold_word(const xb_scaffold *s, size_t at)
{
  const char *word = xb_arena_text(s->arena, "%.*s", (int)s->tokens.list[at].length, s->tokens.list[at].text);
  return word ? word : "";
}

const char *xb_scaffold_said(const xb_scaffold *s, size_t at)
{
  return s->as[at] ? s->as[at] : xb_scaffold_word(s, at);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

enum { MOST_ARGUMENTS = 6 };

typedef struct call {
  size_t name, close;
  size_t from[MOST_ARGUMENTS], to[MOST_ARGUMENTS];
  int count;
} call;

static bool read_call(const xb_scaffold *s, size_t name, call *c)
{
  const xb_tokens *t = &s->tokens;
  *c = (call){.name = name};
  if (!xb_token_is(xb_token_at(t, name + 1), "("))
    return false;
  c->close = xb_token_close(t, name + 1);
  if (c->close > name + XB_TOKEN_REACH)
    return false;
  for (size_t i = name + 2, begin = i; i <= c->close && i > name; i++) {
    if (i == c->close || xb_token_is(&t->list[i], ",")) {
      if (c->count == MOST_ARGUMENTS)
        return false;
      if (i > begin) {
        c->from[c->count] = begin;
        c->to[c->count++] = i;
      }
      begin = i + 1;
    } else if (t->list[i].kind == XB_TOKEN_OPERATOR && strchr("([{", *t->list[i].text)) {
      i = xb_token_close(t, i);
    }
  }
  return true;
}

/* What an argument points to: "&x[i]", "x + i", "x". NULL: something else. */
static const char *pointed(const xb_scaffold *s, size_t from, size_t to)
{
  const xb_tokens *t = &s->tokens;
  if (xb_token_is(&t->list[from], "&"))
    return xb_scaffold_render(s, from + 1, to);
  if (t->list[from].kind != XB_TOKEN_NAME)
    return NULL;
  if (to == from + 1)
    return xb_arena_text(s->arena, "%s[0]", xb_scaffold_render(s, from, to));
  return xb_token_is(&t->list[from + 1], "+") ? xb_arena_text(s->arena, "%s[%s]", xb_scaffold_render(s, from, from + 1),
                                                              xb_scaffold_render(s, from + 2, to))
                                              : NULL;
}

/* The template with the arguments in it; NULL: an argument is no pointer that is understood. */
static const char *fill_in(const xb_scaffold *s, const char *hlsl, const call *c)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  bool good = out != NULL;
  for (const char *p = hlsl; good && *p; p++) {
    const bool pointer = *p == '$' && p[1] == '*';
    if (*p != '$') {
      fputc(*p, out);
      continue;
    }
    p += 1 + pointer;
    const int i = *p - '1';
    const char *argument = pointer ? pointed(s, c->from[i], c->to[i]) : xb_scaffold_render(s, c->from[i], c->to[i]);
    good = argument != NULL;
    fputs(argument ? argument : "", out);
  }
  if (out)
    fclose(out);
  const char *kept = good ? xb_arena_text(s->arena, "%s", text) : NULL;
  free(text);
  return kept;
}

static bool begins_statement(const xb_scaffold *s, size_t at)
{
  return at && xb_token_in(&s->tokens.list[at - 1], "; { }");
}

/* True if it stands in parentheses: in the head of a loop. */
static bool is_in_head(const xb_scaffold *s, size_t at)
{
  for (int depth = 0, reach = XB_TOKEN_REACH; at && reach-- && !xb_token_in(&s->tokens.list[at], "{ }"); at--) {
    depth += xb_token_is(&s->tokens.list[at], ")");
    if (xb_token_is(&s->tokens.list[at], "(") && --depth < 0)
      return true;
  }
  return false;
}

/* "old = atomicAdd(&x, 1);" becomes "old; InterlockedAdd(x, 1, old);". False: it is part of an expression, or two
 * statements have no place there. */
static bool carry_old(xb_scaffold *s, const call *c, const char *text)
{
  const xb_tokens *t = &s->tokens;
  size_t begin = c->name;
  if (begin < 2 || !xb_token_is(&t->list[begin - 1], "=") || t->list[begin - 2].kind != XB_TOKEN_NAME ||
      !xb_token_is(xb_token_at(t, c->close + 1), ";") || is_in_head(s, begin))
    return false;
  const size_t name = begin - 2;
  for (begin = name; begin && !begins_statement(s, begin); begin--)
    if (t->list[begin].kind != XB_TOKEN_NAME || xb_token_in(&t->list[begin], "else do return"))
      return false;
  if (xb_token_in(&t->list[begin], "else do return"))
    return false;
  xb_scaffold_leave_out(s, begin, name, "const");
  s->as[name] = xb_arena_text(s->arena, "%s;", xb_scaffold_word(s, name));
  s->as[name + 1] = "";
  s->as[c->name] = xb_arena_text(s->arena, "%.*s, %s)", (int)strlen(text) - 1, text, xb_scaffold_word(s, name));
  leave_out(s, c->name + 1, c->close + 1);
  return true;
}

static int by_line(const void *a, const void *b)
{
  const size_t left = *(const size_t *)a, right = *(const size_t *)b;
  return (left > right) - (left < right);
}

/* What the scan calls the word: "atomicAdd float" where it knows the type. */
static const char *finding_of(const xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at];
  for (size_t i = 0; i < s->findings.count; i++) {
    const xb_finding *f = &s->findings.list[i];
    const char behind = strncmp(f->text, t->text, t->length) ? '?' : f->text[t->length];
    if ((!behind || behind == ' ') && bsearch(&t->line, f->lines, f->count, sizeof *f->lines, by_line))
      return f->text;
  }
  return xb_scaffold_word(s, at);
}

static bool carry_call(xb_scaffold *s, size_t at, const xb_carry *carry)
{
  const xb_tokens *t = &s->tokens;
  const bool atomic = carry->kind >= XB_CARRY_ATOMIC;
  call c;
  if (!read_call(s, at, &c) || c.count != carry->arguments || (atomic && strchr(finding_of(s, at), ' ')) ||
      (carry->kind == XB_CARRY_MASKED && xb_mask_of(s->masks, t, c.from[0], c.to[0]) != XB_MASK_FULL))
    return false;
  const char *text = fill_in(s, carry->hlsl, &c);
  if (!text)
    return false;
  const bool alone = at && xb_token_in(&t->list[at - 1], "; { } ) else");
  const bool statement = alone && xb_token_is(xb_token_at(t, c.close + 1), ";");
  if (atomic && !(statement && carry->kind == XB_CARRY_ATOMIC))
    return carry_old(s, &c, text);
  s->as[at] = text;
  leave_out(s, at + 1, c.close + 1);
  return true;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static bool is_type(const xb_scaffold *s, size_t at)
{
  const xb_token *t = xb_token_at(&s->tokens, at);
  xb_member member;
  xb_element element;
  if (t->kind != XB_TOKEN_NAME || s->no_types[t->first])
    return false;
  const char *word = xb_scaffold_word(s, at);
  const bool is = xb_is_hlsl_type(t) || xb_cuda_type(word, strlen(word), &member) || xb_token_is(t, "void") ||
                  (!xb_symbol_of(&s->symbols, t) && xb_cuda_element(&s->tokens, word, s->arena, &element));
  if (!is && !xb_symbol_of(&s->symbols, t)) /* a symbol may have another meaning elsewhere */
    s->no_types[t->first] = true;
  return is;
}

static const char INTEGERS[] = "unsigned signed long int char short";

/* "unsigned int": one word of HLSL for several. */
static void carry_integer(xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at];
  bool is_unsigned = false;
  size_t end = at;
  for (; end < xb_token_reach(&s->tokens, at) && xb_token_in(&s->tokens.list[end], INTEGERS); end++) {
    is_unsigned |= xb_token_is(&s->tokens.list[end], "unsigned");
    if (xb_token_in(&s->tokens.list[end], "char short long")) {
      xb_scaffold_refuse(s, at, xb_scaffold_word(s, end));
      return;
    }
  }
  if (end == at + 1 && xb_token_is(t, "int"))
    return;
  s->as[at] = is_unsigned ? "uint" : "int";
  leave_out(s, at + 1, end);
}

/* "static_cast<float>(x)" becomes "(float)(x)". */
static void carry_cast(xb_scaffold *s, size_t at, size_t end)
{
  size_t close = at + 2;
  while (close < end && close < at + XB_TOKEN_REACH && !xb_token_is(&s->tokens.list[close], ">"))
    close++;
  s->as[at] = "";
  s->as[at + 1] = "(";
  const bool closed = close < end && xb_token_is(&s->tokens.list[close], ">");
  s->as[closed ? close : at] = closed ? ")" : "";
}

/* "__shared__ float tile[16];" stands before the function; scaffold.c prints it from its first token. */
static void carry_shared(xb_scaffold *s, size_t at, size_t end)
{
  if (at && xb_token_is(&s->tokens.list[at - 1], "extern"))
    return; /* the scan refuses it */
  if (at && xb_token_is(&s->tokens.list[at - 1], "static"))
    s->as[at - 1] = "";
  for (size_t i = at + 1; i < end && i < at + XB_TOKEN_REACH && !xb_token_is(&s->tokens.list[i], ";"); i++)
    if (xb_token_is(&s->tokens.list[i], "volatile"))
      s->as[i] = "";
  s->as[at] = "groupshared";
}

/* True if token `i` stands where a declaration of several has its next name: "int a, b", "enum { A, B }". */
static bool continues_declaration(const xb_scaffold *s, size_t i)
{
  const xb_tokens *t = &s->tokens;
  size_t from = i;
  while (from && i - from < XB_TOKEN_REACH && !xb_token_in(&t->list[from - 1], "; { } ( ["))
    from = xb_token_is(&t->list[from - 1], ")")   ? xb_token_open(t, from - 1, "(", ")")
           : xb_token_is(&t->list[from - 1], "]") ? xb_token_open(t, from - 1, "[", "]")
                                                  : from - 1;
  const bool list = from > 2 && xb_token_is(&t->list[from - 1], "{") &&
                    (xb_token_is(&t->list[from - 2], "enum") || xb_token_is(&t->list[from - 3], "enum"));
  return list || (from && xb_token_is(&t->list[i - 1], ",") && !xb_token_in(&t->list[from - 1], "( [") &&
                  (is_type(s, from) || xb_token_in(&t->list[from], "const constexpr static")));
}

/* True if the name is a variable, a function or a macro of what is carried over: a type, or `define`, stands before it.
 */
static bool is_known(xb_scaffold *s, size_t at)
{
  static const char QUALIFIERS[] = "return else case const constexpr static volatile extern inline __device__ __host__ "
                                   "__forceinline__ __noinline__ __restrict__ __shared__ __constant__ __global__";
  const xb_token *name = &s->tokens.list[at];
  const bool called = xb_token_is(xb_token_at(&s->tokens, at + 1), "(");
  const xb_symbol *symbol = called ? NULL : xb_symbol_of(&s->symbols, name);
  const size_t declared = symbol ? (size_t)(symbol->name - s->tokens.list) : 0;
  if (declared > 1 && (!xb_token_in(&symbol->name[-1], "* &") || symbol->name->in_signature ||
                       is_type(s, declared - 2))) /* else a product */
    return true;
  if (s->unknown[called][name->first])
    return false;
  for (size_t k = xb_token_alike(&s->tokens, name->text, name->length); k; k = s->tokens.list[k - 1].alike) {
    const size_t i = k - 1;
    const xb_token *t = &s->tokens.list[i];
    if (!i || !s->wanted[i] || !xb_token_equals(t, name))
      continue;
    const bool typed = t[-1].kind == XB_TOKEN_NAME && !xb_token_in(&t[-1], QUALIFIERS);
    const bool pointed = xb_token_in(&t[-1], "* &") && i > 1 && (t->in_signature || is_type(s, i - 2)) &&
                         !xb_token_is(xb_token_at(&s->tokens, i + 1), "*");
    const bool of_macro = t->in_directive && xb_token_in(&t[-1], "( ,");
    if (xb_token_is(&t[-1], "define") || typed || (!called && (pointed || of_macro || continues_declaration(s, i))))
      return true;
  }
  s->unknown[called][name->first] = true;
  return false;
}

/* True if a declaration of this file gives a word of CUDA another meaning. */
static bool is_declared_here(const xb_scaffold *s, size_t at)
{
  for (const xb_scaffold_item *item = s->items; item < s->items + s->item_count; item++)
    if (s->wanted[item->begin] && !item->of_kernel && item->begin < item->name &&
        xb_token_equals(&s->tokens.list[item->name], &s->tokens.list[at]))
      return true;
  return false;
}

/* True if a parameter that is a pointer becomes another address: a buffer of HLSL has none. */
static bool moves_pointer(const xb_scaffold *s, size_t at)
{
  bool pointer = false;
  for (size_t i = 0; i < s->kernel.count; i++)
    pointer |= s->kernel.parameters[i].is_pointer && xb_token_is(&s->tokens.list[at], s->kernel.parameters[i].name);
  return pointer && at > s->kernel.open && at < s->kernel.close &&
         (xb_token_in(xb_token_at(&s->tokens, at + 1), "= += -= ++ --") ||
          xb_token_in(&s->tokens.list[at - 1], "++ --"));
}

/* True if a type stands before the name somewhere: int half. */
static bool is_variable(const xb_scaffold *s, size_t at)
{
  const xb_token *name = &s->tokens.list[at];
  for (size_t i = xb_token_alike(&s->tokens, name->text, name->length); i; i = s->tokens.list[i - 1].alike)
    if (i > 1 && xb_token_equals(&s->tokens.list[i - 1], name) && is_type(s, i - 2))
      return true;
  return false;
}

/* A type of CUDA whose numbers HLSL does not have everywhere: the row about them. NULL: another word. */
static const char *other_type(const xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at];
  xb_member member;
  if (xb_is_of_hlsl(t) || !xb_cuda_type(xb_scaffold_word(s, at), t->length, &member))
    return NULL;
  const uint32_t bytes = xb_dtype_bytes(member.dtype);
  return bytes == 8 ? "int64" : bytes == 2 ? "int16" : bytes == 1 ? "int8" : NULL;
}

static void carry_name(xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at], *next = xb_token_at(&s->tokens, at + 1);
  const bool member = at && xb_token_in(t - 1, ". ->");
  const bool called = xb_token_is(next, "(");
  const bool variable = xb_is_hlsl_keyword(t) && (!xb_token_is(t, "half") || is_variable(s, at));
  const xb_carry *carry = variable ? NULL : xb_carry_of(t);
  if (variable) {
    s->as[at] = xb_arena_text(s->arena, "%s_", xb_scaffold_word(s, at));
  } else if (member) {
  } else if (moves_pointer(s, at)) {
    xb_scaffold_refuse(s, at, "pointer");
  } else if (carry && *carry->hlsl && is_declared_here(s, at)) {
    xb_scaffold_doubt(
        s, at, xb_arena_text(s->arena, "%s has its own meaning in this file: rename it", xb_scaffold_word(s, at)));
  } else if (carry && carry->kind == XB_CARRY_WORD) {
    s->as[at] = xb_arena_text(s->arena, "%s", carry->hlsl);
  } else if (carry) {
    if (!carry_call(s, at, carry))
      xb_scaffold_refuse(s, at, finding_of(s, at));
  } else if (other_type(s, at) && !is_known(s, at)) {
    xb_scaffold_refuse(s, at, other_type(s, at));
  } else if (!xb_is_of_hlsl(t) && !is_known(s, at) && !is_type(s, at)) {
    if (called || xb_scaffold_has_row(xb_scaffold_word(s, at)))
      xb_scaffold_refuse(s, at, xb_scaffold_word(s, at));
    else
      xb_scaffold_doubt(s, at,
                        xb_arena_text(s->arena,
                                      "no declaration of %s was found here: the scaffold does not translate "
                                      "included files",
                                      xb_scaffold_word(s, at)));
  }
}

/* ---- Operators -------------------------------------------------------------------------------------------------- */

/* A reference is a parameter that goes in and out. A constant one is a value. */
static void carry_reference(xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at];
  size_t begin = at - 1;
  bool is_const = false;
  while (begin && !strchr("(,", *s->tokens.list[begin].text))
    begin--;
  for (size_t i = begin; i < at; i++)
    is_const |= xb_token_is(&s->tokens.list[i], "const");
  s->as[at] = "";
  if (t[1].text == t->text + 1) /* float &a */
    s->as[at + 1] = xb_arena_text(s->arena, " %s", xb_scaffold_said(s, at + 1));
  if (!is_const)
    s->as[begin + 1] = xb_arena_text(s->arena, "inout %s", xb_scaffold_said(s, begin + 1));
}

static void carry_operator(xb_scaffold *s, size_t at)
{
  const xb_token *t = &s->tokens.list[at], *before = at ? t - 1 : t;
  if (!xb_token_in(t, "& * ->"))
    return;
  const bool value = (before->kind == XB_TOKEN_NAME && !xb_token_is(before, "return")) ||
                     before->kind == XB_TOKEN_NUMBER || xb_token_in(before, ") ]");
  const bool of_type = before->kind == XB_TOKEN_NAME && is_type(s, at - 1);
  if (xb_token_is(t, "&") && of_type && t->in_signature)
    carry_reference(s, at);
  else if (xb_token_is(t, "->") || (xb_token_in(t, "* &") && (of_type || !value)))
    xb_scaffold_refuse(s, at, "pointer");
}

/* From the end, so that what is inside of a call is ready before the call. */
void xb_scaffold_translate(xb_scaffold *s, size_t begin, size_t end)
{
  const xb_tokens *t = &s->tokens;
  xb_scaffold_doubt_barriers(s, begin, end);
  for (size_t i = end; i-- > begin;) {
    const xb_token *token = &t->list[i];
    const bool part = i > begin && xb_token_in(&t->list[i - 1], "unsigned signed long");
    s->uses_grid |= xb_token_is(token, "gridDim");
    if (token->kind == XB_TOKEN_DIRECTIVE && xb_token_is(token, "pragma")) {
      const xb_token *count = xb_token_at(t, i + 2);
      const bool number = count->in_directive && count->line == token->line;
      if (!xb_token_is(xb_token_at(t, i + 1), "unroll"))
        continue;
      s->as[i] = number ? xb_arena_text(s->arena, "[unroll(%s)]", xb_scaffold_word(s, i + 2)) : "[unroll]";
      leave_out(s, i + 1, i + 2 + number);
    } else if (token->kind == XB_TOKEN_NAME && token->in_directive && token[-1].kind == XB_TOKEN_DIRECTIVE) {
      continue; /* the name of a macro, or a condition */
    } else if (xb_token_is(token, "__shared__")) {
      carry_shared(s, i, end);
    } else if (xb_token_is(token, "static_cast") && xb_token_is(xb_token_at(t, i + 1), "<")) {
      carry_cast(s, i, end);
    } else if (xb_token_in(token, INTEGERS)) {
      if (!part)
        carry_integer(s, i);
    } else if (token->kind == XB_TOKEN_NAME) {
      carry_name(s, i);
    }
  }
  for (size_t i = begin; i < end; i++)
    if (t->list[i].kind == XB_TOKEN_OPERATOR && !s->as[i])
      carry_operator(s, i);
}
