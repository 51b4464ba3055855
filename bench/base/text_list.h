#ifndef XB_TEXT_LIST_H
#define XB_TEXT_LIST_H

#include <stddef.h>

typedef struct xb_text_list {
  char **texts;
  size_t count, capacity;
} xb_text_list;

#endif
