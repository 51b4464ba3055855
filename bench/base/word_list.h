/* Lists of words and names. */
#ifndef XB_WORD_LIST_H
#define XB_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xb_text_list {
  char **texts;
  size_t count, capacity;
} xb_text_list;

/* True if `list`, words with one blank between them, has the word. */
bool xb_is_listed(const char *list, const char *word, size_t length);
/* Adds a word to "a, b"; one that has no room is left out. */
void xb_add_listed(char *list, size_t bytes, const char *word);
/* Writes "a, b, c" to `out`, cut with "..." if it does not fit. */
void xb_join(const char *const *names, size_t count, char *out, size_t out_bytes);
/* The name that needs the fewest edits from `typed`; if none is close, the name that begins most like it; or NULL. */
const char *xb_nearest(const char *typed, const char *const *names, size_t count);

#endif
