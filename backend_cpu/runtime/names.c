/* The name of a variable in a module's shared memory, from its table of symbols. */
#include "internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* "tile" of _ZZ3sumE4tile: the last name of a mangled one. */
static void plain(const char *symbol, char *text, size_t size)
{
  const char *last = symbol;
  int length = (int)strlen(symbol);
  for (const char *p = symbol; !strncmp(symbol, "_Z", 2) && *p;) {
    char *end;
    const unsigned long count = *p >= '1' && *p <= '9' ? strtoul(p, &end, 10) : 0;
    if (!count || strlen(end) < count) {
      p++;
      continue;
    }
    last = end;
    length = (int)count;
    p = end + count;
  }
  snprintf(text, size, "%.*s", length, last);
}

static bool look(const unsigned char *file, size_t bytes, uint64_t offset, char *text, size_t size, uint64_t *within)
{
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  if (head->e_shoff > bytes || head->e_shnum > (bytes - head->e_shoff) / sizeof(Elf64_Shdr))
    return false;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
  for (uint32_t i = 0; i < head->e_shnum; i++) {
    const Elf64_Shdr *s = &sections[i];
    if (s->sh_type != SHT_SYMTAB || s->sh_link >= head->e_shnum || s->sh_offset > bytes ||
        s->sh_size > bytes - s->sh_offset)
      continue;
    const Elf64_Shdr *strings = &sections[s->sh_link];
    if (strings->sh_offset > bytes || strings->sh_size > bytes - strings->sh_offset)
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + s->sh_offset);
    for (uint64_t j = 0; j < s->sh_size / sizeof *symbols; j++) {
      if (ELF64_ST_TYPE(symbols[j].st_info) != STT_TLS || symbols[j].st_shndx == SHN_UNDEF ||
          offset < symbols[j].st_value || offset - symbols[j].st_value >= symbols[j].st_size ||
          symbols[j].st_name >= strings->sh_size)
        continue;
      const char *symbol = (const char *)file + strings->sh_offset + symbols[j].st_name;
      if (!memchr(symbol, 0, strings->sh_size - symbols[j].st_name))
        continue;
      if (strncmp(symbol, "_ZGV", 4) == 0)
        *text = '\0'; /* a compiler's guard: the variable has a constructor */
      else
        plain(symbol, text, size);
      *within = offset - symbols[j].st_value;
      return true;
    }
  }
  return false;
}

bool xb_cpu_shared_name(const void *module, uint64_t offset, char *text, size_t size, uint64_t *within)
{
  Dl_info about;
  struct stat s;
  bool found = false;
  const int file = dladdr(module, &about) && about.dli_fname ? open(about.dli_fname, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0)
    return false;
  if (fstat(file, &s) == 0 && s.st_size >= (off_t)sizeof(Elf64_Ehdr)) {
    unsigned char *all = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (all != MAP_FAILED) {
      found = look(all, (size_t)s.st_size, offset, text, size, within);
      munmap(all, (size_t)s.st_size);
    }
  }
  close(file);
  return found;
}
