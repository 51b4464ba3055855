/* Parts of a run: of xbench, xbench compare and xbench peaks. */
#ifndef XB_RUN_PARTS_H
#define XB_RUN_PARTS_H

#include "commands/options.h"
#include "formats/formats.h"

/* A run again, with other orders of threads and blocks, after one that was right. Returns the exit code: XB_EXIT_WRONG
 * if an order gives a wrong result or never ends. (check_order.c) */
int xb_check_order(const xb_options *options, int (*run)(const xb_options *options));

/* From now on a crash, most often of a driver, says in one line where the finished results of these files are; then it
 * ends the program as without this. It leaves signals alone that somebody else handles, such as a sanitizer. (crash.c)
 */
void xb_say_upon_crash(const xb_output *json, const xb_output *csv);

/* What `xbench peaks` begins with: the ceilings that one looks for first (peaks_summary.c). What is printed from
 * `begin` on is kept; `end` prints the summary of the groups that were noted, and what was kept. */
void xb_peaks_begin(void);
void xb_peaks_note(const xb_group *group);
void xb_peaks_end(void);

#endif
