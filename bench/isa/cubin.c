/* Machine code for NVIDIA's GPUs, without a GPU and without CUDA: where it comes from, what it says of itself, and how
 * it reads. */
#include "base/fnv.h"
#include "base/program.h"
#include "base/whole_file.h"
#include "blob.h"
#include "core/elf.h"
#include "core/fatbin.h"
#include "isa/isa.h"
#include "os/temporary.h"
#include "os/written_file.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Where it comes from ---------------------------------------------------------------------------------------- */

enum { MOST_BYTES = 1 << 30 };

static struct {
  uint64_t hash; /* of the code: other code may come to lie at its address */
  uint32_t capability;
  xb_arena arena;
  unsigned char *cubin;
  size_t bytes;
  const char *why;
} last;

static void *symbol(const char *library, const char *name)
{
  void *handle = dlopen(library, RTLD_NOW);
  return handle ? dlsym(handle, name) : NULL;
}

/* NULL: out of memory, damaged, or the library is missing. */
static unsigned char *unpack(const xb_fatbin_part *part, size_t *bytes)
{
  const bool packed = part->flags & (XB_FATBIN_ZSTD | XB_FATBIN_LZ4);
  *bytes = packed ? part->unpacked_bytes : part->bytes;
  if (part->packed_bytes > part->bytes || *bytes >= MOST_BYTES)
    return NULL;
  unsigned char *out = xb_arena_take(&last.arena, *bytes + 1, 1);
  size_t (*zstd)(void *, size_t, const void *, size_t) = NULL;
  int (*lz4)(const char *, char *, int, int) = NULL;
  if (out && part->flags & XB_FATBIN_ZSTD) {
    *(void **)&zstd = symbol("libzstd.so.1", "ZSTD_decompress");
    return zstd && zstd(out, *bytes, part->data, part->packed_bytes) == *bytes ? out : NULL;
  }
  if (out && packed) {
    *(void **)&lz4 = symbol("liblz4.so.1", "LZ4_decompress_safe");
    const int size = (int)*bytes;
    return lz4 && lz4((const char *)part->data, (char *)out, (int)part->packed_bytes, size) == size ? out : NULL;
  }
  return out ? memcpy(out, part->data, *bytes) : NULL;
}

/* The part of this kind: machine code for exactly this capability; PTX for at most that. */
static unsigned char *part_of(const void *code, size_t bytes, xb_fatbin_kind kind, uint32_t capability,
                              size_t *part_bytes)
{
  xb_fatbin fatbin;
  xb_fatbin_part part;
  for (bool more = xb_fatbin_open(&fatbin, code, bytes); more && xb_fatbin_next(&fatbin, &part);)
    if (part.kind == kind &&
        (kind == XB_FATBIN_MACHINE ? part.capability == capability : part.capability <= capability))
      return unpack(&part, part_bytes);
  return NULL;
}

/* A program of the CUDA toolkit; NULL: it is not installed. */
static const char *find_tool(const char *name, xb_arena *arena)
{
  const char *found = xb_find_program(name, arena);
  return found ? found : xb_find_program(xb_arena_text(arena, "/usr/local/cuda/bin/%s", name), arena);
}

static unsigned char *assemble(const char *ptx, uint32_t capability, size_t *bytes, const char **why)
{
  char in[XB_TEMPORARY_BYTES], out[XB_TEMPORARY_BYTES], arch[16], *data = NULL, *said;
  xb_error error;
  const char *tool = find_tool("ptxas", &last.arena);
  *why = "this program has no code for it, and ptxas, which makes it from PTX, is not installed (CUDA toolkit)";
  if (!tool)
    return NULL;
  const int fd = xb_temporary_file(in, ""), to = xb_temporary_file(out, ".cubin");
  *why = xb_temporary_why();
  if (fd < 0 || to < 0)
    return NULL;
  close(fd);
  close(to);
  snprintf(arch, sizeof arch, "sm_%u", capability);
  const char *const argv[] = {tool, "-arch", arch, "-o", out, in, NULL};
  if (xb_write_whole_file(in, ptx, strlen(ptx))) {
    const xb_code code = xb_run_program(argv, &last.arena, &said, &error);
    *why = code ? xb_arena_text(&last.arena, "%.*s", (int)strcspn(*said ? said : error.message, "\n"),
                                *said ? said : error.message)
                : "ptxas wrote nothing";
    if (!code && !xb_read_whole_file(out, &last.arena, &data, bytes, &error))
      *why = NULL;
  }
  xb_temporary_remove(in);
  xb_temporary_remove(out);
  return (unsigned char *)data;
}

static unsigned char *find_or_make(const void *code, size_t bytes, uint32_t capability, size_t *count, const char **why)
{
  if (bytes >= 16 && !memcmp(code, "\177ELF", 4)) {
    *count = bytes;
    return (unsigned char *)(uintptr_t)code;
  }
  if (!xb_is_fatbin(code, bytes))
    return assemble(code, capability, count, why);
  unsigned char *found = part_of(code, bytes, XB_FATBIN_MACHINE, capability, count);
  size_t ptx_bytes;
  const char *ptx = found ? NULL : (char *)part_of(code, bytes, XB_FATBIN_PTX, capability, &ptx_bytes);
  *why = "this program has neither code nor older PTX for it, or the parts of its fat binary cannot be unpacked "
         "(libzstd.so.1)";
  return found ? found : ptx ? assemble(ptx, capability, count, why) : NULL;
}

const unsigned char *xb_isa_cubin(const void *code, size_t bytes, uint32_t capability, size_t *count, const char **why)
{
  const uint64_t hash = xb_fnv1a(xb_fnv1a(XB_FNV_START, &code, sizeof code), code, bytes);
  if (last.hash != hash || last.capability != capability) {
    xb_arena_free(&last.arena);
    last.hash = hash;
    last.capability = capability;
    last.cubin = find_or_make(code, bytes, capability, &last.bytes, &last.why);
  }
  *count = last.bytes;
  *why = last.why;
  return last.cubin;
}

bool xb_isa_has_cubin(const void *code, size_t bytes, uint32_t capability)
{
  size_t count;
  return part_of(code, bytes, XB_FATBIN_MACHINE, capability, &count);
}

/* ---- What it says of itself ------------------------------------------------------------------------------------- */

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

int64_t xb_isa_count_code(const unsigned char *code, size_t bytes)
{
  int64_t count = 0;
  for (size_t at = 0; at + INSTRUCTION <= bytes; at += INSTRUCTION)
    count += ((code[at] | code[at + 1] << 8) & 0xFFF) != NOP;
  return count;
}

void xb_isa_set_hash(json_t *row, const void *code, size_t bytes)
{
  char hash[32];
  snprintf(hash, sizeof hash, "fnv1a64:%016" PRIx64, xb_fnv1a(XB_FNV_START, code, bytes));
  json_object_set_new(row, "code_hash", json_string(hash));
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
    snprintf(why, sizeof why, "the source excludes %.96s on this architecture", entry);
    xb_isa_refuse(row, why, true);
    return;
  }
  json_object_set_new(row, "registers", json_integer(registers));
  if (frame >= 0)
    json_object_set_new(row, "spill_bytes", json_integer(frame));
  json_object_set_new(row, "shared_bytes",
                      json_integer(find(&elf, ".nv.shared.", entry, &shared) ? (json_int_t)shared.sh_size : 0));
  json_object_set_new(row, "code_bytes", json_integer((json_int_t)text.sh_size));
  const unsigned char *at = (const unsigned char *)elf.data + text.sh_offset;
  json_object_set_new(row, "instructions", json_integer(xb_isa_count_code(at, text.sh_size)));
  xb_isa_set_hash(row, at, text.sh_size);
}

/* ---- Beside its source ------------------------------------------------------------------------------------------ */

/* The text of a file that the build compiled, which this program carries, or of one of the user's; NULL: neither. */
static const char *text_of(const char *path, xb_arena *arena)
{
  char *text;
  size_t bytes;
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    const size_t length = strlen(b->name), all = strlen(path);
    if (all > length && path[all - length - 1] == '/' && !strcmp(path + all - length, b->name))
      return xb_arena_text(arena, "%.*s", (int)b->bytes, (const char *)b->data);
  }
  return xb_read_whole_file(path, arena, &text, &bytes, NULL) ? NULL : text;
}

/* nvdisasm's `//## File "a.cu", line 12`: writes the line itself. False: the mark is none, or its file is not here. */
static bool write_source(const char *mark, FILE *out, xb_arena *arena)
{
  static const char begin[] = "//## File \"";
  const char *name = strstr(mark, begin), *end = name ? strstr(name, "\", line ") : NULL;
  if (!end || end > mark + strcspn(mark, "\n"))
    return false;
  name += sizeof begin - 1;
  const char *path = xb_arena_text(arena, "%.*s", (int)(end - name), name), *text = text_of(path, arena);
  const unsigned long line = strtoul(end + strlen("\", line "), NULL, 10);
  for (unsigned long i = 1; text && i < line && (text = strchr(text, '\n')); i++)
    text++;
  if (!text)
    return false;
  text += strspn(text, " \t");
  fprintf(out, "%s:%lu: %.*s\n", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, line, (int)strcspn(text, "\n"),
          text);
  return true;
}

static char *write_listing(const char *listing, xb_arena *arena)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  const char *mark_before = ""; /* the mark before: several instructions of one line need it once */
  for (const char *at = listing; out && *at; at += *at == '\n') {
    const size_t length = strcspn(at, "\n");
    const char *mark = strstr(at, "//##");
    if (!mark || mark >= at + length)
      fprintf(out, "  %.*s\n", (int)length, at);
    else if (strncmp(mark_before, mark, (size_t)(at + length - mark)) != 0 && write_source(mark, out, arena))
      mark_before = mark;
    at += length;
  }
  if (out)
    fclose(out);
  return text;
}

/* What nvdisasm prints of a file with this content. NULL: the row says why. */
static char *disassemble(const unsigned char *code, size_t bytes, const char *const options[2], xb_arena *arena,
                         json_t *row)
{
  xb_error error = {.message = "its input cannot be written"};
  char path[XB_TEMPORARY_BYTES], *listing = NULL;
  const char *tool = find_tool("nvdisasm", arena);
  const int fd = tool ? xb_temporary_file(path, "") : -1;
  if (fd < 0)
    json_object_set_new(row, "no_text",
                        json_string(tool ? xb_temporary_why()
                                         : "nvdisasm is not installed: it is in NVIDIA's CUDA toolkit (Debian: "
                                           "nvidia-cuda-toolkit; PyPI: nvidia-cuda-nvdisasm)"));
  if (fd < 0)
    return NULL;
  close(fd);
  const char *const argv[] = {tool, options[0], options[1], path, NULL};
  if (!xb_write_whole_file(path, code, bytes) || xb_run_program(argv, arena, &listing, &error)) {
    const char *said = listing && *listing ? listing : error.message;
    json_object_set_new(row, "no_text",
                        json_string(xb_arena_text(arena, "nvdisasm: %.*s", (int)strcspn(said, "\n"), said)));
    listing = NULL;
  }
  xb_temporary_remove(path);
  return listing;
}

/* nvdisasm prints all kernels of the file; this one's part is kept. */
void xb_isa_list_cubin(const unsigned char *elf, size_t bytes, const char *entry, json_t *row)
{
  xb_arena arena = {0};
  char head[160], *listing = disassemble(elf, bytes, (const char *const[]){"-c", "-g"}, &arena, row);
  snprintf(head, sizeof head, ".text.%s:", entry);
  if (listing) {
    char *begin = strstr(listing, head), *end = begin ? strstr(begin, "\n//---") : NULL;
    if (end)
      *end = 0;
    char *text = write_listing(begin ? begin : listing, &arena);
    json_object_set_new(row, "text", json_string(text));
    free(text);
  }
  xb_arena_free(&arena);
}

void xb_isa_list_raw(const unsigned char *code, size_t bytes, uint32_t capability, json_t *row)
{
  xb_arena arena = {0};
  const char *base = xb_arena_text(&arena, "SM%u", capability);
  const char *listing = disassemble(code, bytes, (const char *const[]){"-b", base}, &arena, row);
  if (listing)
    json_object_set_new(row, "text", json_string(listing + strspn(listing, "\n")));
  xb_arena_free(&arena);
}
