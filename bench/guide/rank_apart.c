/* The rank of several words that no row has as a phrase: each word by itself, and by words that mean the same. */
#include "guide/rank.h"

#include <string.h>
#include <strings.h>

/* Each line: words that people use for one thing. */
static const char *const same[][6] = {
    {"id", "index", "number", "idx"},
    {"max", "maximum", "limit", "most"},
    {"argument", "parameter", "args"},
    {"dimension", "size", "dim"},
    {"gpu", "device"},
    {"warp", "wave", "subgroup", "wavefront"},
    {"block", "group", "workgroup", "threadgroup"},
    {"thread", "invocation"},
    {"memcpy", "copy", "transfer"},
    {"malloc", "allocate", "allocation", "memory"},
    {"launch", "dispatch", "call"},
    {"sync", "barrier", "synchronize", "synchronization"},
    {"fence", "threadfence"},
    {"fp16", "half"},
    {"fp64", "double"},
    {"mutex", "lock"},
    {"reduce", "reduction", "sum"},
    {"scan", "prefix"},
    {"vote", "any", "ballot"},
    {"kernel", "shader"},
    {"modulo", "remainder"},
    {"divergence", "lockstep"},
    {"timer", "timing", "timestamp", "time", "measure"},
    {"print", "printf"},
    {"two", "several", "multiple", "multi"},
    {"compile", "compiler", "compilation"},
    {"read", "fetch", "load", "sample"},
    {"write", "store"},
    {"wait", "synchronize"},
    {"cast", "convert", "conversion"},
    {"root", "push"},
};

static bool means_nothing(const char *word)
{
  static const char *const words[] = {"a",    "an",  "of", "in", "the", "to", "on",   "for",  "and",   "with",
                                      "from", "how", "at", "is", "by",  "do", "cuda", "hlsl", "vulkan"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcasecmp(word, words[i]))
      return true;
  return false;
}

static int rank_of_word(const xb_guide_row *row, const char *word)
{
  int best = xb_guide_rank(row, (const char *const[]){word, NULL});
  const size_t length = strlen(word), plural = length > 3 && word[length - 1] == 's';
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    bool listed = false;
    for (size_t k = 0; k < 6 && same[i][k]; k++)
      listed |= strlen(same[i][k]) == length - plural && !strncasecmp(same[i][k], word, length - plural);
    for (size_t k = 0; listed && k < 6 && same[i][k]; k++) {
      const int rank = xb_guide_rank(row, (const char *const[]){same[i][k], NULL}) - 4;
      best = rank > best ? rank : best;
    }
  }
  return best;
}

int xb_guide_rank_apart(const xb_guide_row *row, const char *const *words)
{
  int sum = 0, count = 0;
  for (; *words; words++)
    if (!means_nothing(*words)) {
      sum += rank_of_word(row, *words);
      count++;
    }
  return count ? sum / count : 0;
}
