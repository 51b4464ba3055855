/* pipelines BACKEND [BENCHMARK]: makes the kernels of every row, with each element type, group size and value of its
 * axes, and runs none: so it also works on a driver without a GPU, such as RADV with RADV_FORCE_FAMILY. A kernel that
 * reads other lanes by number, or the number of lanes, has to ask for full waves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "size_case.h"

xb_device *device;

typedef struct counts {
  size_t kernels, asking, smaller, refused, failed;
} counts;

/* Of SPIR-V: exchanges by number, matrices, and the builtins that count lanes or waves. */
static bool numbers_lanes(const uint32_t *words, size_t count)
{
  enum {
    HEADER = 5,
    DECORATE = 71,
    SHUFFLE = 345,
    SHUFFLE_DOWN = 348,
    ROTATE = 4431,
    CAPABILITY = 17,
    MATRICES = 6022
  };
  enum { BUILTIN = 11, SUBGROUP_SIZE = 36, NUM_SUBGROUPS = 38, SUBGROUP_ID = 40 };
  for (size_t i = HEADER; i < count && words[i] >> 16; i += words[i] >> 16) {
    const uint32_t op = words[i] & 0xffff;
    if ((op >= SHUFFLE && op <= SHUFFLE_DOWN) || op == ROTATE || (op == CAPABILITY && words[i + 1] == MATRICES))
      return true;
    if (op == DECORATE && words[i + 2] == BUILTIN &&
        (words[i + 3] == SUBGROUP_SIZE || words[i + 3] == NUM_SUBGROUPS || words[i + 3] == SUBGROUP_ID))
      return true;
  }
  return false;
}

static bool check_waves(const xb_cell *cell, counts *all)
{
  const xb_case *c = &cell->c;
  for (uint32_t k = 0; k < cell->plan.kernel_count; k++) {
    xb_kernel_desc desc = {0};
    xb_error error;
    if (xb_find_code(c, &cell->plan.kernels[k], &desc, &error))
      continue;
    all->kernels++;
    all->asking += desc.subgroup_size != 0;
    all->smaller += desc.subgroup_size && desc.subgroup_size < c->device->subgroup_size;
    const char *const name = cell->plan.kernels[k].name ? cell->plan.kernels[k].name : "the kernel";
    const uint32_t runs = xb_kernel_get_info(cell->buffers.kernels[k])->subgroup_size;
    const bool numbers =
        !strcmp(c->device->code, "spv") && numbers_lanes(desc.code, desc.code_bytes / sizeof(uint32_t));
    if (desc.subgroup_size ? runs == desc.subgroup_size : !numbers)
      continue;
    printf("%s/%u_%s: %s %s\n", c->variant->benchmark->name, c->variant->number, c->variant->name, name,
           desc.subgroup_size ? "runs in other waves than it asks for"
                              : "reads lanes by number, and its row does not ask for full waves");
    return false;
  }
  return true;
}

static void make(const xb_variant *v, const xb_workload *w, const size_case *s, uint32_t block, counts *all)
{
  const xb_device_info *info = xb_device_get_info(device);
  xb_cell cell;
  set_cell(&cell, v, w, s, block, info);
  if (xb_plan_make(&cell.c, &cell.plan, &cell.verdict.error)) {
    all->failed += cell.verdict.error.code != XB_UNSUPPORTED;
    return;
  }
  cell.buffers.kernels = calloc(cell.plan.kernel_count + 1u, sizeof *cell.buffers.kernels);
  const bool good = cell.buffers.kernels && xb_cell_create_kernels(&cell);
  if (!good && cell.verdict.outcome == XB_CELL_UNSUPPORTED)
    all->refused++;
  else if (!good || !check_waves(&cell, all))
    all->failed++;
  if (!good && (cell.verdict.outcome != XB_CELL_UNSUPPORTED || getenv("XB_SHOW_REFUSED")))
    printf("%s/%u_%s at %u, %s, groups of %u: %s\n", v->benchmark->name, v->number, v->name, s->at[0],
           xb_dtype_name(s->dtype), block, cell.verdict.error.message);
  xb_cell_destroy_kernels(&cell);
  free(cell.buffers.kernels);
  xb_plan_free(&cell.plan);
}

static void make_all(const xb_benchmark *b, counts *all)
{
  const xb_device_info *info = xb_device_get_info(device);
  for (int d = 0; d < XB_DTYPES; d++) {
    const xb_workload w = {.device = device, .of = b, .dtype = (xb_dtype)d, .seed = SEED};
    size_case s = {.n = 251 * 241, .rows = b->matrix ? 251 : 0, .columns = b->matrix ? 241 : 0, .dtype = (xb_dtype)d};
    s.inner = b->product ? 229 : 0;
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++) {
      uint32_t block;
      for (size_t k = 0; xb_has_kernel(v) && xb_has_dtype(b, (xb_dtype)d) && (block = xb_block_at(b, k)); k++)
        for (size_t i = 0; block <= info->max_group_threads && xb_takes_block(v, block) && set_axes(b, i, &s); i++)
          make(v, &w, &s, block, all);
    }
  }
}

int main(int argc, char **argv)
{
  const xb_backend *backend = argc >= 2 ? xb_backend_find(argv[1]) : NULL;
  const xb_benchmark *b;
  counts all = {0};
  xb_error error;
  if (!backend || argc > 3) {
    fprintf(stderr, "usage: pipelines BACKEND [BENCHMARK]\n");
    return 2;
  }
  const xb_device_desc desc = {.backend = backend_that_keeps_kernels(backend),
                               .compute_queues = XB_ALL_QUEUES,
                               .copy_queues = XB_ALL_QUEUES,
                               .compile_only = getenv("RADV_FORCE_FAMILY") != NULL};
  if (xb_device_open(&desc, &device, &error)) {
    printf("skipped: %s\n", error.message);
    return 77;
  }
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    if (argc < 3 || !strcmp(argv[2], b->name))
      make_all(b, &all);
  printf("%s: %zu kernels made, %zu ask for full waves, of them %zu for smaller ones than the device's %u; %zu cases "
         "refused, "
         "%zu failed\n",
         xb_device_get_info(device)->name, all.kernels, all.asking, all.smaller,
         xb_device_get_info(device)->subgroup_size, all.refused, all.failed);
  xb_benchmarks_close();
  xb_device_close(device, NULL);
  return all.failed || !all.kernels;
}
