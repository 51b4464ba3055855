/* What the driver gets as parameters, byte for byte: in each launch mode, for kernels whose parameters are in an order
 * of their own. */
#include "support.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patience.h"
#include "signatures/signatures.h"

enum { MOST = 12, OFFSET = 256 };

static fake_control *fake;
static xb_device *device;

static void check(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s: %s", xb_code_name(code), err->message);
}

static void open_device(xb_launch_mode mode)
{
  xb_error err;
  check(xb_device_open(&(xb_device_desc){.backend = &xb_backend_cuda, .launch_mode = mode}, &device, &err), &err);
  fake = find_fake();
}

static void close_device(void)
{
  xb_error err;
  check(xb_device_close(device, &err), &err);
  if (fake->broken)
    fail_msg("%s", fake->broken);
}

static xb_code make(const xb_kernel_desc *described, const char *layout, xb_kernel **kernel, xb_error *err)
{
  xb_kernel_desc desc = *described;
  void *code = make_fatbin(FATBIN_ELF, 90, "good", &desc.code_bytes);
  desc.code = code;
  desc.entry = layout;
  const xb_code result = xb_kernel_create(device, &desc, kernel, err);
  free(code);
  return result;
}

/* The bytes that the kernel's own layout asks for: its pointers in order, its values in the order of the arguments. */
static size_t expected(const signature *s, xb_buffer *const *buffers, unsigned char *to)
{
  size_t at = 0;
  for (uint32_t i = 0; i < s->parameter_count; i++) {
    const xb_parameter p = s->parameters[i];
    const uint64_t address = p.bytes ? 0 : xb_buffer_native(buffers[p.binding]) + OFFSET * (p.binding % 2);
    const size_t bytes = p.bytes ? p.bytes : sizeof address;
    memcpy(to + at, p.bytes ? (const char *)s->args + p.offset : (const char *)&address, bytes);
    at += bytes;
  }
  return at;
}

static void arrives(const signature *s)
{
  unsigned char args[XB_MAX_ARG_BYTES], wanted[512];
  xb_buffer *buffers[MOST];
  xb_binding bindings[MOST];
  xb_kernel *kernel;
  xb_commands *c;
  xb_point done;
  xb_error err;
  xb_kernel_desc desc = signature_desc(s);
  xb_parameter parameters[XB_MAX_PARAMETERS];
  memcpy(parameters, s->parameters, s->parameter_count * sizeof *parameters);
  desc.parameters = parameters;
  check(make(&desc, s->layout, &kernel, &err), &err);
  memset(parameters, 0xee, sizeof parameters); /* the kernel has its own copy */
  for (uint32_t i = 0; i < s->binding_count; i++) {
    check(xb_buffer_create(device, &(xb_buffer_desc){.bytes = SIGNATURE_BYTES}, &buffers[i], &err), &err);
    bindings[i] = (xb_binding){.buffer = buffers[i], .offset = OFFSET * (i % 2), .access = XB_READ_WRITE};
  }
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  memcpy(args, s->args, s->arg_bytes);
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = kernel,
                                    .bindings = bindings,
                                    .binding_count = s->binding_count,
                                    .args = args,
                                    .arg_bytes = s->arg_bytes,
                                    .groups = {SIGNATURE_GROUPS, 1, 1}});
  memset(args, 0xee, sizeof args); /* the dispatch has copied them */
  check(xb_submit(device, &(xb_submission){.commands = c}, &done, &err), &err);
  check(xb_wait(device, done, patience_ns(), &err), &err);
  assert_int_equal(fake->parameter_bytes, expected(s, buffers, wanted));
  assert_memory_equal(fake->parameters, wanted, fake->parameter_bytes);
  xb_commands_destroy(c);
  xb_kernel_destroy(kernel);
  for (uint32_t i = 0; i < s->binding_count; i++)
    xb_buffer_destroy(buffers[i]);
}

TEST(all_arrive)
{
  const xb_launch_mode modes[] = {XB_LAUNCH_GRAPH, XB_LAUNCH_STREAM, XB_LAUNCH_HELD_STREAM};
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
    open_device(modes[m]);
    for (size_t i = 0; i < signature_count; i++)
      arrives(&signatures[i]);
    close_device();
  }
}

/* One signature against its bytes as the compiler lays them out, so that the list itself is right. */
TEST(saxpy_as_compiled)
{
  open_device(XB_LAUNCH_GRAPH);
  arrives(&signatures[0]);
  const struct {
    int n;
    float a;
  } values = {SIGNATURE_ITEMS, 3};
  assert_string_equal(signatures[0].name, "saxpy");
  assert_int_equal(fake->parameter_bytes, 24);
  assert_memory_equal(fake->parameters, &values, sizeof values);
  close_device();
}

TEST(mismatches)
{
  static const struct {
    const char *layout, *text;
  } rows[] = {
      {"4,4,p", "saxpy: the code has 3 parameters, the description has 4"},
      {"4,4,p,p,4", "saxpy: the code has more than 4 parameters, the description has 4"},
      {"8,4,p,p", "saxpy: parameter 0 has 8 bytes in the code, 4 in the description (a value)"},
      {"4,4,4,p", "saxpy: parameter 2 has 4 bytes in the code, 8 in the description (an address)"},
  };
  const xb_kernel_desc saxpy = signature_desc(&signatures[0]);
  open_device(XB_LAUNCH_GRAPH);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    xb_kernel *kernel;
    xb_error err;
    assert_int_equal(make(&saxpy, rows[i].layout, &kernel, &err), XB_INVALID);
    assert_string_equal(err.message, rows[i].text);
  }
  close_device();
}

/* What CUDA lacks is refused by name. A uniform buffer is a pointer like any other, with limits. */
TEST(what_cuda_lacks)
{
  xb_kernel_desc desc = signature_desc(&signatures[0]);
  xb_kernel *kernel;
  xb_buffer *buffer;
  xb_commands *c;
  xb_error err;
  open_device(XB_LAUNCH_GRAPH);
  assert_int_equal(xb_device_get_info(device)->features & (XB_FEATURE_SPECIALIZATION | XB_FEATURE_INDIRECT), 0);
  assert_int_equal(xb_device_get_info(device)->features,
                   (XB_FEATURE_SPECIALIZATION - 1) | XB_FEATURE_MATRICES | XB_FEATURE_INT8_DOT |
                       XB_FEATURE_BFLOAT16_MATRICES | XB_FEATURE_CONSTANTS | XB_FEATURE_DYNAMIC_SHARED |
                       XB_FEATURE_CACHE_SHARE | XB_FEATURE_TILES | XB_FEATURE_WARPGROUP_MATRICES |
                       XB_FEATURE_INT8_MATRICES | XB_FEATURE_FLOAT8_MATRICES | XB_FEATURE_EARLY_START);
  desc.specializations = &(xb_specialization){.id = 1, .value = 2};
  desc.specialization_count = 1;
  assert_int_equal(make(&desc, "4,4,p,p", &kernel, &err), XB_UNSUPPORTED);
  assert_string_equal(err.message, "saxpy: cuda has no specialization constants: compile the code once for each value, "
                                   "as a macro, or with an entry point for each value");
  desc.specialization_count = 0;
  check(make(&desc, "4,4,p,p", &kernel, &err), &err);
  check(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 1 << 17}, &buffer, &err), &err);
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_UNIFORM, .buffer = buffer, .size = 1 << 16, .access = XB_READ},
      {.buffer = buffer, .offset = 1 << 16, .access = XB_WRITE},
  };
  xb_dispatch d = {.kernel = kernel,
                   .bindings = bindings,
                   .binding_count = 2,
                   .args = signatures[0].args,
                   .arg_bytes = signatures[0].arg_bytes,
                   .groups = {1, 1, 1}};
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  xb_cmd_dispatch(c, &d);
  check(xb_commands_finish(c, &err), &err);
  xb_commands_destroy(c);
  check(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  xb_cmd_dispatch_indirect(c, &d, buffer, 0);
  assert_int_equal(xb_commands_finish(c, &err), XB_UNSUPPORTED);
  assert_string_equal(err.message, "saxpy: cuda has no indirect dispatch: read the counts back and dispatch as many "
                                   "groups, or dispatch the maximum and let the kernel read the counts");
  xb_commands_destroy(c);
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(buffer);
  close_device();
}

/* What limits the groups of a multiprocessor: the numbers of tests/cuda/fake. */
TEST(multiprocessor)
{
  open_device(XB_LAUNCH_GRAPH);
  const xb_device_info *info = xb_device_get_info(device);
  assert_int_equal(info->groups_per_multiprocessor, 32);
  assert_int_equal(info->registers_per_multiprocessor, 65536);
  assert_int_equal(info->shared_per_multiprocessor, 233472);
  assert_int_equal(info->shared_per_group, 1024);
  close_device();
}
