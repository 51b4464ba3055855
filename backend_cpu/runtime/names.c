/* The file of a module, and from its table of symbols the name of a variable in shared memory. */
#include "internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool xb_cpu_open_file_of(const void *address, xb_elf *elf, const void **base)
{
  Dl_info about = {0};
  struct stat s;
  *elf = (xb_elf){0};
  const int file = dladdr(address, &about) && about.dli_fname ? open(about.dli_fname, O_RDONLY | O_CLOEXEC) : -1;
  *base = about.dli_fbase;
  if (file < 0)
    return false;
  const bool there = fstat(file, &s) == 0 && s.st_size > 0;
  void *all = there ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  return all != MAP_FAILED && xb_elf_open(elf, all, (size_t)s.st_size);
}

void xb_cpu_close_file(xb_elf *elf)
{
  if (elf->data)
    munmap((void *)(uintptr_t)elf->data, elf->bytes);
}

/* "tile" of _ZZ3sumE4tile, the last name of a mangled one, and of groupshared.12.tile. */
static void plain(const char *symbol, char *text, size_t size)
{
  const char *last = symbol;
  if (!strncmp(symbol, "groupshared.", 12)) { /* a shader's (shader/translate.c) */
    last = strchr(symbol + 12, '.');
    snprintf(text, size, "%s", last ? last + 1 : symbol);
    return;
  }
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

static bool look(const xb_elf *elf, uint64_t offset, char *text, size_t size, uint64_t *within)
{
  for (xb_elf_symbols walk = {0}; xb_elf_next_symbol(elf, &walk);) {
    const Elf64_Sym *s = &walk.symbol;
    if (ELF64_ST_TYPE(s->st_info) != STT_TLS || s->st_shndx == SHN_UNDEF || offset < s->st_value ||
        offset - s->st_value >= s->st_size || !*walk.name)
      continue;
    if (strncmp(walk.name, "_ZGV", 4) == 0)
      *text = '\0'; /* a compiler's guard: the variable has a constructor */
    else
      plain(walk.name, text, size);
    *within = offset - s->st_value;
    return true;
  }
  return false;
}

bool xb_cpu_shared_name(const void *module, uint64_t offset, char *text, size_t size, uint64_t *within)
{
  const void *base;
  xb_elf elf;
  const bool found = xb_cpu_open_file_of(module, &elf, &base) && look(&elf, offset, text, size, within);
  xb_cpu_close_file(&elf);
  return found;
}
