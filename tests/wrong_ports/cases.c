#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

enum { STEP_GROUPS = 256, STEP_WORDS = STEP_GROUPS * 64, GROUPS = 64, MANY_GROUPS = 1024 };
/* One element of 32 reaches the first, one of two the second. */
enum { LIMIT = 31 << 19, HALF = 1 << 23 };
/* Not a multiple of the group size: 24 threads of the last group have no element. */
enum { ADD_WORDS = 1000 };
/* The window begins 8 elements before 2^32; the array ends 100 behind it. */
enum { WINDOW_WORDS = 128, BEFORE = 8, BEHIND = 100 };

static const struct step_args STEP = {.count = STEP_WORDS, .mul = 3, .add = 1};
static const struct flag_args FLAG = {.limit = LIMIT}, EVERY_SECOND = {.limit = HALF};
static const struct groups_args MANY = {.groups = MANY_GROUPS}, FEW = {.groups = GROUPS};
static const struct add_args ADD = {.count = ADD_WORDS, .add = 7};
static const struct window_args WINDOW = {.first_low = UINT32_MAX - BEFORE + 1, .n_low = BEHIND, .n_high = 1};

uint32_t wrong_port_input(uint32_t i)
{
  return i * 2654435761u >> 8;
}

static uint32_t sum(uint32_t first, uint32_t count)
{
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++)
    total += wrong_port_input(first + i);
  return total;
}

static uint32_t two_steps(uint32_t i)
{
  return (wrong_port_input(i) * STEP.mul + STEP.add) * STEP.mul + STEP.add; /* two steps */
}

static uint32_t sum_of_64(uint32_t i)
{
  return sum(i * 64, 64);
}

static uint32_t sum_of_128(uint32_t i)
{
  return sum(i * 128, 128);
}

static uint32_t any_in_64(uint32_t i)
{
  for (uint32_t k = 0; k < 64; k++)
    if (wrong_port_input(i * 64 + k) >= LIMIT)
      return 1;
  return 0;
}

static uint32_t sum_of_many(uint32_t i)
{
  (void)i;
  return sum(0, MANY_GROUPS * 64);
}

static uint32_t sum_of_few(uint32_t i)
{
  (void)i;
  return sum(0, GROUPS * 64);
}

/* Word i % 64 of the histogram of a group's 64 words. */
static uint32_t count_in_64(uint32_t i)
{
  uint32_t count = 0;
  for (uint32_t k = 0; k < 64; k++)
    count += wrong_port_input(i / 64 * 64 + k) % 64 == i % 64;
  return count;
}

static uint32_t plus(uint32_t i)
{
  return wrong_port_input(i) + ADD.add;
}

static uint32_t twice_up_to_the_end(uint32_t i)
{
  return i < BEFORE + BEHIND ? wrong_port_input(i) * 2 : (uint32_t)POISON;
}

/* Elements of HALF and more among a group's 64. */
static uint32_t high_of_64(uint32_t i)
{
  uint32_t count = 0;
  for (uint32_t k = 0; k < 64; k++)
    count += wrong_port_input(i * 64 + k) >= HALF;
  return count;
}

static uint32_t sum_up_to(uint32_t i)
{
  return sum(0, (i + 1) * 64);
}

static uint32_t shifted(uint32_t i)
{
  return i % 33 < 32 ? wrong_port_input(i) >> i % 33 : 0;
}

static uint32_t two_bytes(uint32_t i)
{
  return (wrong_port_input(i) & 255) + (wrong_port_input((i + 1) % (GROUPS * 64)) & 255);
}

static uint32_t count_and_sum(uint32_t i)
{
  return i % 2 ? sum_of_64(i / 2) : 64;
}

static uint32_t four_bytes(uint32_t i)
{
  uint32_t word = 0;
  for (uint32_t k = 0; k < 4; k++)
    word |= (wrong_port_input(4 * i + k) & 255) << 8 * k;
  return word;
}

#define PORT(...)                                                                                                      \
  {                                                                                                                    \
    __VA_ARGS__                                                                                                        \
  }
const wrong_port wrong_ports[] = {
    PORT(.name = "1_no_barrier", .on_cpu = "the tracker", .title = "no barrier between dependent dispatches",
         .vulkan = {BY_TRACKER, ALWAYS}, .cuda = {BY_TRACKER, ALWAYS}, .blind_to = BY_TRACKER, .on_host = true,
         .group_size = {64, 1, 1}, .groups = STEP_GROUPS, .words = {STEP_WORDS, STEP_WORDS, STEP_WORDS},
         .binding_count = 2, .two_dispatches = true, .args = &STEP, .arg_bytes = sizeof STEP, .expected = two_steps),
    PORT(.name = "2_lockstep", .on_cpu = "result", .shader_on_cpu = "result, races",
         .title = "threads of a wave taken to run in step", .vulkan = {BY_REFERENCE, IN_SMALL_WAVES},
         .cuda = {BY_REFERENCE, BY_LUCK}, .seen = "Vulkan: the reference; CUDA: nothing", .sanitizer = "racecheck",
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS}, .binding_count = 2,
         .expected = sum_of_64),
    PORT(.name = "3_wave_index", .on_cpu = "result, races", .shader_on_cpu = "result", .title = "tid / 32 as the wave",
         .seen = "Vulkan: nothing", .vulkan = {BY_REFERENCE, IN_SMALL_WAVES}, .cuda = {BY_REFERENCE, ALWAYS},
         .sanitizer = "racecheck", .group_size = {16, 8, 1}, .groups = GROUPS, .words = {GROUPS * 128, GROUPS},
         .binding_count = 2, .expected = sum_of_128),
    PORT(.name = "4_same_value", .on_cpu = "races", .title = "a race in shared memory by the same value",
         .vulkan = {BY_NOTHING, ALWAYS}, .cuda = {BY_NOTHING, ALWAYS}, .sanitizer = "racecheck",
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS}, .binding_count = 2, .args = &FLAG,
         .arg_bytes = sizeof FLAG, .expected = any_in_64),
    PORT(.name = "5_no_coherence", .on_cpu = "races", .title = "a fence without coherence",
         .vulkan = {BY_REFERENCE, BY_LUCK}, .cuda = {BY_REFERENCE, BY_LUCK}, .seen = "both: the reference",
         .inspection = "no Coherent in the SPIR-V: the build fails; no fence in the PTX", .group_size = {64, 1, 1},
         .groups = MANY_GROUPS, .words = {MANY_GROUPS * 64, 1, MANY_GROUPS + 1}, .binding_count = 3, .args = &MANY,
         .arg_bytes = sizeof MANY, .expected = sum_of_many),
    PORT(.name = "6_last_group", .on_cpu = "result, memory", .title = "out of bounds in the last group",
         .vulkan = {BY_GUARDS, ALWAYS}, .cuda = {BY_GUARDS, ALWAYS}, .sanitizer = "memcheck, blind",
         .blind_to = BY_GUARDS, .group_size = {64, 1, 1}, .groups = (ADD_WORDS + 63) / 64,
         .words = {ADD_WORDS, ADD_WORDS}, .binding_count = 2, .args = &ADD, .arg_bytes = sizeof ADD, .expected = plus),
    PORT(.name = "7_cut_size", .on_cpu = "result", .title = "a 64-bit size cut to 32", .vulkan = {BY_REFERENCE, ALWAYS},
         .cuda = {BY_REFERENCE, ALWAYS}, .group_size = {64, 1, 1}, .groups = WINDOW_WORDS / 64,
         .words = {WINDOW_WORDS, WINDOW_WORDS}, .binding_count = 2, .args = &WINDOW, .arg_bytes = sizeof WINDOW,
         .expected = twice_up_to_the_end),
    PORT(.name = "8_counter_not_reset", .on_cpu = "result", .title = "a last-group counter that is not reset",
         .vulkan = {BY_SECOND_RUN, ALWAYS}, .cuda = {BY_SECOND_RUN, ALWAYS}, .group_size = {64, 1, 1}, .groups = GROUPS,
         .words = {GROUPS * 64, 1, 2}, .binding_count = 3, .args = &FEW, .arg_bytes = sizeof FEW,
         .expected = sum_of_few),
    PORT(.name = "9_no_clearing", .on_cpu = "result", .title = "a histogram that is not cleared",
         .vulkan = {BY_SECOND_RUN, ALWAYS}, .cuda = {BY_SECOND_RUN, ALWAYS}, .group_size = {64, 1, 1}, .groups = GROUPS,
         .words = {GROUPS * 64, GROUPS * 64, GROUPS * 64}, .binding_count = 3, .expected = count_in_64),
    PORT(.name = "10_cleared_late", .on_cpu = "result, memory", .shader_on_cpu = "result, races, memory",
         .title = "no barrier between clearing and counting", .vulkan = {BY_REFERENCE, IN_SMALL_WAVES},
         .cuda = {BY_REFERENCE, BY_LUCK}, .sanitizer = "racecheck", .seen = "Vulkan: the reference; CUDA: nothing",
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS * 64}, .binding_count = 2,
         .expected = count_in_64),
    PORT(.name = "11_lost_update", .on_cpu = "races", .title = "a counter without an atomic",
         .vulkan = {BY_REFERENCE, ALWAYS}, .cuda = {BY_REFERENCE, ALWAYS}, .overlaps = true, .sanitizer = "racecheck",
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS}, .binding_count = 2,
         .args = &EVERY_SECOND, .arg_bytes = sizeof EVERY_SECOND, .expected = high_of_64),
    PORT(.name = "12_lock", .on_cpu = "races", .title = "a lock that the lanes of a wave wait for",
         .vulkan = {BY_REFERENCE, IN_STEP}, .cuda = {BY_REFERENCE, BY_LUCK}, .sanitizer = "racecheck",
         .seen = "Vulkan: the reference; CUDA: nothing", .group_size = {64, 1, 1}, .groups = GROUPS,
         .words = {GROUPS * 64, 2 * GROUPS}, .binding_count = 2, .expected = count_and_sum),
    PORT(.name = "13_byte_store", .on_cpu = "races", .title = "a byte stored by its word",
         .vulkan = {BY_REFERENCE, ALWAYS}, .cuda = {BY_REFERENCE, ALWAYS}, .overlaps = true, .group_size = {64, 1, 1},
         .groups = GROUPS, .words = {GROUPS * 64, GROUPS * 16}, .binding_count = 2, .expected = four_bytes),
    PORT(.name = "14_block_order", .title = "a block that waits for the one with the number before",
         .vulkan = {BY_NOTHING, ALWAYS}, .cuda = {BY_NOTHING, ALWAYS}, .on_cpu = "order", .group_size = {64, 1, 1},
         .groups = GROUPS, .words = {GROUPS * 64, GROUPS, 1}, .binding_count = 3, .args = &FEW, .arg_bytes = sizeof FEW,
         .expected = sum_up_to),
    PORT(.name = "15_unwritten", .title = "shared memory that is read before it is written",
         .vulkan = {BY_REFERENCE, ON_CPU}, .cuda = {BY_REFERENCE, ON_CPU}, .on_cpu = "result, memory",
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS}, .binding_count = 2,
         .expected = sum_of_64),
    PORT(.name = "16_shift", .title = "a shift by 32", .vulkan = {BY_REFERENCE, ON_CPU}, .cuda = {BY_REFERENCE, ON_CPU},
         .on_cpu = "result, memory", .shader_on_cpu = "result", .group_size = {64, 1, 1}, .groups = GROUPS,
         .words = {GROUPS * 64, GROUPS * 64}, .binding_count = 2, .expected = shifted),
    PORT(.name = "17_own_texture", .title = "a texture that its own kernel writes", .vulkan = {BY_TRACKER, ALWAYS},
         .cuda = {BY_TRACKER, ALWAYS}, .on_cpu = "the tracker", .on_host = true, .texels = true,
         .group_size = {64, 1, 1}, .groups = GROUPS, .words = {GROUPS * 64, GROUPS * 64}, .binding_count = 2,
         .args = &FEW, .arg_bytes = sizeof FEW, .expected = two_bytes),
};
const uint32_t wrong_port_count = sizeof wrong_ports / sizeof *wrong_ports;

const wrong_port *wrong_port_find(const char *name)
{
  for (uint32_t i = 0; i < wrong_port_count; i++) {
    const char *full = wrong_ports[i].name;
    const size_t digits = strcspn(full, "_");
    if (!strcmp(name, full) || (strlen(name) == digits && !strncmp(name, full, digits)))
      return &wrong_ports[i];
  }
  return NULL;
}

const char *wrong_check_name(wrong_check check)
{
  switch (check) {
  case BY_NOTHING: break;
  case BY_TRACKER: return "the tracker";
  case BY_LAYER: return "the validation layer";
  case BY_REFERENCE: return "the reference";
  case BY_SECOND_RUN: return "the reference, second run";
  case BY_GUARDS: return "the guard words";
  case BY_EMULATION: return "the emulation";
  case BY_RACES: return "races";
  case BY_MEMORY: return "memory";
  }
  return "nothing";
}

static const char *when_text(wrong_catch c)
{
  switch (c.when) {
  case ALWAYS: break;
  case IN_SMALL_WAVES: return ", in waves under 32 lanes";
  case IN_STEP: return ", where lanes run in step";
  case BY_LUCK: return ", on a GPU, by luck";
  case ON_CPU: return ", always on a CPU, on a GPU by luck";
  }
  return "";
}

void wrong_ports_list(void)
{
  printf("| case | what is wrong | Vulkan: caught by | CUDA: caught by | compute-sanitizer | the compiled code | on an "
         "H200 | CUDA: found on the CPU by | HLSL: found on the CPU by |\n"
         "|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t i = 0; i < wrong_port_count; i++) {
    const wrong_port *p = &wrong_ports[i];
    printf("| %s | %s | %s%s | %s%s | %s | %s | %s | %s | %s |\n", p->name, p->title, wrong_check_name(p->vulkan.check),
           when_text(p->vulkan), wrong_check_name(p->cuda.check), when_text(p->cuda), p->sanitizer ? p->sanitizer : "",
           p->inspection ? p->inspection : "", p->seen ? p->seen : "", p->on_cpu,
           p->shader_on_cpu ? p->shader_on_cpu : p->on_cpu);
  }
}
