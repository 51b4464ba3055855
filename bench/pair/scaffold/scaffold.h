/* xbench pair --scaffold: the first HLSL half of a kernel of CUDA. What HLSL has a word for is carried over; what it
 * has not becomes an #error that names a row of the porting guide. */
#ifndef XB_SCAFFOLD_H
#define XB_SCAFFOLD_H

#include "base/arena.h"
#include "guide/scan/findings.h"
#include "pair/cuda_source.h"
#include "source/symbols.h"
#include "source/tokens.h"
#include "source/values.h"

#include <jansson.h>
#include <stdio.h>

/* Writes NAME.hlsl for the kernel of a source, in the current folder. `entry`: NULL: the only kernel; it may be an
 * instance of a template. `group`: threads of a group, 0: as the source says. `side`: what the manifest says of this
 * side; the caller frees it. Returns an exit code, after a message; XB_EXIT_OK if there is none. */
int xb_scaffold_write(const char *path, const char *entry, uint32_t group[3], xb_arena *arena, json_t **side);

/* ---- Parts of it ---- */

/* A line of the output that stands above a line of the source. */
typedef struct xb_scaffold_note {
  size_t line;
  const char *row;  /* its name; NULL: the guide has no row */
  const char *text; /* what to write */
  bool error;
} xb_scaffold_note;

/* A declaration at the level of the file: its tokens [begin, end), and the one that it declares. */
typedef struct xb_scaffold_item {
  size_t begin, end, name;
  bool of_kernel;
} xb_scaffold_item;

enum { XB_SCAFFOLD_NOTES = 512 };

typedef struct xb_scaffold {
  const char *text; /* of the source */
  xb_arena *arena;
  xb_tokens tokens;
  xb_symbols symbols;
  unsigned char *masks; /* xb_mask_names_read() */
  xb_findings findings;
  xb_cuda_kernel kernel;
  const char *instance; /* the arguments of a template, "256, float>"; NULL: none */
  xb_scaffold_item *items;
  size_t item_count;
  bool *wanted;                  /* tokens that the output has */
  bool *no_types;                /* by xb_token.first: no type, as far as it was asked for */
  bool *unknown[2];              /* the same: a name without a declaration; a function */
  const char **as;               /* what stands for a token; NULL: itself */
  bool uses_grid, calls_threads; /* gridDim; threadIdx or blockIdx outside of the kernel */
  xb_scaffold_note notes[XB_SCAFFOLD_NOTES];
  size_t note_count;
} xb_scaffold;

/* Sets `items`, and `wanted`: the kernel, and all that it names. (items.c) */
bool xb_scaffold_choose(xb_scaffold *s);

/* The text of a token. (translate.c) */
const char *xb_scaffold_word(const xb_scaffold *s, size_t at);
/* What stands for a token in the output. (translate.c) */
const char *xb_scaffold_said(const xb_scaffold *s, size_t at);
/* Sets `as` for the tokens [begin, end). (translate.c) */
void xb_scaffold_translate(xb_scaffold *s, size_t begin, size_t end);
/* Leaves out those of the tokens that are one of these words. (translate.c) */
void xb_scaffold_leave_out(xb_scaffold *s, size_t begin, size_t end, const char *words);
/* The tokens as text, with what stands between them. (translate.c) */
const char *xb_scaffold_render(const xb_scaffold *s, size_t begin, size_t end);
/* The text between the token before `at` and `at`; the same in the output, where some tokens are left out: `first`:
 * nothing stands before it in its line. (translate.c) */
const char *xb_scaffold_gap(const xb_scaffold *s, size_t at, size_t *length);
const char *xb_scaffold_blanks(const xb_scaffold *s, size_t at, bool first, size_t *length);

/* True if the porting guide has a row for the word. (notes.c) */
bool xb_scaffold_has_row(const char *word);
/* Notes that the word at `at` is not carried over. (notes.c) */
void xb_scaffold_refuse(xb_scaffold *s, size_t at, const char *word);
/* Notes that somebody has to look at what `text` says. (notes.c) */
void xb_scaffold_doubt(xb_scaffold *s, size_t at, const char *text);
/* Doubts barriers in branches of a function's tokens. (notes.c) */
void xb_scaffold_doubt_barriers(xb_scaffold *s, size_t begin, size_t end);
/* Doubts a __shared__ array, [begin, end), of the function whose tokens begin at `function`. (notes.c) */
void xb_scaffold_doubt_sizes(xb_scaffold *s, size_t function, size_t begin, size_t end);
/* Notes the rows of all findings in the lines of wanted tokens. (notes.c) */
void xb_scaffold_find_rows(xb_scaffold *s);
/* Prints the notes of a line, once. (notes.c) */
void xb_scaffold_print_notes(xb_scaffold *s, size_t line, FILE *out);

/* ---- Words of CUDA that HLSL has a counterpart for, by the letter (carry.c) ------------------------------------- */

typedef enum xb_carry_kind {
  XB_CARRY_WORD,   /* `hlsl` stands for the word; "" leaves it out */
  XB_CARRY_CALL,   /* `hlsl` stands for the call: $1 is its first argument, $*1 what its first argument points to */
  XB_CARRY_MASKED, /* the same, and the first argument must be a mask of all lanes */
  XB_CARRY_ATOMIC, /* the same, as a statement; where the old value is asked for, it is a last argument */
  XB_CARRY_OLD,    /* the same, which HLSL has only with the old value */
} xb_carry_kind;

typedef struct xb_carry {
  const char *cuda;
  xb_carry_kind kind;
  const char *hlsl;
  int arguments; /* of a call */
} xb_carry;

/* NULL: it is not carried over. */
const xb_carry *xb_carry_of(const xb_token *word);
/* True for words that HLSL has, too: keywords, types, functions. */
bool xb_is_of_hlsl(const xb_token *word);
/* True for a type of HLSL, such as float4. */
bool xb_is_hlsl_type(const xb_token *word);
/* True for words that a variable of CUDA may be called, and one of HLSL may not. */
bool xb_is_hlsl_keyword(const xb_token *word);

#endif
