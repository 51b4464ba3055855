/* The rank of several words that no row has as a phrase: each word by itself, and by words that mean the same. */
#include "base/word_list.h"
#include "guide/rank.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A rank from which on a row has to do with a word; and the most that one of several words counts. */
enum { LEAST_FOUND = 20, MOST_OF_WORD = 72 };

/* Words that people use for one thing; commas between the groups. */
static const char *const same =
    "id index number idx, max maximum limit most, argument parameter args, dimension size dim, "
    "gpu device, warp wave subgroup wavefront, block group workgroup threadgroup, thread invocation, "
    "memcpy copy transfer, malloc allocate allocation memory, launch dispatch call, "
    "sync barrier synchronize synchronise synchronization, fence threadfence, fp16 half, fp64 double, "
    "mutex lock, reduce reduction sum, scan prefix, vote any ballot, kernel shader, modulo remainder, "
    "divergence lockstep, timer timing timestamp time measure, print printf, "
    "two several multiple multi, compile compiler compilation, read fetch load sample, write store, "
    "wait synchronize, cast convert conversion, root push";

/* A word in small letters; a longer one is cut, and is on no list. */
typedef struct small_word {
  char text[40];
} small_word;

static small_word in_small(const char *word)
{
  small_word small;
  snprintf(small.text, sizeof small.text, "%s", word);
  for (char *c = small.text; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  return small;
}

static bool means_nothing(const char *word)
{
  const small_word small = in_small(word);
  return xb_is_listed("a an of in the to on for and with from how at is by do i my can use using get all it "
                      "are does every each cuda hlsl vulkan what as be or not function functions",
                      small.text, strlen(small.text));
}

/* The rank of the word, or a little less for one that means the same. */
static int rank_of_same(const xb_guide_row *row, const char *word)
{
  int best = xb_guide_rank(row, (const char *const[]){word, NULL});
  const small_word small = in_small(word);
  const size_t length = strlen(small.text), plural = length > 3 && small.text[length - 1] == 's';
  char group[80], other[40];
  for (const char *next = same; *next; next += strspn(next, ", ")) {
    snprintf(group, sizeof group, "%.*s", (int)strcspn(next, ","), next);
    next += strlen(group);
    for (const char *at = group; *at && xb_is_listed(group, small.text, length - plural); at += strspn(at, " ")) {
      snprintf(other, sizeof other, "%.*s", (int)strcspn(at, " "), at);
      const int rank = xb_guide_rank(row, (const char *const[]){other, NULL}) - 4;
      best = rank > best ? rank : best;
      at += strlen(other);
    }
  }
  return best;
}

static const char *const endings[] = {"izations", "isations", "ization", "isation", "ations", "ation", "ments", "ment",
                                      "ators",    "ator",     "ings",    "ing",     "ions",   "ion",   "ates",  "ate",
                                      "ers",      "ors",      "es",      "ed",      "er",     "or",    "s",     "e"};
enum { ENDINGS = sizeof endings / sizeof *endings, LEAST_STEM = 4 };

static bool is_ending(const char *text, size_t length)
{
  for (size_t i = 0; i < ENDINGS; i++)
    if (strlen(endings[i]) == length && !strncasecmp(text, endings[i], length))
      return true;
  return length == 0;
}

/* True if the text has a word that is the stem, or the stem and an ending; capitals begin words: vkQueueSubmit. */
static bool has_stem(const char *text, const char *stem, size_t length)
{
  for (size_t begin = 0; text && text[begin];) {
    size_t end = begin + 1;
    while (isalnum((unsigned char)text[end]) &&
           !(isupper((unsigned char)text[end]) && islower((unsigned char)text[end - 1])))
      end++;
    if (end - begin >= length && !strncasecmp(text + begin, stem, length) &&
        is_ending(text + begin + length, end - begin - length))
      return true;
    begin = end;
  }
  return false;
}

/* The rank of the words that have the same stem: compiled and compile, enumeration and enumerate. */
static int rank_of_stem(const xb_guide_row *row, const char *word)
{
  const char *const *f = row->field;
  size_t length = strlen(word);
  for (size_t i = 0; i < ENDINGS; i++) {
    const size_t end = strlen(endings[i]);
    if (length >= end + LEAST_STEM && !strcasecmp(word + length - end, endings[i])) {
      length -= end;
      break;
    }
  }
  if (length < LEAST_STEM)
    return 0;
  return has_stem(row->id, word, length)                                                       ? 56
         : has_stem(f[XB_ROW_WORDS], word, length) || has_stem(f[XB_ROW_ALSO], word, length)   ? 52
         : has_stem(f[XB_ROW_CUDA], word, length)                                              ? 34
         : has_stem(f[XB_ROW_HLSL], word, length)                                              ? 26
         : has_stem(f[XB_ROW_VULKAN], word, length) || has_stem(f[XB_ROW_D3D12], word, length) ? 16
                                                                                               : 0;
}

static int rank_of_word(const xb_guide_row *row, const char *word)
{
  const int same_word = rank_of_same(row, word), stem = rank_of_stem(row, word);
  const int best = same_word > stem ? same_word : stem;
  return row->field[XB_ROW_WRONG] && best == stem ? best / 2 : best;
}

/* More for a word that leads to few rows: `kernel` says less than `sleep`. */
static int weight_of(const int *ranks, size_t rows)
{
  size_t found = 0;
  int weight = 1;
  for (size_t r = 0; r < rows; r++)
    found += ranks[r] >= LEAST_FOUND;
  for (size_t most = rows; found && most > found; most /= 2)
    weight++;
  return weight;
}

bool xb_guide_ranks_apart(const xb_guide_row *rows, size_t count, const char *const *words, int *ranks)
{
  int of_word[XB_GUIDE_MOST_ROWS];
  int weights = 0;
  memset(ranks, 0, sizeof *ranks * count);
  for (; *words; words++) {
    if (means_nothing(*words))
      continue;
    for (size_t r = 0; r < count; r++)
      of_word[r] = rank_of_word(&rows[r], *words);
    const int weight = weight_of(of_word, count);
    weights += weight;
    for (size_t r = 0; r < count; r++)
      ranks[r] += weight * (of_word[r] < MOST_OF_WORD ? of_word[r] : MOST_OF_WORD);
  }
  for (size_t r = 0; r < count && weights; r++)
    ranks[r] /= weights;
  return weights;
}

int xb_guide_leading(const char *const *words)
{
  size_t count;
  int leading = 0;
  const xb_guide_row *rows = xb_guide_rows(&count);
  for (; rows && *words; words++) {
    size_t r = 0;
    if (means_nothing(*words))
      continue;
    while (r < count && rank_of_word(&rows[r], *words) < LEAST_FOUND)
      r++;
    leading += r < count ? 1 : -1;
  }
  return leading;
}
