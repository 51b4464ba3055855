/* What there is to show under a name: the source of a kernel for each API, found by path among the embedded ones. */
#ifndef XB_TWINS_H
#define XB_TWINS_H

#include "benchmarks/table.h"

enum { XB_CUDA_SIDE, XB_VULKAN_SIDE, XB_SIDES };
enum { XB_PATH_BYTES = 160 };

typedef struct xb_twins {
  char name[96];                      /* "reduce/7_many_elements" */
  char title[128];                    /* "many elements a thread"; "" where there is none */
  const xb_variant *variant;          /* NULL: no row of the table, but a pair of files */
  char path[XB_SIDES][XB_PATH_BYTES]; /* from the root of the project; "" where there is none */
  const char *reason;                 /* why a side, or both, are missing; NULL: none is */
} xb_twins;

const char *xb_side_name(int side); /* "cuda", "vulkan" */

void xb_twins_of_variant(const xb_variant *v, xb_twins *pair);
/* kernels/FOLDER/NAME.cu with shaders/FOLDER/NAME.hlsl, for a folder that is no benchmark. NAME may be its number or
 * what follows it, as with variants. False: no such files were embedded. */
bool xb_twins_of_files(const char *folder, const char *name, xb_twins *pair);
/* The names in such a folder, at most `capacity`. Returns how many. */
size_t xb_twins_names(const char *folder, char (*names)[96], size_t capacity);

#endif
