/* The rows of the porting guide: docs/guide/NN_*.rows, which the build embeds. */
#ifndef XB_GUIDE_ROWS_H
#define XB_GUIDE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are printed. */
typedef enum xb_row_field {
  XB_ROW_CUDA,
  XB_ROW_WRONG, /* a trap: what a wrong port does; then there is no XB_ROW_CUDA */
  XB_ROW_DOES,
  XB_ROW_HLSL,
  XB_ROW_VULKAN,
  XB_ROW_D3D12,
  XB_ROW_COMPILERS,
  XB_ROW_WGSL, /* where WGSL has another answer */
  XB_ROW_HERE,
  XB_ROW_PTX,
  XB_ROW_SPIRV,
  XB_ROW_DXIL,
  XB_ROW_BY,
  XB_ROW_STATUS,
  XB_ROW_SINCE,
  XB_ROW_WORDS, /* more words of CUDA that lead to the row */
  XB_ROW_ALSO,  /* the same of HLSL, Vulkan and Direct3D 12 */
  XB_ROW_SCAN,  /* findings of a scan that lead to the row; NULL: the words of CUDA */
  XB_ROW_FIELDS
} xb_row_field;

typedef struct xb_row_field_info {
  const char *key, *label; /* in *.rows; printed, or NULL */
  int quoted, prose;       /* how well a word fits that is quoted, or stands in the text (rank.c); a list has no text */
} xb_row_field_info;

extern const xb_row_field_info xb_row_fields[XB_ROW_FIELDS];

typedef struct xb_guide_row {
  const char *id, *chapter;
  const char *file;                 /* docs/guide/05_waves.rows; beside it lies the page, docs/guide/05_waves.md */
  bool host;                        /* of the host's side */
  const char *field[XB_ROW_FIELDS]; /* NULL: none */
} xb_guide_row;

/* All rows in reading order; valid until the program ends. NULL if there is no memory. */
const xb_guide_row *xb_guide_rows(size_t *count);

/* How well a word that somebody looks up fits a row. Letters' case does not matter. */
typedef enum xb_row_fit { XB_FIT_NONE, XB_FIT_PART, XB_FIT_PROSE, XB_FIT_NAME } xb_row_fit;
xb_row_fit xb_guide_row_fit(const xb_guide_row *row, const char *word);

/* True if `word`, of a source in CUDA C++, is in the index and leads to this row. */
bool xb_guide_row_lists(const xb_guide_row *row, const char *word, size_t length);

/* True if the row's list of findings has the word; letters' case does not matter. */
bool xb_guide_row_lists_finding(const xb_guide_row *row, const char *word);

/* True if rows list `word`, of CUDA C++, and none of them has a name in `other`: it is no counterpart. */
bool xb_guide_false_friends(const char *word, const char *other);

/* How well the rows that fit all words best fit them. */
xb_row_fit xb_guide_fits_best(const char *const *words);
/* True if a look-up of the words finds rows. */
bool xb_guide_finds(const char *const *words);
/* Of words that find no row: the ids of the rows that some of them lead to, with commas between; "": there are none. */
void xb_guide_nearest(const char *const *words, char *names, size_t bytes);
/* Prints these rows. */
void xb_guide_look_up(const char *const *words);
/* True if a finding of a scan ("atomicAdd float"), in a function of the device or in another one, leads to this row. */
bool xb_guide_row_scans(const xb_guide_row *row, const char *finding, bool on_device);
/* True if the text begins with one of the words of a list: "cuda nccl". */
bool xb_guide_begins(const char *text, const char *list);
/* Prints text of a row without its marks. */
void xb_guide_print_plain(const char *text);

/* ---- Which row answers a look-up best (rank.c, rank_apart.c) ---------------------------------------------------- */

/* How well the row answers the words together; 0: not at all. More where its name or its first quotations are the
 * words, less where they stand in a list or in prose. Traps come after rows. A plural `s` does not matter. */
int xb_guide_rank(const xb_guide_row *row, const char *const *words);

enum { XB_GUIDE_MOST_ROWS = 500 };

/* The same for words that no row has together, of all rows, cut at hyphens, lines and capitals: 0 to 200. False if rows
 * have less than half of what the words say; `ranks` then are those of the nearest rows. */
bool xb_guide_ranks_apart(const xb_guide_row *rows, size_t count, const char *const *words, int *ranks);

/* The name of a row that is nearest to a mistyped word: one or two letters left out, added, changed or exchanged.
 * Writes it to `name`; returns false if none is near. */
bool xb_guide_near_name(const char *typed, char *name, size_t bytes);

#endif
