/* Lines that face each other, and what differs in them. */
#include "show/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 255 };               /* of a line that is compared word by word */
static const double ALIKE = 0.4;         /* from here on two lines count as the same line, changed */
static const double SIDE_BY_SIDE = 0.01; /* lines that only lie side by side */

/* Names say more than operators, and a comment behind code less than the code. */
static double weight(const xb_line *line, const xb_token *t)
{
  const char c = line->text[t->at];
  if (t->kind >= XB_TOKEN_COMMENT)
    return xb_line_comment(line) ? 3 : 0.1;
  return isalnum((unsigned char)c) || c == '_' ? 3 : 1;
}

static double total(const xb_line *line)
{
  double sum = 0;
  for (size_t i = 0; i < line->token_count; i++)
    sum += weight(line, &line->tokens[i]);
  return sum;
}

/* A comment that says warp where the other says wave is no note. */
static bool same_comment(const char *left, const char *right, size_t length)
{
  for (size_t i = 0; i < length;) {
    const bool wave = i + 4 <= length && !memcmp(left + i, "warp", 4) && !memcmp(right + i, "wave", 4);
    if (!wave && left[i] != right[i])
      return false;
    i += wave ? 4 : 1;
  }
  return true;
}

static bool same_token(const xb_line *a, const xb_token *x, const xb_line *b, const xb_token *y)
{
  if (x->kind == XB_TOKEN_COMMENT && y->kind == XB_TOKEN_COMMENT && x->length == y->length)
    return same_comment(a->text + x->at, b->text + y->at, x->length);
  return xb_token_same(a, x, b, y);
}

/* From 0, nothing in common, to 1: by the weight of the longest common sequence of tokens. */
static double similarity(const xb_line *a, const xb_line *b)
{
  double above[MAX_TOKENS + 1] = {0};
  if (xb_line_same(a, b))
    return 1;
  if (a->token_count > MAX_TOKENS || b->token_count > MAX_TOKENS)
    return 0;
  for (size_t i = 0; i < a->token_count; i++) {
    double diagonal = 0;
    for (size_t k = 0; k < b->token_count; k++) {
      const double up = above[k + 1];
      double best = up > above[k] ? up : above[k];
      if (same_token(a, &a->tokens[i], b, &b->tokens[k]))
        best = diagonal + weight(a, &a->tokens[i]);
      above[k + 1] = best;
      diagonal = up;
    }
  }
  return 2 * above[b->token_count] / (total(a) + total(b));
}

typedef struct facing {
  const xb_line *left, *right;
} facing;

static bool share_a_name(const xb_line *a, const xb_line *b)
{
  for (size_t i = 0; i < a->token_count; i++)
    for (size_t k = 0; k < b->token_count && a->tokens[i].kind == XB_TOKEN_OTHER && a->tokens[i].length > 1; k++)
      if (xb_token_same(a, &a->tokens[i], b, &b->tokens[k]))
        return true;
  return false;
}

/* As far in as each other; of what stands outside of functions, a helper and a binding have nothing to do with each
 * other. */
static bool may_lie_side_by_side(const xb_line *a, const xb_line *b)
{
  const uint32_t at = a->tokens[0].at;
  return at == b->tokens[0].at && (at || xb_line_comment(a) || share_a_name(a, b));
}

static double score_lines(const void *user, size_t i, size_t k)
{
  const facing *f = user;
  const xb_line *a = &f->left[i], *b = &f->right[k];
  if (xb_line_blank(a) || xb_line_blank(b))
    return xb_line_blank(a) && xb_line_blank(b) ? 0.2 : 0;
  if (xb_line_comment(a) != xb_line_comment(b))
    return 0;
  const bool lone = a->token_count == 1 || b->token_count == 1; /* a brace */
  const double s = similarity(a, b);
  if (lone)
    return s == 1 ? 0.5 : 0;
  if (a->sign != b->sign)
    return s / 2;
  if (s >= ALIKE)
    return s;
  return may_lie_side_by_side(a, b) ? SIDE_BY_SIDE * (1 + s) : 0;
}

static double score_tokens(const void *user, size_t i, size_t k)
{
  const facing *f = user;
  const xb_token *x = &f->left->tokens[i], *y = &f->right->tokens[k];
  return same_token(f->left, x, f->right, y) ? weight(f->left, x) : 0;
}

/* ---- Words that face each other --------------------------------------------------------------------------------- */

static const char *span(xb_show_view *view, const xb_line *line, const xb_token *first, const xb_token *last)
{
  return xb_arena_text(&view->arena, "%.*s", (int)(last->at + last->length - first->at), line->text + first->at);
}

/* Half of an expression, or a number, teaches no word. */
static bool is_word(const char *text)
{
  int open = 0;
  if (!isalpha((unsigned char)*text) && *text != '_' && *text != '"')
    return false;
  for (; *text && open >= 0; text++)
    open += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
  return !open;
}

static bool count_word(xb_show_view *view, const char *left, const char *right)
{
  if (!left || !right)
    return false;
  if (!is_word(left) || !is_word(right))
    return true;
  for (size_t i = 0; i < view->word_count; i++)
    if (!strcmp(view->words[i].text[0], left) && !strcmp(view->words[i].text[1], right)) {
      view->words[i].times++;
      return true;
    }
  if (view->word_count < XB_MAX_WORDS)
    view->words[view->word_count++] = (xb_word){{left, right}, 1};
  return true;
}

/* Runs of tokens without partner that lie between two partners, on both sides. Of code only. */
static bool collect_words(xb_show_view *view, const xb_line *a, const xb_line *b, const xb_match *matches, size_t count)
{
  for (size_t i = 0; i < count;) {
    const xb_token *first[XB_SIDES] = {NULL}, *last[XB_SIDES] = {NULL};
    bool code = true;
    for (; i < count && (matches[i].left < 0 || matches[i].right < 0); i++) {
      const int side = matches[i].left < 0;
      const xb_token *t = side ? &b->tokens[matches[i].right] : &a->tokens[matches[i].left];
      code &= t->kind < XB_TOKEN_COMMENT;
      first[side] = first[side] ? first[side] : t;
      last[side] = t;
    }
    if (first[0] && first[1] && code &&
        !count_word(view, span(view, a, first[0], last[0]), span(view, b, first[1], last[1])))
      return false;
    i += i < count;
  }
  return true;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Of code, only what differs in a line that is otherwise the same is worth pointing at. */
static void note_token(xb_token *t, bool alike, bool *comment)
{
  t->differs = alike || t->kind >= XB_TOKEN_COMMENT;
  *comment |= t->kind >= XB_TOKEN_COMMENT;
}

static xb_mark alone(const xb_line *line, xb_mark mark)
{
  if (xb_line_blank(line))
    return XB_MARK_NONE;
  bool comment = false;
  for (size_t i = 0; i < line->token_count; i++)
    note_token(&line->tokens[i], false, &comment);
  return xb_line_comment(line) ? XB_MARK_NOTE : mark;
}

static bool compare(xb_show_view *view, xb_line *a, xb_line *b, xb_mark *mark)
{
  const facing f = {a, b};
  bool comment = false, any = false;
  size_t count = 0;
  *mark = XB_MARK_NONE;
  if (xb_line_same(a, b))
    return true;
  const bool alike = similarity(a, b) >= ALIKE;
  xb_match *matches = calloc(a->token_count + b->token_count + 1, sizeof *matches);
  bool fits = matches && xb_align(a->token_count, b->token_count, score_tokens, &f, matches, &count);
  for (size_t i = 0; i < count; i++) {
    if (matches[i].left >= 0 && matches[i].right >= 0)
      continue;
    any = true;
    note_token(matches[i].left >= 0 ? &a->tokens[matches[i].left] : &b->tokens[matches[i].right], alike, &comment);
  }
  if (any)
    *mark = comment ? XB_MARK_NOTE : XB_MARK_DIFFERS;
  if (fits && alike)
    fits = collect_words(view, a, b, matches, count);
  free(matches);
  return fits;
}

bool xb_face_alike(xb_show_view *view, xb_section *section)
{
  const facing f = {section->lines[0], section->lines[1]};
  const size_t all = section->counts[0] + section->counts[1];
  size_t count = 0;
  xb_match *matches = calloc(all + 1, sizeof *matches);
  bool fits = matches && xb_align(section->counts[0], section->counts[1], score_lines, &f, matches, &count);
  for (size_t i = 0; i < count && fits; i++) {
    xb_row *row = &section->rows[section->row_count++];
    *row = (xb_row){{matches[i].left, matches[i].right}, XB_MARK_NONE};
    if (!view->marked)
      continue;
    if (row->line[0] >= 0 && row->line[1] >= 0)
      fits = compare(view, &section->lines[0][row->line[0]], &section->lines[1][row->line[1]], &row->mark);
    else if (row->line[0] >= 0)
      row->mark = alone(&section->lines[0][row->line[0]], XB_MARK_LEFT);
    else
      row->mark = alone(&section->lines[1][row->line[1]], XB_MARK_RIGHT);
  }
  free(matches);
  return fits;
}
