#include "show/similarity.h"

#include <ctype.h>
#include <string.h>

enum { MAX_PIECES = 255 };               /* longer lines are not compared word by word */
static const double ALIKE = 0.4;         /* from this similarity on, two lines are versions of the same line */
static const double SIDE_BY_SIDE = 0.01; /* lines without similarity, which are only next to each other */

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

double xb_score_lines(const void *user, size_t i, size_t k)
{
  const xb_facing *f = user;
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

size_t xb_weigh_line(const void *user, int side, size_t i)
{
  enum { ALONE = 4 };
  const xb_facing *f = user;
  return ALONE + (side ? f->right : f->left)[i].piece_count;
}

bool xb_lines_alike(const xb_line *a, const xb_line *b)
{
  return similarity(a, b) >= ALIKE;
}

double xb_score_pieces(const void *user, size_t i, size_t k)
{
  const xb_facing *f = user;
  const xb_piece *x = &f->left->pieces[i], *y = &f->right->pieces[k];
  return same_piece(f->left, x, f->right, y) ? weight(f->left, x) : 0;
}
