#include "benchmarks/registry.h"
#include "benchmarks/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Written by the build (cmake/XbVariants.cmake). */
extern const xb_benchmark *const xb_built_benchmarks[];

enum { MOST_ADDED = 64 };
static struct {
  const xb_benchmark *list[MOST_ADDED];
  size_t count;
} added;

static size_t built_count(void)
{
  size_t count = 0;
  while (xb_built_benchmarks[count])
    count++;
  return count;
}

size_t xb_benchmark_count(void)
{
  return built_count() + added.count;
}

const xb_benchmark *xb_benchmark_at(size_t i)
{
  const size_t built = built_count();
  return i < built ? xb_built_benchmarks[i] : i < built + added.count ? added.list[i - built] : NULL;
}

const xb_benchmark *xb_benchmark_find(const char *name)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    if (!strcmp(b->name, name))
      return b;
  return NULL;
}

xb_code xb_benchmark_add(const xb_benchmark *benchmark, xb_error *err)
{
  if (xb_benchmark_find(benchmark->name))
    return xb_fail(err, XB_INVALID, benchmark->name, "is already the name of a benchmark: choose another one");
  if (added.count == MOST_ADDED)
    return xb_fail(err, XB_UNSUPPORTED, benchmark->name, "more than %d benchmarks were added", MOST_ADDED);
  added.list[added.count++] = benchmark;
  return XB_OK;
}

void xb_benchmarks_close(void)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    if (b->methods->close)
      b->methods->close();
  xb_other_devices_close();
  xb_cached_free();
}

bool xb_has_dtype(const xb_benchmark *benchmark, xb_dtype dtype)
{
  const char *name = xb_dtype_name(dtype), *found = strstr(benchmark->dtypes, name);
  while (found && found > benchmark->dtypes && found[-1] != ' ') /* int32 is part of uint32 */
    found = strstr(found + 1, name);
  return found;
}

uint32_t xb_block_at(const xb_benchmark *benchmark, size_t i)
{
  char *end = (char *)(uintptr_t)benchmark->blocks;
  uint32_t block = 0;
  for (size_t k = 0; k <= i; k++)
    block = (uint32_t)strtoul(end, &end, 10); /* 0 if there is no further number */
  return block;
}

bool xb_has_block(const xb_benchmark *benchmark, uint32_t block)
{
  for (size_t i = 0; xb_block_at(benchmark, i); i++)
    if (xb_block_at(benchmark, i) == block)
      return true;
  return false;
}

bool xb_takes_block(const xb_variant *v, uint32_t block)
{
  return xb_has_block(v->benchmark, block) && (!v->most_block || block <= v->most_block);
}

uint32_t xb_default_block(const xb_variant *v, const xb_device_info *device, uint64_t n)
{
  uint32_t block = v->benchmark->default_block;
  if (v->benchmark->methods->block)
    return v->benchmark->methods->block(v, device);
  for (int i = 0; i < XB_BLOCK_STEPS && v->blocks[i].block; i++)
    if (n >= v->blocks[i].n && v->blocks[i].block <= device->max_group_threads &&
        device->threads_per_multiprocessor % v->blocks[i].block == 0) /* 0: unknown */
      block = v->blocks[i].block;
  uint32_t largest = 0; /* of those that the device takes, where the default is too large */
  const uint32_t has = device->shared_bytes, most = device->max_group_threads; /* 0: unknown */
  const bool too_large = (most && block > most) || (has && has < v->shared_bytes);
  for (size_t i = 0; too_large && xb_block_at(v->benchmark, i); i++) {
    const uint32_t other = xb_block_at(v->benchmark, i);
    if (other < block && (!most || other <= most) && other > largest && xb_takes_block(v, other))
      largest = other;
  }
  return largest ? largest : block;
}

const xb_variant *xb_variant_of_kernel(const xb_variant *v)
{
  const bool same = v->source == SAME_KERNEL;
  while (same && v->source != KERNEL)
    v--;
  return v;
}

const char *xb_variant_name(const xb_variant *v, char out[XB_VARIANT_NAME])
{
  snprintf(out, XB_VARIANT_NAME, "%u_%s", v->number, v->name);
  return out;
}

const xb_variant *xb_variant_find(const char *benchmark, const char *name)
{
  const xb_benchmark *b = xb_benchmark_find(benchmark);
  for (size_t i = 0; b && i < b->variant_count; i++) {
    const xb_variant *v = &b->variants[i];
    char number[16], full[XB_VARIANT_NAME];
    snprintf(number, sizeof number, "%u", v->number);
    if (!strcmp(name, number) || !strcmp(name, v->name) || !strcmp(name, xb_variant_name(v, full)))
      return v;
  }
  return NULL;
}

xb_likeness xb_variant_likeness(const xb_variant *v, const char *api, const char **why)
{
  *why = NULL;
  for (int i = 0; i < XB_MAX_COUNTERPARTS && v->counterparts[i].api; i++)
    if (!strcmp(v->counterparts[i].api, api) || !strcmp(v->counterparts[i].api, "*")) {
      *why = v->counterparts[i].why;
      return v->counterparts[i].likeness;
    }
  return XB_ALIKE;
}
