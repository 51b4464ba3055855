/* What the ELF file of a CUDA kernel says of itself: the size of its sections, and the attributes in .nv.info. NVIDIA
 * does not document them; cuobjdump -elf prints them. */
#include "isa/isa.h"

#include <elf.h>
#include <string.h>

enum { FRAME_SIZE = 0x11, REGISTERS = 0x2F, FORM_SIZED = 4, INSTRUCTION = 16, NOP = 0x918 };

typedef struct file {
  const unsigned char *data;
  size_t bytes;
  Elf64_Ehdr head;
} file;

static bool section(const file *f, size_t i, Elf64_Shdr *s)
{
  const uint64_t at = f->head.e_shoff + i * sizeof *s;
  if (i >= f->head.e_shnum || at > f->bytes || f->bytes - at < sizeof *s)
    return false;
  memcpy(s, f->data + at, sizeof *s);
  return true;
}

/* What it has is in the file. Memory (SHT_NOBITS) has a size only, whatever its offset is. */
static bool is_there(const file *f, const Elf64_Shdr *s)
{
  return s->sh_type != SHT_NOBITS && s->sh_offset <= f->bytes && s->sh_size <= f->bytes - s->sh_offset;
}

static bool has_name(const file *f, const Elf64_Shdr *s, const char *prefix, const char *name)
{
  Elf64_Shdr names;
  const size_t length = strlen(prefix) + strlen(name) + 1;
  if (!section(f, f->head.e_shstrndx, &names) || !is_there(f, &names) || s->sh_name >= names.sh_size ||
      names.sh_size - s->sh_name < length)
    return false;
  const char *text = (const char *)f->data + names.sh_offset + s->sh_name;
  return !strncmp(text, prefix, strlen(prefix)) && !strcmp(text + strlen(prefix), name);
}

static size_t find(const file *f, const char *prefix, const char *name, Elf64_Shdr *s)
{
  for (size_t i = 1; section(f, i, s); i++)
    if (has_name(f, s, prefix, name))
      return i;
  return 0;
}

static size_t find_there(const file *f, const char *prefix, const char *name, Elf64_Shdr *s)
{
  const size_t i = find(f, prefix, name, s);
  return i && is_there(f, s) ? i : 0;
}

/* The section of a symbol. */
static size_t section_of(const file *f, uint32_t symbol)
{
  Elf64_Shdr table;
  Elf64_Sym found;
  if (!find_there(f, ".symtab", "", &table) || symbol >= table.sh_size / sizeof found)
    return 0;
  memcpy(&found, f->data + table.sh_offset + symbol * sizeof found, sizeof found);
  return found.st_shndx;
}

/* An attribute of the kernel whose code is in section `text`; -1: none. */
static int64_t attribute(const file *f, unsigned kind, size_t text)
{
  Elf64_Shdr info;
  if (!find_there(f, ".nv.info", "", &info))
    return -1;
  const unsigned char *at = f->data + info.sh_offset, *end = at + info.sh_size;
  while (end - at >= 4) {
    uint16_t bytes = 0;
    uint32_t pair[2];
    if (at[0] == FORM_SIZED)
      memcpy(&bytes, at + 2, sizeof bytes);
    if (end - at - 4 < bytes)
      return -1;
    if (at[0] == FORM_SIZED && at[1] == kind && bytes >= sizeof pair) {
      memcpy(pair, at + 4, sizeof pair);
      if (section_of(f, pair[0]) == text)
        return pair[1];
    }
    at += 4 + bytes;
  }
  return -1;
}

static int64_t count_instructions(const file *f, const Elf64_Shdr *text)
{
  int64_t count = 0;
  for (uint64_t at = 0; at + INSTRUCTION <= text->sh_size; at += INSTRUCTION) {
    const unsigned char *word = f->data + text->sh_offset + at;
    count += ((word[0] | word[1] << 8) & 0xFFF) != NOP;
  }
  return count;
}

void xb_isa_read_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row)
{
  file f = {.data = elf, .bytes = bytes};
  Elf64_Shdr text, shared;
  if (bytes < sizeof f.head || memcmp(elf, ELFMAG, SELFMAG) != 0) {
    xb_isa_refuse(row, "the machine code is not an ELF file", false);
    return;
  }
  memcpy(&f.head, elf, sizeof f.head);
  const size_t of = find_there(&f, ".text.", entry, &text);
  const int64_t registers = of ? attribute(&f, REGISTERS, of) : -1, frame = of ? attribute(&f, FRAME_SIZE, of) : -1;
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
                      json_integer(find(&f, ".nv.shared.", entry, &shared) ? (json_int_t)shared.sh_size : 0));
  json_object_set_new(row, "code_bytes", json_integer((json_int_t)text.sh_size));
  json_object_set_new(row, "instructions", json_integer(count_instructions(&f, &text)));
}
