/* What an object file of the host's compiler says: of a kernel's names and parameters. */
#ifndef XB_ELF_H
#define XB_ELF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xb_elf {
  const char *data;
  size_t bytes;
} xb_elf;

/* The contents of a section; NULL if there is none of this name, or if the file is damaged. */
const char *xb_elf_section(xb_elf elf, const char *name, size_t *bytes);
typedef void xb_elf_symbol_fn(const char *name, size_t bytes, void *user);
/* Calls `fn` with each function in the section. */
void xb_elf_functions(xb_elf elf, const char *section, xb_elf_symbol_fn *fn, void *user);
/* Calls `fn` with each thread-local variable that the file uses and does not define; with each that it defines. */
void xb_elf_missing_variables(xb_elf elf, xb_elf_symbol_fn *fn, void *user);
void xb_elf_variables(xb_elf elf, xb_elf_symbol_fn *fn, void *user);
/* Calls `fn` with each function that kernels refer to, also by way of others, once for each reference.
 * `calls`: how the sections begin whose code calls the kernels; each function needs a section of its own, or one that
 * kernels share. */
void xb_elf_functions_of_kernels(xb_elf elf, const char *calls, xb_elf_symbol_fn *fn, void *user);

#endif
