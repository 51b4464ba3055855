/* What the files of a command are made of; for formats/output.c alone. Each function gives 0, or the errno of what
 * failed. */
#ifndef XB_OUTPUT_PART_H
#define XB_OUTPUT_PART_H

#include "formats/output.h"

int xb_write_all(int fd, const char *text, size_t length);
/* Closes what is open. */
void xb_close(int *fd);
/* Brings `text` up to date. */
int xb_output_flush(xb_output *output);
/* Whether a file can be made beside the place; leaves none. */
int xb_part_try(xb_output *output);
/* The contents so far, on the disk, in the part. Where that fails, the part is as it was. */
int xb_part_save(xb_output *output);

#endif
