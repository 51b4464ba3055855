/* lost: xbench with a benchmark whose kernels do not end well from 2048 elements on: one waits for seconds, one (CUDA)
 * writes to address 0. Shorter inputs are copied. */
#include "benchmarks/input.h"
#include "benchmarks/registry.h"
#include "blob.h"
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "lost_args.h"

#include <stdio.h>
#include <string.h>

enum { WORKS, ENDLESS, FAULTS };
enum { FAILS_FROM = 2048, CPU_TURNS = 1 << 29, GPU_TURNS = 1 << 24 }; /* several seconds */

extern const xb_blob lost_blobs[];

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  const uint32_t kind = c->variant->number - 1;
  const bool fails = c->n >= FAILS_FROM;
  const struct lost_args args = {
      .count = (uint32_t)c->n,
      .turns = fails && kind == ENDLESS ? c->device->type == XB_DEVICE_CPU ? CPU_TURNS : GPU_TURNS : 0,
      .faults = fails && kind == FAULTS};
  (void)err;
  made->windows = 1;
  made->bytes = 2 * c->n * 4;
  xb_plan_kernel_of(made, (xb_plan_kernel){"move", 2, sizeof args});
  const uint32_t in = xb_plan_slot(made, (xb_slot){.name = "input", .role = XB_ROLE_INPUT, .bytes = c->n * 4});
  const uint32_t out = xb_plan_slot(made, (xb_slot){.name = "output", .role = XB_ROLE_OUTPUT, .bytes = c->n * 4});
  xb_step *step = xb_plan_step(made, XB_STEP_DISPATCH);
  xb_fold_groups(c->device, (c->n + 63) / 64, step->groups);
  xb_step_bind(step, in, 0, c->n * 4, XB_ATOMIC);
  xb_step_bind(step, out, 0, c->n * 4, XB_WRITE);
  xb_step_args(step, &args, sizeof args);
  return XB_OK;
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  const xb_blob *blob = xb_blob_find_in(lost_blobs, c->device->backend);
  if (!blob)
    return xb_fail(err, XB_UNSUPPORTED, "lost", "there is no code for %s", c->device->backend);
  desc->code = blob->data;
  desc->code_bytes = blob->bytes;
  desc->entry = kernel->name;
  return XB_OK;
}

static void expect_words(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  xb_input(c->dtype, c->seed, first, count, expected);
}

static bool check(const xb_case *c, const xb_plan *made, const void *state, const xb_chunk *chunk,
                  char why[XB_WHY_BYTES])
{
  uint64_t element;
  (void)made, (void)state;
  return xb_words_match(chunk, expect_words, c, &element, why);
}

static const xb_methods methods = {.plan = plan, .check = check, .find_code = find_code};
static const xb_benchmark lost;
static const xb_variant variants[] = {
    {.benchmark = &lost, .number = WORKS + 1, .name = "works", .source = KERNEL, .title = "nothing is wrong"},
    {.benchmark = &lost, .number = ENDLESS + 1, .name = "endless", .source = KERNEL, .title = "waits for seconds"},
    {.benchmark = &lost,
     .number = FAULTS + 1,
     .name = "faults",
     .source = KERNEL,
     .title = "writes to address 0",
     .counterparts = {{"vulkan", XB_NONE, "a binding has bounds, and nothing is at address 0."}}},
};
static const xb_benchmark lost = {.name = "lost",
                                  .title = "kernels that do not end well",
                                  .dtypes = "int32",
                                  .blocks = "64",
                                  .default_block = 64,
                                  .default_n = 1024,
                                  .variants = variants,
                                  .variant_count = 3,
                                  .methods = &methods};

int main(int argc, char **argv)
{
  int (*run)(void);
  xb_error error;
  if (xb_benchmark_add(&lost, &error))
    return xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  const int code = xb_parse_command(argc, (const char **)argv, &run);
  return xb_finish_stdout(code < 0 ? run() : code);
}
