#include "measure/occupancy.h"

#include <stddef.h>

/* ---- Compute capabilities --------------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, "Compute Capabilities", and the steps of CUDA's occupancy calculator (cuda_occupancy.h;
 * before 3.0, its spreadsheet). Registers of 1.x are given to whole groups. */
enum { KIB = 1024 };

/* Threads and groups of a multiprocessor, KiB of its shared memory, and of a group's. */
#define TESLA(threads_, registers_, step)                                                                              \
  {.wave = 32,                                                                                                         \
   .threads = threads_,                                                                                                \
   .groups = 8,                                                                                                        \
   .registers = registers_,                                                                                            \
   .shared_bytes = 16 * KIB,                                                                                           \
   .most_group = 512,                                                                                                  \
   .register_step = step,                                                                                              \
   .registers_by_group = true,                                                                                         \
   .wave_step = 2,                                                                                                     \
   .shared_step = 512},                                                                                                \
      128, 16 * KIB
#define LATER(threads_, groups_, registers_, step, waves, kib, shared, besides)                                        \
  {                                                                                                                    \
    .wave = 32, .threads = threads_, .groups = groups_, .registers = registers_, .shared_bytes = kib * KIB,            \
    .most_group = 1024, .register_step = step, .wave_step = waves, .shared_step = shared, .shared_besides = besides    \
  }
#define SINCE_3(threads, groups, waves, kib) LATER(threads, groups, 64 * KIB, 256, waves, kib, 256, 0)
#define SINCE_8(threads, groups, kib) LATER(threads, groups, 64 * KIB, 256, 4, kib, 128, KIB)

/* clang-format off */
const xb_capability xb_capabilities[] = {
    {10, "G80", TESLA(768, 8 * KIB, 256), 1},
    {11, "G92", TESLA(768, 8 * KIB, 256), 1},
    {12, "GT215", TESLA(1024, 16 * KIB, 512), 1},
    {13, "GT200", TESLA(1024, 16 * KIB, 512), 1},
    {20, "Fermi", LATER(1536, 8, 32 * KIB, 64, 2, 48, 128, 0), 63, 48 * KIB, 16},
    {30, "Kepler", SINCE_3(2048, 16, 4, 48), 63, 48 * KIB, 16},
    {35, "Kepler", SINCE_3(2048, 16, 4, 48), 255, 48 * KIB, 32},
    {50, "Maxwell", SINCE_3(2048, 32, 4, 64), 255, 48 * KIB, 32},
    {52, "Maxwell", SINCE_3(2048, 32, 4, 96), 255, 48 * KIB, 32},
    {60, "Pascal", SINCE_3(2048, 32, 2, 64), 255, 48 * KIB, 128},
    {61, "Pascal", SINCE_3(2048, 32, 4, 96), 255, 48 * KIB, 32},
    {70, "Volta", SINCE_3(2048, 32, 4, 96), 255, 96 * KIB, 128},
    {75, "Turing", SINCE_3(1024, 16, 4, 64), 255, 64 * KIB, 128},
    {80, "Ampere", SINCE_8(2048, 32, 164), 255, 163 * KIB, 128},
    {86, "Ampere", SINCE_8(1536, 16, 100), 255, 99 * KIB, 128},
    {89, "Ada", SINCE_8(1536, 24, 100), 255, 99 * KIB, 128},
    {90, "Hopper", SINCE_8(2048, 32, 228), 255, 227 * KIB, 128},
    {100, "Blackwell", SINCE_8(2048, 32, 228), 255, 227 * KIB, 128},
    {120, "Blackwell", SINCE_8(1536, 24, 100), 255, 99 * KIB, 128},
    {0, NULL, {0}, 0, 0, 0}};
/* clang-format on */

const xb_capability *xb_capability_of(uint32_t number)
{
  const xb_capability *c = xb_capabilities;
  while (c->name && c->number != number)
    c++;
  return c->name ? c : NULL;
}

/* ---- Occupancy -------------------------------------------------------------------------------------------------- */

static uint32_t up(uint32_t value, uint32_t step)
{
  return (value + step - 1) / step * step;
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static uint32_t by_registers(const xb_multiprocessor *m, uint32_t waves, uint32_t registers)
{
  if (!registers)
    return UINT32_MAX;
  if (m->registers_by_group)
    return m->registers / up(up(waves, m->wave_step) * m->wave * registers, m->register_step);
  const uint32_t all = m->registers / up(registers * m->wave, m->register_step);
  return all / m->wave_step * m->wave_step / waves;
}

xb_occupancy xb_occupancy_of(const xb_multiprocessor *m, uint32_t block, uint32_t registers, uint32_t shared_bytes)
{
  xb_occupancy o = {0};
  if (!block || block > m->most_group)
    return o;
  const uint32_t waves = up(block, m->wave) / m->wave, shared = up(shared_bytes + m->shared_besides, m->shared_step);
  o.by_threads = m->threads / (waves * m->wave);
  o.by_registers = by_registers(m, waves, registers);
  o.by_shared = shared ? m->shared_bytes / shared : UINT32_MAX;
  o.groups = least(least(o.by_threads, m->groups), least(o.by_registers, o.by_shared));
  o.share = (double)o.groups * waves * m->wave / m->threads;
  return o;
}

/* No attribute tells the steps: those of the newest compute capability that is known and not newer. */
bool xb_multiprocessor_of(const xb_device_info *info, uint32_t wave, xb_multiprocessor *m)
{
  const xb_capability *like = xb_capabilities;
  for (const xb_capability *c = like; c->name; c++)
    like = !info->compute_capability || c->number <= info->compute_capability ? c : like;
  *m = like->has;
  m->wave = wave;
  m->threads = info->threads_per_multiprocessor;
  m->groups = info->groups_per_multiprocessor;
  m->registers = info->registers_per_multiprocessor;
  m->shared_bytes = info->shared_per_multiprocessor;
  m->most_group = info->max_group_threads;
  m->shared_besides = info->shared_per_group;
  return m->wave && m->threads && m->groups && m->registers && m->shared_bytes;
}
