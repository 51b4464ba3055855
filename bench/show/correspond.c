/* Finds corresponding lines, and the differences in them. */
#include "guide/rows.h"
#include "show/similarity.h"
#include "show/view.h"

#include <ctype.h>
#include <string.h>

/* ---- Corresponding words ---------------------------------------------------------------------------------------- */

static const char *span(xb_show_view *view, const xb_line *line, const xb_piece *first, const xb_piece *last)
{
  return xb_arena_text(&view->arena, "%.*s", (int)(last->at + last->length - first->at), line->text + first->at);
}

/* Numbers and incomplete expressions are not words. Nor are words that the porting guide knows as no counterparts. */
static bool is_word(const char *text)
{
  int open = 0;
  if (!isalpha((unsigned char)*text) && *text != '_' && *text != '"')
    return false;
  for (; *text && open >= 0; text++)
    open += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
  return !open;
}

static void count_word(xb_show_view *view, const char *left, const char *right)
{
  view->failed |= !left || !right;
  if (view->failed || !is_word(left) || !is_word(right) || xb_guide_false_friends(left, right))
    return;
  for (size_t i = 0; i < view->word_count; i++)
    if (!strcmp(view->words[i].text[0], left) && !strcmp(view->words[i].text[1], right)) {
      view->words[i].times++;
      return;
    }
  if (view->word_count < XB_MAX_WORDS)
    view->words[view->word_count++] = (xb_word){{left, right}, 1};
}

/* Collects pairs of words: code pieces without a match, between the same two matches on both sides. */
static void collect_words(xb_show_view *view, const xb_line *a, const xb_line *b, const xb_match *matches, size_t count)
{
  for (size_t i = 0; i < count;) {
    const xb_piece *first[XB_SIDES] = {NULL}, *last[XB_SIDES] = {NULL};
    bool code = true;
    for (; i < count && (matches[i].left < 0 || matches[i].right < 0); i++) {
      const int side = matches[i].left < 0;
      const xb_piece *t = side ? &b->pieces[matches[i].right] : &a->pieces[matches[i].left];
      code &= t->kind < XB_PIECE_COMMENT;
      first[side] = first[side] ? first[side] : t;
      last[side] = t;
    }
    if (first[0] && first[1] && code)
      count_word(view, span(view, a, first[0], last[0]), span(view, b, first[1], last[1]));
    i += i < count;
  }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Differences in code are only marked in lines that are otherwise alike. */
static void note_piece(xb_piece *t, bool alike, bool *comment)
{
  t->differs = alike || t->kind >= XB_PIECE_COMMENT;
  *comment |= t->kind >= XB_PIECE_COMMENT;
}

static xb_mark alone(const xb_line *line, xb_mark mark)
{
  if (xb_line_blank(line))
    return XB_MARK_NONE;
  bool comment = false;
  for (size_t i = 0; i < line->piece_count; i++)
    note_piece(&line->pieces[i], false, &comment);
  return xb_line_comment(line) ? XB_MARK_NOTE : mark;
}

static xb_mark compare(xb_show_view *view, xb_line *a, xb_line *b)
{
  const xb_facing f = {a, b};
  bool comment = false, any = false;
  size_t count = 0;
  if (xb_line_same(a, b))
    return XB_MARK_NONE;
  const bool alike = xb_lines_alike(a, b);
  const xb_match *matches = xb_align(&view->arena, a->piece_count, b->piece_count, xb_score_pieces, NULL, &f, &count);
  view->failed |= !matches;
  for (size_t i = 0; i < count; i++) {
    if (matches[i].left >= 0 && matches[i].right >= 0)
      continue;
    any = true;
    note_piece(matches[i].left >= 0 ? &a->pieces[matches[i].left] : &b->pieces[matches[i].right], alike, &comment);
  }
  if (alike)
    collect_words(view, a, b, matches, count);
  return !any ? XB_MARK_NONE : comment ? XB_MARK_NOTE : XB_MARK_DIFFERS;
}

void xb_face_alike(xb_show_view *view, xb_section *section)
{
  const xb_facing f = {section->lines[0], section->lines[1]};
  size_t count;
  const xb_match *matches =
      xb_align(&view->arena, section->counts[0], section->counts[1], xb_score_lines, xb_weigh_line, &f, &count);
  view->failed |= !matches;
  for (size_t i = 0; i < count; i++) {
    xb_row *row = &section->rows[section->row_count++];
    *row = (xb_row){{matches[i].left, matches[i].right}, XB_MARK_NONE};
    if (!view->marked)
      continue;
    if (row->line[0] >= 0 && row->line[1] >= 0)
      row->mark = compare(view, &section->lines[0][row->line[0]], &section->lines[1][row->line[1]]);
    else
      row->mark = row->line[0] >= 0 ? alone(&section->lines[0][row->line[0]], XB_MARK_LEFT)
                                    : alone(&section->lines[1][row->line[1]], XB_MARK_RIGHT);
  }
}
