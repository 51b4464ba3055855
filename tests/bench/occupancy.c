/* The occupancy calculator against figures that others published: whole sets of limits, and what became of them. */
#include <stddef.h>
#include <stdint.h>

#include "measure/occupancy.h"
#include "test.h"

static const xb_multiprocessor G80 = {.wave = 32,
                                      .threads = 768,
                                      .groups = 8,
                                      .registers = 8192,
                                      .shared_bytes = 16384,
                                      .most_group = 512,
                                      .register_step = 256,
                                      .registers_by_group = true,
                                      .wave_step = 2,
                                      .shared_step = 512};

/* "Optimizing CUDA": 192 threads with 20 registers and 68 bytes: limits 4, 2 and 32; 2 groups, 12 warps, 50 %. */
TEST(optimizing_cuda)
{
  const xb_occupancy o = xb_occupancy_of(&G80, 192, 20, 68);
  assert_int_equal(o.by_threads, 4);
  assert_int_equal(o.by_registers, 2);
  assert_int_equal(o.by_shared, 32);
  assert_int_equal(o.groups, 2);
  assert_true(o.share == 0.5);
}

/* "CUDA C++ Best Practices Guide", 10.1.1, compute capability 7.0: 37 registers give 75 % with groups of 128 threads
 * (12 groups), 63 % with 320 (4 groups). */
TEST(best_practices)
{
  const xb_device_info volta = {.subgroup_size = 32,
                                .threads_per_multiprocessor = 2048,
                                .groups_per_multiprocessor = 32,
                                .registers_per_multiprocessor = 65536,
                                .shared_per_multiprocessor = 98304,
                                .max_group_threads = 1024,
                                .compute_capability = 70};
  xb_multiprocessor m;
  assert_true(xb_multiprocessor_of(&volta, 32, &m));
  xb_occupancy o = xb_occupancy_of(&m, 128, 37, 0);
  assert_int_equal(o.groups, 12);
  assert_true(o.share == 0.75);
  o = xb_occupancy_of(&m, 320, 37, 0);
  assert_int_equal(o.groups, 4);
  assert_true(o.share == 0.625);
}

/* A kernel may run in waves of 32 where the device's usual ones have 64: 96 threads are three waves, not two of 64. */
TEST(smaller_waves)
{
  const xb_device_info device = {.subgroup_size = 64,
                                 .threads_per_multiprocessor = 2048,
                                 .groups_per_multiprocessor = 32,
                                 .registers_per_multiprocessor = 65536,
                                 .shared_per_multiprocessor = 65536,
                                 .max_group_threads = 1024};
  xb_multiprocessor m;
  assert_true(xb_multiprocessor_of(&device, 32, &m));
  assert_int_equal(xb_occupancy_of(&m, 96, 0, 0).by_threads, 21);
  assert_true(xb_multiprocessor_of(&device, 64, &m));
  assert_int_equal(xb_occupancy_of(&m, 96, 0, 0).by_threads, 16);
}

/* "DirectCompute Optimizations and Best Practices": 8 groups, 48 KB, 1536 threads: 256 threads with 32 KB give 1. */
TEST(direct_compute)
{
  assert_int_equal(xb_occupancy_of(&xb_capability_of(20)->has, 256, 0, 32 << 10).groups, 1);
}

/* CS677: on G80, tiles of 8 x 8 give 512 of 768 threads, 16 x 16 all, 32 x 32 none. GT200, 256 threads with 22
 * registers: 2 groups. */
TEST(lecture)
{
  assert_int_equal(xb_occupancy_of(&G80, 64, 0, 0).groups * 64, 512);
  assert_int_equal(xb_occupancy_of(&G80, 256, 0, 0).groups * 256, 768);
  assert_int_equal(xb_occupancy_of(&G80, 1024, 0, 0).groups, 0);
  assert_int_equal(xb_occupancy_of(&xb_capability_of(13)->has, 256, 22, 0).groups, 2);
}

/* CS677's table of compute capabilities, and the two decks' multiprocessors. */
TEST(capabilities)
{
  static const struct {
    uint32_t number, threads, groups, registers, shared_kib, most_group, most_registers;
  } published[] = {{10, 768, 8, 8192, 16, 512, 128},     {13, 1024, 8, 16384, 16, 512, 128},
                   {20, 1536, 8, 32768, 48, 1024, 63},   {30, 2048, 16, 65536, 48, 1024, 63},
                   {35, 2048, 16, 65536, 48, 1024, 255}, {50, 2048, 32, 65536, 64, 1024, 255}};
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    const xb_capability *c = xb_capability_of(published[i].number);
    assert_non_null(c);
    assert_int_equal(c->has.threads, published[i].threads);
    assert_int_equal(c->has.groups, published[i].groups);
    assert_int_equal(c->has.registers, published[i].registers);
    assert_int_equal(c->has.shared_bytes, published[i].shared_kib << 10);
    assert_int_equal(c->has.most_group, published[i].most_group);
    assert_int_equal(c->most_registers, published[i].most_registers);
  }
  assert_memory_equal(&xb_capability_of(10)->has, &G80, sizeof G80);
  assert_null(xb_capability_of(91));
}

/* 33 threads are two waves; without CUDA's facts nothing is computed. */
TEST(edges)
{
  const xb_device_info nothing = {.subgroup_size = 8};
  xb_multiprocessor m;
  assert_int_equal(xb_occupancy_of(&G80, 33, 0, 0).by_threads, 12);
  assert_int_equal(xb_occupancy_of(&G80, 0, 0, 0).groups, 0);
  assert_false(xb_multiprocessor_of(&nothing, 8, &m));
}
