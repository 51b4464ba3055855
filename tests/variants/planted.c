/* planted BACKEND [brief] [BENCHMARK]: planted accesses out of bounds. Each slot of each plan is made smaller by one
 * word, by one row and by 100 elements (brief: by one word only, of each third variant), and the kernel is not told: so
 * it reads or writes that far past the end. Verification must find it, on every API. Slots are the input, the output,
 * and scratch memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "measure/cell.h"
#include "patience.h"
#include "size_case.h"
#include "test.h"

xb_device *device;
static bool brief;

static struct {
  const xb_benchmark *original;
  uint32_t slot;
  uint64_t bytes; /* to take away */
  bool done;
} plant;

static xb_code planted_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const xb_code code = plant.original->methods->plan(c, plan, err);
  if (code || plan->code || plant.slot >= plan->slot_count)
    return code;
  xb_slot *slot = &plan->slots[plant.slot];
  uint64_t end = 0; /* of what the kernels use */
  for (uint32_t i = 0; i < plan->step_count; i++)
    for (uint32_t k = 0; k < plan->steps[i].binding_count; k++) {
      const xb_plan_binding *b = &plan->steps[i].bindings[k];
      if (b->slot == plant.slot && b->uniform && !strcmp(xb_api_of(c->device), "cuda"))
        return code; /* constant memory has its contents: kernels do not read the buffer */
      end = b->slot == plant.slot && b->offset + b->size > end ? b->offset + b->size : end;
    }
  if (end <= plant.bytes)
    return code;
  slot->bytes = end - plant.bytes;
  slot->zero_bytes = slot->zero_bytes < slot->bytes ? slot->zero_bytes : slot->bytes;
  plant.done = true;
  for (uint32_t i = 0; i < plan->step_count; i++)
    for (uint32_t k = 0; k < plan->steps[i].binding_count; k++) {
      xb_plan_binding *b = &plan->steps[i].bindings[k];
      if (b->slot != plant.slot || b->offset + b->size <= slot->bytes)
        continue;
      plant.done &= b->offset < slot->bytes; /* else a whole binding would be outside */
      b->size = plant.done ? slot->bytes - b->offset : b->size;
    }
  return code;
}

/* Runs the variant, with the plant, at these sizes. Returns true if verification failed. */
static bool is_found(const xb_variant *v, const xb_workload *w, const size_case *s)
{
  xb_cell cell;
  set_cell(&cell, v, w, s, v->benchmark->default_block, xb_device_get_info(device));
  xb_cell_create(&cell);
  if (cell.verdict.outcome != XB_CELL_PENDING || !plant.done) {
    plant.done = false;
    xb_cell_destroy(&cell);
    return true;
  }
  /* XB_INVALID: core refused a copy past the end of its buffer. An emulation names the access itself. */
  const bool found =
      !xb_cell_verify(&cell) && (cell.verdict.outcome == XB_CELL_WRONG || cell.verdict.error.code == XB_INVALID ||
                                 (cell.c.device->emulates && strstr(cell.verdict.error.message, " of binding ")));
  if (!found && cell.verdict.error.code)
    print_error("%s\n", cell.verdict.error.message);
  xb_cell_destroy(&cell);
  return found;
}

static void try_plant(const xb_benchmark *planted, const xb_variant *v, const size_case *s, uint32_t slot,
                      uint64_t elements, const char *name, int counts[2])
{
  xb_error error;
  xb_cell cell;
  plant.slot = slot;
  plant.bytes = elements * 4;
  plant.done = false;
  xb_workload w = {
      .device = device, .of = planted, .dtype = s->dtype, .n = s->n, .seed = SEED, .wait_limit_ns = patience_ns()};
  set_cell(&cell, v, &w, s, planted->default_block, xb_device_get_info(device));
  assert_int_equal(xb_workload_need(&w, &cell.c, &error), XB_OK);
  assert_int_equal(xb_workload_create(&w, &error), XB_OK);
  plant.done = false;
  const bool found = is_found(v, &w, s);
  xb_workload_destroy(&w);
  if (!plant.done)
    return;
  counts[!found]++;
  if (!found)
    print_error("%s/%u_%s: %llu elements past the end of %s were not found\n", planted->name, v->number, v->name,
                (unsigned long long)elements, name);
}

static void test_planted(void **state)
{
  const xb_benchmark *original = *state;
  const xb_device_info *info = xb_device_get_info(device);
  int counts[2] = {0};
  static const char *const names[] = {"slot 0", "slot 1", "slot 2", "slot 3"};
  xb_methods methods = *original->methods;
  xb_benchmark planted = *original;
  xb_variant *variants = malloc(original->variant_count * sizeof *variants);
  assert_non_null(variants);
  methods.plan = planted_plan;
  planted.methods = &methods;
  planted.variants = variants;
  plant.original = original;
  for (size_t i = 0; i < original->variant_count; i++) {
    variants[i] = original->variants[i];
    variants[i].benchmark = &planted;
  }
  const uint64_t rows = original->product ? 131 : 251, columns = original->product ? 109 : 241;
  size_case s = {.n = rows * columns, .rows = original->matrix ? rows : 0, .columns = original->matrix ? columns : 0};
  s.inner = original->product ? 61 : 0;
  for (size_t a = 0; a < original->axis_count; a++)
    s.at[a] = last_value(&original->axes[a]) / 2;
  for (size_t i = 0; i < original->variant_count; i += brief ? 3 : 1)
    for (uint32_t slot = 0; xb_has_kernel(&variants[i]) && slot < 4; slot++)
      for (int k = 0; k < (brief ? 1 : 3); k++)
        try_plant(&planted, &variants[i], &s, slot, k == 0 ? 1 : k == 1 ? columns : 100, names[slot], counts);
  free(variants);
  print_message("%s on %s: %d found, %d not found\n", original->name, info->backend, counts[0], counts[1]);
  assert_int_equal(counts[1], 0);
}

int main(int argc, char **argv)
{
  const xb_backend *backend = argc >= 2 ? xb_backend_find(argv[1]) : NULL;
  brief = argc >= 3 && !strcmp(argv[2], "brief");
  const char *family = argc > 2 + brief ? argv[2 + brief] : NULL;
  struct CMUnitTest tests[64] = {{0}};
  size_t count = 0;
  xb_error error;
  if (!backend || argc > 3 + brief) {
    fprintf(stderr, "usage: planted BACKEND [brief] [BENCHMARK]\n");
    return 2;
  }
  const xb_device_desc desc = {
      .backend = backend_that_keeps_kernels(backend), .compute_queues = XB_ALL_QUEUES, .copy_queues = XB_ALL_QUEUES};
  if (xb_device_open(&desc, &device, &error))
    return test_unavailable(argv[1], error.message);
  for (size_t i = 0; i < xb_benchmark_count() && count < 64; i++)
    if (!family || !strcmp(family, xb_benchmark_at(i)->name))
      tests[count++] = (struct CMUnitTest){.name = xb_benchmark_at(i)->name,
                                           .test_func = test_planted,
                                           .initial_state = (void *)(uintptr_t)xb_benchmark_at(i)};
  const int failed = _cmocka_run_group_tests("planted", tests, count, NULL, NULL); /* a part of the table */
  xb_benchmarks_close();
  xb_device_close(device, NULL);
  return failed ? 1 : 0;
}
