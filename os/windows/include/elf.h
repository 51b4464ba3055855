/* The parts of ELF (System V ABI) that are read of NVIDIA's cubins and of object files. */
#pragma once

#include <stdint.h>

#define ELFMAG "\177ELF"
#define SELFMAG 4
#define ELF64_ST_TYPE(info) ((info)&0xf)
enum { EI_CLASS = 4, EI_NIDENT = 16, ELFCLASS64 = 2 };
#define ELF64_R_SYM(info) ((info) >> 32)
enum { SHN_UNDEF = 0, SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_NOBITS = 8, SHT_DYNSYM = 11 };
enum { STT_FUNC = 2, STT_SECTION = 3, STT_TLS = 6 };

typedef struct Elf64_Ehdr {
  unsigned char e_ident[EI_NIDENT];
  uint16_t e_type, e_machine;
  uint32_t e_version;
  uint64_t e_entry, e_phoff, e_shoff;
  uint32_t e_flags;
  uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

typedef struct Elf64_Shdr {
  uint32_t sh_name, sh_type;
  uint64_t sh_flags, sh_addr, sh_offset, sh_size;
  uint32_t sh_link, sh_info;
  uint64_t sh_addralign, sh_entsize;
} Elf64_Shdr;

typedef struct Elf64_Sym {
  uint32_t st_name;
  unsigned char st_info, st_other;
  uint16_t st_shndx;
  uint64_t st_value, st_size;
} Elf64_Sym;

typedef struct Elf64_Phdr {
  uint32_t p_type, p_flags;
  uint64_t p_offset, p_vaddr, p_paddr, p_filesz, p_memsz, p_align;
} Elf64_Phdr;

typedef struct Elf64_Rela {
  uint64_t r_offset, r_info;
  int64_t r_addend;
} Elf64_Rela;
