/* Makes each allocation of core fail in turn. For this, core is built a second time, with its allocators renamed to the
 * functions below (CMakeLists.txt). */
#include "core/grow.h"
#include "scenario.h"

#include <stdlib.h>

void *core_calloc(size_t count, size_t bytes);
void *core_realloc(void *old, size_t bytes);
void core_free(void *memory);

static uint64_t until_failure; /* 0 = none */

static size_t largest; /* the largest request */

static size_t held; /* allocations of core that are not freed yet */

static void *count(void *memory, bool fresh)
{
  held += memory && fresh;
  return memory;
}

static bool fails(void)
{
  return until_failure && !--until_failure;
}

void *core_calloc(size_t items, size_t bytes)
{
  largest = items * bytes > largest ? items * bytes : largest;
  return fails() ? NULL : count(calloc(items, bytes), true);
}

void *core_realloc(void *old, size_t bytes)
{
  return fails() ? NULL : count(realloc(old, bytes), !old);
}

void core_free(void *memory)
{
  held -= memory != NULL;
  free(memory);
}

UNIT_BARE(every_allocation_fails)
{
  for (uint64_t k = 1;; k++) {
    xb_error err = {0};
    host_set_mode(HOST_WAITED);
    until_failure = k;
    const xb_code got = scenario(&err);
    const bool harmed = !until_failure;
    until_failure = 0;
    unit_clean(__FILE__, __LINE__);
    assert_int_equal(held, 0);
    if (!harmed) {
      assert_int_equal(got, XB_OK);
      assert_true(k > 15);
      return;
    }
    if (got != XB_NOMEM || err.code != XB_NOMEM)
      fail_msg("allocation %d: %s, '%s'", (int)k, xb_code_name(got), err.message);
    REFUSED(got, &err, XB_NOMEM, "out of host memory");
  }
}

/* If the backend refuses a call, core frees what it allocated for it. */
UNIT_BARE(every_backend_call_fails)
{
  bool harmed = true;
  for (uint64_t k = 1; harmed; k++) {
    host_fail_call(k, XB_NOMEM);
    scenario(NULL);
    harmed = host_failed();
    assert_int_equal(held, 0);
    unit_clean(__FILE__, __LINE__);
    host_reset();
  }
}

/* One byte per timestamp, of which there may not be any number. */
UNIT_BARE(very_many_timestamps)
{
  xb_device *device = unit_open(0);
  xb_commands *c;
  largest = 0;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = UINT32_MAX}, &c, NULL),
                   XB_INVALID);
  assert_int_equal(largest, 0);
  xb_commands_destroy(unit_commands(device, XB_QUEUE_COMPUTE, XB_MAX_TIMESTAMPS));
  assert_true(largest >= XB_MAX_TIMESTAMPS);
  unit_close(device);
}

/* More bytes than a size_t counts are refused; the array stays as it was. */
UNIT_BARE(an_array_that_cannot_grow)
{
  uint64_t item = 1, *items = &item;
  size_t capacity = SIZE_MAX / sizeof item;
  assert_false(xb_grow(&items, &capacity, capacity, sizeof item));
  assert_ptr_equal(items, &item);
  assert_int_equal(capacity, SIZE_MAX / sizeof item);
}
