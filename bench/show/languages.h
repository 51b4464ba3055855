/* The languages that kernels are written in. The build writes the table (cmake/XbLanguages.cmake). */
#ifndef XB_LANGUAGES_H
#define XB_LANGUAGES_H

enum { XB_SIDES = 2 };

typedef struct xb_language {
  const char *backend;   /* "cuda": takes what it is compiled to */
  const char *name;      /* "CUDA" */
  const char *code;      /* "fatbin", as in xb_device_info */
  const char *folder;    /* "kernels", from the root of the project */
  const char *extension; /* "cu" */
} xb_language;

/* First the twins, as many as there are sides and in their order; ends with one that is all NULL. */
extern const xb_language xb_languages[];
/* "cuda|vulkan" */
extern const char xb_language_backends[];

#endif
