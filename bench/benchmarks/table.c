#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table's lists are words apart: "float32 int32", "64 128". */
typedef struct xb_row {
  const xb_benchmark *benchmark;
  const char *dtypes, *blocks;
  uint32_t default_block;
  const char *title;
} xb_row;

static const xb_row rows[] = {
#define XB_BENCHMARK(name, dtypes, blocks, default_block, title) {&xb_##name, #dtypes, #blocks, default_block, title},
#define XB_VARIANT(...)
#include "variants.def"
#undef XB_BENCHMARK
#undef XB_VARIANT
};

static const xb_variant variants[] = {
#define XB_BENCHMARK(...)
#define XB_VARIANT(benchmark_, number_, name_, source_, ...)                                                           \
  {.benchmark = #benchmark_, .number = number_, .name = #name_, .source = source_, .title = __VA_ARGS__},
#include "variants.def"
#undef XB_BENCHMARK
#undef XB_VARIANT
};

enum { ROWS = sizeof rows / sizeof rows[0], VARIANTS = sizeof variants / sizeof variants[0] };

static void parse(const xb_row *row, xb_entry *entry)
{
  *entry = (xb_entry){.benchmark = row->benchmark, .title = row->title, .default_block = row->default_block};
  for (int d = 0; d < XB_DTYPES; d++)
    if (strstr(row->dtypes, xb_dtype_name((xb_dtype)d)))
      entry->dtypes |= 1u << d;
  size_t count = 0;
  char *end = NULL;
  for (const char *p = row->blocks; *p && count + 1 < XB_MAX_BLOCKS; p = end) {
    entry->blocks[count++] = (uint32_t)strtoul(p, &end, 10);
    while (*end == ' ')
      end++;
  }
}

static const xb_entry *entries(void)
{
  static xb_entry parsed[ROWS];
  if (!parsed[0].benchmark)
    for (size_t i = ROWS; i-- > 0;)
      parse(&rows[i], &parsed[i]);
  return parsed;
}

size_t xb_entry_count(void)
{
  return ROWS;
}

const xb_entry *xb_entry_at(size_t i)
{
  return i < ROWS ? &entries()[i] : NULL;
}

const xb_entry *xb_entry_find(const char *benchmark)
{
  for (size_t i = 0; i < ROWS; i++)
    if (!strcmp(rows[i].benchmark->name, benchmark))
      return xb_entry_at(i);
  return NULL;
}

uint32_t xb_default_block(const xb_variant *v, const xb_device_info *device, uint64_t n)
{
  uint32_t block = xb_entry_find(v->benchmark)->default_block;
  for (int i = 0; i < XB_BLOCK_STEPS && v->blocks[i].block; i++)
    if (n >= v->blocks[i].n && v->blocks[i].block <= device->max_group_threads &&
        device->threads_per_multiprocessor % v->blocks[i].block == 0) /* 0: not known */
      block = v->blocks[i].block;
  return block;
}

bool xb_entry_has_block(const xb_entry *entry, uint32_t block)
{
  for (size_t i = 0; entry->blocks[i]; i++)
    if (entry->blocks[i] == block)
      return true;
  return false;
}

size_t xb_variant_count(void)
{
  return VARIANTS;
}

const xb_variant *xb_variant_at(size_t i)
{
  return i < VARIANTS ? &variants[i] : NULL;
}

const xb_variant *xb_variant_find(const char *benchmark, const char *name)
{
  for (size_t i = 0; i < VARIANTS; i++) {
    const xb_variant *v = &variants[i];
    char number[16], full[64];
    snprintf(number, sizeof number, "%u", v->number);
    snprintf(full, sizeof full, "%u_%s", v->number, v->name);
    if (!strcmp(v->benchmark, benchmark) && (!strcmp(name, number) || !strcmp(name, v->name) || !strcmp(name, full)))
      return v;
  }
  return NULL;
}

const xb_variant *xb_variant_of_kernel(const xb_variant *v)
{
  const bool same = v->source == SAME_KERNEL;
  while (same && v->source != KERNEL)
    v--;
  return v;
}
