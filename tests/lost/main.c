/* lost: xbench with a benchmark whose kernels do not end well from 2048 elements on: one waits for seconds, one (CUDA)
 * writes to address 0. Shorter inputs are copied. */
#include "base/exit_codes.h"
#include "benchmarks/registry.h"
#include "blob.h"
#include "commands/subcommands.h"
#include "copying.h"
#include "lost_args.h"

#include <stdio.h>
#include <string.h>

enum { WORKS, ENDLESS, FAULTS };
enum { FAILS_FROM = 2048, CPU_TURNS = 1 << 29, GPU_TURNS = 1 << 24 }; /* several seconds */

extern const xb_blob lost_blobs[];

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  const uint32_t kind = c->variant->number - 1, turns = c->device->type == XB_DEVICE_CPU ? CPU_TURNS : GPU_TURNS;
  const bool fails = c->n >= FAILS_FROM;
  const struct lost_args args = {
      .count = (uint32_t)c->n, .turns = fails && kind == ENDLESS ? turns : 0, .faults = fails && kind == FAULTS};
  (void)err;
  return copying_plan(c, made, "move", (c->n + 63) / 64, XB_ATOMIC, &args, sizeof args);
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

static const xb_methods methods = {.plan = plan, .check = copying_check, .find_code = find_code};
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
  static xb_invocation in;
  xb_error error;
  if (xb_benchmark_add(&lost, &error))
    return xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  const int code = xb_parse_command(&in, argc, (const char **)argv);
  return xb_finish_stdout(code < 0 ? xb_run_command(&in) : code);
}
