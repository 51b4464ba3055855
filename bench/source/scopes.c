/* Finds out which functions run on the device. */
#include "source/declarations.h"

#include <stdlib.h>
#include <string.h>

static bool ends_with(const xb_token *t, const char *end)
{
  const size_t length = strlen(end);
  return t->length >= length && !memcmp(t->text + t->length - length, end, length);
}

bool xb_token_names_device(const xb_token *t)
{
  if (t->of_device || xb_token_in(t, "__device__ __global__"))
    return true;
  return t->kind == XB_TOKEN_NAME && !xb_token_has_small(t) &&
         (xb_token_is(t, "DEVICE") || (ends_with(t, "_DEVICE") && !xb_token_has(t, "TYPE")) ||
          xb_token_has(t, "DEVICE_INLINE") || xb_token_has(t, "DEV_INLINE") || xb_token_has(t, "DEVICE_FUNC") ||
          xb_token_has(t, "DEVICE_FORCE"));
}

/* DEFINE_GPU_FUNCTION, CUDA_KERNEL(...): a macro whose arguments are code for the device. */
static bool is_macro_of_kernels(const xb_token *t)
{
  return t->kind == XB_TOKEN_NAME && !xb_token_has_small(t) &&
         (xb_token_has(t, "GPU") || xb_token_has(t, "CUDA") || xb_token_has(t, "KERNEL"));
}

static bool uses_the_device(const xb_token *t)
{
  return xb_token_in(t, "threadIdx blockIdx __syncthreads __syncwarp __shared__");
}

/* Sets the scope of tokens from `from` up to and with `to`. Parts that already are the device's stay so. */
static void set(xb_tokens *t, size_t from, size_t to, xb_token_scope scope)
{
  for (size_t i = from; i <= to && i < t->count; i++)
    if (t->list[i].scope < scope && !t->list[i].in_directive)
      t->list[i].scope = scope;
}

/* The scope of a function whose signature is [begin, open) and whose body is [open, close]. */
static xb_token_scope scope_of(const xb_tokens *t, size_t begin, size_t open, size_t close)
{
  xb_token_scope scope = XB_SCOPE_HOST;
  for (size_t i = begin; i < open; i++) {
    if (xb_token_is(&t->list[i], "__global__"))
      return XB_SCOPE_KERNEL;
    if (xb_token_names_device(&t->list[i]))
      scope = XB_SCOPE_DEVICE;
  }
  for (size_t i = open; i < close && scope == XB_SCOPE_HOST; i++)
    if (!t->list[i].in_directive && uses_the_device(&t->list[i]))
      scope = XB_SCOPE_DEVICE;
  return scope;
}

/* The bodies of lambdas that are for the device, in a function of the host. */
static void set_lambdas(xb_tokens *t, size_t open, size_t close)
{
  for (size_t i = open + 1; i < close; i++) {
    if (!xb_token_names_device(&t->list[i]) || t->list[i].in_directive)
      continue;
    const size_t body = xb_token_find(t, i, close, "{ ;");
    if (xb_token_is(&t->list[body], "{")) {
      const size_t end = xb_token_close(t, body);
      set(t, i, end, XB_SCOPE_DEVICE);
      i = end;
    }
  }
}

/* True if the brace at `open` begins the body of a function: a `)` stands before it, and names such as const. */
static bool opens_function(const xb_tokens *t, size_t begin, size_t open)
{
  bool parameters = false;
  size_t brackets = 0;
  for (size_t i = begin; i < open; i++) {
    const xb_token *token = &t->list[i];
    if (xb_is_attribute(t, i)) {
      i = xb_token_close(t, i + 1);
      continue;
    }
    brackets += xb_token_is(token, "(");
    brackets -= brackets && xb_token_is(token, ")");
    if (xb_token_is(token, "=") && !parameters && !brackets)
      return false;
    if (!brackets && xb_token_in(token, "struct class enum union namespace")) {
      parameters = false;                 /* of a function that returns such a type, they follow the type */
    } else if (xb_token_is(token, "<")) { /* template arguments */
      const size_t end = xb_token_angle(t, i);
      i = end < open ? end : i;
    } else {
      parameters |= xb_token_is(token, ")");
    }
  }
  return parameters;
}

/* A macro's text is the device's if it says so, or uses words of it. */
static void set_directives(xb_tokens *t)
{
  for (size_t i = 0; i < t->count;) {
    if (t->list[i].kind != XB_TOKEN_DIRECTIVE) {
      i++;
      continue;
    }
    size_t end = i + 1;
    bool device = false;
    for (; end < t->count && t->list[end].in_directive && t->list[end].kind != XB_TOKEN_DIRECTIVE; end++)
      device |= xb_token_names_device(&t->list[end]) || uses_the_device(&t->list[end]);
    for (size_t k = i; k < end; k++)
      t->list[k].scope = device ? XB_SCOPE_DEVICE : XB_SCOPE_HOST;
    i = end;
  }
}

/* The device's code has the tokens from `from` up to and with `to`, or some of them. `used`: names, by xb_token.first.
 */
static void note_used(const xb_tokens *t, size_t from, size_t to, bool *used)
{
  for (size_t i = from; i <= to && i < t->count; i++)
    used[t->list[i].first] |= t->list[i].kind == XB_TOKEN_NAME && t->list[i].scope >= XB_SCOPE_DEVICE;
}

/* A macro whose name code of the device has is the device's, too. */
static void set_used_macros(xb_tokens *t, bool *used)
{
  for (size_t i = 0; i + 1 < t->count; i++)
    if (t->list[i].kind == XB_TOKEN_DIRECTIVE && xb_token_is(&t->list[i], "define") &&
        t->list[i + 1].scope < XB_SCOPE_DEVICE && used[t->list[i + 1].first])
      for (size_t k = i + 1; xb_token_at(t, k)->in_directive && t->list[k].kind != XB_TOKEN_DIRECTIVE; k++) {
        t->list[k].scope = XB_SCOPE_DEVICE;
        note_used(t, k, k, used);
      }
}

/* True if the tokens declare no function: types, constants and members, which code of the device may use. */
static bool declares_no_function(const xb_tokens *t, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++) {
    if (xb_token_is(&t->list[i], "="))
      return true;
    if (xb_token_is(&t->list[i], "(") && i && !xb_token_is(&t->list[i - 1], "__align__") &&
        !xb_token_is(&t->list[i - 1], "alignas"))
      return false;
  }
  return true;
}

/* typedef double real; using real = double: it is the device's if its code has the name. */
static void set_aliases(xb_tokens *t, bool *used)
{
  for (size_t i = 0; i < t->count; i++) {
    const bool is_typedef = xb_token_is(&t->list[i], "typedef"), is_using = xb_token_is(&t->list[i], "using");
    if (t->list[i].scope != XB_SCOPE_FILE || (!is_typedef && !is_using))
      continue;
    const size_t end = xb_token_find(t, i, t->count, "; {");
    if (used[is_using ? xb_token_at(t, i + 1)->first : t->list[end - (end > i)].first]) {
      set(t, i, end, XB_SCOPE_DEVICE);
      note_used(t, i, end, used);
    }
  }
}

static void set_functions(xb_tokens *t, bool for_device)
{
  size_t begin = 0; /* of a declaration */
  for (size_t i = 0; i < t->count; i++) {
    const xb_token *token = &t->list[i];
    if (token->in_directive) {
      begin = begin == i ? i + 1 : begin;
      continue;
    }
    if (xb_token_in(token, "; }")) {
      if (for_device && declares_no_function(t, begin, i))
        set(t, begin, i, XB_SCOPE_DEVICE);
      for (size_t k = begin; k < i; k++) /* a prototype or a variable of the device, or a macro that makes kernels */
        if (xb_token_names_device(&t->list[k]) || xb_token_is(&t->list[k], "__constant__") ||
            (k == begin && is_macro_of_kernels(&t->list[k]))) {
          set(t, begin, i, XB_SCOPE_DEVICE);
          break;
        }
      begin = i + 1;
    } else if (xb_token_is(token, "{")) {
      if (opens_function(t, begin, i)) {
        const size_t close = xb_token_close(t, i);
        const xb_token_scope scope = scope_of(t, begin, i, close);
        set(t, begin, close, scope);
        for (size_t k = begin; k < i; k++)
          t->list[k].in_signature = true;
        if (scope == XB_SCOPE_HOST)
          set_lambdas(t, i, close);
        i = close;
      } else if (for_device) { /* a namespace, a struct or a list of values: what is inside is looked at by itself */
        set(t, begin, i, XB_SCOPE_DEVICE);
      }
      begin = i + 1;
    }
  }
}

/* "#define HD __host__ __device__", without a body: HD is such a word. */
static void set_macros(xb_tokens *t, bool *words)
{
  for (size_t i = 1; i < t->count; i++) {
    bool names = false, body = false;
    size_t end = i + 1;
    if (!xb_token_is(&t->list[i - 1], "define") || t->list[i - 1].kind != XB_TOKEN_DIRECTIVE)
      continue;
    for (; end < t->count && t->list[end].in_directive && t->list[end].kind != XB_TOKEN_DIRECTIVE; end++) {
      names |= xb_token_names_device(&t->list[end]) || words[t->list[end].first];
      body |= xb_token_in(&t->list[end], "{ ;");
    }
    words[t->list[i].first] |= names && !body;
    i = end - 1;
  }
  for (size_t i = 0; i < t->count; i++)
    t->list[i].of_device = t->list[i].kind == XB_TOKEN_NAME && words[t->list[i].first];
}

void xb_tokens_set_scopes(xb_tokens *tokens, bool for_device)
{
  bool *words = calloc(2 * tokens->count + 1, sizeof *words), *used = words + tokens->count; /* on the device */
  tokens->out_of_memory |= !words;
  if (!words)
    return;
  set_macros(tokens, words);
  set_directives(tokens);
  set_functions(tokens, for_device);
  note_used(tokens, 0, tokens->count, used);
  set_used_macros(tokens, used);
  set_aliases(tokens, used);
  free(words);
}
