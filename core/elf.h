/* ELF files (System V ABI), for the backends and the program: machine code for CUDA, and modules for the processor.
 * Nothing in a file is trusted. A file is read where it lies, at any alignment. */
#ifndef XB_CORE_ELF_H
#define XB_CORE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct xb_elf {
  const char *data;
  size_t bytes;
  Elf64_Ehdr head; /* zeros if the file is shorter */
} xb_elf;

/* False unless the file is a 64-bit ELF file that contains its tables of sections and segments. Otherwise it counts as
 * having none. */
bool xb_elf_open(xb_elf *elf, const void *data, size_t bytes);
/* False if there is no such section or segment, or if its contents are not in the file. SHT_NOBITS has no contents: its
 * offset and its size mean memory. */
bool xb_elf_section(const xb_elf *elf, size_t i, Elf64_Shdr *section);
bool xb_elf_segment(const xb_elf *elf, size_t i, Elf64_Phdr *segment);
/* A text of a table of strings; "" if the table has no text there that ends. */
const char *xb_elf_text(const xb_elf *elf, size_t table, uint64_t at);
const char *xb_elf_name(const xb_elf *elf, const Elf64_Shdr *section);
/* The first section of this name; 0 if there is none. */
size_t xb_elf_find(const xb_elf *elf, const char *name, Elf64_Shdr *section);
/* The contents of the section of this name; NULL if there is none. */
const char *xb_elf_contents(const xb_elf *elf, const char *name, size_t *bytes);
/* False behind the last symbol, or if the section is no table of symbols. */
bool xb_elf_symbol(const xb_elf *elf, const Elf64_Shdr *table, uint64_t i, Elf64_Sym *symbol);

/* A walk over the symbols of all tables but those of the loader. It begins as {0}. */
typedef struct xb_elf_symbols {
  Elf64_Sym symbol;
  const char *name;
  size_t section; /* the table, and the next symbol in it */
  uint64_t next;
  Elf64_Shdr table;
} xb_elf_symbols;
bool xb_elf_next_symbol(const xb_elf *elf, xb_elf_symbols *walk);

#endif
