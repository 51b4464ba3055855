/* Kernel creation: the code must match the description. Damaged code is refused, and the device still works. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static xb_code try_kernel(const xb_kernel_desc *desc, xb_error *err)
{
  xb_kernel *kernel = (xb_kernel *)err;
  const xb_code code = xb_kernel_create(suite_device, desc, &kernel, err);
  if (code)
    assert_null(kernel);
  else
    keep_kernel(kernel);
  return code;
}

static bool access_known(void)
{
  return xb_kernel_get_info(kernel_of("index"))->access_known;
}

CASE(entry_point)
{
  xb_error err;
  xb_kernel_desc desc = desc_of("step");
  desc.entry = "mian";
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "mian");
}

CASE(group_size)
{
  xb_error err;
  xb_kernel_desc desc = desc_of("step");
  if (suite_info->emulates && !suite_wave) {
    print_message("the host's compiler does not keep __launch_bounds__\n");
    skip();
  }
  desc.group_size[0] = 128;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "128");
  if (!access_known())
    return; /* CUDA code declares only the largest size */
  desc.group_size[0] = 32;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "32");
  desc.group_size[0] = 1;
  desc.group_size[1] = 64;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "64");
}

CASE(bindings)
{
  xb_error err;
  xb_kernel_desc desc = desc_of("step");
  desc.binding_count = 1;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "step");
  desc.binding_count = 0;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "step");
  desc.binding_count = 3;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "step");
}

CASE(arguments)
{
  xb_error err;
  xb_kernel_desc desc = desc_of("step");
  const uint32_t right = desc.arg_bytes, wrong[] = {right - 4, right + 4, 0, 128};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    desc.arg_bytes = wrong[i];
    REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "step");
  }
  desc = desc_of("shared"); /* it has none */
  desc.arg_bytes = 4;
  REFUSED(try_kernel(&desc, &err), &err, XB_INVALID, "shared");
}

/* A description must name the bindings that the compiler dropped. Where the compiler drops nothing, both forms are
 * valid. */
CASE(what_is_not_used)
{
  xb_error err;
  const xb_kernel_desc right = desc_of("unused");
  CHECK(try_kernel(&right, &err), &err);
  const bool known = access_known();
  xb_kernel_desc desc = right;
  desc.unused_bindings = 0;
  xb_code code = try_kernel(&desc, &err);
  if (known || code)
    REFUSED(code, &err, XB_INVALID, "binding 1");
  desc = right;
  desc.args_unused = false;
  code = try_kernel(&desc, &err);
  if (known || code)
    REFUSED(code, &err, XB_INVALID, "unused");
}

CASE(access)
{
  if (!access_known())
    skip();
  xb_buffer *a = buffer_of(XB_MEM_DEVICE, 256), *b = buffer_of(XB_MEM_DEVICE, 256);
  xb_kernel *step = kernel_of("step");
  assert_int_equal(xb_kernel_get_info(step)->read_only_bindings, 1);
  const struct step_args args = {.count = 64};
  xb_error err;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, step, "step", (xb_binding[]){bound(a, XB_READ_WRITE), bound(b, XB_WRITE)}, &args, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "binding 0");
  c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, step, "step", (xb_binding[]){bound(a, XB_READ), bound(b, XB_READ)}, &args, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "binding 1");
}

static void damaged(const void *code, size_t bytes, const char *how)
{
  xb_error err = {0};
  xb_kernel_desc desc = desc_of("last");
  desc.code = code;
  desc.code_bytes = bytes;
  const xb_code got = try_kernel(&desc, &err);
  if (got != XB_INVALID && got != XB_UNSUPPORTED)
    fail_msg("%s, %d bytes: %s %s", how, (int)bytes, xb_code_name(got), err.message);
}

CASE(damaged_code)
{
  const xb_kernel_desc right = desc_of("last");
  /* Never a multiple of 8, as complete fat binaries are. */
  for (size_t bytes = 4; bytes < right.code_bytes; bytes += 64) {
    unsigned char *cut = malloc(bytes + 1); /* on the heap, so that a sanitizer sees a read past its end */
    memcpy(cut, right.code, bytes);
    damaged(cut, bytes, "cut off");
    free(cut);
  }
  unsigned char *copy = malloc(right.code_bytes);
  memcpy(copy, right.code, right.code_bytes);
  damaged(copy, 0, "nothing");
  damaged(copy, right.code_bytes - 1, "one byte short");
  damaged(copy, right.code_bytes - 4, "one word short");
  damaged(copy + 4, right.code_bytes - 4, "without its first word");
  memset(copy, 0, right.code_bytes);
  damaged(copy, right.code_bytes, "zeros");
  srand(1);
  /* With a valid beginning, CUDA code goes to the driver, which damaged machine code can crash. */
  const int rounds = strcmp(suite_info->backend, "cuda") != 0 ? 50 : 25;
  for (int round = 0; round < rounds; round++) {
    memcpy(copy, right.code, right.code_bytes);
    for (size_t i = round < 25 ? 0 : 32; i < right.code_bytes; i++) /* half of them with a valid beginning */
      copy[i] = (unsigned char)(rand() >> 7);
    damaged(copy, right.code_bytes, "random");
  }
  free(copy);
  assert_int_equal(xb_device_status(suite_device), XB_OK);
  kernel_of("last"); /* the device still works */
}

static void subgroup_size_is(uint32_t asked)
{
  uint32_t got[256];
  xb_kernel_desc desc = desc_of("subgroup");
  desc.subgroup_size = asked;
  xb_error err;
  xb_kernel *kernel;
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  keep_kernel(kernel);
  const uint32_t expected = asked ? asked : suite_info->subgroup_size;
  assert_int_equal(xb_kernel_get_info(kernel)->subgroup_size, expected);
  output_of(kernel, "subgroup", NULL, 4, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], expected);
}

CASE(subgroup_sizes)
{
  subgroup_size_is(0);
  for (uint32_t size = suite_info->subgroup_min; size <= suite_info->subgroup_max && size <= 64; size *= 2)
    subgroup_size_is(size);
  xb_error err;
  xb_kernel_desc desc = desc_of("subgroup");
  desc.subgroup_size = suite_info->subgroup_max * 2;
  REFUSED(try_kernel(&desc, &err), &err, XB_UNSUPPORTED, "subgroups of");
}

/* Labels are cut, wherever a backend passes them on to. */
CASE(long_labels)
{
  static const size_t lengths[] = {63, 64, 248, 249, 250, 4000};
  static char label[4001];
  for (size_t i = 0; i < COUNT(lengths); i++) {
    memset(label, 'x', lengths[i]);
    label[lengths[i]] = 0;
    xb_error err;
    xb_buffer *buffer;
    xb_commands *c;
    xb_kernel_desc desc = desc_of("last");
    desc.label = label;
    CHECK(try_kernel(&desc, &err), &err);
    CHECK(xb_buffer_create(suite_device, &(xb_buffer_desc){.label = label, .bytes = 64}, &buffer, &err), &err);
    keep_buffer(buffer);
    CHECK(xb_commands_create(suite_device, &(xb_commands_desc){.label = label}, &c, &err), &err);
    xb_commands_destroy(c);
  }
}

TEST_SOURCE(SUITE);
