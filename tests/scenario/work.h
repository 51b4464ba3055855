/* What the parts of the scenario share: its objects. */
#ifndef SCENARIO_WORK_H
#define SCENARIO_WORK_H

#include "scenario.h"

enum {
  WORDS = 256,
  BYTES = WORDS * 4,
  TAIL = WORDS - 16, /* the words that kernels write */
  HALF = 128,        /* those that the first dispatch writes */
  SIDE_BYTES = 4096, /* at least */
  PIECES = 10,       /* fills: more than the tracker's initial capacity */
  PIECE = 64,        /* where the first one begins in SIDE */
  OUTPUT = 256,      /* bytes of an output or an image in SIDE; the first one follows the pieces */
  FACTS = 128,       /* bytes of SIDE that are checked */
};
enum { KERNELS = 4, STAMPS = 3, PAGE = 65536, FILL_WORD = 0xF111, TAIL_WORD = 7 };
enum { UP, FROM, TO, DOWN, SIDE, BUFFERS };
enum { COMPUTE, OTHER, COPY, FILLING, LISTS, IN_ROUND = FILLING };

typedef struct work {
  const scenario_backend *backend;
  const xb_device_info *info;
  xb_device *device;
  xb_buffer *buffers[BUFFERS];
  xb_kernel *step, *kernels[KERNELS];
  xb_image *images[2]; /* of two dimensions, and of one */
  xb_commands *lists[LISTS];
  uint32_t stamps[LISTS];
  xb_semaphore *semaphores[2]; /* the one that waits, and perhaps another that signals it */
  xb_point last[LISTS];
  uint64_t half; /* of SIDE, in bytes */
  uint32_t round;
} work;

/* A native command that does nothing. */
xb_code scenario_nothing(const xb_native *native, void *user, xb_error *err);
/* Records and finishes all lists. (record.c) */
xb_code scenario_record(work *w, xb_error *err);

#endif
