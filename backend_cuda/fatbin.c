/* Fat binaries: a header, then entries of machine code or PTX, each with its own header. NVIDIA does not document the
 * layout, but it is unchanged since CUDA 4. Only sizes and architectures are read here. */
#include "image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint32_t MAGIC = 0xBA55ED50;
enum { HEAD_BYTES = 16, ENTRY_BYTES = 64, KIND_PTX = 1, KIND_ELF = 2 };

/* Reads a little-endian number at any alignment. */
static uint64_t number(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = bytes; i > 0; i--)
    value = value << 8 | at[i - 1];
  return value;
}

typedef struct entry {
  uint64_t kind, architecture;
  uint64_t bytes; /* header included */
} entry;

/* False if no complete entry is left. */
static bool read_entry(const unsigned char *at, uint64_t left, entry *e)
{
  if (left < ENTRY_BYTES)
    return false;
  const uint64_t header = number(at + 4, 4), payload = number(at + 8, 8);
  *e = (entry){.kind = number(at, 2), .architecture = number(at + 28, 4), .bytes = header + payload};
  return header >= ENTRY_BYTES && header <= left && payload <= left - header;
}

bool cu_is_fatbin(const xb_kernel_desc *desc)
{
  return desc->code_bytes >= sizeof MAGIC && number(desc->code, sizeof MAGIC) == MAGIC;
}

xb_code cu_fatbin_check(const xb_kernel_desc *desc, xb_error *err)
{
  const char *const label = cu_kernel_label(desc);
  const unsigned char *code = desc->code;
  if (desc->code_bytes < HEAD_BYTES)
    return xb_fail(err, XB_INVALID, label, "the fat binary is truncated after %zu bytes", desc->code_bytes);
  const uint64_t header = number(code + 6, 2), payload = number(code + 8, 8), there = desc->code_bytes;
  if (header < HEAD_BYTES || header > there || payload != there - header)
    return xb_fail(err, XB_INVALID, label,
                   "the fat binary is damaged: its header announces %" PRIu64 " + %" PRIu64
                   " bytes, but it has %" PRIu64,
                   header, payload, there);
  entry e;
  for (uint64_t at = 0; at < payload; at += e.bytes)
    if (!read_entry(code + header + at, payload - at, &e))
      return xb_fail(err, XB_INVALID, label, "the fat binary is damaged: an entry goes past its %" PRIu64 " bytes",
                     there);
  return XB_OK;
}

void cu_fatbin_architectures(const xb_kernel_desc *desc, char *text, size_t bytes)
{
  const unsigned char *code = desc->code;
  size_t length = 0;
  entry e;
  snprintf(text, bytes, "%s", cu_is_fatbin(desc) ? "nothing" : "another architecture");
  if (!cu_is_fatbin(desc))
    return;
  const uint64_t header = number(code + 6, 2), payload = number(code + 8, 8);
  for (uint64_t at = 0; at < payload && length + 16 < bytes && read_entry(code + header + at, payload - at, &e);
       at += e.bytes)
    if (e.kind == KIND_ELF || e.kind == KIND_PTX)
      length += (size_t)snprintf(text + length, bytes - length, "%s%s%u", length ? " " : "",
                                 e.kind == KIND_PTX ? "compute_" : "sm_", (unsigned)(e.architecture & 0xFFFF));
}
