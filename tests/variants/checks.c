/* The checks find errors: words written past the ends, words not written, one wrong element of a million. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/cell.h"
#include "patience.h"
#include "size_case.h"
#include "test.h"

/* `offset` is relative to the start of the slot. */
static void overwrite(const xb_cell *cell, uint32_t slot, uint32_t placement, int64_t offset, uint32_t word)
{
  const xb_placement *place = &cell->buffers.placed[slot * cell->buffers.placements + placement];
  xb_commands *commands;
  xb_error error;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &commands, &error), XB_OK);
  xb_cmd_fill(commands, place->buffer, place->begin + (uint64_t)offset, 4, word);
  assert_int_equal(xb_workload_run(cell->workload, commands, &error), XB_OK);
}

static void expect_wrong(xb_cell *cell, const char *part_of_message)
{
  cell->verdict.outcome = XB_CELL_PENDING;
  assert_false(xb_cell_check(cell));
  assert_int_equal(cell->verdict.outcome, XB_CELL_WRONG);
  if (!strstr(cell->verdict.error.message, part_of_message))
    fail_msg("expected '%s' in '%s'", part_of_message, cell->verdict.error.message);
}

enum { PLACEMENTS = 5 };

static xb_workload make_workload(const xb_variant *v, const size_case *s)
{
  xb_workload w = {
      .device = device, .of = v->benchmark, .dtype = s->dtype, .n = s->n, .seed = SEED, .wait_limit_ns = patience_ns()};
  xb_cell cell;
  xb_error error;
  set_cell(&cell, v, &w, s, v->benchmark->default_block, xb_device_get_info(device));
  assert_int_equal(xb_workload_need(&w, &cell.c, &error), XB_OK);
  assert_int_equal(xb_workload_create(&w, &error), XB_OK);
  return w;
}

void test_checks_fail(void **state)
{
  const xb_device_info *info = xb_device_get_info(device);
  static const char *const names[][2] = {{"reduce", "9"}, {"reduce", "1"}, {"copy", "2"}, {"transpose", "8"},
                                         {"offset", "1"}, {"stride", "1"}, {"outer", "3"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    xb_cell cell;
    const xb_variant *v = xb_variant_find(names[i][0], names[i][1]);
    size_case at = *(const size_case *)*state;
    const size_case *s = &at;
    for (size_t a = 0; a < v->benchmark->axis_count; a++)
      at.at[a] = last_value(&v->benchmark->axes[a]) / 2;
    xb_workload w = make_workload(v, s);
    set_cell(&cell, v, &w, s, v->benchmark->default_block, info);
    cell.wanted_placements = PLACEMENTS;
    xb_cell_create(&cell);
    assert_int_equal(cell.buffers.placements, PLACEMENTS);
    assert_true(xb_cell_verify(&cell));
    cell.samples.count = PLACEMENTS;                         /* as if each placement was sampled */
    const int64_t bytes = (int64_t)cell.plan.slots[1].bytes; /* slot 1 is the output of each benchmark */
    overwrite(&cell, 1, PLACEMENTS - 1, bytes, 0);
    expect_wrong(&cell, "past the end");
    assert_true(xb_cell_verify(&cell));

    overwrite(&cell, 1, 0, bytes, 0);
    expect_wrong(&cell, "past the end");
    assert_true(xb_cell_verify(&cell));
    overwrite(&cell, 1, 0, -4, 0);
    expect_wrong(&cell, "before");
    assert_true(xb_cell_verify(&cell));
    overwrite(&cell, 1, 0, bytes - 4, 0x3F8CCCCD); /* 1.1 */
    expect_wrong(&cell, "expected");
    assert_true(xb_cell_verify(&cell));
    if (v->benchmark->axis_count) { /* a word that no thread copies */
      overwrite(&cell, 1, 0, 4, 0x3F8CCCCD);
      expect_wrong(&cell, "the kernel must not write there");
      assert_true(xb_cell_verify(&cell));
    }
    assert_true(xb_cell_poison(&cell)); /* outputs that were not written */
    expect_wrong(&cell, "expected");

    xb_cell_destroy(&cell);
    xb_workload_destroy(&w);
  }
}

/* The check of a float32 sum must find one extra or missing element of a million. */
void test_lost_element(void **state)
{
  const size_case *s = *state;
  xb_cell cell;
  const xb_variant *v = xb_variant_find("reduce", "9");
  xb_workload w = make_workload(v, s);
  size_case one_less = *s;
  one_less.n--;
  set_cell(&cell, v, &w, &one_less, 512, xb_device_get_info(device));
  xb_cell_create(&cell);
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
}
