#include "measure/occupancy.h"

#include "measure/capabilities.h"

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
