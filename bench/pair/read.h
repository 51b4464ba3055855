/* Reads values of a manifest. After the first mistake, which becomes the result, all functions do nothing that matters.
 */
#ifndef XB_PAIR_READ_H
#define XB_PAIR_READ_H

#include "pair/pair.h"

typedef struct xb_manifest_reader {
  const xb_pair_manifest *m;
  xb_pair *pair;
  char path[256]; /* of the object at hand, "Buffers[0]" */
  xb_code code;
  xb_error *err;
  xb_error file; /* the last mistake in an .npy file, if there is one */
} xb_manifest_reader;

/* "saxpy.json:12: Buffers[0].Format: ...". `key` may be NULL: the object itself. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void
xb_refuse_value(xb_manifest_reader *r, const char *key, const char *format, ...);
/* An .npy file has a mistake. The rest is read all the same, so that one run tells those of all files. */
void xb_refuse_file(xb_manifest_reader *r, const xb_error *mistake);
/* A value that is still "?": of a manifest it is to be filled in, of a command line to be given by an option. */
void xb_unknown_value(xb_manifest_reader *r, const char *key);
/* Formats text that lives as long as the pair. */
#define xb_keep(r, ...) xb_kept(r, xb_arena_text(&(r)->pair->arena, __VA_ARGS__))
const char *xb_kept(xb_manifest_reader *r, const char *text); /* NULL: out of memory */
/* A text, or a whole number as text; NULL if the key is not there. */
const char *xb_text_of(xb_manifest_reader *r, const json_t *object, const char *key);
const char *xb_needed_text(xb_manifest_reader *r, const json_t *object, const char *key);
/* The place of the key's word in a list that ends with NULL; 0 if the key is not there. */
int xb_choice_of(xb_manifest_reader *r, const json_t *object, const char *key, const char *const *words);
uint32_t xb_count_of(xb_manifest_reader *r, const json_t *object, const char *key, uint32_t most);
/* Refuses keys that are not in `known`, a list such as "Name Title". */
void xb_check_keys(xb_manifest_reader *r, const json_t *object, const char *known);

typedef void xb_read_item(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user);
/* Calls `read` for each item of a list. */
void xb_each(xb_manifest_reader *r, const json_t *object, const char *key, size_t most, xb_read_item *read, void *user);
/* `user` is a list of texts. */
xb_read_item xb_read_word;
/* Items of Buffers and Results. */
xb_read_item xb_read_buffer, xb_read_result;
/* Buffers of the sides: those of the pair with the keys of the side over theirs, and those that only one side has. */
void xb_read_side_buffers(xb_manifest_reader *r);
/* The number of buffers if there is none of this name. */
uint32_t xb_find_buffer(const xb_pair *pair, const char *name);

#endif
