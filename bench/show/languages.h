/* The languages of kernels. The build generates the table (cmake/XbLanguages.cmake). */
#ifndef XB_LANGUAGES_H
#define XB_LANGUAGES_H

#include <stdint.h>

enum { XB_SIDES = 2 };

typedef struct xb_language {
  const char *backend;   /* "cuda": the backend that runs the compiled code */
  const char *name;      /* "CUDA" */
  const char *code;      /* "fatbin", as in xb_device_info */
  const char *folder;    /* "kernels", from the root of the project */
  const char *extension; /* "cu" */
  const char *compiler;  /* "nvcc 13.0.88"; empty if this build compiled none */
  const char *flags;     /* those that change the code */
} xb_language;

/* The first XB_SIDES languages are the two sides of a pair, in order. The last element is all NULL. */
extern const xb_language xb_languages[];
/* Of all kernels, also those that this build leaves out, with the flags of published results. Empty names and
 * compilers. */
extern const xb_language xb_source_languages[];
/* "cuda|vulkan|d3d12" */
extern const char xb_language_backends[], xb_each_backend[]; /* the second ends with "|all" */

/* xb_source_fingerprint() of each kernel's source, as the build computed it. The last element is all NULL. */
typedef struct xb_source_hash_row {
  const char *code, *path; /* "fatbin", "kernels/reduce/1_interleaved.cu" */
  uint64_t hash;
} xb_source_hash_row;
extern const xb_source_hash_row xb_source_hash_rows[];

/* The compiler, also where that is NVRTC, when a run needs the code; empty: none. (twins.c) */
const char *xb_language_compiler(const xb_language *language);
/* The language of the kernels that this backend runs; NULL: unknown. (twins.c) */
const xb_language *xb_language_of(const char *backend);

#endif
