/* What the host does by itself: code of both of NVRTC's forms, machine code that is damaged, and memory on its NUMA
 * nodes. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "benchmarks/startup/compile.h"
#include "compile/compile.h"
#include "compile/object.h"
#include "isa/isa.h"
#include "judge/judge.h"
#include "os/numa.h"
#include "test.h"

/* A kernel for an H200, as text and as machine code. */
TEST(test_nvrtc)
{
  const xb_device_info info = {.code = "fatbin", .compute_capability = 90};
  xb_arena arena = {0};
  xb_kernel_desc desc;
  xb_error err;
  double ns;
  if (!xb_nvrtc_find())
    skip();
  assert_int_equal(xb_startup_compile(&info, 77, XB_TO_TEXT, &arena, &desc, &ns, &err), XB_OK);
  assert_non_null(strstr(desc.code, ".visible .entry startup"));
  assert_int_equal(desc.code_bytes, strlen(desc.code));
  assert_int_equal(xb_startup_compile(&info, 77, XB_TO_MACHINE, &arena, &desc, &ns, &err), XB_OK);
  const unsigned char *code = desc.code;
  assert_memory_equal(code, "\177ELF", 4);
  assert_int_equal(code[18], 190); /* EM_CUDA */
  assert_true(desc.code_bytes > 1000 && ns > 0);
  xb_arena_free(&arena);
}

/* ---- Damaged machine code ---------------------------------------------------------------------------------------- */

enum { NAMES = 1, SYMBOLS, TEXT, INFO, SHARED, SECTIONS };
static const char names[] = "\0.shstrtab\0.symtab\0.text.k\0.nv.info\0.nv.shared.k\0k";

/* In a fat binary: its header, and that of the only part. */
typedef struct cubin {
  uint64_t head[2], part[8];
  struct {
    Elf64_Ehdr head;
    Elf64_Shdr sections[SECTIONS];
    Elf64_Sym symbols[2];
    unsigned char info[12];
    uint64_t text[4];
    char names[sizeof names];
  } elf;
} cubin;

static Elf64_Shdr section(const char *name, uint32_t type, size_t offset, size_t bytes)
{
  uint32_t at = 0;
  while (strcmp(names + at, name) != 0)
    at++;
  return (Elf64_Shdr){.sh_name = at, .sh_type = type, .sh_offset = offset - offsetof(cubin, elf), .sh_size = bytes};
}

static cubin whole_cubin(void)
{
  cubin c = {.head = {UINT64_C(0x100001BA55ED50), sizeof c - sizeof c.head},
             .part = {UINT64_C(64) << 32 | 2, sizeof c.elf, 0, UINT64_C(90) << 32},
             .elf = {.head = {.e_machine = 190,
                              .e_shoff = offsetof(cubin, elf.sections) - offsetof(cubin, elf),
                              .e_shentsize = sizeof(Elf64_Shdr),
                              .e_shnum = SECTIONS,
                              .e_shstrndx = NAMES},
                     .symbols = {{0}, {.st_name = sizeof names - 2, .st_shndx = TEXT, .st_info = STT_FUNC}},
                     .info = {4, 0x2F, 8, 0, 1, 0, 0, 0, 40}}};
  memcpy(c.elf.head.e_ident, ELFMAG "\2\1\1", 7);
  memcpy(c.elf.names, names, sizeof names);
  c.elf.sections[NAMES] = section(".shstrtab", SHT_STRTAB, offsetof(cubin, elf.names), sizeof names);
  c.elf.sections[SYMBOLS] = section(".symtab", SHT_SYMTAB, offsetof(cubin, elf.symbols), sizeof c.elf.symbols);
  c.elf.sections[SYMBOLS].sh_link = NAMES;
  c.elf.sections[TEXT] = section(".text.k", SHT_PROGBITS, offsetof(cubin, elf.text), sizeof c.elf.text);
  c.elf.sections[INFO] = section(".nv.info", SHT_PROGBITS, offsetof(cubin, elf.info), sizeof c.elf.info);
  c.elf.sections[SHARED] = section(".nv.shared.k", SHT_NOBITS, sizeof c, 512);
  return c;
}

/* What is read of it. `bytes`: it is cut off there. The caller frees the result. */
static json_t *read_cubin(const cubin *c, size_t bytes)
{
  char *copy = malloc(bytes + 1); /* on the heap: a sanitizer sees a read past its end */
  json_t *row = json_object();
  const char *why;
  char list[XB_UNWATCHED_BYTES];
  xb_elf elf;
  xb_arena arena = {0};
  size_t found;
  assert_true(copy && row);
  memcpy(copy, c, bytes);
  copy[bytes] = 0;
  const unsigned char *code = xb_isa_cubin(copy, bytes, 90, &found, &why);
  xb_isa_has_cubin(copy, bytes, 90);
  if (code)
    xb_isa_read_cubin(code, found, "k", row);
  xb_elf_open(&elf, code, code ? found : 0);
  xb_elf_contents(&elf, ".nv.info", &found);
  for (xb_elf_symbols walk = {0}; xb_elf_next_symbol(&elf, &walk);)
    assert_true(strlen(walk.name) <= found + sizeof *c);
  xb_object_list_unwatched(&elf, ".text", &arena, list);
  xb_arena_free(&arena);
  free(copy);
  return row;
}

static int64_t fact(const cubin *c, const char *key)
{
  json_t *row = read_cubin(c, sizeof *c);
  const json_t *value = json_object_get(row, key);
  const int64_t number = value ? json_integer_value(value) : -1;
  json_decref(row);
  return number;
}

/* What memory is has a size, and no place in the file. */
TEST(test_cubin_without_contents)
{
  const cubin whole = whole_cubin();
  assert_int_equal(fact(&whole, "registers"), 40);
  assert_int_equal(fact(&whole, "shared_bytes"), 512);
  assert_int_equal(fact(&whole, "code_bytes"), sizeof whole.elf.text);
  for (size_t s = NAMES; s <= INFO; s++) {
    cubin c = whole;
    c.elf.sections[s].sh_type = SHT_NOBITS;
    c.elf.sections[s].sh_offset = UINT64_C(1) << 40;
    c.elf.sections[s].sh_size = UINT64_C(1) << 20;
    assert_int_equal(fact(&c, "registers"), -1);
  }
}

/* Each byte of the headers has other values, and the file ends at each byte. */
TEST(test_damaged_cubin)
{
  static const unsigned char values[] = {0, 1, 8, 0x7f, 0x80, 0xff};
  const cubin whole = whole_cubin();
  for (size_t at = 0; at < offsetof(cubin, elf.text); at++)
    for (size_t v = 0; v < sizeof values; v++) {
      cubin c = whole;
      ((unsigned char *)&c)[at] = values[v];
      if (!memcmp(c.head, whole.head, 4)) /* else it is taken for PTX, which ptxas compiles */
        json_decref(read_cubin(&c, sizeof c));
    }
  for (size_t bytes = 16; bytes < sizeof whole; bytes++)
    json_decref(read_cubin(&whole, bytes));
}

TEST(test_nodes)
{
  enum { BYTES = 1 << 16 };
  char *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(pages, MAP_FAILED);
  if (!xb_numa_bind(0)) /* a container may forbid it */
    skip();
  memset(pages, 1, BYTES);
  xb_numa_free();
  assert_int_equal(xb_numa_node_of(pages), 0);
  assert_true(xb_numa_nodes() >= 1);
  assert_false(xb_numa_bind(xb_numa_nodes()));
  assert_false(xb_numa_bind(64));
  assert_int_equal(xb_numa_node_of(NULL), -1);
  munmap(pages, BYTES);
}

/* What the guide and the deck say of the first and of the third generation, 16 lanes. */
TEST(test_bus)
{
  assert_true(xb_bus_gbps(2.5, 16) == 4);
  assert_true(xb_bus_gbps(8, 16) > 15.7 && xb_bus_gbps(8, 16) < 16);
}
