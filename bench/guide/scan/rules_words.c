/* Keywords and qualifiers whose meaning depends on what stands around them. */
#include "guide/rows.h"
#include "guide/scan/rules.h"

#include <ctype.h>
#include <string.h>

/* True if one of the tokens before, in the same declaration, is the word. */
static bool declared_with(const xb_rule_input *in, size_t at, const char *word)
{
  for (size_t i = at; i-- > 0 && at - i < 6;) {
    const xb_token *t = &in->tokens->list[i];
    if (xb_token_is(t, word))
      return true;
    if (xb_token_in(t, "; { }"))
      break;
  }
  return false;
}

/* The first of the operators behind `at`; what alignas and the like have in brackets is skipped. */
static char next_of(const xb_rule_input *in, size_t at, const char *operators)
{
  for (size_t i = at + 1; i < xb_token_reach(in->tokens, at); i++) {
    const xb_token *t = &in->tokens->list[i];
    if (xb_token_is(t, "operator")) /* its name may be [] */
      return '(';
    if (t->kind != XB_TOKEN_OPERATOR || !strchr(operators, *t->text))
      continue;
    const xb_token *name = &in->tokens->list[i - 1];
    if (xb_token_is(t, "(") && (xb_token_in(name, "__align__ alignas __launch_bounds__ __attribute__")))
      i = xb_token_close(in->tokens, i);
    else
      return *t->text;
  }
  return 0;
}

/* True if the declaration at `at`, which may be a struct with functions, has code for the device. */
static bool declares_device_code(const xb_rule_input *in, size_t at)
{
  size_t end = xb_token_find(in->tokens, at, in->tokens->count, "{ ;");
  if (xb_token_is(xb_token_at(in->tokens, end), "{"))
    end = xb_token_close(in->tokens, end);
  const size_t reach = xb_token_reach(in->tokens, at);
  for (; at < end && at < reach; at++)
    if (in->tokens->list[at].scope >= XB_SCOPE_DEVICE)
      return true;
  return false;
}

static void find_template(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool device = t->scope >= XB_SCOPE_DEVICE || (t->scope == XB_SCOPE_FILE && declares_device_code(in, at));
  const size_t head = xb_token_find(in->tokens, at + 1, in->tokens->count, "{ ; __global__");
  if (xb_token_is(xb_token_at(in->tokens, head), "__global__"))
    xb_rule_found(in, t, "template kernel");
  else if (device)
    xb_rule_found(in, t, "template");
}

/* True if a volatile parameter of a device function is added to itself, a fixed number of elements apart: a step of a
 * sum in shared memory by lanes in step. */
static bool is_summed(const xb_rule_input *in, size_t at)
{
  size_t name = at + 1;
  while (name < at + XB_TOKEN_REACH && (xb_token_at(in->tokens, name + 1)->kind == XB_TOKEN_NAME ||
                                        xb_token_is(xb_token_at(in->tokens, name + 1), "*")))
    name++;
  const xb_token *of = xb_token_at(in->tokens, name);
  for (size_t i = name + 1; of->in_signature && i + 3 < in->tokens->count; i++) {
    const xb_token *t = &in->tokens->list[i];
    if (t->scope < XB_SCOPE_DEVICE || (i > name + 40 && t->in_signature))
      break;
    if (!xb_token_equals(t, of) || !xb_token_is(t + 1, "["))
      continue;
    const size_t close = xb_token_close(in->tokens, i + 1);
    if (xb_token_is(xb_token_at(in->tokens, close + 1), "+=") &&
        xb_token_equals(xb_token_at(in->tokens, close + 2), of))
      return true;
  }
  return false;
}

static void find_volatile(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (at && xb_token_ends(t - 1, "asm"))
    return;
  bool shared = declared_with(in, at, "__shared__") || is_summed(in, at);
  for (size_t i = at + 1; i < at + 6; i++) {
    const xb_token *next = xb_token_at(in->tokens, i);
    if (xb_token_in(next, ", ; ) ="))
      break;
    shared |= xb_token_is(next, "__shared__") || xb_guide_begins(next->text, "s_ sh sdata smem");
  }
  xb_rule_found(in, t, shared ? "volatile shared" : "volatile");
}

/* A struct that the parameters of a kernel name. */
static void find_struct(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  size_t name = at + 1;
  while (xb_token_is(xb_token_at(in->tokens, name + 1), "("))
    name = xb_token_close(in->tokens, name + 1) + 1; /* alignas(16) */
  const xb_token *named = xb_token_at(in->tokens, name);
  if (!xb_token_is(xb_token_at(in->tokens, name + 1), "{"))
    return;
  if (!(in->names[named->first] & XB_NAME_OF_KERNEL))
    return;
  const size_t close = xb_token_close(in->tokens, name + 1);
  bool scalars = true, of_type = true; /* the next name is a type */
  for (size_t i = name + 2; i < close && i < name + XB_TOKEN_REACH; i++) {
    const xb_token *member = &in->tokens->list[i];
    if (xb_token_is(member, "[") && scalars)
      xb_rule_found(in, member, "array in a struct of a kernel");
    const xb_symbol_type type = xb_type_named(member);
    scalars &= !of_type || type == XB_TYPE_FLOAT || type == XB_TYPE_INT || type == XB_TYPE_UINT;
    scalars &= !xb_token_is(member, "[") && !xb_token_is(member, "*") && !xb_token_is(member, "(");
    of_type = xb_token_is(member, ";");
  }
  xb_rule_found(in, t, scalars ? "struct of scalars of a kernel" : "struct of a kernel");
}

/* True if the token stands among the arguments of a template. */
static bool is_in_template(const xb_rule_input *in, size_t at)
{
  const size_t end = at > XB_TOKEN_REACH ? at - XB_TOKEN_REACH : 0;
  while (at-- > end && in->tokens->list[at].in_signature)
    if (xb_token_in(&in->tokens->list[at], "( template"))
      return xb_token_is(&in->tokens->list[at], "template");
  return false;
}

static void find_bool(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (is_in_template(in, at))
    return;
  if (t->in_signature && (t->scope == XB_SCOPE_KERNEL ||
                          (t->scope == XB_SCOPE_DEVICE && xb_token_is(xb_token_at(in->tokens, at + 1), "*"))))
    xb_rule_found(in, t, "bool parameter");
}

static void find_shared(const xb_rule_input *in, size_t at)
{
  const bool dynamic = declared_with(in, at, "extern") || xb_token_is(xb_token_at(in->tokens, at + 1), "extern");
  xb_rule_found(in, &in->tokens->list[at], dynamic ? "extern __shared__" : "__shared__");
  const xb_token *type = xb_token_at(in->tokens, at + 1);
  if (type->kind == XB_TOKEN_NAME && in->names[type->first] & XB_NAME_STRUCT)
    xb_rule_found(in, type, "__shared__ struct");
}

static void find_device(const xb_rule_input *in, size_t at)
{
  size_t before = at - (at > 0);
  before -= before && xb_token_is(&in->tokens->list[before], "__host__");
  const bool lambda = xb_token_is(&in->tokens->list[before], "]");
  xb_rule_found(in, &in->tokens->list[at],
                lambda                                                                  ? "__device__ lambda"
                : next_of(in, at, "(;=[{") != '(' && !in->tokens->list[at].in_directive ? "__device__ variable"
                                                                                        : "__device__");
}

/* How many blocks a multiprocessor has to hold. */
static void find_bounds(const xb_rule_input *in, size_t at)
{
  const size_t close = xb_token_close(in->tokens, at + 1);
  const size_t comma = xb_token_find(in->tokens, at + 2, close, ",");
  if (xb_token_is(xb_token_at(in->tokens, at + 1), "(") && xb_token_is(xb_token_at(in->tokens, comma), ","))
    xb_rule_found(in, &in->tokens->list[at], "second argument of __launch_bounds__");
}

bool xb_rule_of_word(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool on_device = t->scope >= XB_SCOPE_DEVICE;
  if (xb_token_in(t, "asm __asm__ __asm")) {
    xb_rule_of_assembly(in, at);
  } else if (xb_token_is(t, "template")) {
    find_template(in, at);
  } else if (xb_token_is(t, "__shared__")) {
    find_shared(in, at);
  } else if (xb_token_is(t, "__device__")) {
    find_device(in, at);
  } else if (xb_token_is(t, "volatile")) {
    if (on_device)
      find_volatile(in, at);
  } else if (xb_token_is(t, "struct")) {
    if (t->scope == XB_SCOPE_FILE)
      find_struct(in, at);
  } else if (xb_token_is(t, "__launch_bounds__")) {
    find_bounds(in, at);
    return false;
  } else if (xb_token_is(t, "dim3")) {
    if (on_device)
      xb_rule_found(in, t, "dim3 parameter");
    return on_device;
  } else if (xb_token_is(t, "texture") && xb_token_is(xb_token_at(in->tokens, at + 1), "<")) {
    xb_rule_found(in, t, "texture reference");
  } else if (xb_token_is(t, "bool")) {
    find_bool(in, at);
  } else if (xb_token_is(t, "constexpr")) {
    if (on_device && at && xb_token_is(t - 1, "if"))
      xb_rule_found(in, t, "if constexpr");
    if (t->scope != XB_SCOPE_HOST)
      xb_rule_found(in, t, "constexpr");
  } else if (xb_token_is(t, "using")) {
    if (t->scope != XB_SCOPE_HOST && (on_device || xb_token_is(xb_token_at(in->tokens, at + 2), "=")))
      xb_rule_found(in, t, "using");
  } else if (xb_token_is(t, "alignas")) {
    if (on_device || (t->scope == XB_SCOPE_FILE && declares_device_code(in, at)))
      xb_rule_found(in, t, "alignas");
  } else if (xb_token_is(t, "union")) {
    if (t->scope != XB_SCOPE_HOST)
      xb_rule_found(in, t, "union");
  } else {
    return false;
  }
  return true;
}

/* A word of PTX counts as a whole, and so do its beginnings: cp.async.cg, cp.async. */
static void add_ptx(const xb_rule_input *in, const xb_token *t, const char *word, size_t length)
{
  for (size_t i = 1; i <= length; i++)
    if (i == length || ((word[i] == '.' || word[i] == ':') && word[i - 1] != ':'))
      xb_finding_add(in->findings, word, i, t->line, true);
}

void xb_rule_of_assembly(const xb_rule_input *in, size_t at)
{
  const xb_tokens *tokens = in->tokens;
  xb_rule_found(in, &tokens->list[at], "asm");
  size_t open = at;
  while (open < at + 4 && !xb_token_is(xb_token_at(tokens, open), "("))
    open++;
  const size_t close = xb_token_is(xb_token_at(tokens, open), "(") ? xb_token_close(tokens, open) : open;
  for (size_t i = open + 1; i < close && i < at + XB_TOKEN_REACH && !xb_token_is(&tokens->list[i], ":"); i++) {
    const xb_token *text = &tokens->list[i];
    for (size_t k = 0; text->kind == XB_TOKEN_TEXT && k < text->length; k++) {
      if (!isalpha((unsigned char)text->text[k]) || (k && text->text[k - 1] == '\\'))
        continue;
      size_t end = k;
      while (end < text->length && (isalnum((unsigned char)text->text[end]) || strchr("._:", text->text[end])))
        end++;
      while (end > k && strchr(".:", text->text[end - 1]))
        end--;
      add_ptx(in, text, text->text + k, end - k);
      k = end;
    }
  }
}
