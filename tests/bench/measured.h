/* A measurement with times, clocks and kernels that the test decides: the cells, and what was seen of it. NVML is the
 * fake library of tests/monitor, which XB_NVML names. */
#ifndef XB_MEASURED_H
#define XB_MEASURED_H

#include <stddef.h>

#include "measure/cell_groups.h"
#include "measure/sampler.h"
#include "scripted/copies.h"
#include "scripted/scripted.h"
#include "test.h"

enum { MEASURED_CELLS = 3, MEASURED_LISTS = 10000, MEASURED_ROUNDS = 1000 };
#define RUN_NS 100e3
#define SUBMIT_NS 30e3

extern xb_cell cells[MEASURED_CELLS];
/* The value that the fake NVML has under a name. */
extern unsigned long long *(*nvml)(const char *name);

/* The timed lists, and how many there were at the end of each round. */
typedef struct seen_lists {
  scripted_list lists[MEASURED_LISTS];
  bool looked[MEASURED_LISTS]; /* NVML was asked while the list ran */
  size_t count, warm_ups, warm_up_ends[MEASURED_ROUNDS], rounds, round_ends[MEASURED_ROUNDS];
} seen_lists;
extern seen_lists seen;

extern const scripted_rules plain; /* each run takes RUN_NS, each submission SUBMIT_NS more */
extern const xb_sampling usual;

void note_list(const scripted_list *list);
/* The first list of a round of samples. */
const scripted_list *round_of(size_t round);
/* Changes what is measured, before it begins; NULL: nothing. */
extern void (*measured_change)(xb_workload *w, xb_cell *cells);
/* Measures `count` cells, with kernels `first`, first + 1 ... */
void measure_from(uint32_t first, const scripted_rules *rules, const xb_sampling *sampling_as, size_t count);
void measure(const scripted_rules *rules, const xb_sampling *sampling_as, size_t count);
xb_result result_of(size_t cell, xb_arena *arena);
void expect_ok(void);
void assert_ns(double got, double expected);

/* A benchmark, a variant and a device that a test may change, and the cells that get them; each test begins with
 * copies. */
extern struct own {
  xb_methods methods;
  xb_benchmark benchmark;
  xb_variant variant;
  xb_device_info info;
} own;
void measured_take_own(xb_cell *measured);
int measured_setup_own(void **state);
#define OWN_TEST(name) TEST_WITH(name, measured_setup_own, measured_teardown)

#define MEASURED_TEST(name) TEST_WITH(name, measured_setup, measured_teardown)
int measured_setup(void **state);
int measured_teardown(void **state);
/* For TEST_SOURCE: opens NVML. */
int measured_begin(void);
int measured_end(void);

#endif
