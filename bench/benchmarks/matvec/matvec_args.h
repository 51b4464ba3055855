/* Arguments of the matrix-vector kernels, and how their formats are stored, for C, CUDA and HLSL.
 *
 * A row of W is stored in whole blocks of 32 weights; blocks of a row, and rows, follow each other.
 *   float16: 16 words a block, two weights a word, the first one in the low half.
 *   q8_0: 8 words a block, four signed bytes a word; element 4w + j is byte j of word w.
 *   q4_0: 4 words a block; the low four bits of byte j of word w are element 8w + j plus 8, the high four bits element
 *   8w + 4 + j plus 8. So a mask takes out four neighbours.
 *   ternary: 2 words a block; bits 2k and 2k + 1 of byte j of word w are element 16w + 4k + j plus 1.
 * But for float16, each block has a scale: a float16, two a word, in a buffer of their own. */
#ifndef XB_MATVEC_ARGS_H
#define XB_MATVEC_ARGS_H

#include "xb/abi.h"

#define MATVEC_BLOCK 32
/* Rows of W that a wave, or a group, sums at a time, from row 4 of the table on: they share what is read of x. */
#define MATVEC_ROWS 4
/* The largest batch: vectors x. */
#define MATVEC_BATCH 8

struct xb_matvec_args {
  xb_u32 rows;      /* of this window */
  xb_u32 first_row; /* of this window */
  xb_u32 all_rows;  /* elements of a vector y */
  xb_u32 blocks;    /* of a row */
  xb_u32 batch;     /* vectors: 1, 2, 4 or 8 */
  xb_u32 grid_x;    /* groups in x; the rest is in y */
};

/* Repeats a text for each vector x. Numbers are literals, so that sums stay in registers. BATCH is a parameter of
 * CUDA's template, in Vulkan a specialization constant; Direct3D 12 has neither. */
#define FOR_BATCH(DO)                                                                                                  \
  DO(0)                                                                                                                \
  if (BATCH > 1) {                                                                                                     \
    DO(1)                                                                                                              \
    if (BATCH > 2) {                                                                                                   \
      DO(2) DO(3) if (BATCH > 4)                                                                                       \
      {                                                                                                                \
        DO(4) DO(5) DO(6) DO(7)                                                                                        \
      }                                                                                                                \
    }                                                                                                                  \
  }
/* The same for the words of a vector of four, with their numbers. */
#define FOR_WORDS(DO) DO(x, 0) DO(y, 1) DO(z, 2) DO(w, 3)

/* Names that differ between the languages. */
#if defined(__CUDACC__)
#include <cuda_fp16.h>
#define UNROLL _Pragma("unroll")
#define LOOP _Pragma("unroll 1")
#define HALF(bits) __half2float(__ushort_as_half(static_cast<unsigned short>(bits)))
#define AS_FLOAT(bits) __uint_as_float(bits)
#define TO_FLOAT(whole) static_cast<float>(whole)
#define SIGNED(bits) static_cast<int>(bits)
#define DOT4(a, b, sum) __dp4a(static_cast<int>(a), static_cast<int>(b), sum)
#define FLOAT4(x, y, z, w) make_float4(x, y, z, w)
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#define LOOP [loop]
#define HALF(bits) f16tof32(bits) /* of the low 16 */
#define AS_FLOAT(bits) asfloat(bits)
#define TO_FLOAT(whole) float(whole)
#define SIGNED(bits) int(bits)
#define DOT4(a, b, sum) dot4add_i8packed(a, b, sum)
#define FLOAT4(x, y, z, w) float4(x, y, z, w)
#if defined(XB_GLSLC) || defined(__spirv__)
#define BATCH_CONSTANT [[vk::constant_id(0)]] const uint BATCH = 1;
#else
#define BATCH_CONSTANT
#define BATCH args.batch
#endif
#endif

/* The scale of block k, from the word that it shares with another one. */
#define SCALE_OF(word, k) HALF((word) >> (k) % 2 * 16)

/* Decoders by masks: the bits become the last ones of a float's fraction, whose exponent is that of 2^23. No
 * instruction converts, and the subtraction of 2^23 and of what the format adds is exact. */
#define NIBBLE(word, bit) (AS_FLOAT(((word) >> (bit)&15u) | 0x4B000000u) - 8388616.0f)
#define TERNARY(word, bit) (AS_FLOAT(((word) >> (bit)&3u) | 0x4B000000u) - 8388609.0f)
#define NIBBLES_OF(word, bit)                                                                                          \
  FLOAT4(NIBBLE(word, bit), NIBBLE(word, bit + 8), NIBBLE(word, bit + 16), NIBBLE(word, bit + 24))
#define TERNARIES_OF(word, bit)                                                                                        \
  FLOAT4(TERNARY(word, bit), TERNARY(word, bit + 8), TERNARY(word, bit + 16), TERNARY(word, bit + 24))
/* Four signed bytes: an arithmetic shift extends the sign. */
#define BYTE(word, up) TO_FLOAT(SIGNED((word) << (up)) >> 24)
#define BYTES_OF(word) FLOAT4(BYTE(word, 24), BYTE(word, 16), BYTE(word, 8), BYTE(word, 0))
#define HALVES_OF(a, b) FLOAT4(HALF(a), HALF((a) >> 16), HALF(b), HALF((b) >> 16))

#endif
