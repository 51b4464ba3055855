#include "guide/scan/findings.h"

#include "core/grow.h"
#include "guide/scan/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- A set of texts --------------------------------------------------------------------------------------------- */

static size_t hash_of(const char *text, bool on_device)
{
  size_t hash = 5381 + on_device;
  for (; *text; text++)
    hash = 33 * hash ^ (unsigned char)*text;
  return hash;
}

static bool grow(xb_findings *f)
{
  const size_t capacity = 2 * f->capacity + 512;
  xb_finding *list = realloc(f->list, sizeof *list * capacity);
  if (!list)
    return false;
  f->list = list;
  size_t *slots = calloc(2 * capacity, sizeof *slots);
  if (!slots)
    return false;
  free(f->slots);
  f->capacity = capacity;
  f->slots = slots;
  f->slot_count = 2 * capacity;
  for (size_t i = 0; i < f->count; i++) {
    size_t at = hash_of(list[i].text, list[i].on_device) % f->slot_count;
    while (slots[at])
      at = (at + 1) % f->slot_count;
    slots[at] = i + 1;
  }
  return true;
}

static xb_finding *find_or_add(xb_findings *f, const char *text, bool on_device)
{
  if (f->count == f->capacity && !grow(f))
    return NULL;
  size_t at = hash_of(text, on_device) % f->slot_count;
  for (; f->slots[at]; at = (at + 1) % f->slot_count) {
    xb_finding *found = &f->list[f->slots[at] - 1];
    if (found->on_device == on_device && !strcmp(found->text, text))
      return found;
  }
  xb_finding *added = &f->list[f->count++];
  *added = (xb_finding){.on_device = on_device};
  strcpy(added->text, text);
  f->slots[at] = f->count;
  return added;
}

void xb_finding_add(xb_findings *f, const char *text, size_t length, size_t line, bool on_device)
{
  char cut[sizeof f->list->text];
  length = length < sizeof cut ? length : sizeof cut - 1;
  memcpy(cut, text, length);
  cut[length] = 0;
  xb_finding *found = find_or_add(f, cut, on_device);
  if (found && found->count && found->lines[found->count - 1] == line)
    return;
  if (found && xb_grow(&found->lines, &found->capacity, found->count, sizeof line))
    found->lines[found->count++] = line;
  else
    f->out_of_memory = true;
}

void xb_findings_free(xb_findings *f)
{
  for (size_t i = 0; i < f->count; i++)
    free(f->list[i].lines);
  free(f->list);
  free(f->slots);
  *f = (xb_findings){0};
}

/* ---- Reading a source ------------------------------------------------------------------------------------------- */

/* What the rules ask of the source as a whole, found in one pass. False: no memory. */
static bool prepare(xb_rule_input *in, bool *barrier_follows)
{
  bool good = barrier_follows != NULL, follows = false;
  for (size_t i = in->tokens->count; good && i-- > 0;) {
    const xb_token *t = &in->tokens->list[i], *before = i ? t - 1 : xb_token_at(in->tokens, in->tokens->count);
    const bool defined = before->kind == XB_TOKEN_DIRECTIVE && xb_token_is(before, "define"),
               function = t->scope >= XB_SCOPE_DEVICE && !t->in_signature;
    follows = t->in_directive ? follows : function && (follows || xb_token_is(t, "__syncthreads"));
    barrier_follows[i] = follows;
    if (t->in_signature || (t->in_directive && defined))
      good &= xb_token_names_add(&in->declared, t);
    if (t->in_signature && t->scope == XB_SCOPE_KERNEL)
      good &= xb_token_names_add(&in->of_kernels, t);
    if (xb_token_is(before, "struct"))
      good &= xb_token_names_add(&in->structs, t);
    for (size_t k = i + 1;
         defined && xb_token_at(in->tokens, k)->in_directive && in->tokens->list[k].kind != XB_TOKEN_DIRECTIVE; k++)
      if (!strncmp(in->tokens->list[k].text, "TORCH_CHECK", 11))
        good &= xb_token_names_add(&in->checks, t);
  }
  in->barrier_follows = barrier_follows;
  return good;
}

void xb_findings_read(xb_findings *findings, const char *source, bool is_header)
{
  xb_tokens tokens = {0};
  xb_symbols symbols = {0};
  xb_tokens_read(&tokens, source);
  xb_tokens_set_scopes(&tokens, is_header);
  findings->out_of_memory |= tokens.out_of_memory || !xb_symbols_read(&symbols, &tokens);
  xb_rule_input input = {.tokens = &tokens, .symbols = &symbols, .findings = findings};
  bool *barrier_follows = malloc(tokens.count + 1);
  findings->out_of_memory |= !prepare(&input, barrier_follows);
  xb_mask_names_read(&input.masks, &tokens);
  for (size_t i = 0; i < tokens.count && !findings->out_of_memory; i++)
    xb_rules_apply(&input, i);
  const xb_token_names *const sets[] = {&input.declared, &input.checks, &input.structs, &input.of_kernels};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    free(sets[i]->slots);
  xb_mask_names_free(&input.masks);
  free(barrier_follows);
  findings->lines = tokens.lines;
  xb_symbols_free(&symbols);
  xb_tokens_free(&tokens);
}
