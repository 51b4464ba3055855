/* DXIL containers: the registers of their code, and what DXC leaves out: a part that has the binding and the size of
 * each register (places.h), and the checksum. Windows takes no code without it, and DXC's own, which releases since
 * February 2025 write, is wrong once a part was added. BYPASS in its place needs Agility SDK 1.615. */
#ifndef XB_DXIL_CONTAINER_H
#define XB_DXIL_CONTAINER_H

#include "places.h"

#include <stdbool.h>
#include <stddef.h>

enum { DXIL_MOST_RESOURCES = 64, DXIL_NAME_BYTES = 128 };

typedef struct dxil_resource {
  char name[DXIL_NAME_BYTES];
  char format[8];    /* "f32", "struct" */
  char dimension[8]; /* "r/o", "r/w": a structured or raw buffer; "buf": a typed one; "NA": constants */
  bool bound;        /* by [[vk::binding]] */
  bool is_array;
  dxil_place place;
} dxil_resource;

/* The header and the table of parts are whole. */
bool dxil_is_container(const void *code, size_t bytes);
/* The registers that the code uses. `source`: its HLSL, for the bindings; `listing`: what `dxc -dumpbin` prints. */
uint32_t dxil_read_resources(const char *source, const char *listing, dxil_resource resources[DXIL_MOST_RESOURCES]);
/* The container with a part for these registers, which may be there already, and with its checksum; the caller frees
 * it. NULL: out of memory. */
void *dxil_seal(const void *code, size_t *bytes, const dxil_resource *resources, uint32_t count);

#endif
