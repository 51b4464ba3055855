/* Prints the rows of the porting guide that fit a word. */
#include "guide/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = XB_GUIDE_MOST_ROWS, LEAST_NAME = 40, LEAST_PHRASE = 80, LEAST_APART = 16, MOST_APART = 8 };

/* Quotation marks and the addresses of links are left out. */
void xb_guide_print_plain(const char *text)
{
  bool quoted = false;
  for (; *text; text++) {
    quoted ^= *text == '`' && text[1] != '`';
    if (*text == '`')
      continue;
    const char *end = *text == '[' && !quoted ? strstr(text, "](") : NULL;
    if (end && !memchr(text, ']', (size_t)(end - text))) {
      printf("%.*s", (int)(end - text - 1), text + 1);
      text = strchr(end, ')');
    } else {
      putchar(*text);
    }
  }
}

static void print_row(const xb_guide_row *row)
{
  const bool trap = row->field[XB_ROW_WRONG];
  const int page = (int)strcspn(row->file, "."); /* without .rows */
  printf("%s: %s%s%s (%s; %.*s.md#%s)\n", row->id, trap ? "a trap" : row->field[XB_ROW_STATUS],
         row->field[XB_ROW_SINCE] ? ", " : "", row->field[XB_ROW_SINCE] ? row->field[XB_ROW_SINCE] : "", row->chapter,
         page, row->file, row->id);
  for (size_t f = 0; f < XB_ROW_FIELDS; f++)
    if (row->field[f] && xb_row_fields[f].label) {
      printf("  %-12s ", xb_row_fields[f].label);
      xb_guide_print_plain(row->field[f]);
      printf("\n");
    }
  printf("\n");
}

/* Several words fit only as one phrase. */
static xb_row_fit fit_of(const xb_guide_row *row, const char *const *words)
{
  return xb_guide_rank(row, words) >= LEAST_NAME ? XB_FIT_NAME
         : words[0] && !words[1]                 ? xb_guide_row_fit(row, *words)
                                                 : XB_FIT_NONE;
}

xb_row_fit xb_guide_fits_best(const char *const *words)
{
  size_t count;
  xb_row_fit best = XB_FIT_NONE;
  const xb_guide_row *rows = xb_guide_rows(&count);
  for (size_t i = 0; rows && i < count; i++) {
    const xb_row_fit fit = fit_of(&rows[i], words);
    best = fit > best ? fit : best;
  }
  return best;
}

typedef struct ranked {
  const xb_guide_row *row;
  int rank;
} ranked;

static int by_rank(const void *a, const void *b)
{
  const ranked *left = a, *right = b;
  return left->rank != right->rank ? right->rank - left->rank : (left->row > right->row) - (left->row < right->row);
}

/* The rows that fit all words, best first. Returns their number. */
static size_t find_together(const char *const *words, const xb_guide_row *rows, size_t count, ranked *list)
{
  size_t found = 0;
  const xb_row_fit best = xb_guide_fits_best(words);
  for (size_t i = 0; best && i < count && found < MAX_ROWS; i++)
    if (fit_of(&rows[i], words) == best)
      list[found++] = (ranked){.row = &rows[i], .rank = xb_guide_rank(&rows[i], words)};
  qsort(list, found, sizeof *list, by_rank);
  return found;
}

/* The rows that the parts of the words lead to. */
static size_t find_apart(const char *const *words, const xb_guide_row *rows, size_t count, ranked *list)
{
  int ranks[MAX_ROWS];
  size_t found = 0, kept = 0;
  if (!xb_guide_ranks_apart(rows, count, words, ranks))
    return 0;
  for (; found < count; found++)
    list[found] = (ranked){.row = &rows[found], .rank = ranks[found]};
  qsort(list, found, sizeof *list, by_rank);
  while (kept < found && kept < MOST_APART && list[kept].rank >= LEAST_APART && 5 * list[kept].rank >= 3 * list->rank)
    kept++;
  return kept;
}

/* Fills `list` with the rows of the words, best first; returns their number. Rows that have several words as one phrase
 * are better than rows that have each of them. */
static size_t find_rows(const char *const *words, ranked *list)
{
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  if (!rows)
    return 0;
  size_t found = find_together(words, rows, count, list);
  if (words[0] && (!found || (words[1] && list->rank < LEAST_PHRASE)))
    found = find_apart(words, rows, count, list);
  return found;
}

bool xb_guide_finds(const char *const *words)
{
  ranked list[MAX_ROWS];
  return find_rows(words, list) > 0;
}

void xb_guide_nearest(const char *const *words, char *names, size_t bytes)
{
  enum { MOST_NEAR = 3, LEAST_NEAR = 4 };
  int ranks[MAX_ROWS];
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  *names = 0;
  if (!rows)
    return;
  xb_guide_ranks_apart(rows, count, words, ranks);
  for (int n = 0; n < MOST_NEAR; n++) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
      best = ranks[i] > ranks[best] ? i : best;
    if (ranks[best] < LEAST_NEAR)
      return;
    ranks[best] = 0;
    snprintf(names + strlen(names), bytes - strlen(names), "%s%s", n ? ", " : "", rows[best].id);
  }
}

void xb_guide_look_up(const char *const *words)
{
  ranked list[MAX_ROWS];
  const size_t found = find_rows(words, list);
  for (size_t i = 0; i < found; i++)
    print_row(list[i].row);
  printf("%zu row%s; words in brackets are documents: docs/guide/sources.rows\n", found, found == 1 ? "" : "s");
}
