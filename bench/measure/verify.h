/* The outputs of a cell are checked: before the samples, after them, and in single runs with other inputs. */
#ifndef XB_VERIFY_H
#define XB_VERIFY_H

#include "measure/cell.h"

/* In each placement: poisons outputs and scratch, fills in-out buffers, runs the plan once, checks outputs and guards.
 * Returns false if the cell is WRONG, FAILED or INTERRUPTED. */
bool xb_cell_verify(xb_cell *cell);
/* Only poisons and fills, before the timed submissions. */
bool xb_cell_poison(xb_cell *cell);
/* How many slots xb_cell_record_contents sets: outputs, in-out buffers and scratch of untrusted kernels, timed by the
 * device. 0: the timed runs follow each other on what they left. */
uint32_t xb_cell_restores(const xb_cell *cell);
/* Records the contents of these slots, as before a run that is checked. */
void xb_cell_record_contents(const xb_cell *cell, xb_commands *commands);
/* Checks what a sample left in the current placement. `alone`: the first one has something else. */
bool xb_cell_check_timed(xb_cell *cell, bool alone);
/* Checks the outputs after the timed submissions, even after an interrupt: samples only count if this succeeds. With
 * in-out buffers that are not restored, which hold the result of many runs, it checks the guards, then one more run
 * from the beginning. */
bool xb_cell_check(xb_cell *cell);
/* Checks single runs in the first placement after the samples, with the inputs of another seed (xb_workload_refill):
 * 16, or fewer, at least 2, if they take over 0.2 s. A kernel that does its work only once, or not in each run, fails
 * here. Returns false if the cell is WRONG or FAILED. */
bool xb_cell_recheck(xb_cell *cell, uint64_t seed);

/* ---- While they are timed: inputs that are drawn (draws.c) ------------------------------------------------------ */

/* The inputs of the cell are drawn anew. */
bool xb_is_drawn(const xb_cell *cell);
/* Checks the output of the cell's last sample, as far as the time for that goes. `must`: however long it takes. */
void xb_check_between(xb_cell *cell, bool must);
/* Gives the cells new inputs, after what they made of the last ones was checked. */
void xb_draw_inputs(xb_cell *cells, size_t count, uint32_t draw);
/* More inputs that are new to a cell all of whose drawn ones were slow; it is WRONG if these are, too. They are made
 * while the GPU rests, so it is woken before they come. */
void xb_confirm_dependence(xb_cell *cell, void (*wake)(void *user), void *user);

#endif
