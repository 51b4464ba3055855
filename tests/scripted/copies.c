#include "scripted/copies.h"

#include "copying.h"
#include "patience.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

host_fn copies_kernel = copies_run;
int copies_checks;

void copies_run(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                const void *args)
{
  (void)group, (void)groups, (void)sizes, (void)args;
  memcpy(bindings[1], bindings[0], COPIES_N * sizeof(uint32_t));
}

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  (void)err;
  const xb_code code = copying_plan(c, made, NULL, 1, XB_READ, NULL, 0);
  if (c->variant->number == COPIES_AGAIN)
    made->bytes = (8 + 1) * c->n * 4;
  return code;
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  (void)err;
  host_code code = {.run = copies_kernel,
                    .group_size = {c->block, 1, 1},
                    .used_bindings = 3,
                    .read_only_bindings = 1,
                    .arg_bytes = kernel->arg_bytes};
  snprintf(code.entry, sizeof code.entry, "%u", c->variant->number);
  host_describe(code, desc);
  return XB_OK;
}

static bool check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  copies_checks++;
  return copying_check(c, chunk, why);
}

static const xb_methods methods = {.plan = plan, .check = check, .find_code = find_code};
#define COPY(n) .benchmark = &copies, .number = n, .name = "copy", .title = "copy", .source = KERNEL
static const xb_variant variants[COPIES_VARIANTS] = {
    {COPY(1)}, {COPY(2)}, {COPY(3)}, {COPY(COPIES_BY_HOST), .clock = XB_CLOCK_SUBMIT}, {COPY(COPIES_AGAIN)}};
const xb_benchmark copies = {.name = "copies",
                             .title = "copies",
                             .dtypes = "int32",
                             .variants = variants,
                             .variant_count = COPIES_VARIANTS,
                             .methods = &methods};

static void must(xb_code code, const xb_error *error)
{
  if (!code)
    return;
  fprintf(stderr, "%s\n", error->message);
  abort();
}

xb_workload copies_workload(const xb_backend *backend)
{
  xb_workload w = {.of = &copies, .dtype = XB_INT32, .n = COPIES_N, .seed = 1, .wait_limit_ns = patience_ns()};
  xb_error error;
  must(xb_device_open(&(xb_device_desc){.backend = backend}, &w.device, &error), &error);
  const xb_cell cell = copies_cell(&w, 1);
  must(xb_workload_need(&w, &cell.c, &error), &error);
  must(xb_workload_create(&w, &error), &error);
  return w;
}

void copies_close(xb_workload *w)
{
  xb_error error;
  xb_workload_destroy(w);
  must(xb_device_close(w->device, &error), &error);
}

xb_cell copies_cell(const xb_workload *w, uint32_t variant)
{
  return (xb_cell){.c = {.variant = &variants[variant - 1],
                         .dtype = w->dtype,
                         .n = w->n,
                         .rows = 1,
                         .columns = w->n,
                         .block = 4,
                         .seed = w->seed,
                         .window_bytes = UINT64_MAX,
                         .device = xb_device_get_info(w->device)},
                   .workload = w};
}
