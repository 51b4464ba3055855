/* Code is a shared object. The loader reads files only, so it gets one without a name. */
#define _GNU_SOURCE /* memfd_create */
#include "core/elf.h"
#include "cpu.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* The loader checks no file for its end: it would map pages that are not there, and the program would end. */
static bool is_whole(xb_elf *elf, const void *code, size_t bytes)
{
  Elf64_Phdr part;
  if (!xb_elf_open(elf, code, bytes) || elf->head.e_type != ET_DYN || elf->head.e_machine != EM_X86_64)
    return false;
  for (uint32_t i = 0; i < elf->head.e_phnum; i++)
    if (!xb_elf_segment(elf, i, &part) && part.p_type == PT_LOAD)
      return false;
  return true;
}

/* The loader keeps one copy of a unique symbol for all modules, and keeps the module for good. g++ makes such symbols
 * of inline and template variables. Here they become ordinary ones: constant memory belongs to a kernel. */
static bool make_private(int file, const xb_elf *elf)
{
  Elf64_Shdr table;
  Elf64_Sym symbol;
  for (uint32_t i = 0; i < elf->head.e_shnum; i++) {
    if (!xb_elf_section(elf, i, &table) || table.sh_type != SHT_DYNSYM)
      continue;
    for (uint64_t k = 0; xb_elf_symbol(elf, &table, k, &symbol); k++) {
      if (ELF64_ST_BIND(symbol.st_info) != STB_GNU_UNIQUE)
        continue;
      const unsigned char info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(symbol.st_info));
      if (pwrite(file, &info, 1, (off_t)(table.sh_offset + k * sizeof symbol + offsetof(Elf64_Sym, st_info))) != 1)
        return false;
    }
  }
  return true;
}

static int file_of(const xb_kernel_desc *desc, const xb_elf *elf)
{
  char name[64]; /* the system takes 249 characters */
  snprintf(name, sizeof name, "%s", cpu_kernel_label(desc));
  const int file = memfd_create(name, MFD_CLOEXEC);
  const unsigned char *code = desc->code;
  for (size_t done = 0; file >= 0 && done < desc->code_bytes;) {
    const ssize_t n = write(file, code + done, desc->code_bytes - done);
    if (n <= 0) {
      close(file);
      return -1;
    }
    done += (size_t)n;
  }
  if (file >= 0 && !make_private(file, elf)) {
    close(file);
    return -1;
  }
  return file;
}

/* Not /proc/self: a debugger reads it, too. */
static void name_file(int file, char path[64])
{
  snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), file);
}

bool cpu_module_stays(int file)
{
  char path[64];
  name_file(file, path);
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (library)
    dlclose(library);
  return library;
}

/* [kernel] Let the system's loader bind it. Each kernel has its own copy: `__constant__` memory belongs to a kernel. */
xb_code cpu_module_load(const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  const char *const where = cpu_kernel_label(desc);
  xb_elf elf;
  if (!is_whole(&elf, desc->code, desc->code_bytes))
    return xb_fail(err, XB_INVALID, where,
                   "the code is not a complete shared object for this processor (c++ -shared makes one)");
  const int file = file_of(desc, &elf);
  k->file = file > 0 ? file : 0;
  if (file < 0)
    return xb_fail(err, XB_NOMEM, where, "no memory for %zu bytes of code", desc->code_bytes);
  char path[64];
  name_file(file, path);
  k->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!k->library)
    return xb_fail(err, XB_INVALID, where, "the code cannot be loaded: %.300s", dlerror());
  k->module = dlsym(k->library, XB_CPU_MODULE_SYMBOL);
  if (!k->module)
    return xb_fail(err, XB_INVALID, where, "the code is not a module of CUDA kernels for the CPU: it lacks %s",
                   XB_CPU_MODULE_SYMBOL);
  if (k->module->abi < XB_CPU_OLDEST_ABI || k->module->abi > XB_CPU_ABI)
    return xb_fail(err, XB_INVALID, where,
                   "the code is of version %u of the emulation, this is version %d: compile it again", k->module->abi,
                   XB_CPU_ABI);
  *k->module->runtime = &xb_cpu_runtime_table;
  return XB_OK;
}
