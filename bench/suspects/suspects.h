/* Which layer breaks a kernel: the ways in which it was compiled and run, what came of each, and the sentence that
 * follows. */
#ifndef XB_SUSPECTS_H
#define XB_SUSPECTS_H

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum xb_layer {
  XB_LAYER_COMPILER,
  XB_LAYER_OPTIMIZATION,
  XB_LAYER_FLOATS,
  XB_LAYER_DRIVER,
  XB_LAYER_WAVE,
  XB_LAYER_ORDER,
  XB_LAYERS
} xb_layer;

typedef enum xb_suspect_result {
  XB_SUSPECT_RIGHT,
  XB_SUSPECT_WRONG,
  XB_SUSPECT_CRASHED, /* or never ended: as guilty as wrong */
  XB_SUSPECT_FAILED,  /* it could not run */
  XB_SUSPECT_RESULTS
} xb_suspect_result;

/* The levels of arithmetic, by xb_spirv_floats. The last two are of no driver: they show what a driver may do. */
extern const char *const xb_suspect_floats[];
enum { XB_SUSPECT_POSSIBLE = 3 };   /* the first of them */
extern const char xb_suspect_cpu[]; /* the drivers that begin so are emulations */

/* A side, compiled and run in one way. */
typedef struct xb_suspect {
  const char *side;
  const char *at[XB_LAYERS]; /* levels; "" where a layer does not exist */
  xb_suspect_result result;
  const char *why;   /* it is not right; "" */
  const char *facts; /* what its code has and the specification restricts: "OpSRem OpSMod" */
  const char *pass;  /* the first pass of spirv-opt that makes it wrong, "--ccp", or why none is known; "" */
  double seconds;    /* 0: the same code ran before */
} xb_suspect;

typedef struct xb_suspects {
  const char *pair, *reference; /* the reference: a file, a library or a side */
  bool of_side;                 /* it is a side: nobody says that it is right */
  xb_suspect *cells;
  size_t count;
} xb_suspects;

/* The first cell of the side that a cell is of. (explain.c) */
size_t xb_suspects_first(const xb_suspects *m, const xb_suspect *s);
/* A wrong or crashed cell. */
static inline bool xb_is_guilty(const xb_suspect *s)
{
  return s->result == XB_SUSPECT_WRONG || s->result == XB_SUSPECT_CRASHED;
}
/* A cell of what a driver may do, and does not have to. */
bool xb_is_possible(const xb_suspect *s);

/* ---- The sentence (explain.c) ----------------------------------------------------------------------------------- */

/* Explains each side: what is wrong in which layers, what that means, what could not be told apart and what would. */
void xb_suspects_explain(const xb_suspects *m, FILE *out);
/* Of a side, a guilty and a right cell that differ in the fewest layers; false: it has not both. */
bool xb_suspects_nearest(const xb_suspects *m, const char *side, const xb_suspect **wrong, const xb_suspect **right);

/* ---- What the specification leaves open (facts.c) --------------------------------------------------------------- */

/* `known`, and what the code has beside it. */
const char *xb_suspect_facts(const void *code, size_t bytes, const char *known, xb_arena *arena);
/* What these facts mean for a source of this name. */
void xb_suspect_say_facts(const char *known, const char *source, FILE *out);

/* ---- The matrix (matrix.c) -------------------------------------------------------------------------------------- */

/* Prints how many cells of each level are right, wrong, crashed or did not run; with `all`, each cell. */
void xb_suspects_print(const xb_suspects *m, bool all);
/* As a document; `text` is the explanation. */
json_t *xb_suspects_document(const xb_suspects *m, const char *text);

/* ---- A small case (statements.c, instructions.c) ---------------------------------------------------------------- */

/* Bytes of a text. */
typedef struct xb_statement {
  size_t begin, end;
} xb_statement;

/* The declarations and statements of a source, outer ones before those inside of them; at most `most`. */
size_t xb_statements(const char *text, xb_statement *list, size_t most);

/* Writes the functions of a listing of spirv-dis, without the names of ids, so that diff can compare them. */
void xb_instructions_write(const char *text, FILE *out);

#endif
