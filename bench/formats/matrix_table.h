/* Results of pairs of devices as tables: a row for each device that is read from, a column for each that reads. */
#ifndef XB_MATRIX_TABLE_H
#define XB_MATRIX_TABLE_H

#include "formats/formats.h"
#include "result/matrix.h"
#include "sheet/sheet.h"

/* Until the next call. */
void xb_matrix_sheet(xb_sheet *sheet, const xb_matrix *matrix);
/* Below a group's table; nothing unless its benchmark is of pairs. */
void xb_print_matrices(const xb_group *group);

#endif
