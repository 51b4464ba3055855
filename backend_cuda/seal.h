/* The build appends this checksum to each of its fat binaries (cmake/XbKernels.cmake), because damaged machine code
 * crashes the driver (seen with driver 580). For other users of the library it is optional. */
#ifndef XB_CUDA_SEAL_H
#define XB_CUDA_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cu_seal {
  char magic[8];  /* CU_SEAL_MAGIC */
  uint64_t bytes; /* before the seal */
  uint64_t hash;
} cu_seal;

#define CU_SEAL_MAGIC "XBsealed"

/* Each step is invertible, so a change of one word is always detected; changes of several words are missed with a
 * probability of 2^-64. It hashes words, not bytes, because kernel creation waits for it. */
static inline cu_seal cu_seal_of(const void *code, size_t bytes)
{
  cu_seal seal = {.bytes = bytes, .hash = UINT64_C(0xcbf29ce484222325)};
  memcpy(seal.magic, CU_SEAL_MAGIC, sizeof seal.magic);
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, (const char *)code + at, bytes - at < sizeof word ? bytes - at : sizeof word);
    seal.hash = (seal.hash ^ word) * UINT64_C(0x100000001b3);
    seal.hash ^= seal.hash >> 32;
  }
  return seal;
}

#endif
