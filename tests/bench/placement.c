/* Places: they are apart from each other, they are freed, and each placement of a cell reads its own input. Needs a
 * device. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/input.h"
#include "benchmarks/registry.h"
#include "host/host.h"
#include "measure/cell.h"
#include "measure/cell_groups.h"
#include "measure/sampler.h"
#include "patience.h"
#include "test.h"

enum { COUNT = 5, N = 100003 };
static const uint64_t PAGE_BYTES = 2 << 20;

static xb_device *device;

static void expect_apart(const xb_placement *placements, uint64_t bytes)
{
  for (int p = 0; p < COUNT; p++) {
    assert_int_equal(placements[p].begin % XB_GUARD_BYTES, 0);
    assert_true(placements[p].begin >= XB_GUARD_BYTES);
    assert_true(placements[p].begin + bytes + XB_GUARD_BYTES <= xb_buffer_bytes(placements[p].buffer));
    assert_true(xb_buffer_bytes(placements[p].buffer) >= PAGE_BYTES); /* so that no two are in one page */
    for (int k = 0; k < p; k++)
      assert_ptr_not_equal(placements[p].buffer, placements[k].buffer);
  }
}

TEST(test_places)
{
  xb_error error;
  for (int large = 0; large < 2; large++) {
    const uint64_t bytes = large ? 20u << 20 : 1001;
    const xb_buffer_desc desc = {.label = "placed", .mem = XB_MEM_DEVICE, .bytes = bytes};
    uint64_t random = 1;
    xb_placement first[COUNT], second[COUNT];
    assert_int_equal(xb_placements_create(device, &desc, COUNT, &random, first, &error), XB_OK);
    assert_int_equal(xb_placements_create(device, &desc, COUNT, &random, second, &error), XB_OK);
    expect_apart(first, bytes);
    expect_apart(second, bytes);
    assert_int_equal(first[0].begin, XB_GUARD_BYTES);
    assert_int_not_equal(first[COUNT - 1].begin, second[COUNT - 1].begin); /* the distances are random */
    xb_placements_destroy(first, COUNT);
    xb_placements_destroy(second, COUNT);
    assert_null(first[COUNT - 1].buffer);
  }
}

static xb_cell copy_cell(const char *variant, const xb_workload *w, const xb_device_info *info)
{
  return (xb_cell){.c = {.variant = xb_variant_find("copy", variant),
                         .dtype = XB_INT32,
                         .n = w->n,
                         .rows = 1,
                         .columns = w->n,
                         .block = 256,
                         .seed = 1,
                         .window_bytes = UINT64_MAX,
                         .device = info},
                   .workload = w};
}

/* A workload with the input of a copy. */
static xb_workload make_workload(xb_device *on, uint64_t n)
{
  xb_workload w = {.device = on, .dtype = XB_INT32, .n = n, .seed = 1, .wait_limit_ns = patience_ns()};
  xb_error error;
  const xb_cell cell = copy_cell("1", &w, xb_device_get_info(on));
  assert_int_equal(xb_workload_need(&w, &cell.c, &error), XB_OK);
  assert_int_equal(xb_workload_create(&w, &error), XB_OK);
  return w;
}

/* ---- Where memory is short -------------------------------------------------------------------------------------- */

static int setup_host(void **state)
{
  static xb_device *host;
  *state = &host;
  return xb_device_open(&(xb_device_desc){.backend = &xb_backend_host}, &host, NULL);
}

static int teardown_host(void **state)
{
  return xb_device_close(*(xb_device **)*state, NULL);
}

TEST_WITH(test_memory_runs_out, setup_host, teardown_host)
{
  xb_device *host = *(xb_device **)*state;
  uint64_t random = 1;
  xb_placement placements[COUNT];
  xb_error error;
  const uint64_t before = xb_device_free_bytes(host);
  const xb_buffer_desc desc = {.label = "placed", .mem = XB_MEM_DEVICE, .bytes = HOST_MEMORY / 3};
  memset(placements, 0xFF, sizeof placements); /* the caller need not clear them */
  assert_int_equal(xb_placements_create(host, &desc, COUNT, &random, placements, &error), XB_NOMEM);
  for (int p = 0; p < COUNT; p++)
    assert_null(placements[p].buffer);
  assert_int_equal(xb_device_free_bytes(host), before);
}

/* The memory set aside before a placement stays allocated while the placements are made: if all would just fit without
 * it, some do not. It is freed afterwards. */
TEST_WITH(test_set_aside, setup_host, teardown_host)
{
  xb_device *host = *(xb_device **)*state;
  enum { TRIES = 8 };
  const xb_buffer_desc desc = {.label = "placed", .mem = XB_MEM_DEVICE, .bytes = HOST_MEMORY / 2 - (64 << 10)};
  const uint64_t before = xb_device_free_bytes(host);
  int without_room = 0;
  uint64_t random = 1;
  xb_placement placements[2];
  xb_error error;
  for (int i = 0; i < TRIES; i++) {
    const xb_code code = xb_placements_create(host, &desc, 2, &random, placements, &error);
    assert_true(code == XB_OK || code == XB_NOMEM);
    without_room += code == XB_NOMEM;
    xb_placements_destroy(placements, 2);
    assert_int_equal(xb_device_free_bytes(host), before);
  }
  assert_true(without_room > 0);
}

TEST(test_streams)
{
  const xb_device_info cuda = {.backend = "cuda"}, vulkan = {.backend = "vulkan"};
  const uint64_t one = xb_placement_stream(1, &cuda, "reduce/9");
  assert_true(one == xb_placement_stream(1, &cuda, "reduce/9"));
  assert_true(one != xb_placement_stream(2, &cuda, "reduce/9"));
  assert_true(one != xb_placement_stream(1, &vulkan, "reduce/9"));
  assert_true(one != xb_placement_stream(1, &cuda, "reduce/8"));
  const xb_device_info stream = {.backend = "cuda", .launch_mode = XB_LAUNCH_STREAM};
  const xb_device_info graph = {.backend = "cuda", .launch_mode = XB_LAUNCH_GRAPH};
  assert_true(xb_placement_stream(1, &stream, "reduce/9") != xb_placement_stream(1, &graph, "reduce/9"));
}

/* Where there is no memory for several placements, there is one. */
TEST_WITH(test_fewer_places, setup_host, teardown_host)
{
  static xb_cell cell, same;
  xb_device *host = *(xb_device **)*state;
  enum { MANY = 20 };
  xb_workload w = make_workload(host, 1 << 20);
  const uint64_t before = xb_device_free_bytes(host);
  xb_workload_place_inputs(&w, MANY);
  assert_int_equal(w.input_count, 1);
  assert_int_equal(xb_device_free_bytes(host), before);
  cell = copy_cell("1", &w, xb_device_get_info(host));
  cell.wanted_placements = cell.most_placements = MANY;
  xb_cell_create(&cell);
  assert_int_equal(cell.verdict.outcome, XB_CELL_PENDING);
  assert_int_equal(cell.buffers.placements, 1);
  assert_true(cell.buffers.crowded);
  same = (xb_cell){.c = cell.c, .shared = &cell};
  xb_cell_share(&same);
  assert_true(same.buffers.crowded);
  assert_true(xb_cell_verify(&cell));
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
}

/* The device's info, changed to a kind of device that gets several placements. */
static xb_device_info discrete(void)
{
  xb_device_info info = *xb_device_get_info(device);
  info.type = XB_DEVICE_DISCRETE;
  return info;
}

static void plan_cells(xb_cell *cells, size_t count)
{
  for (size_t i = 0; i < count; i++)
    assert_true(xb_cell_plan(&cells[i]));
}

static void drop_plans(xb_cell *cells, size_t count)
{
  for (size_t i = 0; i < count; i++)
    xb_plan_free(&cells[i].plan);
}

/* Beyond one placement of each cell, placements may take three quarters of the free memory. */
TEST(test_room)
{
  static xb_cell cells[4];
  xb_workload one = {.n = 1 << 20}, other = {.n = 1 << 20};
  const xb_device_info gpu = discrete();
  for (int i = 0; i < 4; i++)
    cells[i] = copy_cell("2", i < 2 ? &one : &other, &gpu);
  assert_int_equal(xb_workload_need(&one, &cells[0].c, NULL), XB_OK);
  assert_int_equal(xb_workload_need(&other, &cells[2].c, NULL), XB_OK);
  plan_cells(cells, 4);
  cells[3].shared = &cells[2];                           /* without buffers of its own */
  const uint64_t each = 5 * xb_placement_bytes(4 << 20); /* two inputs, three outputs */
  assert_int_equal(xb_placements_with_room(cells, 4, 8, 9 * each + 64), 7);
  assert_int_equal(xb_placements_with_room(cells, 4, 5, 9 * each + 64), 5);
  assert_int_equal(xb_placements_with_room(cells, 4, 8, 5 * each + 64), 4);
  assert_int_equal(xb_placements_with_room(cells, 4, 8, 4 * each + 64), 1); /* 3 are too few to use */
  assert_int_equal(xb_placements_with_room(cells, 4, 8, each / 2), 1);
  assert_int_equal(xb_placements_with_room(cells, 4, 1, 100 * each), 1);
  assert_int_equal(xb_placements_with_room(cells, 4, 8, 0), 1);
  cells[0].verdict.outcome = XB_CELL_UNSUPPORTED;
  assert_int_equal(xb_placements_with_room(cells, 4, 8, 9 * each + 64), 8);
  drop_plans(cells, 4);
}

/* A large control gets one placement, so that the measured cells have more memory. */
TEST(test_room_beside_yardsticks)
{
  static xb_cell cells[2];
  const xb_device_info gpu = discrete();
  xb_workload w = {.n = 64 << 20};
  const uint64_t placement = xb_placement_bytes(256 << 20); /* the input; the output of each cell */
  cells[0] = copy_cell("1", &w, &gpu);
  cells[1] = copy_cell("2", &w, &gpu);
  cells[1].is_control = true;
  plan_cells(cells, 2);
  assert_int_equal(xb_workload_need(&w, &cells[0].c, NULL), XB_OK);
  assert_int_equal(xb_placements_with_room(cells, 2, 4, (3 + 8) * placement), 4);
  assert_int_equal(xb_placements_with_room(cells, 2, 4, (3 + 8) * placement - 64), 1); /* 3 / 4 of 8 are 6 */
  assert_int_equal(xb_input_placements(cells, 2, &w, 4), 4);
  assert_int_equal(xb_input_placements(&cells[1], 1, &w, 4), 1);
  w.n = 8 << 20; /* of these, a little less than eight take 256 MiB */
  xb_cell small = copy_cell("1", &w, &gpu);
  plan_cells(&small, 1);
  assert_int_equal(xb_input_placements(&small, 1, &w, 8), 8);
  small.is_control = true;
  assert_int_equal(xb_input_placements(&small, 1, &w, 8), 7);
  cells[1].is_control = false;
  assert_int_equal(xb_placements_with_room(cells, 2, 4, (3 + 8) * placement), 1);
  drop_plans(cells, 2);
  drop_plans(&small, 1);
}

TEST(test_wanted)
{
  const xb_device_info cpu = {.type = XB_DEVICE_CPU}, gpu = {.type = XB_DEVICE_DISCRETE};
  assert_int_equal(xb_placements_wanted(&cpu, 0), 1);
  assert_int_equal(xb_placements_wanted(&gpu, 0), XB_GPU_PLACEMENTS);
  assert_int_equal(xb_placements_wanted(&cpu, 6), 6);
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

static void overwrite(const xb_workload *w, uint32_t input, uint64_t offset, uint32_t word)
{
  xb_error error;
  xb_commands *commands;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &commands, &error), XB_OK);
  xb_cmd_fill(commands, w->inputs[0].placed[input].buffer, w->inputs[0].placed[input].begin + offset, 4, word);
  assert_int_equal(xb_workload_run(w, commands, &error), XB_OK);
}

/* A changed word in one of the inputs, or behind it, is found, in the placement that reads this input. */
TEST(test_inputs)
{
  static xb_cell cell;
  xb_workload w = make_workload(device, N);
  xb_workload_place_inputs(&w, COUNT);
  assert_int_equal(w.input_count, COUNT);
  cell = copy_cell("2", &w, xb_device_get_info(device));
  cell.wanted_placements = 2 * COUNT;
  xb_cell_create(&cell);
  assert_int_equal(cell.buffers.placements, COUNT); /* not more than inputs */
  assert_true(xb_cell_verify(&cell));
  for (uint32_t p = 0; p < COUNT; p++) {
    static const uint64_t offsets[] = {4 * (N - 1), 4 * N};
    static const char *const messages[] = {"expected", "guard"};
    for (int i = 0; i < 2; i++) {
      cell.verdict.outcome = XB_CELL_PENDING;
      overwrite(&w, p, offsets[i], 0);
      assert_false(xb_cell_verify(&cell));
      assert_int_equal(cell.buffers.placement, p);
      if (!strstr(cell.verdict.error.message, messages[i]))
        fail_msg("expected '%s' in '%s'", messages[i], cell.verdict.error.message);
      uint32_t word = XB_INPUT_GUARD;
      if (!i)
        xb_bits(XB_INT32, w.seed, N - 1, 1, &word);
      overwrite(&w, p, offsets[i], word);
    }
  }
  cell.verdict.outcome = XB_CELL_PENDING;
  assert_true(xb_cell_verify(&cell));

  /* Verification ends early if it is interrupted; the check after the samples is always complete. */
  static volatile sig_atomic_t stop = 1;
  cell.stop = &stop;
  cell.verdict.verified = false;
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_INTERRUPTED);
  assert_false(cell.verdict.verified);
  cell.verdict.outcome = XB_CELL_PENDING;
  assert_true(xb_cell_check(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_PENDING);
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static unsigned planned;

static xb_code count_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  planned++;
  return xb_benchmark_find("copy")->methods->plan(c, plan, err);
}

/* The plan of a cell, by which inputs and memory are counted, is also the one that it runs. One that is refused, or
 * that an API cannot express, has none. */
TEST(test_planned_once)
{
  static xb_variant variants[2];
  static xb_choice what;
  xb_target target = {.device = device, .info = *xb_device_get_info(device)};
  xb_methods methods = *xb_benchmark_find("copy")->methods;
  xb_benchmark counted = *xb_benchmark_find("copy");
  methods.plan = count_plan;
  counted.methods = &methods;
  counted.variants = variants;
  counted.variant_count = 2;
  for (int i = 0; i < 2; i++) {
    variants[i] = *xb_variant_find("copy", "2");
    variants[i].benchmark = &counted;
    what.selected[what.selected_count++].variant = &variants[i];
  }
  variants[1].counterparts[0] = (xb_counterpart){"*", XB_NONE, "there is none"};
  const xb_setup setup = {.selection = &what,
                          .conditions = {.no_controls = true, .wait_limit_s = 60, .seed = 1},
                          .targets = &target,
                          .target_count = 1,
                          .window_bytes = xb_largest_window(&target.info)};
  const xb_request request = {.benchmark = &counted, .dtype = XB_INT32, .n = N, .size = {1, N, 0}};
  const xb_sampling sampling = {.min_time_s = 1e-6, .max_time_s = 1e-6, .width = 1, .min_rounds = 10, .seed = 1};
  xb_cell_group group;
  planned = 0;
  assert_true(xb_cell_group_create(&group, &setup, &request));
  assert_int_equal(group.count, 2);
  assert_int_equal(planned, 1);
  xb_measure(group.cells, group.count, &sampling);
  assert_int_equal(planned, 1);
  assert_int_equal(group.cells[0].verdict.outcome, XB_CELL_OK);
  assert_int_equal(group.cells[1].verdict.outcome, XB_CELL_NO_COUNTERPART);
  assert_int_equal(group.cells[1].plan.step_count, 0);
  xb_cell_group_destroy(&group);
}

static int open_vulkan(void)
{
  xb_error error;
  const xb_device_desc desc = {.backend = xb_backend_find("vulkan")};
  return xb_device_open(&desc, &device, &error) ? test_unavailable("vulkan", error.message) : 0;
}

static int close_vulkan(void)
{
  xb_error error;
  return xb_device_close(device, &error) ? 1 : 0;
}

TEST_SOURCE(.begin = open_vulkan, .end = close_vulkan);
