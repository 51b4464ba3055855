/* The test kernels as C functions. One call runs one group. */
#include "kernels.h"

#include <string.h>

#include "host/host.h"

typedef const uint32_t *u3;
typedef void *const *buffers;

static void run_index(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes;
  const struct index_args *a = args;
  uint32_t *output = b[0];
  for (uint32_t t = 0; t < 64; t++) {
    const uint32_t i = (group[1] * a->grid_x + group[0]) * 64 + t;
    if (i < a->count)
      output[a->first + i] = i * a->mul + a->add;
  }
}

static void run_where(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes;
  const struct where_args *a = args;
  uint32_t *output = b[0];
  const uint32_t g = (group[2] * a->groups_y + group[1]) * a->groups_x + group[0];
  for (uint32_t t = 0; t < 24; t++)
    output[g * 24 + t] = group[0] | group[1] << 6 | group[2] << 12 | (t % 4) << 18 | (t / 4 % 2) << 22 | (t / 8) << 26;
}

static void run_mixed(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)group, (void)groups, (void)sizes;
  memcpy(b[0], args, sizeof(struct mixed_args));
}

static void run_step(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes;
  const struct step_args *a = args;
  const uint32_t *input = b[0];
  uint32_t *output = b[1];
  for (uint32_t i = group[0] * 64; i < group[0] * 64 + 64 && i < a->count; i++)
    output[i] = input[i] * a->mul + a->add;
}

static void run_count(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)group, (void)groups, (void)sizes;
  ((uint32_t *)b[0])[((const struct count_args *)args)->slot] += 64;
}

static void run_shared(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes, (void)args;
  const uint32_t *tile = (const uint32_t *)b[0] + group[0] * 64;
  uint32_t *output = (uint32_t *)b[1] + group[0] * 64;
  uint32_t seventh = 0; /* clang 14 -O2 miscompiles t * 7 % 64 as an index here: it vectorizes past the wrap */
  for (uint32_t t = 0; t < 64; t++, seventh = (seventh + 7) % 64)
    output[t] = tile[63 - t] * 3 + tile[seventh];
}

static void run_last(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes;
  const uint32_t count = ((const struct last_args *)args)->groups;
  const uint32_t *input = (const uint32_t *)b[0] + group[0] * 64;
  uint32_t *exchange = b[1], sum = 0;
  for (uint32_t t = 0; t < 64; t++)
    sum += input[t];
  exchange[2 + group[0]] = sum;
  if (++exchange[0] != count)
    return;
  for (uint32_t i = 0; i < count; i++)
    exchange[1] = (i ? exchange[1] : 0) + exchange[2 + i];
}

static void run_subgroup(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes, (void)args;
  for (uint32_t t = 0; t < 64; t++)
    ((uint32_t *)b[0])[group[0] * 64 + t] = host_subgroup_size();
}

static void run_long(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes;
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t x = group[0] * 64 + t;
    for (uint32_t i = 0; i < ((const struct long_args *)args)->iterations; i++)
      x = x * 1664525u + 1013904223u;
    ((uint32_t *)b[0])[group[0] * 64 + t] = x;
  }
}

static void run_unused(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)group, (void)groups, (void)sizes, (void)args;
  for (uint32_t t = 0; t < 64; t++)
    ((uint32_t *)b[0])[t] = ((const uint32_t *)b[2])[t] + 1;
}

static void run_places(u3 group, u3 groups, buffers b, const uint64_t *sizes, const void *args)
{
  (void)groups, (void)sizes, (void)args;
  const uint32_t *by = b[0], *input = b[1];
  for (uint32_t i = group[0] * 64; i < group[0] * 64 + 64; i++) {
    ((uint32_t *)b[2])[i] = input[i] * by[0] + by[1];
    ((uint32_t *)b[3])[i] = input[i];
  }
}

static const struct {
  const char *name;
  host_fn run;
  uint32_t read_only, uniform; /* bit i: binding i */
} table[] = {
    {"index", run_index, 0, 0},   {"where", run_where, 0, 0},       {"mixed", run_mixed, 0, 0},
    {"step", run_step, 1, 0},     {"count", run_count, 0, 0},       {"shared", run_shared, 1, 0},
    {"last", run_last, 1, 0},     {"subgroup", run_subgroup, 0, 0}, {"long", run_long, 0, 0},
    {"unused", run_unused, 4, 0}, {"places", run_places, 2, 1},
};

const void *host_kernel_code(const xb_kernel_desc *desc, size_t *bytes)
{
  static host_code codes[sizeof table / sizeof *table];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, desc->label) != 0)
      continue;
    codes[i] =
        (host_code){.entry = "main",
                    .run = table[i].run,
                    .group_size = {desc->group_size[0], desc->group_size[1], desc->group_size[2]},
                    .used_bindings = (uint32_t)((UINT64_C(1) << desc->binding_count) - 1) & ~desc->unused_bindings,
                    .read_only_bindings = table[i].read_only,
                    .uniform_bindings = table[i].uniform,
                    .uniform_bytes = 8,
                    .arg_bytes = desc->args_unused ? 0 : desc->arg_bytes};
    host_seal(&codes[i]);
    *bytes = sizeof codes[i];
    return &codes[i];
  }
  return NULL;
}
