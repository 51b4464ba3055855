#include "core/fatbin.h"

enum { HEADER_BYTES = 16, PART_HEADER_BYTES = 64 };
static const uint32_t MAGIC = 0xBA55ED50;

/* A little-endian number at any alignment. */
static uint64_t number(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = bytes; i > 0; i--)
    value = value << 8 | at[i - 1];
  return value;
}

bool xb_is_fatbin(const void *code, size_t bytes)
{
  return bytes >= sizeof MAGIC && number(code, sizeof MAGIC) == MAGIC;
}

bool xb_fatbin_open(xb_fatbin *fatbin, const void *code, size_t bytes)
{
  const unsigned char *at = code;
  *fatbin = (xb_fatbin){0};
  if (!xb_is_fatbin(code, bytes) || bytes < HEADER_BYTES)
    return false;
  fatbin->header = number(at + 6, 2);
  fatbin->payload = number(at + 8, 8);
  if (fatbin->header < HEADER_BYTES || fatbin->header > bytes)
    return false;
  fatbin->at = at + fatbin->header;
  fatbin->left = bytes - fatbin->header;
  return true;
}

bool xb_fatbin_next(xb_fatbin *fatbin, xb_fatbin_part *part)
{
  const unsigned char *at = fatbin->at;
  if (fatbin->left < PART_HEADER_BYTES)
    return false;
  const uint64_t header = number(at + 4, 4), bytes = number(at + 8, 8);
  if (header < PART_HEADER_BYTES || header > fatbin->left || bytes > fatbin->left - header)
    return false;
  *part = (xb_fatbin_part){.kind = (uint32_t)number(at, 2),
                           .capability = (uint32_t)number(at + 28, 4) & 0xFFFF,
                           .flags = number(at + 40, 8),
                           .data = at + header,
                           .bytes = bytes,
                           .packed_bytes = number(at + 16, 4),
                           .unpacked_bytes = number(at + 56, 8)};
  fatbin->at += header + bytes;
  fatbin->left -= header + bytes;
  return true;
}
