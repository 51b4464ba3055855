/* A pair as a benchmark. */
#ifndef XB_PAIR_FAMILY_H
#define XB_PAIR_FAMILY_H

#include "base/word_list.h"
#include "pair/pair.h"

/* The parameter of a variant is its sides, by format of code. */
typedef struct xb_pair_variant {
  xb_pair *pair;
  xb_pair_side *sides[XB_PAIR_SIDES]; /* of different formats; ends with NULL if shorter */
} xb_pair_variant;
static inline xb_pair *xb_pair_of(const xb_case *c)
{
  const xb_pair_variant *v = c->variant->parameters;
  return v->pair;
}

/* Makes the benchmark of a linked pair, and adds it to the table. Sides of one format become variants; sides of
 * different formats become one variant. */
xb_code xb_pair_add(xb_pair *pair, xb_error *err);

/* The side that a case runs; NULL: the pair has none for its API. */
xb_pair_side *xb_pair_side_of(const xb_case *c);
/* The number of elements of a buffer; 0 if the formula fails. */
uint64_t xb_pair_length(const xb_case *c, uint32_t buffer);
/* The same with rows and columns, if it is an image, or if its file has them. */
xb_array xb_pair_shape(const xb_case *c, uint32_t buffer);
/* Elements of an output that count, by its formula; UINT64_MAX if it has none. */
uint64_t xb_pair_valid(const xb_case *c, uint32_t buffer);

/* Creates the side's kernels once, so that a device that compiles code by itself has them in its cache. (plan.c) */
void xb_pair_compile_ahead(const xb_pair_side *side, xb_device *device);
/* As in xb_methods. (plan.c) */
xb_code xb_pair_plan(const xb_case *c, xb_plan *plan, xb_error *err);
xb_code xb_pair_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);

/* ---- What the outputs must be: from a file, a C function, or one of the sides (expect.c) ------------------------ */

/* Finds the side or opens the library that the pair names; its file starts at `folder`. Without a name, the side that
 * is checked first becomes the reference. */
xb_code xb_pair_set_reference(xb_pair *pair, const char *folder, xb_error *err);

/* Checks a part of an output, as xb_methods.check. The side that is the reference is the first to be asked: what it
 * wrote is kept and compared with what all sides write, itself included. */
bool xb_pair_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);

/* For a check with other orders: what each side writes is kept from now on (keep), then each side is compared with what
 * it wrote then, and with no other (compare). */
void xb_pair_keep_own(void);
void xb_pair_compare_own(void);

/* As xb_methods.confirm: a side alone proves nothing, and of two that disagree neither is known to be right. */
xb_code xb_pair_confirm(const xb_case *c, xb_error *err);

/* Adds to what another side disputes of this run: how much of it. */
void xb_pair_dispute(const xb_case *c, const char *how_much);

/* ---- Differences between what a kernel wrote and what it should have written (compare.c) ------------------------ */

/* False if elements still have the chunk's poison: one of a float type or a struct, or of another type two words in a
 * row, as a word alone may be a result. */
bool xb_is_all_written(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, char why[XB_WHY_BYTES]);
/* Elements of `wanted` that still have the poison of its run get that of the chunk, in place. */
void xb_adopt_poison(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, uint32_t poison, void *wanted);
/* False, with the first differences in `why`, if elements differ by more than the buffer's rule allows. `who` has
 * `wanted`. Counts those of the buffer that differ, and all. */
bool xb_is_same(xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, const void *wanted, const char *who,
                char why[XB_WHY_BYTES]);
/* As in xb_methods: "; 12 of 4096 elements differ by more than 4 ulp (--tolerance)". */
void xb_pair_explain(const xb_case *c, uint32_t slot, char why[XB_WHY_BYTES]);
/* Looks whether the buffer's tolerance tells right results from zeros. */
void xb_weigh_tolerance(xb_pair_buffer *b, uint64_t count, const void *wanted);
/* As in xb_methods: a tolerance that takes zeros for the results, or twice their values. */
const char *xb_pair_remark(const xb_case *c);

/* ---- What the sides read and write, as files (dump.c) ----------------------------------------------------------- */

/* Creates the folder. Returns false after it reported a mistake. */
bool xb_pair_dump_into(xb_pair *pair, const char *folder);
/* Words such as "y=out.npy": what the first side writes, or an input. Returns false after it reported a mistake. */
bool xb_pair_save(xb_pair *pair, const xb_text_list *words);
/* Adds a part of what a side wrote in the first run that is checked, to FOLDER/BUFFER.SIDE.N.npy and to the file that
 * is asked for; with the first part of the first output also the inputs, as BUFFER.input.N.npy. */
void xb_pair_dump(const xb_case *c, uint32_t buffer, uint64_t first, uint64_t count, const void *data);

/* True if a file could not be written; it was reported. */
bool xb_pair_dump_failed(const xb_pair *pair);

/* Makes the slot of a buffer with addresses one whose contents are written before each run; others stay. (table.c) */
xb_code xb_pair_set_words(const xb_case *c, xb_pair_buffer *b, uint64_t length, xb_slot *slot, xb_error *err);

#endif
