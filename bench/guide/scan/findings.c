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

/* What the rules ask of the source as a whole, found in one pass. */
static void prepare(const xb_tokens *t, unsigned char *names, bool *barrier_follows)
{
  bool follows = false;
  for (size_t i = t->count; i-- > 0;) {
    const xb_token *token = &t->list[i], *before = i ? token - 1 : xb_token_at(t, t->count);
    const bool defined = before->kind == XB_TOKEN_DIRECTIVE && xb_token_is(before, "define"),
               function = token->scope >= XB_SCOPE_DEVICE && !token->in_signature;
    unsigned char *name = &names[token->first];
    follows = token->in_directive ? follows : function && (follows || xb_token_is(token, "__syncthreads"));
    barrier_follows[i] = follows;
    if (token->in_signature || (token->in_directive && defined))
      *name |= XB_NAME_DECLARED;
    if (token->in_signature && token->scope == XB_SCOPE_KERNEL)
      *name |= XB_NAME_OF_KERNEL;
    if (xb_token_is(before, "struct"))
      *name |= XB_NAME_STRUCT;
    for (size_t k = i + 1; defined && xb_token_at(t, k)->in_directive && t->list[k].kind != XB_TOKEN_DIRECTIVE; k++)
      if (!strncmp(t->list[k].text, "TORCH_CHECK", 11))
        *name |= XB_NAME_CHECKS;
  }
}

void xb_findings_read(xb_findings *findings, const char *source, bool is_header)
{
  xb_tokens tokens = {0};
  xb_symbols symbols = {0};
  xb_tokens_read(&tokens, source);
  xb_tokens_set_scopes(&tokens, is_header);
  unsigned char *masks = xb_mask_names_read(&tokens), *names = calloc(tokens.count + 1, 1);
  bool *barrier_follows = malloc(tokens.count + 1);
  findings->out_of_memory |=
      tokens.out_of_memory || !masks || !names || !barrier_follows || !xb_symbols_read(&symbols, &tokens);
  const xb_rule_input input = {&tokens, &symbols, findings, masks, names, barrier_follows};
  if (!findings->out_of_memory)
    prepare(&tokens, names, barrier_follows);
  for (size_t i = 0; i < tokens.count && !findings->out_of_memory; i++)
    xb_rules_apply(&input, i);
  free(masks);
  free(names);
  free(barrier_follows);
  findings->lines = tokens.lines;
  xb_symbols_free(&symbols);
  xb_tokens_free(&tokens);
}
