/* What the files of the detector share. */
#ifndef XB_CPU_WATCH_H
#define XB_CPU_WATCH_H

#include "internal.h"
#include "past.h"
#include "shadow.h"

enum { MOST_FINDINGS = 64, MOST_PAIRS = 1024, MOST_LANES = 8 };

/* What a thread knows of others, beside the block's own times and `known`. */
enum {
  EXTRA,
  FENCED_DEVICE, /* at its last fence: what an atomic write gives away */
  FENCED_BLOCK,
  PENDING_DEVICE, /* what its atomic reads would take, at its next fence */
  PENDING_BLOCK,
  PASTS
};

/* A thread's clock: its own time, what it knows of its warp one by one, and of others. */
typedef struct strand {
  uint32_t now, row[XB_CPU_MOST_WAVE]; /* by lane of its wave; CUDA's has 32 */
  uint32_t
      most; /* the last of its times that may count as known to all by `base`; UINT32_MAX while it runs: no limit */
  past *of[PASTS];
  const char *pc; /* of its last access to memory that others see */
} strand;

/* A word that atomics use: what was released there. */
typedef struct sync_word {
  uintptr_t at; /* 0: the slot is free */
  past *device; /* by releases for the whole device */
  past *own;    /* by all releases of the block `owner` */
  uint32_t owner;
} sync_word;

/* What is known of an order, for one kind of memory. */
typedef struct clocks {
  uint32_t base; /* all threads of the block know all of the others up to this time */
  past *known;   /* what all threads of the block know of others */
  strand strands[MOST];
  sync_word *syncs;
  size_t sync_slots, sync_used;
} clocks;

/* A shader's barrier or fence orders the memory that it names, so shared memory, buffers and images have clocks of
 * their own. CUDA's order all: it uses the first. */
typedef enum clock_kind { OF_SHARED, OF_BUFFERS, OF_IMAGES, CLOCKS } clock_kind;

typedef struct finding {
  xb_cpu_check kind;
  char text[1024];
} finding;

/* The first read at a shuffle's place from a lane that is not in it. */
typedef struct lane_read {
  const char *file;
  uint32_t line, mask, from, block[3], thread[3];
} lane_read;

struct xb_cpu_watch {
  uint32_t checks;
  shadow *global, *shared;
  const xb_cpu_module_info *module; /* of the last launch */
  uint32_t first, block, last; /* numbers through all launches: the launch's first block, the running, the largest */
  uint32_t grid[3];
  bool sparse;   /* some thread of the block has more than times */
  bool shader;   /* all clocks are used */
  uint32_t wave; /* lanes of a wave, or of a warp */
  clocks of[CLOCKS];
  uintptr_t shared_from, dynamic_from; /* of this OS thread */
  uint64_t shared_bytes, dynamic_bytes;
  finding *findings;
  uint32_t finding_count;
  uint32_t pairs[MOST_PAIRS][2], pair_count; /* places in the code that were told */
  lane_read lanes[MOST_LANES];
  uint32_t lane_count;
  uint32_t trial; /* the launch runs again, and such reads at lanes[trial - 1] give `value`. 0: the first run */
  uint64_t value;
};

/* edges.c: what orders accesses */
void xb_cpu_forget_strands(xb_cpu_watch *d); /* of the block that was */
void xb_cpu_forget_syncs(xb_cpu_watch *d);
bool xb_cpu_ordered(const worker *w, clock_kind clock, uint32_t thread, epoch before); /* it comes before the thread */

/* watch.c */
void xb_cpu_examine(worker *w, const void *at, uint32_t bytes, uint32_t op, access_kind kind, const void *pc);
void xb_cpu_examine_atomic(worker *w, const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc);
bool xb_cpu_on_stack(const worker *w, const void *at);

/* finding.c */
typedef struct access_place {
  epoch when;
  uint32_t pc;
  bool write;
} access_place;
/* `why`: "nothing orders them" */
void xb_cpu_report_race(worker *w, const void *at, access_place now, access_place before, const char *why);
void xb_cpu_report_memory(worker *w, const void *at, uint32_t bytes, access_place now, const char *what);
void xb_cpu_report_outside(worker *w, const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at);
void xb_cpu_report_index(worker *w, const xb_cpu_site *site, int64_t index, uint64_t length);
void xb_cpu_report_texel(worker *w, const xb_cpu_site *site, const xb_cpu_texture *image, const int32_t at[3]);
void xb_cpu_report_lane(const xb_cpu_launch *l, const lane_read *r);

#endif
