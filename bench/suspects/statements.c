/* The statements of a source, as its tokens tell them: what a reduction may leave out. */
#include "source/tokens.h"
#include "suspects/suspects.h"

static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return at < t->count && xb_token_in(&t->list[at], words);
}

/* One behind the statement or declaration that begins at `at`: its semicolon, or a block that nothing continues. The
 * same place: none begins there, or one with a directive. */
static size_t end_of(const xb_tokens *t, size_t begin)
{
  const char *const goes_on = is(t, begin, "do") ? "else while , ; =" : "else , ; =";
  for (size_t at = begin; at < t->count && !is(t, begin, ";"); at++) {
    const size_t first = at;
    const bool ends = is(t, at, "; {");
    if (is(t, at, "( [ {"))
      at = xb_token_close(t, at);
    for (size_t i = first; i <= at && i < t->count; i++)
      if (t->list[i].in_directive || t->list[i].kind == XB_TOKEN_DIRECTIVE)
        return begin;
    if (is(t, at, "} ) ]") && at == first)
      return begin;
    if (ends && !is(t, at + 1, is(t, first, ";") ? "else" : goes_on))
      return at + 1 < t->count ? at + 1 : t->count;
  }
  return begin;
}

size_t xb_statements(const char *text, xb_statement *list, size_t most)
{
  xb_tokens t = {0};
  size_t count = 0;
  xb_tokens_read(&t, text);
  for (size_t at = 0; at < t.count && count < most; at++) {
    const bool begins = !at || t.list[at - 1].in_directive || is(&t, at - 1, "; { } ) else do");
    const size_t end = begins ? end_of(&t, at) : at;
    const xb_token *last = end > at ? &t.list[end - 1] : NULL;
    if (last)
      list[count++] = (xb_statement){(size_t)(t.list[at].text - text), (size_t)(last->text - text) + last->length};
  }
  xb_tokens_free(&t);
  return count;
}
