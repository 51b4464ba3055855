/* What the ELF file of a CUDA kernel says of itself: the size of its sections, and the attributes in .nv.info. NVIDIA
 * does not document them; cuobjdump -elf prints them. */
#include "core/elf.h"
#include "isa/isa.h"

#include <string.h>

enum { FRAME_SIZE = 0x11, REGISTERS = 0x2F, FORM_SIZED = 4, INSTRUCTION = 16, NOP = 0x918 };

/* An attribute of the kernel whose code is in section `text`; -1: none. */
static int64_t attribute(const xb_elf *elf, unsigned kind, size_t text)
{
  Elf64_Shdr table;
  Elf64_Sym symbol;
  size_t left;
  const unsigned char *at = (const unsigned char *)xb_elf_contents(elf, ".nv.info", &left);
  if (!at || !xb_elf_find(elf, ".symtab", &table))
    return -1;
  while (left >= 4) {
    uint16_t bytes = 0;
    uint32_t pair[2];
    if (at[0] == FORM_SIZED)
      memcpy(&bytes, at + 2, sizeof bytes);
    if (left - 4 < bytes)
      return -1;
    if (at[0] == FORM_SIZED && at[1] == kind && bytes >= sizeof pair) {
      memcpy(pair, at + 4, sizeof pair);
      if (xb_elf_symbol(elf, &table, pair[0], &symbol) && symbol.st_shndx == text)
        return pair[1];
    }
    at += 4 + bytes;
    left -= 4 + bytes;
  }
  return -1;
}

static int64_t count_instructions(const xb_elf *elf, const Elf64_Shdr *text)
{
  int64_t count = 0;
  for (uint64_t at = 0; at + INSTRUCTION <= text->sh_size; at += INSTRUCTION) {
    const unsigned char *word = (const unsigned char *)elf->data + text->sh_offset + at;
    count += ((word[0] | word[1] << 8) & 0xFFF) != NOP;
  }
  return count;
}

/* 0 if the kernel has no such section. */
static size_t find(const xb_elf *elf, const char *kind, const char *entry, Elf64_Shdr *section)
{
  char name[256];
  return snprintf(name, sizeof name, "%s%s", kind, entry) < (int)sizeof name ? xb_elf_find(elf, name, section) : 0;
}

void xb_isa_read_cubin(const unsigned char *code, size_t bytes, const char *entry, json_t *row)
{
  xb_elf elf;
  Elf64_Shdr text, shared;
  if (!xb_elf_open(&elf, code, bytes)) {
    xb_isa_refuse(row, "the machine code is not an ELF file", false);
    return;
  }
  size_t of = find(&elf, ".text.", entry, &text);
  of = of && text.sh_type != SHT_NOBITS ? of : 0;
  const int64_t registers = of ? attribute(&elf, REGISTERS, of) : -1, frame = of ? attribute(&elf, FRAME_SIZE, of) : -1;
  if (registers < 0) {
    char why[160]; /* `#if __CUDA_ARCH__ >= 800` around it */
    snprintf(why, sizeof why, "the source leaves %.96s out for it", entry);
    xb_isa_refuse(row, why, true);
    return;
  }
  json_object_set_new(row, "registers", json_integer(registers));
  if (frame >= 0)
    json_object_set_new(row, "spill_bytes", json_integer(frame));
  json_object_set_new(row, "shared_bytes",
                      json_integer(find(&elf, ".nv.shared.", entry, &shared) ? (json_int_t)shared.sh_size : 0));
  json_object_set_new(row, "code_bytes", json_integer((json_int_t)text.sh_size));
  json_object_set_new(row, "instructions", json_integer(count_instructions(&elf, &text)));
}
