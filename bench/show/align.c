/* Finds corresponding lines, and the differences in them. */
#include "guide/rows.h"
#include "show/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Alignment -------------------------------------------------------------------------------------------------- */

/* A part of both sequences: [left, left_end) and [right, right_end). */
typedef struct part {
  size_t left, left_end, right, right_end;
} part;

/* Dynamic programming: best[i * (right + 1) + k] is the largest sum for the elements from left i and right k on, so the
 * matches are found in forward order. `scores` is a cache, because scores are expensive to compute. */
static bool align_part(const part *p, xb_score_fn *score, const void *user, xb_match *matches, size_t *count)
{
  const size_t left = p->left_end - p->left, right = p->right_end - p->right, width = right + 1;
  double *best = calloc((left + 1) * width, sizeof *best), *scores = calloc((left + 1) * width, sizeof *scores);
  const bool good = best && scores;
  for (size_t i = left; good && i-- > 0;)
    for (size_t k = right; k-- > 0;) {
      const double down = best[(i + 1) * width + k], across = best[i * width + k + 1];
      const double s = scores[i * width + k] = score(user, p->left + i, p->right + k);
      const double both = s + best[(i + 1) * width + k + 1], skip = down > across ? down : across;
      best[i * width + k] = s > 0 && both >= skip ? both : skip;
    }
  for (size_t i = 0, k = 0; good && (i < left || k < right);) {
    const double here = best[i * width + k];
    const ptrdiff_t l = (ptrdiff_t)(p->left + i), r = (ptrdiff_t)(p->right + k);
    const bool both = i < left && k < right && scores[i * width + k] > 0 &&
                      here <= scores[i * width + k] + best[(i + 1) * width + k + 1];
    const bool down = !both && i < left && (k == right || best[(i + 1) * width + k] >= best[i * width + k + 1]);
    matches[(*count)++] = (xb_match){both || down ? l : -1, down ? -1 : r};
    i += both || down;
    k += !down;
  }
  free(best);
  free(scores);
  return good;
}

static size_t weight_of(xb_weight_fn *weight, const void *user, int side, size_t i)
{
  enum { ALONE = 16 };
  return weight ? weight(user, side, i) : ALONE;
}

/* The part of a side from `at` on that weighs this much. */
static size_t part_end(xb_weight_fn *weight, const void *user, int side, size_t at, size_t end, size_t most)
{
  for (size_t sum = 0; at < end && sum < most; at++)
    sum += weight_of(weight, user, side, at);
  return at;
}

/* The work grows with the product of both sides, so long sequences are aligned in parts. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, xb_weight_fn *weight,
                         const void *user, size_t *count)
{
  enum { MOST = 16384 };
  xb_match *matches = xb_arena_take(arena, left + right, sizeof *matches);
  size_t all[2] = {0}, parts;
  *count = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < (side ? right : left); i++)
      all[side] += weight_of(weight, user, side, i);
  parts = 1 + (all[0] > all[1] ? all[0] : all[1]) / MOST;
  part p = {0};
  for (bool good = matches, any = true; good && any; p.left = p.left_end, p.right = p.right_end) {
    p.left_end = part_end(weight, user, 0, p.left, left, all[0] / parts + 1);
    p.right_end = part_end(weight, user, 1, p.right, right, all[1] / parts + 1);
    any = p.left_end > p.left || p.right_end > p.right;
    good = align_part(&p, score, user, matches, count);
    matches = good ? matches : NULL;
  }
  *count = matches ? *count : 0;
  return matches;
}

/* ---- Similarity of lines and of words --------------------------------------------------------------------------- */

enum { MAX_PIECES = 255 };               /* longer lines are not compared word by word */
static const double ALIKE = 0.4;         /* from this similarity on, two lines are versions of the same line */
static const double SIDE_BY_SIDE = 0.01; /* lines without similarity, which are only next to each other */

/* Two columns of lines; for score_pieces(), one line each. */
typedef struct facing {
  const xb_line *left, *right;
} facing;

/* Names weigh more than operators; a comment after code weighs less than the code. */
static double weight(const xb_line *line, const xb_piece *t)
{
  const char c = line->text[t->at];
  if (t->kind >= XB_PIECE_COMMENT)
    return xb_line_comment(line) ? 3 : 0.1;
  return isalnum((unsigned char)c) || c == '_' ? 3 : 1;
}

static double total(const xb_line *line)
{
  double sum = 0;
  for (size_t i = 0; i < line->piece_count; i++)
    sum += weight(line, &line->pieces[i]);
  return sum;
}

/* Comments that differ only in "warp" and "wave" are equal. */
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

static bool same_piece(const xb_line *a, const xb_piece *x, const xb_line *b, const xb_piece *y)
{
  if (x->kind == XB_PIECE_COMMENT && y->kind == XB_PIECE_COMMENT && x->length == y->length)
    return same_comment(a->text + x->at, b->text + y->at, x->length);
  return xb_piece_same(a, x, b, y);
}

/* From 0 (nothing in common) to 1 (equal): the weight of the longest common subsequence of pieces. */
static double similarity(const xb_line *a, const xb_line *b)
{
  double above[MAX_PIECES + 1] = {0};
  if (xb_line_same(a, b))
    return 1;
  if (a->piece_count > MAX_PIECES || b->piece_count > MAX_PIECES)
    return 0;
  for (size_t i = 0; i < a->piece_count; i++) {
    double diagonal = 0;
    for (size_t k = 0; k < b->piece_count; k++) {
      const double up = above[k + 1];
      double best = up > above[k] ? up : above[k];
      if (same_piece(a, &a->pieces[i], b, &b->pieces[k]))
        best = diagonal + weight(a, &a->pieces[i]);
      above[k + 1] = best;
      diagonal = up;
    }
  }
  return 2 * above[b->piece_count] / (total(a) + total(b));
}

static bool share_a_name(const xb_line *a, const xb_line *b)
{
  for (size_t i = 0; i < a->piece_count && i < MAX_PIECES; i++)
    for (size_t k = 0;
         k < b->piece_count && k < MAX_PIECES && a->pieces[i].kind == XB_PIECE_OTHER && a->pieces[i].length > 1; k++)
      if (xb_piece_same(a, &a->pieces[i], b, &b->pieces[k]))
        return true;
  return false;
}

/* True if the indentation is equal. Lines outside of functions must also share a name: a helper function is not the
 * counterpart of a binding. */
static bool may_lie_side_by_side(const xb_line *a, const xb_line *b)
{
  const uint32_t at = a->pieces[0].at;
  return at == b->pieces[0].at && (at || xb_line_comment(a) || share_a_name(a, b));
}

/* Both of type xb_score_fn, with a facing. */
static double score_lines(const void *user, size_t i, size_t k)
{
  const facing *f = user;
  const xb_line *a = &f->left[i], *b = &f->right[k];
  if (xb_line_blank(a) || xb_line_blank(b))
    return xb_line_blank(a) && xb_line_blank(b) ? 0.2 : 0;
  if (xb_line_comment(a) != xb_line_comment(b))
    return 0;
  const bool lone = a->piece_count == 1 || b->piece_count == 1; /* a brace */
  const double s = similarity(a, b);
  if (lone)
    return s == 1 ? 0.5 : 0;
  if (a->sign != b->sign)
    return s / 2;
  if (s >= ALIKE)
    return s;
  return may_lie_side_by_side(a, b) ? SIDE_BY_SIDE * (1 + s) : 0;
}

/* The xb_weight_fn of score_lines(). */
static size_t weigh_line(const void *user, int side, size_t i)
{
  enum { ALONE = 4 };
  const facing *f = user;
  return ALONE + (side ? f->right : f->left)[i].piece_count;
}

/* True if the lines are versions of the same line. */
static bool lines_alike(const xb_line *a, const xb_line *b)
{
  return similarity(a, b) >= ALIKE;
}

static double score_pieces(const void *user, size_t i, size_t k)
{
  const facing *f = user;
  const xb_piece *x = &f->left->pieces[i], *y = &f->right->pieces[k];
  return same_piece(f->left, x, f->right, y) ? weight(f->left, x) : 0;
}

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
  const facing f = {a, b};
  bool comment = false, any = false;
  size_t count = 0;
  if (xb_line_same(a, b))
    return XB_MARK_NONE;
  const bool alike = lines_alike(a, b);
  const xb_match *matches = xb_align(&view->arena, a->piece_count, b->piece_count, score_pieces, NULL, &f, &count);
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
  const facing f = {section->lines[0], section->lines[1]};
  size_t count;
  const xb_match *matches =
      xb_align(&view->arena, section->counts[0], section->counts[1], score_lines, weigh_line, &f, &count);
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
