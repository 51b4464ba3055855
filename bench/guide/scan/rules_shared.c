/* What code does with shared memory: sums by lanes in step, and indices that banks do not like. */
#include "guide/scan/rules.h"

/* `sdata[...] += sdata[...];` at `at`: the index behind it; 0: it is no such step. */
static size_t after_step(const xb_rule_input *in, size_t at)
{
  const xb_token *name = xb_token_at(in->tokens, at);
  if (name->kind != XB_TOKEN_NAME || !xb_token_is(xb_token_at(in->tokens, at + 1), "["))
    return 0;
  const size_t close = xb_token_close(in->tokens, at + 1);
  if (!xb_token_is(xb_token_at(in->tokens, close + 1), "+=") ||
      !xb_token_equals(xb_token_at(in->tokens, close + 2), name) ||
      !xb_token_is(xb_token_at(in->tokens, close + 3), "["))
    return 0;
  const size_t end = xb_token_close(in->tokens, close + 3);
  return xb_token_is(xb_token_at(in->tokens, end + 1), ";") ? end + 2 : 0;
}

/* Two steps of a sum in shared memory with nothing between them but an `if`: lanes taken to run in step. */
static void find_steps(const xb_rule_input *in, size_t at)
{
  const xb_symbol *symbol = xb_symbol_of(in->symbols, &in->tokens->list[at]);
  size_t next = symbol && symbol->is_shared ? after_step(in, at) : 0;
  if (!next)
    return;
  if (xb_token_is(xb_token_at(in->tokens, next), "if") && xb_token_is(xb_token_at(in->tokens, next + 1), "("))
    next = xb_token_close(in->tokens, next + 1) + 1;
  if (xb_token_equals(xb_token_at(in->tokens, next), &in->tokens->list[at]) && after_step(in, next))
    xb_rule_found(in, &in->tokens->list[at], "steps without a barrier");
}

/* True if threadIdx.x, or a variable that is nothing else, begins at `at`. */
static bool is_thread_x(const xb_rule_input *in, size_t at)
{
  const xb_token *t = xb_token_at(in->tokens, at);
  const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
  if (symbol && symbol->has_thread && !symbol->has_block && xb_token_is(symbol->name + 1, "=") &&
      xb_token_in(symbol->name + 5, "; ,"))
    t = symbol->name + 2;
  return xb_token_is(t, "threadIdx") && xb_token_is(t + 1, ".") && xb_token_is(t + 2, "x");
}

/* tile[threadIdx.x][k]: neighbouring threads are a whole row apart. */
static void find_x_not_first(const xb_rule_input *in, size_t at)
{
  const xb_symbol *symbol = xb_symbol_of(in->symbols, &in->tokens->list[at]);
  if (!symbol || !symbol->is_shared || !xb_token_is(xb_token_at(in->tokens, at + 1), "[") || !is_thread_x(in, at + 2))
    return;
  const size_t close = xb_token_close(in->tokens, at + 1);
  const bool alone = close == at + 3 || close == at + 5;
  if (alone && xb_token_is(xb_token_at(in->tokens, close + 1), "["))
    xb_rule_found(in, &in->tokens->list[at], "X not first");
}

void xb_rule_of_shared(const xb_rule_input *in, size_t at)
{
  if (in->tokens->list[at].scope < XB_SCOPE_DEVICE || in->tokens->list[at].in_signature)
    return;
  find_steps(in, at);
  find_x_not_first(in, at);
}
