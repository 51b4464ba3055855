/* What the object file of a kernel for the processor says: its kernels, their shared memory, what they call. */
#ifndef XB_OBJECT_H
#define XB_OBJECT_H

#include "compile/compile.h"
#include "core/elf.h"

typedef struct xb_object_kernel {
  const char *wanted;    /* NULL: the only one */
  const char *found;     /* the last one that fits, without its parameters */
  const char *signature; /* with them */
  int fitting;
} xb_object_kernel;

/* Finds the kernel that is wanted among those in section xb_kernels. XB_INVALID unless one fits. */
xb_code xb_object_choose(const xb_pair_job *j, const xb_elf *object, xb_object_kernel *kernel, xb_error *err);
/* XB_INVALID if the kernel declares more shared memory than CUDA allows; `said` is then what ptxas says. */
xb_code xb_object_check_shared(const xb_pair_job *j, const xb_elf *object, const xb_object_kernel *kernel, char **said,
                               xb_error *err);
/* CUDA runs no initializers of variables on the device. Changes the object's copy in `data`, so that only that of our
 * own headers runs. False: it has no others. */
bool xb_object_leave_out_initializers(const xb_elf *object, char *data);
enum { XB_UNWATCHED_BYTES = 400 };
/* Lists the functions that kernels call, also by way of others, and that take structs by value. `calls`: how the
 * sections begin whose code calls the kernels; each function needs a section of its own, or one that kernels share. */
void xb_object_list_unwatched(const xb_elf *object, const char *calls, xb_arena *arena, char list[XB_UNWATCHED_BYTES]);

#endif
