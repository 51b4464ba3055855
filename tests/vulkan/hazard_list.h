/* One hazard of each kind: how it is recorded, and what the checks should say of it. */
#ifndef TEST_VULKAN_HAZARD_LIST_H
#define TEST_VULKAN_HAZARD_LIST_H

#include "support.h"

enum { BYTES = 4096, BUFFERS = 3, HAZARD_COUNT = 27 };

typedef struct fixture {
  xb_device *device;
  xb_buffer *buffers[BUFFERS]; /* 'x', 'y', 'z' */
  xb_kernel *kernel, *places;
} fixture;

typedef enum place {
  SAME_LIST,   /* the layer finds it without the backend's barriers */
  AS_RECORDED, /* the same with all barriers: the hazard is between them */
  SUBMISSIONS, /* each half in its own list, also without the backend's barriers */
} place;

typedef struct hazard {
  const char *name;
  void (*record)(const fixture *g, xb_commands *c, int half); /* the first (0) or second (1) half */
  place place;
  const char *tracker; /* part of its message; NULL: not found */
  const char *layer;
  enum { SEEN, UNSEEN } seen; /* by layer 1.3.239 */
} hazard;

extern const hazard HAZARDS[HAZARD_COUNT];

/* Records a fill of a buffer. */
void fill(const fixture *g, xb_commands *c, int to);
/* Fills 'x'; behind a barrier and a dispatch, a native command reads group counts from it. */
void counts_of_a_native_command(const fixture *g, xb_commands *c);

#endif
