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

static void each_symbol(xb_elf elf, size_t section, unsigned type, void (*fn)(const char *name, void *user), void *user)
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
      if (symbol.st_shndx == section && ELF64_ST_TYPE(symbol.st_info) == type)
        fn(text_at(elf, &head, table.sh_link, symbol.st_name), user);
    }
  }
}

void xb_elf_functions(xb_elf elf, const char *section, void (*fn)(const char *name, void *user), void *user)
{
  Elf64_Ehdr head;
  Elf64_Shdr found;
  const size_t i = header_of(elf, &head) ? find_section(elf, &head, section, &found) : 0;
  if (i)
    each_symbol(elf, i, STT_FUNC, fn, user);
}

void xb_elf_missing_variables(xb_elf elf, void (*fn)(const char *name, void *user), void *user)
{
  each_symbol(elf, SHN_UNDEF, STT_TLS, fn, user);
}
