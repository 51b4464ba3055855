/* Machine code for NVIDIA's GPUs, without a GPU and without CUDA: from a fat binary, whose parts are compressed, or
 * made by ptxas where that is installed; or as NVRTC made it. */
#include "isa/isa.h"

#include "base/fnv.h"
#include "base/program.h"
#include "base/whole_file.h"
#include "os/temporary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENTRY_BYTES = 64, KIND_PTX = 1, KIND_ELF = 2, IS_LZ4 = 0x2000, IS_ZSTD = 0x8000 };
static const uint32_t MAGIC = 0xBA55ED50;

static uint64_t number(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = bytes; i > 0; i--)
    value = value << 8 | at[i - 1];
  return value;
}

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
static unsigned char *unpack(const unsigned char *at, uint64_t packed, uint64_t bytes, uint64_t flags)
{
  unsigned char *out = xb_arena_take(&last.arena, bytes + 1, 1);
  size_t (*zstd)(void *, size_t, const void *, size_t) = NULL;
  int (*lz4)(const char *, char *, int, int) = NULL;
  if (out && flags & IS_ZSTD) {
    *(void **)&zstd = symbol("libzstd.so.1", "ZSTD_decompress");
    return zstd && zstd(out, bytes, at, packed) == bytes ? out : NULL;
  }
  if (out && flags & IS_LZ4) {
    *(void **)&lz4 = symbol("liblz4.so.1", "LZ4_decompress_safe");
    return lz4 && lz4((const char *)at, (char *)out, (int)packed, (int)bytes) == (int)bytes ? out : NULL;
  }
  return out ? memcpy(out, at, bytes) : NULL;
}

/* The part of this kind: machine code for exactly this capability; PTX for at most that. */
static unsigned char *part_of(const unsigned char *fatbin, size_t there, uint64_t kind, uint32_t capability,
                              size_t *bytes)
{
  uint64_t at = number(fatbin + 6, 2), header, payload;
  for (; at + ENTRY_BYTES <= there; at += header + payload) {
    const unsigned char *e = fatbin + at;
    header = number(e + 4, 4);
    payload = number(e + 8, 8);
    if (header < ENTRY_BYTES || header > there - at || payload > there - at - header)
      return NULL;
    const uint64_t for_capability = number(e + 28, 4) & 0xFFFF, flags = number(e + 40, 8), packed = number(e + 16, 4);
    if (number(e, 2) != kind || (kind == KIND_ELF ? for_capability != capability : for_capability > capability))
      continue;
    *bytes = flags & (IS_ZSTD | IS_LZ4) ? number(e + 56, 8) : payload;
    return packed <= payload && *bytes < 1u << 30 ? unpack(e + header, packed, *bytes, flags) : NULL;
  }
  return NULL;
}

static unsigned char *assemble(const char *ptx, uint32_t capability, size_t *bytes, const char **why)
{
  char in[XB_TEMPORARY_BYTES], out[XB_TEMPORARY_BYTES], arch[16], *data = NULL, *said;
  xb_error error;
  const char *tool = xb_find_program("ptxas", &last.arena);
  tool = tool ? tool : xb_find_program("/usr/local/cuda/bin/ptxas", &last.arena);
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

static unsigned char *find(const void *code, size_t bytes, uint32_t capability, size_t *count, const char **why)
{
  const unsigned char *at = code;
  if (bytes >= 16 && !memcmp(code, "\177ELF", 4)) {
    *count = bytes;
    return (unsigned char *)(uintptr_t)code;
  }
  if (bytes < 16 || number(at, 4) != MAGIC)
    return assemble(code, capability, count, why);
  unsigned char *found = part_of(at, bytes, KIND_ELF, capability, count);
  size_t ptx_bytes;
  const char *ptx = found ? NULL : (char *)part_of(at, bytes, KIND_PTX, capability, &ptx_bytes);
  *why = "this program has no code for it, and no PTX that is older, or the parts of its fat binary cannot be unpacked "
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
    last.cubin = find(code, bytes, capability, &last.bytes, &last.why);
  }
  *count = last.bytes;
  *why = last.why;
  return last.cubin;
}

bool xb_isa_has_cubin(const void *code, size_t bytes, uint32_t capability)
{
  size_t count;
  return bytes >= 16 && number(code, 4) == MAGIC && part_of(code, bytes, KIND_ELF, capability, &count);
}
