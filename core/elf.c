#include "core/elf.h"

#include <string.h>

static bool lies_within(uint64_t offset, uint64_t size, size_t bytes)
{
  return offset <= bytes && size <= bytes - offset;
}

bool xb_elf_open(xb_elf *elf, const void *data, size_t bytes)
{
  *elf = (xb_elf){.data = data, .bytes = bytes};
  if (bytes < sizeof elf->head)
    return false;
  memcpy(&elf->head, data, sizeof elf->head);
  const Elf64_Ehdr *head = &elf->head;
  if (!memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
      head->e_shentsize == sizeof(Elf64_Shdr) && (!head->e_phnum || head->e_phentsize == sizeof(Elf64_Phdr)) &&
      lies_within(head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr), bytes) &&
      lies_within(head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr), bytes))
    return true;
  elf->head.e_shnum = elf->head.e_phnum = 0;
  return false;
}

bool xb_elf_section(const xb_elf *elf, size_t i, Elf64_Shdr *section)
{
  if (i >= elf->head.e_shnum)
    return false;
  memcpy(section, elf->data + elf->head.e_shoff + i * sizeof *section, sizeof *section);
  return section->sh_type == SHT_NOBITS || lies_within(section->sh_offset, section->sh_size, elf->bytes);
}

bool xb_elf_segment(const xb_elf *elf, size_t i, Elf64_Phdr *segment)
{
  if (i >= elf->head.e_phnum)
    return false;
  memcpy(segment, elf->data + elf->head.e_phoff + i * sizeof *segment, sizeof *segment);
  return lies_within(segment->p_offset, segment->p_filesz, elf->bytes);
}

const char *xb_elf_text(const xb_elf *elf, size_t table, uint64_t at)
{
  Elf64_Shdr section;
  if (!xb_elf_section(elf, table, &section) || section.sh_type != SHT_STRTAB || at >= section.sh_size)
    return "";
  const char *text = elf->data + section.sh_offset + at;
  return memchr(text, 0, section.sh_size - at) ? text : "";
}

const char *xb_elf_name(const xb_elf *elf, const Elf64_Shdr *section)
{
  return xb_elf_text(elf, elf->head.e_shstrndx, section->sh_name);
}

size_t xb_elf_find(const xb_elf *elf, const char *name, Elf64_Shdr *section)
{
  for (size_t i = 1; i < elf->head.e_shnum; i++)
    if (xb_elf_section(elf, i, section) && !strcmp(xb_elf_name(elf, section), name))
      return i;
  return 0;
}

const char *xb_elf_contents(const xb_elf *elf, const char *name, size_t *bytes)
{
  Elf64_Shdr section;
  const bool there = xb_elf_find(elf, name, &section) && section.sh_type != SHT_NOBITS;
  *bytes = there ? section.sh_size : 0;
  return there ? elf->data + section.sh_offset : NULL;
}

bool xb_elf_symbol(const xb_elf *elf, const Elf64_Shdr *table, uint64_t i, Elf64_Sym *symbol)
{
  if ((table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM) || i >= table->sh_size / sizeof *symbol)
    return false;
  memcpy(symbol, elf->data + table->sh_offset + i * sizeof *symbol, sizeof *symbol);
  return true;
}

bool xb_elf_next_symbol(const xb_elf *elf, xb_elf_symbols *walk)
{
  while (!xb_elf_symbol(elf, &walk->table, walk->next, &walk->symbol)) {
    do
      if (++walk->section >= elf->head.e_shnum)
        return false;
    while (!xb_elf_section(elf, walk->section, &walk->table) || walk->table.sh_type != SHT_SYMTAB);
    walk->next = 0;
  }
  walk->next++;
  walk->name = xb_elf_text(elf, walk->table.sh_link, walk->symbol.st_name);
  return true;
}
