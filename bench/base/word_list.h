/* Lists of words in one text. */
#ifndef XB_WORD_LIST_H
#define XB_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* True if `list`, words with one blank between them, has the word. */
bool xb_is_listed(const char *list, const char *word, size_t length);
/* Adds a word to "a, b"; one that has no room is left out. */
void xb_add_listed(char *list, size_t bytes, const char *word);

#endif
