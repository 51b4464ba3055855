/* synthetic FILE: writes an artificial comparison of two APIs on a GPU, with data that no software device has: clocks,
 * throttling, a peak, a name that is not UTF-8, a wrong result. Only the code that writes it is the program's. */
#include "formats/formats.h"
#include "measure/cell_groups.h"

#include <stdio.h>

enum { SAMPLES = 30, PLACEMENTS = 8, CELLS = 7 };

static xb_device_info cuda = {.backend = "cuda",
                              .type = XB_DEVICE_DISCRETE,
                              .name = "GPU",
                              .driver = "580.1",
                              .has_uuid = true,
                              .launch_mode = XB_LAUNCH_GRAPH,
                              .launch_modes = 1 << XB_LAUNCH_GRAPH,
                              .timestamp_period_ns = 0.5,
                              .clock_khz = 1980000,
                              .memory_clock_khz = 3201000,
                              .memory_bus_bits = 6144};
static xb_device_info vulkan = {.backend = "vulkan",
                                .type = XB_DEVICE_DISCRETE,
                                .name = "GPU \xAE",
                                .has_uuid = true,
                                .launch_mode = XB_LAUNCH_COMMAND_BUFFER,
                                .launch_modes = 1 << XB_LAUNCH_COMMAND_BUFFER,
                                .timestamp_period_ns = 1};
static const xb_gpu_state state = {.known = true,
                                   .clock_mhz = 1980,
                                   .memory_clock_mhz = 3201,
                                   .temperature_c = 41,
                                   .power_w = 310.5,
                                   .throttle_known = true,
                                   .counters_known = true};
static double samples[CELLS][SAMPLES];

static xb_cell make_cell(int i, const xb_workload *w, const xb_device_info *info, const char *benchmark,
                         uint32_t number, double ns)
{
  static xb_slot slot = {.name = "read", .bytes = 1 << 22};
  static xb_step step = {.bindings = {{.size = 1 << 22, .access = XB_READ}}, .binding_count = 1};
  double scratch[SAMPLES];
  for (int k = 0; k < SAMPLES; k++)
    samples[i][k] = ns * (1 + 0.001 * k);
  xb_cell cell = {
      .c = {.device = info, .n = 1 << 20, .seed = 1, .block = 128},
      .workload = w,
      .plan = {.windows = 1, .bytes = 1 << 22, .slots = &slot, .slot_count = 1, .steps = &step, .step_count = 1},
      .buffers.code_hash = 42,
      .buffers.placements = PLACEMENTS,
      .samples.batch = 10,
      .samples.ns = samples[i],
      .samples.host_ns = samples[i],
      .samples.count = SAMPLES,
      .samples.device = xb_statistics(samples[i], SAMPLES, PLACEMENTS, scratch),
      .samples.host = xb_statistics(samples[i], SAMPLES, PLACEMENTS, scratch),
      .samples.stopped_by = "interval",
      .samples.warm = true,
      .samples.warm_up_rounds = 6,
      .samples.before = state,
      .samples.lowest = state,
      .samples.highest = state,
      .samples.after = state,
      .verdict.outcome = XB_CELL_OK,
      .verdict.verified = true};
  const xb_benchmark *b = xb_benchmark_find(benchmark);
  for (size_t v = 0; v < b->variant_count; v++)
    if (b->variants[v].number == number)
      cell.c.variant = &b->variants[v];
  return cell;
}

static void make_cells(xb_cell cells[CELLS], const xb_workload w[2])
{
  cells[0] = make_cell(0, &w[0], &cuda, "reduce", 7, 20000);
  cells[1] = make_cell(1, &w[0], &cuda, "reduce", 8, 20000);
  cells[2] = make_cell(2, &w[0], &cuda, "launch", 1, 500);
  cells[3] = make_cell(3, &w[1], &vulkan, "reduce", 7, 30000);
  cells[4] = make_cell(4, &w[1], &vulkan, "reduce", 8, 30000);
  cells[5] = make_cell(5, &w[1], &vulkan, "reduce", 9, 30000);
  cells[6] = make_cell(6, &w[1], &vulkan, "launch", 1, 700);
  cells[0].base = cells[1].base = true;
  cells[2].is_control = cells[6].is_control = true;
  cells[2].plan.bytes = cells[6].plan.bytes = 0;
  cells[3].samples.throttled = 3;
  cells[3].samples.throttle = XB_THROTTLE_POWER | XB_THROTTLE_OTHER;
  cells[3].samples.after = (xb_gpu_state){.known = true, .clock_mhz = 1200};
  cells[4].verdict.outcome = XB_CELL_WRONG;
  cells[4].verdict.verified = false;
  xb_fail(&cells[4].verdict.error, XB_INTERNAL, "reduce/8", "the sum is 41 and not 42");
}

int main(int argc, char **argv)
{
  static xb_cell cells[CELLS];
  static xb_output output;
  static xb_means means;
  static xb_arena arena;
  const xb_workload w[2] = {0};
  const xb_device_info *const infos[] = {&cuda, &vulkan};
  xb_result_device devices[2];
  const xb_measured_on on = {infos, devices, 2};
  const xb_result_sampling sampling = {
      .min_time_s = 0.05, .max_time_s = 0.6, .width = 0.01, .min_rounds = 20, .seed = 1};
  xb_result_benchmark benchmark;
  xb_error error;
  make_cells(cells, w);
  bool good = argc == 2 && xb_result_benchmark_of(xb_benchmark_find("reduce"), &arena, &benchmark);
  for (int i = 0; i < 2; i++)
    good = good && xb_result_device_of(infos[i], &arena, &devices[i]);
  xb_json *json = good ? xb_json_begin(devices, 2, &sampling) : NULL;
  good = json && xb_output_open(&output, argv[1], XB_OUTPUT_RESULTS);
  for (int i = 0; i < 2 && good; i++) {
    xb_group group = {.benchmark = &benchmark, .count = CELLS};
    group.results = xb_results_of_cells(cells, CELLS, &on, &arena);
    good = group.results && !xb_compare_results(group.results, CELLS, (size_t)i * CELLS, -1, 1, &arena,
                                                &group.comparisons, &group.comparison_count, &means, &error);
    if (good)
      xb_json_group(json, &group);
  }
  if (good) {
    xb_means_finish(&means);
    xb_json_means(json, &means);
    good = xb_json_save(json, &output);
    good = xb_output_commit(&output) && good;
  }
  xb_means_free(&means);
  xb_json_free(json);
  xb_arena_free(&arena);
  return !good;
}
