/* Of the preprocessor, conditions and macros without a text. */
#include "source/fingerprint.h"

#include <string.h>

typedef enum truth { NO, YES, UNKNOWN } truth;

/* A name that directives or flags have. */
typedef struct macro {
  const char *name;
  size_t length, before; /* another one of the same xb_token_alike(), and one more; 0: none */
  truth defined;
  bool tested;  /* conditions ask for it */
  bool is_none; /* it has no text, and nothing asks for it */
} macro;

/* An #if with its branches. */
typedef struct chain {
  truth around; /* is what is around it compiled? */
  bool done;    /* one of its branches is compiled for sure */
  bool unknown; /* one of its conditions is */
  bool guard;   /* it sets a default */
} chain;

typedef struct preprocessor {
  xb_tokens *tokens;
  macro *macros;
  size_t *last;  /* by xb_token_alike(): the last macro, and one more */
  chain *chains; /* the innermost is the last one */
  size_t macro_count, chain_count;
  truth here; /* is it compiled? */
} preprocessor;

/* One behind the directive at `at`. */
static size_t end_of_directive(const xb_tokens *t, size_t at)
{
  for (at++; xb_token_at(t, at)->in_directive && t->list[at].kind != XB_TOKEN_DIRECTIVE; at++)
    continue;
  return at;
}

static bool is_condition(const xb_token *t)
{
  return t->kind == XB_TOKEN_DIRECTIVE && xb_token_in(t, "if ifdef ifndef elif elifdef elifndef else endif");
}

/* ---- Macros ----------------------------------------------------------------------------------------------------- */

/* NULL: no directive before has the name. */
static macro *find_macro(const preprocessor *p, const char *name, size_t length)
{
  for (size_t i = p->last[xb_token_alike(p->tokens, name, length)]; i; i = p->macros[i - 1].before)
    if (p->macros[i - 1].length == length && !memcmp(p->macros[i - 1].name, name, length))
      return &p->macros[i - 1];
  return NULL;
}

static macro *add_macro(preprocessor *p, const char *name, size_t length)
{
  macro *m = find_macro(p, name, length);
  size_t *last = &p->last[xb_token_alike(p->tokens, name, length)];
  if (!m) {
    m = &p->macros[p->macro_count++];
    *m = (macro){.name = name, .length = length, .before = *last, .defined = UNKNOWN};
    *last = p->macro_count;
  }
  return m;
}

static truth is_defined(const preprocessor *p, const xb_token *name)
{
  const macro *m = find_macro(p, name->text, name->length);
  return m ? m->defined : UNKNOWN;
}

static void take_flags(preprocessor *p, const char *const *flags)
{
  for (; flags && *flags; flags++) {
    const bool defines = !strncmp(*flags, "-D", 2);
    if (!defines && strncmp(*flags, "-U", 2) != 0)
      continue;
    const char *name = (*flags)[2] ? *flags + 2 : flags[1];
    if (name)
      add_macro(p, name, strcspn(name, "="))->defined = defines ? YES : NO;
  }
}

/* Returns false if the directive says nothing: a macro without a text begins or ends. */
static bool take_macro(preprocessor *p, size_t at, size_t end)
{
  const xb_token *name = &p->tokens->list[at + 1];
  const bool defines = xb_token_is(name - 1, "define");
  if (end < at + 2)
    return true;
  macro *m = add_macro(p, name->text, name->length);
  const bool was_none = m->is_none;
  m->defined = p->here == UNKNOWN ? UNKNOWN : defines ? YES : NO;
  m->is_none = defines && end == at + 2 && !m->tested && p->here == YES;
  return !m->is_none && (defines || !was_none);
}

/* A use of a macro without a text. */
static bool is_none(const preprocessor *p, const xb_token *t)
{
  const macro *m = t->kind == XB_TOKEN_NAME ? find_macro(p, t->text, t->length) : NULL;
  return m && m->is_none;
}

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

typedef struct reading {
  const preprocessor *p;
  size_t at, end;
  int depth; /* of brackets */
} reading;

static truth read_joined(reading *r, bool either);

static bool take(reading *r, const char *word)
{
  const bool here = r->at < r->end && xb_token_is(&r->p->tokens->list[r->at], word);
  r->at += here;
  return here;
}

static truth read_one(reading *r)
{
  enum { MOST_DEPTH = 32 };
  const xb_tokens *t = r->p->tokens;
  truth value = UNKNOWN;
  bool inverse = false;
  while (take(r, "!"))
    inverse = !inverse;
  if (take(r, "defined")) {
    const bool bracket = take(r, "(");
    value = is_defined(r->p, xb_token_at(t, r->at++));
    if (bracket)
      take(r, ")");
  } else if (r->depth < MOST_DEPTH && take(r, "(")) {
    r->depth++;
    value = read_joined(r, true);
    r->depth--;
    take(r, ")");
  } else if (take(r, "0")) {
    value = NO;
  } else if (take(r, "1")) {
    value = YES;
  }
  for (; r->at < r->end && !xb_token_in(&t->list[r->at], "&& || )"); r->at++) { /* a comparison or a macro */
    value = UNKNOWN;
    if (xb_token_is(&t->list[r->at], "("))
      r->at = xb_token_close(t, r->at);
  }
  return inverse && value != UNKNOWN ? value == NO : value;
}

/* Operands joined by || or, which binds closer, by &&. One YES or one NO decides; else any that is unknown. */
static truth read_joined(reading *r, bool either)
{
  const truth decides = either ? YES : NO;
  truth value = either ? read_joined(r, false) : read_one(r);
  while (take(r, either ? "||" : "&&")) {
    const truth other = either ? read_joined(r, false) : read_one(r);
    value = value == decides || other == decides ? decides : value == UNKNOWN ? UNKNOWN : other;
  }
  return value;
}

/* #ifndef NAME, and #define NAME follows. */
static bool sets_default(const xb_tokens *t, size_t at)
{
  return xb_token_is(xb_token_at(t, at + 2), "define") && t->list[at + 2].kind == XB_TOKEN_DIRECTIVE &&
         xb_token_equals(xb_token_at(t, at + 3), &t->list[at + 1]);
}

static truth value_of(preprocessor *p, size_t at, size_t end, chain *c)
{
  const xb_token *directive = &p->tokens->list[at];
  reading r = {.p = p, .at = at + 1, .end = end};
  truth value = YES; /* of #else */
  if (xb_token_in(directive, "if elif")) {
    value = read_joined(&r, true);
    value = r.at < end ? UNKNOWN : value;
  } else if (!xb_token_is(directive, "else") && at + 1 < end) {
    const truth defined = is_defined(p, &directive[1]);
    const bool inverse = xb_token_in(directive, "ifndef elifndef");
    c->guard = defined == UNKNOWN && inverse && sets_default(p->tokens, at);
    value = c->guard ? YES : defined == UNKNOWN ? UNKNOWN : (defined == YES) != inverse ? YES : NO;
  }
  c->unknown |= value == UNKNOWN;
  return value;
}

/* Returns whether the directive stays. */
static bool take_condition(preprocessor *p, size_t at, size_t end)
{
  const xb_token *directive = &p->tokens->list[at];
  if (!strncmp(directive->text, "if", 2))
    p->chains[p->chain_count++] = (chain){.around = p->here};
  if (!p->chain_count)
    return true;
  chain *c = &p->chains[p->chain_count - 1];
  if (xb_token_is(directive, "endif")) {
    p->here = c->around;
    p->chain_count--;
  } else if (c->around == NO || c->done) {
    p->here = NO;
  } else {
    const truth value = value_of(p, at, end, c);
    c->done = value == YES;
    p->here = value == NO ? NO : c->unknown ? UNKNOWN : c->around;
  }
  return c->around != NO && (c->unknown || c->guard);
}

bool xb_tokens_keep_compiled(xb_tokens *t, const char *const *flags, xb_arena *arena)
{
  size_t flag_count = 0;
  while (flags && flags[flag_count])
    flag_count++;
  preprocessor p = {.tokens = t,
                    .macros = xb_arena_take(arena, t->count + flag_count, sizeof *p.macros),
                    .last = xb_arena_take(arena, t->count + 1, sizeof *p.last),
                    .chains = xb_arena_take(arena, t->count, sizeof *p.chains),
                    .here = YES};
  bool *keep = xb_arena_take(arena, t->count, sizeof *keep);
  if (!p.macros || !p.last || !p.chains || !keep)
    return false;
  take_flags(&p, flags);
  bool condition = false;
  for (size_t i = 0; i < t->count; i++) {
    condition =
        t->list[i].kind == XB_TOKEN_DIRECTIVE ? is_condition(&t->list[i]) : condition && t->list[i].in_directive;
    if (condition)
      add_macro(&p, t->list[i].text, t->list[i].length)->tested = true;
  }
  for (size_t i = 0, end; i < t->count; i = end) {
    const xb_token *token = &t->list[i];
    const bool directive = token->kind == XB_TOKEN_DIRECTIVE;
    end = directive ? end_of_directive(t, i) : i + 1;
    bool stays = p.here != NO;
    if (is_condition(token))
      stays = take_condition(&p, i, end);
    else if (directive && stays && xb_token_in(token, "define undef"))
      stays = take_macro(&p, i, end);
    for (size_t k = i; k < end; k++)
      keep[k] = stays && !is_none(&p, &t->list[k]);
  }
  return xb_tokens_keep(t, keep);
}
