/* Kernels of users, whose sources include nothing of the project: they run unchanged, with their parameters in their
 * own order. */
#include "signatures/signatures.h"

#include "suite.h"

#include <string.h>

enum { MOST = 12 };

/* NULL: it needs doubles, which the device lacks. */
static xb_kernel *make(const signature *s)
{
  const char *const backend = suite_code();
  xb_kernel_desc desc = signature_desc(s);
  if (!strcmp(backend, "host")) {
    host_code code = {.run = s->run,
                      .group_size = {SIGNATURE_GROUP, 1, 1},
                      .used_bindings = (1u << s->binding_count) - 1,
                      .read_only_bindings = s->read_only,
                      .arg_bytes = s->arg_bytes};
    strcpy(code.entry, s->name);
    host_describe(code, &desc);
  } else {
    const bool cuda = !strcmp(backend, "cuda") || !strcmp(backend, "cpu"); /* C++ */
    desc.entry = cuda ? s->name : "main";
    desc.code = embedded_code(backend, cuda ? "signatures" : s->name, &desc.code_bytes);
  }
  xb_kernel *kernel;
  xb_error err;
  const xb_code made = xb_kernel_create(suite_device, &desc, &kernel, &err);
  if (made == XB_UNSUPPORTED && !(suite_info->features & XB_FEATURE_FLOAT64) && strstr(err.message, "Float64"))
    return NULL;
  CHECK(made, &err);
  return keep_kernel(kernel);
}

/* The same in C, one group after the other. */
static void expect(const signature *s, unsigned char data[MOST][SIGNATURE_BYTES])
{
  void *bindings[MOST];
  const uint64_t sizes[MOST] = {0};
  for (uint32_t i = 0; i < s->binding_count; i++)
    signature_fill(s, i, bindings[i] = data[i]);
  for (uint32_t g = 0; g < SIGNATURE_GROUPS; g++)
    s->run((uint32_t[]){g, 0, 0}, (uint32_t[]){SIGNATURE_GROUPS, 1, 1}, bindings, sizes, s->args);
}

static void runs(const signature *s)
{
  static _Alignas(8) unsigned char expected[MOST][SIGNATURE_BYTES], data[SIGNATURE_BYTES];
  xb_binding bindings[MOST];
  xb_kernel *kernel = make(s);
  if (!kernel) {
    print_message("%s is left out: the device lacks float64\n", s->name);
    return;
  }
  uint64_t used = SIGNATURE_ITEMS * s->item_bytes; /* 250 bytes of the bytes; HLSL reads them as words */
  if (!strcmp(suite_info->backend, "vulkan") || !strcmp(suite_info->backend, "d3d12"))
    used = (used + 3) / 4 * 4;
  for (uint32_t i = 0; i < s->binding_count; i++) {
    bindings[i] = bound(buffer_of(XB_MEM_DEVICE, SIGNATURE_BYTES), s->read_only >> i & 1 ? XB_READ : XB_READ_WRITE);
    bindings[i].size = used;
    signature_fill(s, i, data);
    write_buffer(bindings[i].buffer, 0, data, sizeof data);
  }
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = kernel,
                                    .bindings = bindings,
                                    .binding_count = s->binding_count,
                                    .args = s->args,
                                    .arg_bytes = s->arg_bytes,
                                    .groups = {SIGNATURE_GROUPS, 1, 1}});
  run(c);
  expect(s, expected);
  for (uint32_t i = 0; i < s->binding_count; i++) {
    read_buffer(bindings[i].buffer, 0, data, sizeof data);
    if (memcmp(data, expected[i], sizeof data) != 0)
      fail_msg("%s: binding %u has other bytes than in C", s->name, i);
  }
}

CASE(all)
{
  for (size_t i = 0; i < signature_count; i++) {
    runs(&signatures[i]);
    suite_end_case(state);
  }
}

TEST_SOURCE(SUITE);
