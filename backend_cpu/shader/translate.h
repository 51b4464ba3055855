/* SPIR-V to C. */
#ifndef XB_CPU_TRANSLATE_H
#define XB_CPU_TRANSLATE_H

#include "xb/gpu.h"

/* A parameter of a translated shader, beside the push constants, which are the last one. */
typedef enum cpu_resource_kind {
  CPU_BUFFER_RESOURCE,
  CPU_UNIFORM_RESOURCE,
  CPU_TEXELS_RESOURCE,
  CPU_IMAGE_RESOURCE,
  CPU_SAMPLER_RESOURCE
} cpu_resource_kind;
typedef struct cpu_resource {
  uint32_t id; /* of the variable */
  uint32_t set, binding;
  cpu_resource_kind kind;
  uint32_t bytes; /* of a uniform buffer, as the code declares it */
  uint32_t count; /* of an array of buffers: as many parameters; 1: none */
  uint32_t dimensions;
  bool storage; /* texels or an image that may be written */
  bool read_only;
} cpu_resource;

enum { CPU_MOST_RESOURCES = 64 };

typedef struct cpu_shader {
  char *text; /* the C; the caller frees it */
  size_t bytes;
  cpu_resource resources[CPU_MOST_RESOURCES]; /* by set and binding */
  uint32_t resource_count;
  uint32_t push_bytes; /* 0: none */
  uint32_t group_size[3];
  uint32_t shared_bytes;
  uint32_t checks; /* xb_cpu_check: what its accesses are watched for */
} cpu_shader;

/* The entry point desc->entry with the values of desc->specializations. XB_UNSUPPORTED names what is not translated.
 * On failure there is no text. `checks`: of xb_cpu_check; 0: nothing is watched. */
xb_code cpu_shader_translate(const xb_kernel_desc *desc, uint32_t checks, cpu_shader *shader, xb_error *err);

#endif
