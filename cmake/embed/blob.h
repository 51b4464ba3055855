/* Files embedded in the binary: compiled code, its source text, the template of the report's page. */
#ifndef XB_BLOB_H
#define XB_BLOB_H

#include <stddef.h>
#include <string.h>

typedef struct xb_blob {
  const char *name; /* "reduce/1_interleaved_divergent.fatbin", "shaders/reduce/1_interleaved_divergent.hlsl" */
  const unsigned char *data; /* followed by a 0 */
  size_t bytes;
} xb_blob;

/* Ends with an entry whose name is NULL. */
extern const xb_blob xb_blobs[];

/* NULL if there is no file of this name. */
static inline const xb_blob *xb_blob_find_in(const xb_blob *blobs, const char *name)
{
  for (const xb_blob *b = blobs; b->name; b++)
    if (!strcmp(b->name, name))
      return b;
  return NULL;
}

static inline const xb_blob *xb_blob_find(const char *name)
{
  return xb_blob_find_in(xb_blobs, name);
}

/* Why the build left this code out ("left out: glslc 2025.2 refuses it: ..."); NULL if it is there.
 * cmake/make_spirv.sh */
static inline const char *xb_blob_left_out(const xb_blob *blob)
{
  return strncmp((const char *)blob->data, "left out: ", strlen("left out: ")) ? NULL : (const char *)blob->data;
}

#endif
