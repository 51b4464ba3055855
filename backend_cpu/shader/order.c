/* What the barriers, fences and atomics of a watched shader order: the memory that their semantics name, for the
 * threads of their scope. */
#include "shader/shader.h"

#include "runtime/xb_cpu.h"

enum {
  ACQUIRE = 2,
  RELEASE = 4,
  BOTH = 8,
  SEQUENTIAL = 0x10,
  UNIFORM = 0x40,
  SHARED = 0x100,
  GLOBAL = 0x200,
  IMAGE = 0x800
};

uint32_t memory_of(const shader *s, uint32_t semantics)
{
  const uint32_t bits = constant(s, semantics);
  if (!(bits & (ACQUIRE | RELEASE | BOTH | SEQUENTIAL)))
    return 0;
  return (bits & SHARED ? XB_CPU_SHARED_MEMORY : 0) | (bits & (UNIFORM | GLOBAL) ? XB_CPU_BUFFER_MEMORY : 0) |
         (bits & IMAGE ? XB_CPU_IMAGE_MEMORY : 0);
}

int order_of(const shader *s, uint32_t semantics)
{
  const uint32_t bits = constant(s, semantics);
  if (bits & (BOTH | SEQUENTIAL) || (bits & ACQUIRE && bits & RELEASE))
    return __ATOMIC_ACQ_REL;
  return bits & ACQUIRE ? __ATOMIC_ACQUIRE : bits & RELEASE ? __ATOMIC_RELEASE : __ATOMIC_RELAXED;
}

bool is_of_group(const shader *s, uint32_t scope)
{
  const uint32_t value = constant(s, scope);
  return value == SpvScopeWorkgroup || value == SpvScopeSubgroup || value == SpvScopeInvocation;
}

void say_order(shader *s, const uint32_t *at)
{
  const uint32_t memory = memory_of(s, word(at, 3));
  say(s, "xb_block()->memory = %u; ", memory | (memory && !is_of_group(s, word(at, 2)) ? XB_CPU_DEVICE_FENCE : 0));
}

void say_fence(shader *s, const uint32_t *at)
{
  say(s, "xb_block()->memory = %u; runtime->edge(NULL, %u);\n", memory_of(s, word(at, 2)),
      is_of_group(s, word(at, 1)) ? XB_CPU_FENCE_BLOCK : XB_CPU_FENCE_BLOCK | XB_CPU_FENCE_DEVICE);
}
