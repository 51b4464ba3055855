#include "guide/rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_WORD = 80, SMALL = 3, WHOLE_ITEM = 84 };

/* ---- Ranks ------------------------------------------------------------------------------------------------------ */

static bool in_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* vkGetMemoryFdKHR, and vkCmdPushConstants2, which had such an ending before it became part of Vulkan. */
static bool is_suffix(const char *end)
{
  return !strncasecmp(end, "khr", 3) || !strncasecmp(end, "ext", 3);
}

static bool of_vulkan(const char *phrase, size_t length)
{
  return length > 6 && !strncasecmp(phrase, "vk", 2) && phrase[2] != '_';
}

/* The phrase in small letters, with single blanks and without a plural s, or a component as in threadIdx.x, at its end.
 */
static void take_phrase(const char *text, char *phrase)
{
  size_t length = 0;
  for (; *text && length + 1 < MAX_WORD; text++)
    phrase[length++] = (char)tolower((unsigned char)*text);
  if (of_vulkan(phrase, length) && is_suffix(phrase + length - 3))
    length -= 3;
  if (length > SMALL && phrase[length - 2] == '.' && strchr("xyzw", phrase[length - 1]))
    length -= 2;
  if (length > SMALL && phrase[length - 1] == 's' && isalpha((unsigned char)phrase[length - 2]) &&
      phrase[length - 2] != 's')
    length--;
  phrase[length] = 0;
}

/* The place of the phrase in text[0, length) as whole words, or NULL. Blanks also stand for - and _. */
static const char *find(const char *text, size_t length, const char *phrase)
{
  const size_t wanted = strlen(phrase);
  for (size_t i = 0; wanted && i + wanted <= length; i++) {
    size_t k = 0;
    while (k < wanted && (tolower((unsigned char)text[i + k]) == phrase[k] || (phrase[k] == ' ' && text[i + k] == '-')))
      k++;
    size_t end = i + k;
    if (k < wanted || (i && in_name(text[i - 1]) && in_name(*phrase)))
      continue;
    end += end < length && text[end] == 's' && isalpha((unsigned char)phrase[wanted - 1]);
    end += end + 3 <= length && of_vulkan(phrase, wanted) && is_suffix(text + end) ? 3 : 0;
    if (end == length || !in_name(text[end]) || !in_name(phrase[wanted - 1]))
      return text + i;
  }
  return NULL;
}

static bool equals(const char *text, size_t length, const char *phrase)
{
  const char *at = find(text, length, phrase);
  return at == text && length <= strlen(phrase) + 1;
}

/* True if text[0, length) is only quotations, marks and short words between: the next quotation is what the field is
 * about. */
static bool leads(const char *text, size_t length)
{
  size_t letters = 0;
  bool quoted = false;
  for (size_t i = 0; i < length && letters <= SMALL; i++) {
    quoted ^= text[i] == '`' && (i == 0 || text[i - 1] != '`');
    letters = !quoted && isalpha((unsigned char)text[i]) ? letters + 1 : 0;
  }
  return letters <= SMALL;
}

/* The quotations of a field, each next one less: `whole` if the phrase is one that leads, less if it stands in a
 * sentence, half of it in a longer quotation; then `prose`. */
static int rank_in(const char *text, const char *phrase, int whole, int prose)
{
  if (!text)
    return 0;
  const size_t all = strlen(text), wanted = strlen(phrase);
  int best = find(text, all, phrase) ? prose : 0;
  const char *at = text;
  for (int nth = 0; (at = strchr(at, '`')); nth++) {
    const size_t before = (size_t)(at - text);
    at += strspn(at, "`");
    const size_t length = strcspn(at, "`");
    const int less = (leads(text, before) ? whole : whole - 28) - (nth < 12 ? nth : 12);
    const bool is_call = length > wanted && find(at, length, phrase) == at && strchr("(<", at[wanted]);
    const bool begins = wanted > 5 && length > wanted && !strncasecmp(at, phrase, wanted); /* cudaStream */
    int rank = equals(at, length, phrase) ? less
               : is_call                  ? less - 3
               : begins                   ? less / 3
               : find(at, length, phrase) ? less / 2
                                          : 0;
    rank += rank == less && !nth && length + 4 >= all ? 6 : 0; /* the field is nothing else */
    best = rank > best ? rank : best;
    at += length;
    at += strspn(at, "`");
  }
  return best;
}

/* In a list of words: most if the phrase is all that stands between two commas, more if it is the first. */
static int rank_in_list(const char *text, const char *phrase, int rank)
{
  const char *first = text ? find(text, strlen(text), phrase) : NULL;
  for (const char *item = text; first && *item; item += strspn(item, ", ")) {
    const size_t length = strcspn(item, ",");
    if (equals(item, length, phrase))
      return WHOLE_ITEM;
    item += length;
  }
  return !first ? 0 : first == text ? rank + 3 : rank;
}

static int rank_of_phrase(const xb_guide_row *row, const char *phrase)
{
  const char *const *f = row->field;
  char id[MAX_WORD];
  snprintf(id, sizeof id, "%s", row->id);
  for (char *c = id; *c; c++)
    *c = *c == '-' ? ' ' : *c;
  if (!strcasecmp(row->id, phrase) || !strcasecmp(id, phrase) || equals(id, strlen(id), phrase))
    return 100;
  const char *in_id = find(id, strlen(id), phrase);
  const bool ends_id = in_id && strlen(in_id) <= strlen(phrase) + 1;
  int best = in_id == id ? 68 : xb_guide_row_lists_finding(row, phrase) ? 52 : ends_id ? 44 : in_id ? 28 : 0;
  bool listed = false;
  for (size_t i = 0; i < XB_ROW_FIELDS; i++) {
    const int quoted = xb_row_fields[i].quoted, prose = xb_row_fields[i].prose;
    const int rank = !quoted ? 0 : prose ? rank_in(f[i], phrase, quoted, prose) : rank_in_list(f[i], phrase, quoted);
    listed |= rank && !prose;
    best = rank > best ? rank : best;
  }
  best += listed ? 4 : 0; /* a quotation that the row also has in a list is more than one in passing */
  return f[XB_ROW_WRONG] && best < 100 ? best / 2 : best;
}

int xb_guide_rank(const xb_guide_row *row, const char *const *words)
{
  char joined[4 * MAX_WORD] = "", phrase[MAX_WORD];
  for (; *words; words++) {
    const size_t at = strlen(joined);
    snprintf(joined + at, sizeof joined - at, "%s%s", at ? " " : "", *words);
  }
  take_phrase(joined, phrase);
  const int whole = rank_of_phrase(row, phrase);
  if (!strchr(phrase, ' '))
    return whole;
  for (char *c = phrase; *c; c++) /* fast_math, tiledPartition */
    *c = *c == ' ' ? '_' : *c;
  const int with_lines = rank_of_phrase(row, phrase);
  return with_lines > whole ? with_lines : whole;
}

/* ---- Near names ------------------------------------------------------------------------------------------------- */

/* How many letters are left out, added, changed, or exchanged with the next one; more than `most`: most + 1. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length, size_t most)
{
  size_t rows[3][MAX_WORD + 1];
  if (a_length > b_length + most || b_length > a_length + most || b_length > MAX_WORD)
    return most + 1;
  for (size_t k = 0; k <= b_length; k++)
    rows[0][k] = k;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t k = 1; k <= b_length; k++) {
      const bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 1]);
      size_t best = before[k - 1] + !same;
      best = before[k] + 1 < best ? before[k] + 1 : best;
      best = now[k - 1] + 1 < best ? now[k - 1] + 1 : best;
      if (i > 1 && k > 1 && tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 2]) &&
          tolower((unsigned char)a[i - 2]) == tolower((unsigned char)b[k - 1]) && earlier[k - 2] + 1 < best)
        best = earlier[k - 2] + 1;
      now[k] = best;
    }
  }
  return rows[a_length % 3][b_length];
}

bool xb_guide_near_name(const char *typed, char *name, size_t bytes)
{
  static const xb_row_field fields[] = {XB_ROW_CUDA,   XB_ROW_HLSL,  XB_ROW_WORDS, XB_ROW_ALSO,
                                        XB_ROW_VULKAN, XB_ROW_D3D12, XB_ROW_SCAN};
  size_t count, best = strlen(typed) < 8 ? 2 : 3; /* one more than is near */
  const size_t length = strlen(typed);
  const xb_guide_row *rows = xb_guide_rows(&count);
  *name = 0;
  for (size_t r = 0; rows && length >= 5 && length <= MAX_WORD && r < count; r++)
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
      for (const char *at = rows[r].field[fields[f]]; at && *at;) {
        size_t end = 0;
        while (in_name(at[end]))
          end++;
        const size_t edits = end >= 4 && end < bytes ? distance(typed, length, at, end, best) : best;
        if (edits < best) {
          best = edits;
          memcpy(name, at, end);
          name[end] = 0;
        }
        at += end ? end : 1;
      }
  return *name;
}
