/* The results of pairs of devices, as nvbandwidth prints them. */
#ifndef XB_MATRIX_TABLE_H
#define XB_MATRIX_TABLE_H

#include "formats/formats.h"

/* Prints a matrix for each variant and target of the group that has a value. Nothing, if the benchmark's axes are not
 * `from` and `to`. */
void xb_print_matrices(const xb_group *group);

#endif
