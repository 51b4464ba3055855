/* What the detector remembers of each word of memory: who wrote it last, who has read it since. */
#ifndef XB_CPU_SHADOW_H
#define XB_CPU_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access in time: FastTrack's epoch (Flanagan and Freund, PLDI 2009). 0: none. */
typedef uint64_t epoch;
/* COHERENT: a shader's plain access that other groups see, once something orders it. */
typedef enum access_kind { COHERENT, PLAIN, ATOMIC_DEVICE, ATOMIC_BLOCK } access_kind;

static inline epoch epoch_of(uint32_t block, uint32_t thread, uint32_t time, access_kind kind)
{
  return (epoch)block << 36 | (epoch)thread << 26 | (epoch)(time & 0xffffffu) << 2 | kind;
}
static inline uint32_t epoch_block(epoch e)
{
  return (uint32_t)(e >> 36);
}
static inline uint32_t epoch_thread(epoch e)
{
  return e >> 26 & 1023;
}
static inline uint32_t epoch_time(epoch e)
{
  return e >> 2 & 0xffffffu;
}
static inline access_kind epoch_kind(epoch e)
{
  return (access_kind)(e & 3);
}

static inline bool is_plain(epoch e)
{
  return epoch_kind(e) <= PLAIN;
}

typedef struct seen {
  epoch when;
  uint32_t pc; /* from the module's first byte */
} seen;

enum { READERS = 8 };
typedef struct readers {
  uint32_t count;
  seen of[READERS]; /* readers that nothing orders: two of a warp at most */
} readers;

typedef struct cell {
  seen write;  /* the last plain one */
  seen atomic; /* the last atomic write since */
  seen read;
  struct readers *others; /* readers beside `read` */
  struct cell *bytes;     /* four cells of a byte, once less than a word was used */
} cell;

typedef struct shadow shadow;
shadow *shadow_create(void);
void shadow_destroy(shadow *s);
void shadow_clear(shadow *s);
size_t shadow_bytes(const shadow *s);
/* The cell of the aligned word. NULL: no memory, or the first page of addresses. */
cell *shadow_at(shadow *s, uintptr_t at);
cell *shadow_split(cell *word); /* its four bytes. NULL: no memory */

#endif
