/* Buffers, kernels and command lists: each invalid description is refused. */
#include "support.h"

#include <stdio.h>
#include <string.h>

UNIT(buffers_refused)
{
  const unit *u = *state;
  xb_error err;
  xb_buffer *buffer;
  const xb_buffer_desc good = {.bytes = 4};
  REFUSED(xb_buffer_create(NULL, &good, &buffer, &err), &err, XB_INVALID,
          "the device, the description or the result pointer is NULL");
  REFUSED(xb_buffer_create(u->device, NULL, &buffer, &err), &err, XB_INVALID,
          "the description or the result pointer is NULL");
  REFUSED(xb_buffer_create(u->device, &good, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  static const struct {
    xb_buffer_desc desc;
    xb_code code;
    const char *text;
  } bad[] = {
      {{.mem = XB_MEM_KINDS, .bytes = 4}, XB_INVALID, "memory kind 7"},
      {{.bytes = 0}, XB_INVALID, "0 bytes"},
      {{.bytes = 6}, XB_INVALID, "6 bytes"},
      {{.bytes = HOST_MAX_BUFFER + 4}, XB_NOMEM, "50331652 bytes requested"},
      {{.bytes = UINT64_MAX - 3}, XB_NOMEM, "18446744073709551612 bytes requested"},
  };
  for (size_t i = 0; i < COUNT(bad); i++) {
    buffer = u->a;
    REFUSED(xb_buffer_create(u->device, &bad[i].desc, &buffer, &err), &err, bad[i].code, bad[i].text);
    assert_null(buffer);
  }
}

UNIT(device_memory_runs_out)
{
  const unit *u = *state;
  xb_error err;
  xb_buffer *big = unit_buffer(u->device, XB_MEM_DEVICE, HOST_MAX_BUFFER), *more;
  const xb_buffer_desc desc = {.bytes = 20 << 20};
  REFUSED(xb_buffer_create(u->device, &desc, &more, &err), &err, XB_NOMEM, "20971520 bytes asked");
  assert_int_equal(xb_device_status(u->device), XB_OK);
  xb_buffer_destroy(big);
  more = unit_buffer(u->device, XB_MEM_DEVICE, desc.bytes);
  xb_buffer_destroy(more);
}

UNIT(buffer_facts)
{
  const unit *u = *state;
  xb_buffer *up = unit_buffer(u->device, XB_MEM_UPLOAD, 12);
  assert_int_equal(xb_buffer_bytes(up), 12);
  assert_non_null(xb_buffer_host(up));
  assert_null(xb_buffer_host(u->a));
  assert_true(xb_buffer_native(u->a) != 0);
  xb_buffer_destroy(up);
}

UNIT(addressable_buffers)
{
  const unit *u = *state;
  xb_error err;
  xb_buffer *buffer;
  xb_buffer_desc desc = {.bytes = 256, .addressable = true, .mem = XB_MEM_SHARED};
  assert_int_equal(xb_buffer_create(u->device, &(xb_buffer_desc){.bytes = 256, .addressable = true}, &buffer, &err),
                   XB_OK);
  assert_true(xb_buffer_address(buffer) != 0);
  xb_buffer_destroy(buffer);
  assert_int_equal(xb_buffer_address(u->a), 0);
  desc.shared.fd = -1;
  assert_int_not_equal(xb_buffer_create(u->device, &desc, &buffer, &err), XB_OK);
}

UNIT(kernels_refused)
{
  const unit *u = *state;
  xb_error err;
  xb_kernel *kernel;
  const host_code code = unit_code(1, 0, 8);
  const xb_kernel_desc good = unit_kernel_desc(&code);
  REFUSED(xb_kernel_create(NULL, &good, &kernel, &err), &err, XB_INVALID,
          "the device, the description or the result pointer is NULL");
  REFUSED(xb_kernel_create(u->device, NULL, &kernel, &err), &err, XB_INVALID,
          "the description or the result pointer is NULL");
  REFUSED(xb_kernel_create(u->device, &good, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");

#define BAD(field, value, code_, text_)                                                                                \
  do {                                                                                                                 \
    xb_kernel_desc desc = good;                                                                                        \
    desc.field = value;                                                                                                \
    kernel = u->reader;                                                                                                \
    REFUSED(xb_kernel_create(u->device, &desc, &kernel, &err), &err, code_, text_);                                    \
    assert_null(kernel);                                                                                               \
  } while (0)
  const uint64_t calls = host_calls();
  BAD(code, NULL, XB_INVALID, "kernel: a kernel needs code");
  BAD(code_bytes, 0, XB_INVALID, "needs code");
  BAD(entry, NULL, XB_INVALID, "entry point");
  BAD(entry, "", XB_INVALID, "entry point");
  BAD(group_size[0], 0, XB_INVALID, "0 x 1 x 1");
  BAD(group_size[2], 0, XB_INVALID, "4 x 1 x 0");
  BAD(group_size[2], 65, XB_UNSUPPORTED, "65 threads in dimension 2");
  BAD(group_size[1], 65, XB_UNSUPPORTED, "260 threads per group, this device allows 256");
  BAD(dynamic_shared_bytes, 16388, XB_UNSUPPORTED, "16388 bytes of shared memory, this device allows 16384");
  BAD(binding_count, 33, XB_INVALID, "33 bindings, at most 32");
  BAD(unused_bindings, 2, XB_INVALID, "beyond the 1");
  BAD(arg_bytes, 6, XB_INVALID, "6 bytes of arguments");
  BAD(arg_bytes, 260, XB_INVALID, "260 bytes of arguments");
  BAD(subgroup_size, 3, XB_UNSUPPORTED, "subgroups of 3");
  BAD(subgroup_size, 1, XB_UNSUPPORTED, "from 2 to 8");
  BAD(subgroup_size, 16, XB_UNSUPPORTED, "subgroups of 16");
  BAD(cache_percent, 101, XB_INVALID, "101 per cent of a multiprocessor's memory");
  BAD(cache_percent, 100, XB_UNSUPPORTED, "cannot set the size of a multiprocessor's cache");
  assert_int_equal(host_calls(), calls); /* the backend gets valid calls only */
  BAD(dynamic_shared_bytes, 4, XB_UNSUPPORTED, "shared");
  BAD(dynamic_shared_bytes, 16384, XB_UNSUPPORTED, "16384 bytes of dynamic shared memory"); /* not beyond the limit */
#undef BAD
}

UNIT(parameters_refused)
{
  const unit *u = *state;
  xb_parameter many[XB_MAX_PARAMETERS + 1] = {0};
  const struct {
    const xb_parameter *list;
    uint32_t count;
    const char *text;
  } bad[] = {
      {NULL, 1, "1 parameters given, but `parameters` is NULL, at most 64 are allowed"},
      {many, COUNT(many), "65 parameters, at most 64 are allowed"},
      {(xb_parameter[]){{.binding = 2}}, 1, "parameter 0 is binding 2, the description has 2 bindings"},
      {(xb_parameter[]){{.binding = 1}, {.offset = 4, .bytes = 8}}, 2,
       "parameter 1: offset 4, 8 bytes go past the 8 bytes of arguments"},
      {(xb_parameter[]){{.offset = 12, .bytes = UINT32_MAX}}, 1, "offset 12, 4294967295 bytes go past"},
      {(xb_parameter[]){{.binding = 1}, {.bytes = 8}}, 2,
       "no parameter is binding 0: add one, or mark the binding as unused"},
  };
  const host_code code = unit_code(2, 0, 8);
  xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel;
  xb_error err;
  for (size_t i = 0; i < COUNT(bad); i++) {
    desc.parameters = bad[i].list;
    desc.parameter_count = bad[i].count;
    REFUSED(xb_kernel_create(u->device, &desc, &kernel, &err), &err, XB_INVALID, bad[i].text);
  }
  const xb_parameter mixed[] = {
      {.offset = 1, .bytes = 1}, {.binding = 1}, {.bytes = 8}, {.binding = 0}, {.binding = 1}};
  desc.parameters = mixed;
  desc.parameter_count = COUNT(mixed);
  assert_int_equal(xb_kernel_create(u->device, &desc, &kernel, &err), XB_OK);
  xb_kernel_destroy(kernel);
}

/* The host backend has no specialization constants, so a valid list is refused as well. */
UNIT(specializations_refused)
{
  const unit *u = *state;
  xb_specialization many[XB_MAX_SPECIALIZATIONS + 1] = {{0}};
  const struct {
    const xb_specialization *list;
    uint32_t count;
    xb_code code;
    const char *text;
  } bad[] = {
      {NULL, 1, XB_INVALID, "1 specialization constants given, but `specializations` is NULL"},
      {many, COUNT(many), XB_INVALID, "65 specialization constants, at most 64 are allowed"},
      {(xb_specialization[]){{.id = 7}, {.id = 7}}, 2, XB_INVALID, "specialization constant 7 is given twice"},
      {(xb_specialization[]){{.id = 7, .bytes = 3}}, 1, XB_INVALID, "constant 7: 3 bytes, a type has 1, 2, 4 or 8"},
      {(xb_specialization[]){{.id = 7, .bytes = 16}}, 1, XB_INVALID, "constant 7: 16 bytes"},
      {(xb_specialization[]){{.id = 7}}, 1, XB_UNSUPPORTED,
       "kernel: host has no specialization constants: compile the code once for each value, as a macro"},
  };
  const host_code code = unit_code(2, 0, 8);
  xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel;
  xb_error err;
  for (size_t i = 0; i < COUNT(bad); i++) {
    desc.specializations = bad[i].list;
    desc.specialization_count = bad[i].count;
    REFUSED(xb_kernel_create(u->device, &desc, &kernel, &err), &err, bad[i].code, bad[i].text);
  }
}

UNIT(features)
{
  const unit *u = *state;
  const host_code code = unit_code(2, 0, 8);
  xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel;
  xb_error err;
  desc.features = XB_FEATURE_FLOAT64 | XB_FEATURE_INT8;
  assert_int_equal(xb_kernel_create(u->device, &desc, &kernel, &err), XB_OK);
  xb_kernel_destroy(kernel);
  desc.features |= XB_FEATURE_FLOAT64_ATOMIC_ADD | XB_FEATURE_FLOAT16;
  REFUSED(xb_kernel_create(u->device, &desc, &kernel, &err), &err, XB_UNSUPPORTED,
          "kernel: the kernel needs float16, which 'host device 0' lacks");
  desc.features = 1u << 31;
  REFUSED(xb_kernel_create(u->device, &desc, &kernel, &err), &err, XB_INVALID, "feature 0x80000000 does not exist");
  for (uint32_t bit = XB_FEATURE_FLOAT64; bit <= XB_FEATURE_INT8_DOT; bit <<= 1)
    assert_non_null(xb_feature_name(bit));
  assert_null(xb_feature_name(0));
  assert_null(xb_feature_name(XB_FEATURE_FLOAT64 | XB_FEATURE_INT8));
}

UNIT(most_bindings)
{
  const unit *u = *state;
  const host_code code = unit_code(XB_MAX_BINDINGS, 1, 0);
  xb_kernel_desc desc = unit_kernel_desc(&code);
  assert_int_equal(desc.binding_count, XB_MAX_BINDINGS);
  xb_kernel *kernel;
  assert_int_equal(xb_kernel_create(u->device, &desc, &kernel, NULL), XB_OK);
  xb_kernel_destroy(kernel);
}

UNIT_BARE(argument_bytes_of_the_device)
{
  xb_device *device = unit_open(1);
  const host_code code = unit_code(1, 0, 68);
  const xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel;
  xb_error err;
  REFUSED(xb_kernel_create(device, &desc, &kernel, &err), &err, XB_INVALID, "68 bytes of arguments");
  unit_close(device);
}

UNIT(kernel_facts)
{
  const unit *u = *state;
  assert_int_equal(xb_kernel_get_info(u->reader)->read_only_bindings, 1);
  assert_int_equal(xb_kernel_get_info(u->writer)->subgroup_size, 4);
}

UNIT(lists_refused)
{
  const unit *u = *state;
  xb_error err;
  xb_commands *c;
  const xb_commands_desc good = {.queue = XB_QUEUE_COMPUTE};
  REFUSED(xb_commands_create(NULL, &good, &c, &err), &err, XB_INVALID,
          "the device, the description or the result pointer is NULL");
  REFUSED(xb_commands_create(u->device, NULL, &c, &err), &err, XB_INVALID,
          "the description or the result pointer is NULL");
  REFUSED(xb_commands_create(u->device, &good, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  const xb_commands_desc no_queue = {.queue = XB_MAX_QUEUES};
  c = u->c;
  REFUSED(xb_commands_create(u->device, &no_queue, &c, &err), &err, XB_INVALID, "queue 16");
  assert_null(c);

  xb_device *bare = unit_open(1);
  const xb_commands_desc copy = {.queue = XB_QUEUE_COPY}, stamps = {.timestamp_count = 1};
  REFUSED(xb_commands_create(bare, &copy, &c, &err), &err, XB_UNSUPPORTED, "'host device 1' has no copy queue");
  REFUSED(xb_commands_create(bare, &stamps, &c, &err), &err, XB_UNSUPPORTED,
          "'host device 1' does not support timestamps");
  unit_close(bare);
}

UNIT(labels_are_copied_and_cut)
{
  const unit *u = *state;
  char label[200];
  memset(label, 'L', sizeof label - 1);
  label[sizeof label - 1] = 0;
  xb_buffer *buffer;
  xb_error err;
  assert_int_equal(xb_buffer_create(u->device, &(xb_buffer_desc){.label = label, .bytes = 4}, &buffer, &err), XB_OK);
  memset(label, 'M', sizeof label - 1);
  xb_cmd_fill(u->c, buffer, 0, 8, 0);
  REFUSED(xb_commands_finish(u->c, &err), &err, XB_INVALID, "LLLL");
  xb_buffer_destroy(buffer);
}

/* Not within a character. */
UNIT(labels_in_other_alphabets)
{
  static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  const unit *u = *state;
  for (size_t i = 0; i < COUNT(characters); i++) {
    char label[200] = "a", end[16];
    xb_buffer *buffer;
    xb_error err;
    while (strlen(label) < sizeof label - 5)
      strcat(label, characters[i]);
    xb_commands *c = unit_commands(u->device, XB_QUEUE_COMPUTE, 0);
    assert_int_equal(xb_buffer_create(u->device, &(xb_buffer_desc){.label = label, .bytes = 4}, &buffer, &err), XB_OK);
    xb_cmd_fill(c, buffer, 0, 8, 0);
    snprintf(end, sizeof end, "%s' of", characters[i]);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, end);
    xb_commands_destroy(c);
    xb_buffer_destroy(buffer);
  }
}
