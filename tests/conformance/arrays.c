/* Arrays of buffers: an element is a binding. */
#include "suite.h"

#include <string.h>

enum { GROUPS = 6, THREADS = 64 * GROUPS, WORDS = THREADS + 1 };
/* Bindings of 'arrays' and 'bindless'. The order of elements is not that of bindings. */
enum { TO_1, FROM_0, FROM_1, FROM_2, FACTOR_0, FACTOR_1, TO_0, BINDINGS };

/* False if this backend has no such kernels, or the device no such arrays. */
static bool has_arrays(const char *name)
{
  xb_kernel_desc desc;
  xb_kernel *kernel;
  xb_error err;
  if (strcmp(suite_code(), "vulkan") != 0 || !test_kernel("vulkan", name, &desc))
    return false;
  if (xb_kernel_create(suite_device, &desc, &kernel, &err) == XB_UNSUPPORTED) {
    print_message("%s\n", err.message);
    return false;
  }
  xb_kernel_destroy(kernel);
  return true;
}

static void bind_all(xb_binding bindings[BINDINGS])
{
  uint32_t words[THREADS + 2];
  for (uint32_t b = 0; b < BINDINGS; b++) {
    const bool factor = b == FACTOR_0 || b == FACTOR_1, to = b == TO_0 || b == TO_1;
    const uint32_t count = factor ? 4 : to ? WORDS : THREADS + b - FROM_0;
    for (uint32_t i = 0; i < count; i++)
      words[i] = factor ? b : to ? 0 : 1000 * b + i;
    bindings[b] = bound(buffer_of(XB_MEM_DEVICE, 4 * count), to ? XB_READ_WRITE : XB_READ);
    bindings[b].kind = factor ? XB_BINDING_UNIFORM : XB_BINDING_BUFFER;
    write_buffer(bindings[b].buffer, 0, words, 4 * count);
  }
}

static void run_arrays(const char *name, bool bindless)
{
  xb_binding bindings[BINDINGS];
  uint32_t got[2][WORDS], expected[2][WORDS] = {{0}};
  bind_all(bindings);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of(name), name, bindings, NULL, GROUPS, 1, 1);
  run(c);
  for (uint32_t i = 0; i < THREADS; i++) {
    const uint32_t k = bindless ? i : i / 64, from = FROM_0 + k % 3;
    expected[k % 2][i] = (1000 * from + i) * (FACTOR_0 + i / 64 % 2) + THREADS + i / 64 % 3;
    expected[k % 2][THREADS] += i;
  }
  read_buffer(bindings[TO_0].buffer, 0, got[0], sizeof got[0]);
  read_buffer(bindings[TO_1].buffer, 0, got[1], sizeof got[1]);
  for (uint32_t i = 0; i < 2 * WORDS; i++)
    SAME_WORD(i, got[i / WORDS][i % WORDS], expected[i / WORDS][i % WORDS]);
}

CASE(arrays_of_buffers)
{
  if (!has_arrays("arrays"))
    skip();
  run_arrays("arrays", false);
}

/* No length, and indices that differ inside a wave: a device need not have it. */
CASE(bindless)
{
  if (!has_arrays("bindless"))
    skip();
  run_arrays("bindless", true);
}

CASE(wrong_arrays)
{
  xb_error err;
  xb_kernel *kernel;
  if (!has_arrays("arrays"))
    skip();
  static const struct {
    uint32_t binding;
    xb_location at;
    const char *text;
  } rows[] = {
      {FROM_2, {1, 3, 0}, "the code has an array of 3 buffers at set 1, binding 2, the description has 2"},
      {FROM_1, {1, 3, 0}, "the array at set 1, binding 2 has an element 2, but no element 1"},
      {FROM_1, {1, 2, 0}, "bindings 1 and 2 are both at set 1, binding 2: only elements of one array may be"},
      {TO_1, {0, 9, 0}, "the code has an array of 2 buffers at set 0, binding 5, the description has 1"},
      {TO_0, {0, 6, 0}, "the array at set 0, binding 5 has an element 1, but no element 0"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    xb_location list[BINDINGS];
    xb_kernel_desc desc = desc_of("arrays");
    memcpy(list, desc.locations, sizeof list);
    list[rows[i].binding] = rows[i].at;
    desc.locations = list;
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, rows[i].text);
  }
  xb_kernel_desc desc = desc_of("shared"); /* its buffers are no arrays */
  const xb_location two[] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}};
  desc.locations = two;
  desc.binding_count = 3;
  REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID,
          "the code has 1 buffer at set 0, binding 1, the description has 2: it is not an array");
}

/* Each element is a buffer in use. */
CASE(elements_in_use)
{
  xb_binding bindings[BINDINGS];
  xb_error err;
  if (!has_arrays("arrays"))
    skip();
  bind_all(bindings);
  xb_kernel *kernel = kernel_of("arrays");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, bindings[TO_1].buffer, 0, 4, 0);
  dispatch(c, kernel, "arrays", bindings, NULL, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "which 'fill' writes since the last barrier");

  xb_binding wrong = bindings[TO_0];
  c = list_of(XB_QUEUE_COMPUTE, 0);
  bindings[TO_0] = bindings[TO_1];
  dispatch(c, kernel, "arrays", bindings, NULL, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "twice, and reads and writes them");

  c = list_of(XB_QUEUE_COMPUTE, 0);
  bindings[TO_0] = wrong;
  bindings[FROM_1].buffer = NULL;
  dispatch(c, kernel, "arrays", bindings, NULL, 1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "binding 2 has no buffer");
}

TEST_SOURCE(SUITE);
