/* The host backend as a GPU whose times a test decides. Its kernels run, in no time at all: the test says how long each
 * list takes on the device and on the host. A program that links xb_scripted reads this clock instead of the
 * system's. Thread rule: one thread. */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#include "xb/backend.h"

const xb_backend *scripted_backend(void);

/* One submission of a list with dispatches. */
typedef struct scripted_list {
  int kernel;         /* number of its first kernel: the code's entry point */
  uint32_t placement; /* of its second binding: 0 is the first address that this kernel was given, 1 the next one ... */
  uint32_t word;      /* the first one of its arguments; 0 without any */
  uint32_t runs;      /* dispatches, from the first timestamp on */
  bool timed;         /* has timestamps */
  bool again;         /* the same list as the submission before */
  uint32_t before;    /* dispatches before the first timestamp */
  uint32_t fills;     /* between the first timestamp and the first dispatch */
} scripted_list;

typedef struct scripted_rules {
  xb_device_type type;
  uint64_t cache_bytes;
  uint32_t memory_gbps; /* 0: the device does not tell */
  double submit_ns;     /* host time of each submission, beside the device's time */
  double issue_ns;      /* of it: until xb_submit returns */
  bool held;            /* the device is a held stream */
  /* True if the list was not held until all of it was issued. May be NULL. */
  bool (*expired)(const scripted_list *list);
  double restore_ns; /* device time to restore what one run changes, in a list with three timestamps */
  /* Device time of one run. */
  double (*run_ns)(const scripted_list *list);
  /* What the driver reports between the first and the last timestamp. NULL: the truth. */
  double (*reports_ns)(double ns);
  /* The device begins and ends to work. May be NULL. */
  void (*begins)(const scripted_list *list);
  void (*ends)(const scripted_list *list);
} scripted_rules;

/* Sets the rules for the devices that are opened from now on, and forgets all addresses. */
void scripted_set(const scripted_rules *rules);
/* The list that the device works at; NULL: none. */
const scripted_list *scripted_now(void);
/* Time since scripted_set. */
double scripted_clock_ns(void);
/* So much time passes on the host. */
void scripted_pass(double ns);

#endif
