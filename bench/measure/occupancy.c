#include "measure/occupancy.h"

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

/* CUDA's calculator has these steps for compute capabilities 7.0 to 12.0; no attribute tells them. */
bool xb_multiprocessor_of(const xb_device_info *info, uint32_t wave, xb_multiprocessor *m)
{
  enum { REGISTER_STEP = 256, WAVE_STEP = 4, SHARED_STEP = 128, SHARED_STEP_7 = 256, AMPERE = 80 };
  *m = (xb_multiprocessor){.wave = wave,
                           .threads = info->threads_per_multiprocessor,
                           .groups = info->groups_per_multiprocessor,
                           .registers = info->registers_per_multiprocessor,
                           .shared_bytes = info->shared_per_multiprocessor,
                           .most_group = info->max_group_threads,
                           .register_step = REGISTER_STEP,
                           .wave_step = WAVE_STEP,
                           .shared_step = info->compute_capability && info->compute_capability < AMPERE ? SHARED_STEP_7
                                                                                                        : SHARED_STEP,
                           .shared_besides = info->shared_per_group};
  return m->wave && m->threads && m->groups && m->registers && m->shared_bytes;
}
