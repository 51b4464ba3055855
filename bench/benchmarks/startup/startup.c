/* What a program waits for before its first result: the device, the compilers, the driver's own compiler. Every kernel
 * that is made is run, and each of its words is checked. */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "benchmarks/startup/compile.h"
#include "core/clock.h"

typedef struct parameters {
  enum { FIRST_OPEN, OPEN, LIST, SOURCE, TEXT, RESULT } what;
  bool fresh;          /* a number that no compiler has seen */
  xb_startup_way way;  /* of the compiler */
  xb_binary_form form; /* the kernel is made again, from what the driver made of it */
} parameters;

#define PROGRAM                                                                                                        \
  .may_refuse = true, .counterparts = {{"vulkan", XB_APPROXIMATE,                                                      \
                                        "glslc is a program, so its start and two files count; NVRTC is a library"}}

#define OF_THE_DRIVER                                                                                                  \
  .may_refuse = true, ONLY("vulkan", "CUDA's driver has its own cache (rows 5 and 6); launch/5 loads machine code")
#define MACHINE .may_refuse = true, ONLY("cuda", "only a Vulkan driver makes machine code: compilers stop at SPIR-V")
#define IN_PROCESS .may_refuse = true, ONLY("vulkan", "NVRTC is a library: rows 4 and 7")

enum { MOST_DEVICES = 16, SEEN_NUMBER = 77 };

static xb_code open_another(const xb_call *call, double *ns, xb_error *err)
{
  const xb_device_desc desc = xb_device_like(call->device);
  xb_device *other;
  const double begin = xb_clock_ns();
  const xb_code code = xb_device_open(&desc, &other, err);
  *ns = xb_clock_ns() - begin;
  return code ? code : xb_device_close(other, err);
}

static xb_code list_all(const xb_call *call, double *ns, xb_error *err)
{
  xb_device_info infos[MOST_DEVICES];
  uint32_t count;
  const double begin = xb_clock_ns();
  const xb_code code =
      xb_enumerate(xb_backend_find(xb_device_get_info(call->device)->backend), infos, MOST_DEVICES, &count, err);
  *ns = xb_clock_ns() - begin;
  return code;
}

static xb_code run(const xb_call *call, xb_kernel *kernel, xb_buffer *output, xb_error *err)
{
  xb_commands *list;
  xb_code code = xb_commands_create(call->device, &(xb_commands_desc){.label = "startup"}, &list, err);
  if (code)
    return code;
  const xb_binding binding = {.buffer = output, .access = XB_WRITE};
  xb_cmd_dispatch(list,
                  &(xb_dispatch){.kernel = kernel, .bindings = &binding, .binding_count = 1, .groups = {1, 1, 1}});
  code = xb_run_list(call->device, list, err);
  xb_commands_destroy(list);
  return code;
}

static xb_code check(const xb_buffer *output, uint32_t number, xb_error *err)
{
  const uint32_t *words = xb_buffer_host(output);
  for (uint64_t i = 0; i < xb_buffer_bytes(output) / sizeof *words; i++)
    if (words[i] != (uint32_t)i * number + 7u)
      return xb_fail(err, XB_INTERNAL, "startup", "element %" PRIu64 " is %" PRIu32 ", expected %" PRIu32, i, words[i],
                     (uint32_t)i * number + 7u);
  return XB_OK;
}

/* In `form`: the kernel is made once, and again from the driver's own data. */
static xb_code create(const xb_call *call, const xb_kernel_desc *given, xb_kernel **kernel, xb_error *err)
{
  xb_kernel_desc desc = *given;
  xb_kernel *first = NULL;
  desc.binary_form = of(call->c)->form;
  if (!desc.binary_form)
    return xb_kernel_create(call->device, &desc, kernel, err);
  xb_code code = xb_kernel_create(call->device, &desc, &first, err);
  code = code ? code : xb_kernel_binary(first, &desc.binary, &desc.binary_bytes, err);
  if (!code && !desc.binary_bytes)
    code = xb_fail(err, XB_UNSUPPORTED, "startup", "the driver returned no data for the kernel");
  code = code ? code : xb_kernel_create(call->device, &desc, kernel, err);
  xb_kernel_destroy(first);
  return code;
}

/* The kernel writes pinned memory, which the host reads. */
static xb_code compile_and_run(const xb_call *call, xb_arena *arena, xb_buffer *output, double *ns, xb_error *err)
{
  const uint32_t number = of(call->c)->fresh || of(call->c)->what == SOURCE ? xb_new_number() : SEEN_NUMBER;
  xb_kernel_desc desc;
  xb_kernel *kernel = NULL;
  double compiler_ns;
  const double begin = xb_clock_ns();
  xb_code code =
      xb_startup_compile(xb_device_get_info(call->device), number, of(call->c)->way, arena, &desc, &compiler_ns, err);
  code = code ? code : create(call, &desc, &kernel, err);
  if (code)
    return code;
  code = run(call, kernel, output, err);
  *ns = of(call->c)->what == RESULT ? xb_clock_ns() - begin
        : of(call->c)->what == TEXT ? xb_kernel_get_info(kernel)->create_ns
                                    : compiler_ns;
  xb_kernel_destroy(kernel);
  return code ? code : check(output, number, err);
}

static xb_code with_kernel(const xb_call *call, double *ns, xb_error *err)
{
  const xb_buffer_desc desc = {.label = "output", .mem = XB_MEM_READBACK, .bytes = XB_STARTUP_BLOCK * sizeof(uint32_t)};
  xb_arena arena = {0};
  xb_buffer *output;
  xb_code code = xb_buffer_create(call->device, &desc, &output, err);
  if (code)
    return code;
  code = compile_and_run(call, &arena, output, ns, err);
  xb_buffer_destroy(output);
  xb_arena_free(&arena);
  return code;
}

static xb_code act(const xb_call *call, double *ns, xb_error *err)
{
  const int what = of(call->c)->what;
  *ns = xb_device_get_info(call->device)->open_ns;
  return what == FIRST_OPEN ? XB_OK
         : what == OPEN     ? open_another(call, ns, err)
         : what == LIST     ? list_all(call, ns, err)
                            : with_kernel(call, ns, err);
}

/* [plan] One call. */
static xb_code startup_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  if (c->n > 1)
    return xb_fail(err, XB_UNSUPPORTED, "startup", "it has no other size than -n 1");
  plan->windows = 1;
  xb_plan_step(plan, XB_STEP_CALL)->timed = act;
  return XB_OK;
}

static bool has_kernel(const xb_case *c)
{
  const int what = of(c)->what;
  return what != FIRST_OPEN && what != OPEN && what != LIST;
}

XB_METHODS(.plan = startup_plan, .checks_itself = has_kernel)

#define XB_SELF xb_startup
#define XB_TABLE "benchmarks/startup/variants.def"
#include "benchmarks/rows.h"
