/* Rows that a vendor's library computes: what its function is given. The library is a fake one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "benchmarks/library.h"
#include "benchmarks/registry.h"

#include <dlfcn.h>

enum { MEMORY = 1 << 20 };

static xb_peer_call *seen;
static uint64_t *addresses;
static int *opened;

/* The program opens it by the same name, and gets this one. */
static int open_fake(void **state)
{
  void *fake = dlopen(XB_FAKE_PEERS, RTLD_NOW);
  (void)state;
  seen = fake ? dlsym(fake, "fake_seen") : NULL;
  addresses = fake ? dlsym(fake, "fake_addresses") : NULL;
  opened = fake ? dlsym(fake, "fake_opened") : NULL;
  return seen && addresses && opened ? 0 : -1;
}

static const xb_device_info device = {.backend = "cuda",
                                      .max_groups = {1 << 20, 1 << 16, 1 << 16},
                                      .max_group_threads = 1024,
                                      .subgroup_size = 32,
                                      .subgroup_min = 32,
                                      .subgroup_max = 32,
                                      .max_binding_bytes = MEMORY};

static xb_case case_of(const char *benchmark, const char *variant, uint32_t at)
{
  xb_case c = {.variant = xb_variant_find(benchmark, variant),
               .n = 32 * 24,
               .rows = 32,
               .columns = 24,
               .inner = 16,
               .block = 256,
               .at = {at},
               .window_bytes = MEMORY,
               .device = &device};
  assert_non_null(c.variant);
  return c;
}

/* Makes the plan, and runs its step with an address of its own for each slot. Returns the number of slots. */
static uint32_t run(const xb_case *c, int what)
{
  const xb_native native = {0};
  xb_plan plan;
  xb_error error;
  assert_int_equal(xb_plan_make(c, &plan, &error), XB_OK);
  assert_int_equal(plan.step_count, 1);
  *opened = 0;
  assert_int_equal(c->variant->benchmark->methods->prepare(c, &native, &plan, &error), XB_OK);
  const xb_step *step = plan.steps;
  xb_library_call call = {.c = c};
  assert_int_equal(step->binding_count, plan.slot_count);
  for (uint32_t i = 0; i < step->binding_count; i++) {
    const xb_plan_binding *b = &step->bindings[i];
    const xb_slot *slot = &plan.slots[b->slot];
    assert_int_equal(b->size, slot->bytes);
    assert_int_equal(b->access == XB_READ, slot->role == XB_ROLE_INPUT);
    call.address[i] = 4096 * (b->slot + 1);
    call.size[i] = b->size;
  }
  assert_int_equal(step->library(&native, &call, &error), XB_OK);
  const uint32_t count = plan.slot_count - 1;
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(addresses[i], 4096 * (i + 1));
  assert_int_equal(seen->workspace, 4096 * (count + 1));
  assert_int_equal(seen->bytes, plan.slots[count].bytes);
  assert_int_equal(seen->what, what);
  assert_int_equal(seen->n, c->n);
  assert_int_equal(seen->rows, c->rows);
  assert_int_equal(seen->columns, c->columns);
  assert_int_equal(seen->inner, c->inner);
  xb_plan_free(&plan);
  return count;
}

static void test_cub(void **state)
{
  static const char *const two[] = {"adjacent", "histogram", "maximum", "reduce", "scan"};
  (void)state;
  for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
    const xb_case c = case_of(two[i], "cub", 0);
    assert_int_equal(run(&c, 0), 2);
    assert_int_equal(seen->bytes, 1008); /* 1001, as whole words, and one more */
  }
  xb_case c = case_of("histogram", "cub_keys", 0);
  run(&c, 1);
  c = case_of("scan", "cub", 1);
  run(&c, 2);
  c.dtype = XB_INT32;
  run(&c, 3);
  c = case_of("sort", "cub", 0);
  assert_int_equal(run(&c, 0), 4);
  c = case_of("sort", "cub", 1);
  c.dtype = XB_INT32;
  run(&c, 3);
}

static void test_cublas(void **state)
{
  (void)state;
  const xb_case product = case_of("matmul", "cublas", 0), move = case_of("transpose", "cublas", 0);
  const xb_case halves = case_of("tensor", "cublas", 0), bfloats = case_of("tensor", "cublas_bfloat16", 0);
  assert_int_equal(run(&product, 0), 3);
  assert_int_equal(*opened, 1);
  assert_int_equal(seen->bytes, 32 << 20);
  assert_int_equal(run(&move, 0), 2);
  assert_int_equal(run(&halves, 0), 3);
  assert_int_equal(run(&bfloats, 1), 3);
}

/* The library's own message. */
static void test_message(void **state)
{
  const xb_native native = {0};
  const xb_case c = case_of("matmul", "cublas", 0);
  xb_plan plan;
  xb_error error;
  (void)state;
  assert_int_equal(xb_plan_make(&c, &plan, &error), XB_OK);
  *opened = 1;
  assert_int_equal(c.variant->benchmark->methods->prepare(&c, &native, &plan, &error), XB_UNSUPPORTED);
  assert_string_equal(error.message, "cublas: opened before");
  xb_plan_free(&plan);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cub), cmocka_unit_test(test_cublas),
                                     cmocka_unit_test(test_message)};
  return cmocka_run_group_tests(tests, open_fake, NULL);
}
