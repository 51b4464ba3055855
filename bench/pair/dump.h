/* What the sides of a pair read and write, as files. */
#ifndef XB_PAIR_DUMP_H
#define XB_PAIR_DUMP_H

#include "base/text_list.h"
#include "pair/pair.h"

/* Creates the folder. Returns false after it reported a mistake. */
bool xb_pair_dump_into(const char *folder);
/* Words such as "y=out.npy": what the first side writes, or an input. Returns false after it reported a mistake. */
bool xb_pair_save(const xb_pair *pair, const xb_text_list *words);
/* Adds a part of what a side wrote in the first run that is checked, to FOLDER/BUFFER.SIDE.N.npy and to the file that
 * is asked for; with the first part of the first output also the inputs, as BUFFER.input.N.npy. */
void xb_pair_dump(const xb_case *c, uint32_t buffer, uint64_t first, uint64_t count, const void *data);

/* True if a file could not be written; it was reported. */
extern bool xb_pair_dump_failed;

#endif
