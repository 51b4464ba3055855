/* Machine code for NVIDIA's GPUs, without a GPU and without CUDA: from a fat binary, whose parts are compressed, or
 * made by ptxas where that is installed; or as NVRTC made it. */
#include "isa/isa.h"

#include "base/fnv.h"
#include "base/program.h"
#include "base/whole_file.h"
#include "core/fatbin.h"
#include "os/temporary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  if (bytes >= 16 && !memcmp(code, "\177ELF", 4)) {
    *count = bytes;
    return (unsigned char *)(uintptr_t)code;
  }
  if (!xb_is_fatbin(code, bytes))
    return assemble(code, capability, count, why);
  unsigned char *found = part_of(code, bytes, XB_FATBIN_MACHINE, capability, count);
  size_t ptx_bytes;
  const char *ptx = found ? NULL : (char *)part_of(code, bytes, XB_FATBIN_PTX, capability, &ptx_bytes);
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
  return part_of(code, bytes, XB_FATBIN_MACHINE, capability, &count);
}
