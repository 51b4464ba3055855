/* Runs one shader on the backend cpu. */
#ifndef SHADER_RUN_H
#define SHADER_RUN_H

#include "xb/gpu.h"

#include "test.h"

enum { MOST_BUFFERS = 4 };

/* A buffer of the shader: what it begins with, and afterwards what the shader left there. */
typedef struct shader_buffer {
  xb_location at;
  void *data;
  size_t bytes;
  bool uniform;
} shader_buffer;

typedef struct shader_run {
  const char *name;  /* of the file, without .spv */
  const char *entry; /* NULL: main */
  uint32_t wave;     /* 0: 32 */
  uint32_t group, groups;
  shader_buffer buffers[MOST_BUFFERS];
  const void *push;
  uint32_t push_bytes;
  const xb_specialization *values;
  uint32_t value_count;
} shader_run;

/* Fails the test if the shader cannot run. */
void run_shader(const shader_run *run);
/* The code with which a module is refused, and the message; XB_OK: it is a kernel. */
xb_code load_shader(const void *code, size_t bytes, const char *entry, uint32_t group, uint32_t bindings,
                    xb_error *err);
void *read_shader(const char *name, size_t *bytes); /* the caller frees it */
xb_device *open_waves(uint32_t wave);

#endif
