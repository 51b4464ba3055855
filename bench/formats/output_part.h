/* The part of an output file, for formats/output.c only. Each function returns 0 or an errno. */
#ifndef XB_OUTPUT_PART_H
#define XB_OUTPUT_PART_H

#include "formats/output.h"

int xb_write_all(int fd, const char *text, size_t length);
/* Closes the descriptor, unless it is -1, and sets it to -1. */
void xb_close(int *fd);
/* Updates `text`. */
int xb_output_flush(xb_output *output);
/* Checks that a file can be made beside PLACE. */
int xb_part_try(xb_output *output);
/* Writes the contents to the part. On an error, the part is unchanged. */
int xb_part_save(xb_output *output);

#endif
