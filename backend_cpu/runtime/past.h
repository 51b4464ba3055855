/* What a thread knows to have happened before: a sparse vector clock. Immutable once shared, and counted. */
#ifndef XB_CPU_PAST_H
#define XB_CPU_PAST_H

#include <stdbool.h>
#include <stdint.h>

/* A block's number in its launch (and all before) with a thread of it, or with all of its threads. */
#define WHO_ALL(block) ((uint64_t)(block) << 11)
#define WHO(block, thread) (WHO_ALL(block) | ((thread) + 1u))

typedef struct moment {
  uint64_t who;
  uint32_t time;
} moment;

typedef struct past {
  uint32_t references, count;
  moment of[]; /* in the order of `who` */
} past;

past *past_of(const moment *moments, uint32_t count); /* sorted. NULL: none, or no memory */
past *past_keep(past *p);
void past_drop(past *p);
/* Everything that either knows. Takes the reference to `a`, none to `b`. Both may be NULL. */
past *past_join(past *a, past *b);
bool past_has(const past *p, uint32_t block, uint32_t thread, uint32_t time);

#endif
