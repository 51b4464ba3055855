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
/* Calls `fn` with the name of each function in the section. */
void xb_elf_functions(xb_elf elf, const char *section, void (*fn)(const char *name, void *user), void *user);
/* Calls `fn` with the name of each thread-local variable that the file uses and does not define. */
void xb_elf_missing_variables(xb_elf elf, void (*fn)(const char *name, void *user), void *user);

#endif
