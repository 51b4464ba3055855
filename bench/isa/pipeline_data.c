/* The machine code in what NVIDIA's driver keeps of a Vulkan pipeline. The format is undocumented. This one was read
 * with driver 580: Vulkan's header, one of the driver's, then a zstd frame. It unpacks to the word NVDANVVM and a
 * container: the word NVuc, a version, the number of its sections, and behind 32 bytes an entry for each: kind, length,
 * place. Every number of the data is checked. */
#include "isa/isa.h"

#include <dlfcn.h>
#include <string.h>

enum {
  HEADER = 32,         /* bytes of Vulkan's own header: its length, a version, vendor, device, the driver's UUID */
  MOST_HEADERS = 1024, /* where the frame begins, at the latest */
  MOST_CODE = 64 << 20,
  CONTAINER_HEADER = 32,
  ENTRY = 32,      /* bytes of a section's entry: kind, length (32 bits each), place (64 bits), others */
  VERSION = 1,     /* of the container */
  CODE = 1,        /* the kind of the section with the code */
  INSTRUCTION = 16 /* bytes, since sm_70 */
};
static const uint32_t VENDOR = 0x10DE, FRAME = 0xFD2FB528;
static const char CONTENTS[] = "NVDANVVM", CONTAINER[] = "NVuc";

/* A little-endian number at any alignment. */
static uint64_t number(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  while (bytes--)
    value = value << 8 | at[bytes];
  return value;
}

static void *symbol(const char *name)
{
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  return library ? dlsym(library, name) : NULL;
}

/* The frame's contents. NULL: `why`. */
static const unsigned char *unpack(const unsigned char *frame, size_t bytes, xb_arena *arena, size_t *count,
                                   const char **why)
{
  size_t (*length_of)(const void *, size_t);
  unsigned long long (*contents_of)(const void *, size_t);
  size_t (*decompress)(void *, size_t, const void *, size_t);
  *(void **)&length_of = symbol("ZSTD_findFrameCompressedSize");
  *(void **)&contents_of = symbol("ZSTD_getFrameContentSize");
  *(void **)&decompress = symbol("ZSTD_decompress");
  *why = "the driver packs its code with zstd, and libzstd.so.1 is not installed";
  if (!length_of || !contents_of || !decompress)
    return NULL;
  const size_t length = length_of(frame, bytes);
  const unsigned long long most = contents_of(frame, bytes);
  *why = "the driver's data is damaged, or too large";
  if (length > bytes)
    return NULL;
  const size_t room = most <= MOST_CODE ? (size_t)most : most == ~0ull ? MOST_CODE : 0; /* ~0: the frame does not say */
  unsigned char *out = room ? xb_arena_take(arena, room, 1) : NULL;
  *count = out ? decompress(out, room, frame, length) : 0;
  return out && *count && *count <= room ? out : NULL;
}

/* The code in the container. NULL: there is none, or its place is outside. */
static const unsigned char *find_code(const unsigned char *container, size_t bytes, size_t *count)
{
  const uint64_t sections = number(container + 8, 2);
  for (uint64_t i = 0; i < sections && CONTAINER_HEADER + (i + 1) * ENTRY <= bytes; i++) {
    const unsigned char *entry = container + CONTAINER_HEADER + i * ENTRY;
    const uint64_t length = number(entry + 4, 4), place = number(entry + 8, 8);
    if (number(entry, 4) != CODE)
      continue;
    *count = (size_t)length;
    return length && !(length % INSTRUCTION) && place <= bytes && length <= bytes - place ? container + place : NULL;
  }
  return NULL;
}

const unsigned char *xb_isa_shader_code(const void *data, size_t bytes, xb_arena *arena, size_t *count,
                                        const char **why)
{
  const unsigned char *at = data, *contents = NULL, *code;
  size_t frame = HEADER, room = 0;
  *why = "the driver gave no pipeline data of version 1";
  if (bytes < HEADER || number(at, 4) < HEADER || number(at + 4, 4) != 1)
    return NULL;
  *why = "its driver is not NVIDIA's, and gives no text";
  if (number(at + 8, 4) != VENDOR)
    return NULL;
  while (frame + 4 <= bytes && frame < MOST_HEADERS && number(at + frame, 4) != FRAME)
    frame++;
  *why = "the driver keeps its code in a format that is not known here (known: driver 580's): no zstd frame";
  if (frame + 4 > bytes || frame >= MOST_HEADERS)
    return NULL;
  contents = unpack(at + frame, bytes - frame, arena, &room, why);
  if (!contents)
    return NULL;
  const size_t word = sizeof CONTENTS - 1;
  *why = "the driver keeps its code in a format that is not known here (known: driver 580's): no NVDANVVM";
  if (room < word + CONTAINER_HEADER || memcmp(contents, CONTENTS, word) != 0)
    return NULL;
  contents += word;
  *why = "the driver keeps its code in a format that is not known here (known: driver 580's): its container is not of "
         "version 1";
  if (memcmp(contents, CONTAINER, sizeof CONTAINER - 1) != 0 || number(contents + 4, 4) != VERSION)
    return NULL;
  *why = "the driver's data has no section of code, or one that is damaged";
  code = find_code(contents, room - word, count);
  if (code)
    *why = NULL;
  return code;
}
