/* The rank of words that no row has as one phrase. Each part of a word counts by itself, or by a word that means the
 * same, the more the fewer rows have it. A name or an item of a list that has the same parts as the words counts most.
 */
#include "base/word_list.h"
#include "guide/rows.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TERMS = 16, TERM_BYTES = 24, MAX_SAME = 6, LEAST_STEM = 4 };

/* What a row's field is worth is compared with HALF: as much counts half. */
static const double HALF = 4, OF_ID = 10, OF_LIST = 8, OF_SCAN = 4, PROSE_SHARE = 6;
/* Of the words: what a word counts that no row has, a word that means the same, and what a part that only the row's
 * name has takes off. */
static const double UNKNOWN = 3, SAME_SHARE = 0.8, OTHER_PART = 4, TRAP_SHARE = 0.8, LEAST_KNOWN = 0.5;

/* Words that people use for one thing; commas between the groups. */
static const char *const same =
    "id index number idx, max maximum limit most, argument parameter args, dimension size dim, gpu device, "
    "warp wave subgroup wavefront, block group workgroup threadgroup, thread invocation, memcpy copy transfer, "
    "malloc allocate allocation, launch dispatch call, sync barrier synchronize synchronise synchronization, "
    "fence threadfence, fp16 half, fp64 double, mutex lock, reduce reduction sum, scan prefix, vote any ballot, "
    "kernel shader, modulo remainder, divergence lockstep, timer timing timestamp time measure, print printf, "
    "two several multiple multi, compile compiler compilation, read fetch load sample, write store, wait synchronize, "
    "cast convert conversion, root push";

static const char *const nothing =
    "a an of in the to on for and with from how at is by do i my can use using get all it are does every each cuda "
    "hlsl "
    "vulkan what as be or not function functions vk cu d3d12 khr ext nv id3d12 dxgi info amd d3d id";

typedef struct term {
  char stem[TERM_BYTES], same[MAX_SAME][TERM_BYTES]; /* in small letters; "" ends the words that mean the same */
  double weight;
} term;

typedef struct query {
  term terms[MAX_TERMS];
  size_t count;
  double total; /* of the weights */
} query;

/* ---- Parts and stems -------------------------------------------------------------------------------------------- */

/* The next part of a name or a text, at or after `at`: capitals and digits begin one, as in cuMemcpy2D. NULL: none. */
static const char *next_part(const char *at, const char *end, size_t *length)
{
  size_t n = 1;
  while (at < end && !isalnum((unsigned char)*at))
    at++;
  if (at >= end)
    return NULL;
  const size_t most = (size_t)(end - at);
  if (isdigit((unsigned char)*at))
    while (n < most && isdigit((unsigned char)at[n]))
      n++;
  while (isupper((unsigned char)*at) && n < most && isupper((unsigned char)at[n]) &&
         !(n + 1 < most && islower((unsigned char)at[n + 1]) && !(at[n + 1] == 's' && n + 2 == most)))
    n++;
  if (n == 1 || (n + 1 == most && at[n] == 's')) /* Mapped, or GPUs */
    while (n < most && !isdigit((unsigned char)*at) && islower((unsigned char)at[n]))
      n++;
  *length = n;
  return at;
}

static const char *const endings[] = {"izations", "isations", "ization", "isation", "ations", "ation", "ments", "ment",
                                      "ators",    "ator",     "ings",    "ing",     "ions",   "ion",   "ates",  "ate",
                                      "ers",      "ors",      "es",      "ed",      "er",     "or",    "s",     "e"};

/* Returns its length. */
static size_t small_of(const char *part, size_t length, char small[TERM_BYTES])
{
  size_t n = 0;
  for (; n < length && n + 1 < TERM_BYTES; n++)
    small[n] = (char)tolower((unsigned char)part[n]);
  small[n] = 0;
  return n;
}

/* In small letters, without an ending: compiled and compile, enumeration and enumerate. False for a word that says
 * nothing. */
static bool stem_of(const char *part, size_t length, char stem[TERM_BYTES])
{
  const size_t n = small_of(part, length, stem);
  if ((n == 1 && !isdigit((unsigned char)*stem)) || xb_is_listed(nothing, stem, n))
    return false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t end = strlen(endings[i]);
    if (n >= end + LEAST_STEM && !strcmp(stem + n - end, endings[i])) {
      stem[n - end] = 0;
      return true;
    }
  }
  if (n == LEAST_STEM && stem[n - 1] == 's' && stem[n - 2] != 's')
    stem[n - 1] = 0;
  return true;
}

/* Writes the stems of the words that mean the same. */
static void find_same(const char *word, size_t length, term *t)
{
  char small[TERM_BYTES], stem[TERM_BYTES], group[100];
  const size_t n = small_of(word, length, small), singular = n - (length > 3 && small[n - 1] == 's');
  size_t count = 0;
  for (const char *next = same; *next; next += strspn(next, ", ")) {
    snprintf(group, sizeof group, "%.*s", (int)strcspn(next, ","), next);
    next += strlen(group);
    for (const char *at = group; *at && xb_is_listed(group, small, singular); at += strspn(at, " ")) {
      const size_t other = strcspn(at, " ");
      if (count < MAX_SAME && stem_of(at, other, stem) && strcmp(stem, t->stem) != 0)
        memcpy(t->same[count++], stem, sizeof stem);
      at += other;
    }
  }
}

static void read_words(const char *const *words, query *q)
{
  char stem[TERM_BYTES];
  size_t length;
  for (; *words; words++)
    for (const char *at = *words, *end = at + strlen(at); (at = next_part(at, end, &length)); at += length) {
      bool known = !stem_of(at, length, stem);
      for (size_t i = 0; i < q->count; i++)
        known |= !strcmp(q->terms[i].stem, stem);
      if (known || q->count == MAX_TERMS)
        continue;
      memcpy(q->terms[q->count].stem, stem, sizeof stem);
      find_same(at, length, &q->terms[q->count++]);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* What a row has of the words. */
typedef struct match {
  double fit[MAX_TERMS]; /* of each word: the worth of the best field that has it */
  double alike;          /* how much of its parts the most similar name or item shares with the words: 0 to 1 */
  bool exact[MAX_TERMS]; /* not by a word that means the same */
} match;

/* How well the part is the word: 1, less if it means the same, or 0. */
static double part_is(const term *t, const char *stem)
{
  if (!strcmp(t->stem, stem))
    return 1;
  for (size_t i = 0; i < MAX_SAME && *t->same[i]; i++)
    if (!strcmp(t->same[i], stem))
      return SAME_SHARE;
  return 0;
}

static void look_at(const query *q, const char *text, size_t bytes, double worth, match *m)
{
  char stem[TERM_BYTES];
  size_t length, parts = 0;
  double shared = 0, others = 0;
  unsigned had = 0;
  for (const char *at = text, *end = text + bytes; (at = next_part(at, end, &length)); at += length) {
    if (!stem_of(at, length, stem))
      continue;
    bool found = false;
    parts++;
    for (size_t i = 0; i < q->count; i++) {
      const double is = part_is(&q->terms[i], stem);
      m->fit[i] = fmax(m->fit[i], is * worth);
      m->exact[i] |= is == 1;
      if (is < 1)
        continue;
      found = true;
      shared += had >> i & 1 ? 0 : q->terms[i].weight;
      had |= 1u << i;
    }
    others += found ? 0 : OTHER_PART;
  }
  if (parts > 1 || worth >= OF_LIST)
    m->alike = fmax(m->alike, shared / fmax(q->total + others, 1));
}

static match look_in(const query *q, const xb_guide_row *row)
{
  match m = {0};
  look_at(q, row->id, strlen(row->id), OF_ID, &m);
  for (size_t f = 0; f < XB_ROW_FIELDS; f++) {
    const xb_row_field_info *field = &xb_row_fields[f];
    const char *text = row->field[f];
    const bool list = field->quoted && !field->prose, scan = f == XB_ROW_SCAN;
    if (!text || !(field->quoted || scan) || !strcmp(text, "-"))
      continue;
    const double worth = scan ? OF_SCAN : list ? OF_LIST : field->prose / PROSE_SHARE;
    for (const char *at = text; list && *at; at += strspn(at, ", ")) {
      const size_t item = strcspn(at, ",");
      look_at(q, at, item, worth, &m);
      at += item;
    }
    for (const char *at = text; *at;) {
      size_t name = 0;
      while (isalnum((unsigned char)at[name]) || at[name] == '_' || at[name] == ':')
        name++;
      if (name)
        look_at(q, at, name, worth, &m);
      at += name ? name : 1;
    }
  }
  return m;
}

bool xb_guide_ranks_apart(const xb_guide_row *rows, size_t count, const char *const *words, int *ranks)
{
  query q = {0};
  size_t with[MAX_TERMS] = {0}, near[MAX_TERMS] = {0};
  double known = 0;
  read_words(words, &q);
  memset(ranks, 0, sizeof *ranks * count);
  for (size_t r = 0; r < count; r++) {
    const match m = look_in(&q, &rows[r]);
    for (size_t i = 0; i < q.count; i++) {
      with[i] += m.exact[i];
      near[i] += m.fit[i] > 0;
    }
  }
  for (size_t i = 0; i < q.count; i++) {
    const size_t found = with[i] ? with[i] : near[i];
    q.terms[i].weight = found ? log(1 + (double)count / (double)(1 + found)) : UNKNOWN;
    q.total += q.terms[i].weight;
    known += found && !isdigit((unsigned char)*q.terms[i].stem) ? q.terms[i].weight : 0; /* a number names nothing */
  }
  for (size_t r = 0; r < count && q.count; r++) {
    const match m = look_in(&q, &rows[r]);
    double sum = 0;
    for (size_t i = 0; i < q.count; i++)
      sum += q.terms[i].weight * m.fit[i] / (m.fit[i] + HALF);
    ranks[r] = (int)(100 * (sum / q.total + m.alike) * (rows[r].field[XB_ROW_WRONG] ? TRAP_SHARE : 1));
  }
  return q.count && known >= LEAST_KNOWN * q.total;
}
