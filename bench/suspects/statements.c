/* The statements of a source, as its tokens tell them: what a reduction may leave out. */
#include "source/declarations.h"
#include "suspects/suspects.h"

#include <stdlib.h>
#include <string.h>

typedef struct finder {
  xb_tokens t;
  const char *text;
  xb_statement *list;
  size_t count, most;
} finder;

static bool is(const finder *f, size_t at, const char *words)
{
  return at < f->t.count && xb_token_in(&f->t.list[at], words);
}

/* One behind the token. */
static size_t end_of(const finder *f, size_t at)
{
  const xb_token *t = &f->t.list[at < f->t.count ? at : f->t.count - 1];
  return (size_t)(t->text - f->text) + t->length;
}

/* Places for statements come in the order of their begins. */
static size_t reserve(finder *f)
{
  f->list[f->count < f->most ? f->count : f->most - 1] = (xb_statement){0, 0};
  return f->count < f->most ? f->count++ : f->most - 1;
}

/* One with a directive stays empty. */
static void set(finder *f, size_t place, size_t begin, size_t end)
{
  for (size_t i = begin; i < end && i < f->t.count; i++)
    if (f->t.list[i].in_directive || f->t.list[i].kind == XB_TOKEN_DIRECTIVE)
      return;
  if (begin < end)
    f->list[place] = (xb_statement){(size_t)(f->t.list[begin].text - f->text), end_of(f, end - 1)};
}

/* One behind the statement that begins at `at`; it comes before those inside of it. */
static size_t read_statement(finder *f, size_t at, int depth)
{
  enum { MOST_DEPTH = 64 };
  const size_t begin = at, place = reserve(f);
  if (depth > MOST_DEPTH)
    return f->t.count;
  while (is(f, at, "[")) /* attributes */
    at = xb_token_close(&f->t, at) + 1;
  if (is(f, at, "{")) {
    const size_t close = xb_token_close(&f->t, at);
    for (at++; at < close;)
      at = read_statement(f, at, depth + 1);
    at = close + 1;
  } else if (is(f, at, "if for while switch else do")) {
    const bool loops = is(f, at, "do");
    at = is(f, at + 1, "(") ? xb_token_close(&f->t, at + 1) + 1 : at + 1;
    at = read_statement(f, at, depth + 1);
    if (loops)
      at = xb_token_find(&f->t, at, f->t.count, ";") + 1;
    else if (is(f, at, "else"))
      at = read_statement(f, at, depth + 1);
  } else {
    while (at < f->t.count && !is(f, at, ";"))
      at = is(f, at, "( [ {") ? xb_token_close(&f->t, at) + 1 : at + 1;
    at++;
  }
  set(f, place, begin, at);
  return at;
}

size_t xb_statements(const char *text, xb_statement *list, size_t most)
{
  finder f = {.text = text, .list = list, .most = most};
  size_t body;
  xb_tokens_read(&f.t, text);
  for (size_t at = 0, end; at<f.t.count; at = end> at ? end : at + 1) {
    const size_t open = xb_namespace_open(&f.t, at);
    if (open || f.t.list[at].kind == XB_TOKEN_DIRECTIVE || f.t.list[at].in_directive) {
      end = open ? open : at + 1;
      continue;
    }
    end = xb_declaration_end(&f.t, at, &body);
    set(&f, reserve(&f), at, end);
    for (size_t inside = body + 1; body && inside < xb_token_close(&f.t, body);)
      inside = read_statement(&f, inside, 0);
  }
  xb_tokens_free(&f.t);
  return f.count;
}
