/* Fat binaries of CUDA, for the backends and the program: a header, then parts of machine code or PTX, each with its
 * own header. NVIDIA does not document the layout, but it is unchanged since CUDA 4. Nothing in a file is trusted. */
#ifndef XB_CORE_FATBIN_H
#define XB_CORE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xb_fatbin {
  const unsigned char *at;  /* the next part */
  uint64_t left;            /* bytes of the file from there on */
  uint64_t header, payload; /* bytes, as the file's header announces them */
} xb_fatbin;

typedef enum xb_fatbin_kind { XB_FATBIN_PTX = 1, XB_FATBIN_MACHINE = 2 } xb_fatbin_kind;
typedef enum xb_fatbin_flags { XB_FATBIN_LZ4 = 0x2000, XB_FATBIN_ZSTD = 0x8000 } xb_fatbin_flags;

typedef struct xb_fatbin_part {
  uint32_t kind;       /* of xb_fatbin_kind, or another one */
  uint32_t capability; /* 90 for sm_90 */
  uint64_t flags;      /* of xb_fatbin_flags, and others */
  const unsigned char *data;
  uint64_t bytes, packed_bytes, unpacked_bytes; /* of the data; if it is packed, also these */
} xb_fatbin_part;

bool xb_is_fatbin(const void *code, size_t bytes);
/* False if it is no fat binary, or ends inside its header. */
bool xb_fatbin_open(xb_fatbin *fatbin, const void *code, size_t bytes);
/* Takes the next part. False if no complete one is left. */
bool xb_fatbin_next(xb_fatbin *fatbin, xb_fatbin_part *part);

#endif
