#include "compile/elf.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

static bool lies_within(uint64_t offset, uint64_t size, size_t bytes)
{
  return offset <= bytes && size <= bytes - offset;
}

static bool header_of(xb_elf elf, Elf64_Ehdr *head)
{
  if (elf.bytes < sizeof *head)
    return false;
  memcpy(head, elf.data, sizeof *head);
  return !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
         head->e_shentsize == sizeof(Elf64_Shdr) &&
         lies_within(head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr), elf.bytes);
}

/* False if there is no such section, or if its contents are not in the file. */
static bool section_at(xb_elf elf, const Elf64_Ehdr *head, size_t i, Elf64_Shdr *section)
{
  if (i >= head->e_shnum)
    return false;
  memcpy(section, elf.data + head->e_shoff + i * sizeof *section, sizeof *section);
  return section->sh_type == SHT_NOBITS || lies_within(section->sh_offset, section->sh_size, elf.bytes);
}

/* "" if the table has no such text. */
static const char *text_at(xb_elf elf, const Elf64_Ehdr *head, size_t table, uint64_t at)
{
  Elf64_Shdr section;
  if (!section_at(elf, head, table, &section) || section.sh_type != SHT_STRTAB || at >= section.sh_size)
    return "";
  const char *text = elf.data + section.sh_offset + at;
  return memchr(text, 0, section.sh_size - at) ? text : "";
}

static size_t find_section(xb_elf elf, const Elf64_Ehdr *head, const char *name, Elf64_Shdr *section)
{
  for (size_t i = 1; i < head->e_shnum; i++)
    if (section_at(elf, head, i, section) && !strcmp(text_at(elf, head, head->e_shstrndx, section->sh_name), name))
      return i;
  return 0;
}

const char *xb_elf_section(xb_elf elf, const char *name, size_t *bytes)
{
  Elf64_Ehdr head;
  Elf64_Shdr section;
  *bytes = 0;
  if (!header_of(elf, &head) || !find_section(elf, &head, name, &section) || section.sh_type == SHT_NOBITS)
    return NULL;
  *bytes = section.sh_size;
  return elf.data + section.sh_offset;
}

enum { ANY_SECTION = -1 }; /* that the file has */

static void each_symbol(xb_elf elf, int section, unsigned type, xb_elf_symbol_fn *fn, void *user)
{
  Elf64_Ehdr head;
  Elf64_Shdr table;
  if (!header_of(elf, &head))
    return;
  for (size_t i = 1; i < head.e_shnum; i++) {
    if (!section_at(elf, &head, i, &table) || table.sh_type != SHT_SYMTAB)
      continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      memcpy(&symbol, elf.data + table.sh_offset + at, sizeof symbol);
      const bool there = section == ANY_SECTION ? symbol.st_shndx != SHN_UNDEF : symbol.st_shndx == section;
      if (there && ELF64_ST_TYPE(symbol.st_info) == type)
        fn(text_at(elf, &head, table.sh_link, symbol.st_name), symbol.st_size, user);
    }
  }
}

void xb_elf_functions(xb_elf elf, const char *section, xb_elf_symbol_fn *fn, void *user)
{
  Elf64_Ehdr head;
  Elf64_Shdr found;
  const size_t i = header_of(elf, &head) ? find_section(elf, &head, section, &found) : 0;
  if (i)
    each_symbol(elf, (int)i, STT_FUNC, fn, user);
}

void xb_elf_missing_variables(xb_elf elf, xb_elf_symbol_fn *fn, void *user)
{
  each_symbol(elf, SHN_UNDEF, STT_TLS, fn, user);
}

void xb_elf_variables(xb_elf elf, xb_elf_symbol_fn *fn, void *user)
{
  each_symbol(elf, ANY_SECTION, STT_TLS, fn, user);
}

/* ---- What kernels call ------------------------------------------------------------------------------------------ */

enum { MOST_SECTIONS = 4096 };
typedef enum mark { UNKNOWN, CALLS_KERNELS, KERNEL, CALLED } mark;

/* Marks the sections that relocations of a marked section refer to. Returns how many are new. */
static size_t follow(xb_elf elf, const Elf64_Ehdr *head, const Elf64_Shdr *list, unsigned char *marks,
                     xb_elf_symbol_fn *fn, void *user)
{
  Elf64_Shdr table;
  size_t found = 0;
  if (list->sh_type != SHT_RELA || list->sh_info >= MOST_SECTIONS || !marks[list->sh_info] ||
      !section_at(elf, head, list->sh_link, &table) || table.sh_type != SHT_SYMTAB)
    return 0;
  const mark from = marks[list->sh_info];
  for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= list->sh_size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    Elf64_Sym symbol;
    memcpy(&r, elf.data + list->sh_offset + at, sizeof r);
    const uint64_t index = ELF64_R_SYM(r.r_info);
    if (index >= table.sh_size / sizeof symbol)
      continue;
    memcpy(&symbol, elf.data + table.sh_offset + index * sizeof symbol, sizeof symbol);
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (!symbol.st_shndx || symbol.st_shndx >= MOST_SECTIONS || (type != STT_FUNC && type != STT_SECTION))
      continue;
    if (fn && type == STT_FUNC && from >= KERNEL && marks[symbol.st_shndx] == CALLED)
      fn(text_at(elf, head, table.sh_link, symbol.st_name), symbol.st_size, user);
    if (!fn && !marks[symbol.st_shndx]) {
      marks[symbol.st_shndx] = from == CALLS_KERNELS ? KERNEL : CALLED;
      found++;
    }
  }
  return found;
}

void xb_elf_functions_of_kernels(xb_elf elf, const char *calls, xb_elf_symbol_fn *fn, void *user)
{
  unsigned char marks[MOST_SECTIONS] = {UNKNOWN};
  Elf64_Ehdr head;
  Elf64_Shdr section;
  if (!header_of(elf, &head))
    return;
  for (size_t i = 1; i < head.e_shnum && i < MOST_SECTIONS; i++)
    if (section_at(elf, &head, i, &section) &&
        !strncmp(text_at(elf, &head, head.e_shstrndx, section.sh_name), calls, strlen(calls)))
      marks[i] = CALLS_KERNELS;
  for (size_t found = 1; found;) {
    found = 0;
    for (size_t i = 1; i < head.e_shnum; i++)
      if (section_at(elf, &head, i, &section))
        found += follow(elf, &head, &section, marks, NULL, NULL);
  }
  for (size_t i = 1; i < head.e_shnum; i++)
    if (section_at(elf, &head, i, &section))
      follow(elf, &head, &section, marks, fn, user);
}
