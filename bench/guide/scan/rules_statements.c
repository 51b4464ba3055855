/* Indices, barriers and returns of device code, and what it does with shared memory: sums by lanes in step, and indices
 * that banks do not like. */
#include "guide/scan/rules.h"

#include <string.h>

/* ---- Indices ---------------------------------------------------------------------------------------------------- */

/* True if a statement, from `at` to its semicolon, has the word, or a variable that was computed from it. */
static bool statement_has(const xb_rule_input *in, size_t at, const char *word)
{
  const bool thread = !strcmp(word, "threadIdx"), block = !strcmp(word, "blockIdx");
  const size_t end = xb_token_reach(in->tokens, at);
  for (; at < end; at++) {
    const xb_token *t = &in->tokens->list[at];
    if (xb_token_in(t, "; { }"))
      return false;
    const xb_symbol *symbol = (thread || block) && t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
    if (xb_token_is(t, word) || (symbol && ((thread && symbol->has_thread) || (block && symbol->has_block))))
      return true;
  }
  return false;
}

/* The numbers of the block and of the thread, and the size of a block, in one statement, whose first one is at `at`. */
static void find_global_index(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const size_t begin = xb_token_find_back(in->tokens, at, "; { } blockIdx threadIdx blockDim");
  if (begin && xb_token_in(&in->tokens->list[begin - 1], "blockIdx threadIdx blockDim"))
    return;
  const bool size = statement_has(in, begin, "blockDim") || statement_has(in, begin, "*");
  if (size && statement_has(in, begin, "blockIdx") && statement_has(in, begin, "threadIdx") &&
      statement_has(in, begin, "+"))
    xb_rule_found(in, t, "global index");
}

/* block * size + thread, of variables; the block is at `at`. */
static void find_index_of_variables(const xb_rule_input *in, size_t at)
{
  const xb_symbol *block = xb_symbol_of(in->symbols, &in->tokens->list[at]);
  if (!block || !block->has_block || block->has_thread || !xb_token_is(xb_token_at(in->tokens, at + 1), "*"))
    return;
  size_t i = at + 3;
  while (i < at + 8 && !xb_token_is(xb_token_at(in->tokens, i), "+"))
    i++;
  const xb_token *name = xb_token_at(in->tokens, i + 1);
  const xb_symbol *thread = i < at + 8 && name->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, name) : NULL;
  if (thread && thread->has_thread && !thread->has_block)
    xb_rule_found(in, &in->tokens->list[at], "global index");
}

/* A function that calls itself. */
static void find_recursion(const xb_rule_input *in, size_t at)
{
  size_t i = at;
  while (i > 0 && at - i < XB_TOKEN_REACH && !in->tokens->list[i].in_signature)
    i--;
  while (i > 0 && !xb_token_is(&in->tokens->list[i], ")") && in->tokens->list[i].in_signature)
    i--;
  const size_t open = xb_token_is(&in->tokens->list[i], ")") ? xb_token_open(in->tokens, i, "(", ")") : 0;
  if (open && i < at && xb_token_equals(&in->tokens->list[open - 1], &in->tokens->list[at]))
    xb_rule_found(in, &in->tokens->list[at], "recursion");
}

/* ---- Barriers --------------------------------------------------------------------------------------------------- */

/* True if the tokens between the brackets differ from thread to thread. */
static bool differs_in(const xb_rule_input *in, size_t open, size_t close)
{
  for (size_t i = open; i < close; i++) {
    const xb_token *t = &in->tokens->list[i];
    const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
    if (xb_token_is(t, "threadIdx") || (symbol && symbol->has_thread))
      return true;
  }
  return false;
}

/* True if the statement, or the block, that begins at `at` runs for some threads only: behind `if`, `for` or `while`
 * with a condition of the thread, or behind such an `else`. */
static bool is_of_some_threads(const xb_rule_input *in, size_t at)
{
  if (at > 1 && xb_token_is(&in->tokens->list[at - 1], "else")) {
    const bool block = xb_token_is(&in->tokens->list[at - 2], "}");
    at = block ? xb_token_open(in->tokens, at - 2, "{", "}") : xb_token_find_back(in->tokens, at - 2, "; {");
    return at && is_of_some_threads(in, at);
  }
  const size_t open =
      at && xb_token_is(&in->tokens->list[at - 1], ")") ? xb_token_open(in->tokens, at - 1, "(", ")") : 0;
  return open && xb_token_in(&in->tokens->list[open - 1], "if for while") && differs_in(in, open, at - 1);
}

/* `if (of the thread) return;` with a barrier behind it in the same function. */
static void find_early_return(const xb_rule_input *in, size_t at)
{
  if (in->barrier_follows[at] && is_of_some_threads(in, at - xb_token_is(&in->tokens->list[at - 1], "{")))
    xb_rule_found(in, &in->tokens->list[at], "return before a barrier");
}

/* A __syncthreads in a branch or a loop that not all threads of the block take alike. */
static void find_barrier_in_branch(const xb_rule_input *in, size_t at)
{
  const size_t end = at > XB_TOKEN_REACH ? at - XB_TOKEN_REACH : 0;
  bool found = is_of_some_threads(in, at);
  for (size_t i = at; !found && i-- > end && in->tokens->list[i].scope >= XB_SCOPE_DEVICE;)
    if (xb_token_is(&in->tokens->list[i], "}"))
      i = xb_token_open(in->tokens, i, "{", "}");
    else
      found = xb_token_is(&in->tokens->list[i], "{") && is_of_some_threads(in, i);
  if (found)
    xb_rule_found(in, &in->tokens->list[at], "barrier in a branch");
}

/* thread_block_tile<32>: a whole warp. */
static void find_tile_of_warp(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if ((xb_token_ends(t, "thread_block_tile") || xb_token_ends(t, "tiled_partition")) &&
      xb_token_is(xb_token_at(in->tokens, at + 1), "<") && xb_rule_is_warp_size(xb_token_at(in->tokens, at + 2), "32"))
    xb_rule_found(in, t, "tile of 32 lanes");
}

void xb_rule_of_statement(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (t->scope < XB_SCOPE_DEVICE || at == 0)
    return;
  if (xb_token_in(t, "blockIdx threadIdx blockDim"))
    find_global_index(in, at);
  else
    find_index_of_variables(in, at);
  if (in->names[t->first] & XB_NAME_DECLARED && xb_token_is(xb_token_at(in->tokens, at + 1), "("))
    find_recursion(in, at);
  if (xb_token_is(t, "__syncthreads"))
    find_barrier_in_branch(in, at);
  if (xb_token_is(t, "return"))
    find_early_return(in, at);
  find_tile_of_warp(in, at);
  if (xb_token_has(t, "lookback") || xb_token_has(t, "look_back"))
    xb_rule_found(in, t, "lookback");
}

/* ---- Shared memory ---------------------------------------------------------------------------------------------- */

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
