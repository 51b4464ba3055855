/* Hints for words that are not benchmarks. Each function returns false after it reported the mistake. */
#ifndef XB_HINTS_H
#define XB_HINTS_H

#include <stdbool.h>

/* The first word may be a mistyped command, or a command behind its options. */
bool xb_check_first_word(const char *word);
/* A word may belong elsewhere: "reduce 9", "reduce 2^16", "compare a.json b.json". `before` may be NULL. */
bool xb_check_word(const char *word, const char *before);

#endif
