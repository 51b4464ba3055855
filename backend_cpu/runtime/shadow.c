/* Pages of cells in a table of hashes. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, WORDS = PAGE / 4, SLOTS_AT_FIRST = 1024, RECENT = 64 };

typedef struct page {
  uintptr_t number; /* address / PAGE; 0: the slot is free */
  cell *cells;
} page;

struct shadow {
  page *pages;
  page recent[RECENT]; /* copies of some */
  size_t slots, used;
};

shadow *shadow_create(void)
{
  shadow *s = calloc(1, sizeof *s);
  if (s && !(s->pages = calloc(SLOTS_AT_FIRST, sizeof *s->pages))) {
    free(s);
    return NULL;
  }
  if (s)
    s->slots = SLOTS_AT_FIRST;
  return s;
}

/* Frees what it points to, and zeroes it. */
static void cell_forget(cell *c)
{
  for (int i = 0; c->bytes && i < 4; i++)
    free(c->bytes[i].others);
  free(c->bytes);
  free(c->others);
  *c = (cell){0};
}

void shadow_clear(shadow *s)
{
  for (size_t i = 0; i < s->slots; i++) {
    for (size_t w = 0; s->pages[i].cells && w < WORDS; w++)
      cell_forget(&s->pages[i].cells[w]);
    free(s->pages[i].cells);
  }
  memset(s->pages, 0, s->slots * sizeof *s->pages);
  s->used = 0;
  memset(s->recent, 0, sizeof s->recent);
}

void shadow_destroy(shadow *s)
{
  if (!s)
    return;
  shadow_clear(s);
  free(s->pages);
  free(s);
}

static page *slot_of(page *pages, size_t slots, uintptr_t number)
{
  size_t i = (size_t)(number * 0x9E3779B97F4A7C15ull >> 20) & (slots - 1);
  while (pages[i].number && pages[i].number != number)
    i = (i + 1) & (slots - 1);
  return &pages[i];
}

static bool grow(shadow *s)
{
  page *more = calloc(s->slots * 2, sizeof *more);
  if (!more)
    return false;
  for (size_t i = 0; i < s->slots; i++)
    if (s->pages[i].number)
      *slot_of(more, s->slots * 2, s->pages[i].number) = s->pages[i];
  free(s->pages);
  s->pages = more;
  s->slots *= 2;
  return true;
}

static page *page_of(shadow *s, uintptr_t number)
{
  if (s->used * 2 >= s->slots && !grow(s))
    return NULL;
  page *p = slot_of(s->pages, s->slots, number);
  if (!p->number) {
    p->cells = calloc(WORDS, sizeof *p->cells);
    if (!p->cells)
      return NULL;
    p->number = number;
    s->used++;
  }
  return p;
}

cell *shadow_at(shadow *s, uintptr_t at)
{
  const uintptr_t number = at / PAGE;
  if (!number) /* NULL: the access itself will fault */
    return NULL;
  page *recent = &s->recent[number % RECENT];
  if (recent->number != number) {
    const page *p = page_of(s, number);
    if (!p)
      return NULL;
    *recent = *p;
  }
  return &recent->cells[at % PAGE / 4];
}

size_t shadow_bytes(const shadow *s)
{
  return s->used * WORDS * sizeof(cell);
}

cell *shadow_split(cell *word)
{
  if (word->bytes)
    return word->bytes;
  word->bytes = calloc(4, sizeof *word->bytes);
  for (int i = 0; word->bytes && i < 4; i++) {
    word->bytes[i] = (cell){.write = word->write, .atomic = word->atomic, .read = word->read};
    if (word->others && (word->bytes[i].others = malloc(sizeof(readers))))
      *word->bytes[i].others = *word->others;
  }
  return word->bytes;
}
