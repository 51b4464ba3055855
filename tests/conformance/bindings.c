/* Bindings beyond the kernel ABI: descriptor sets, uniform buffers, sizes that are not multiples of 4. */
#include "suite.h"

#include <string.h>

enum { WORDS = 64, GUARD = 0x6a6a6a6a };
enum { FACTORS, INPUT, OUTPUT, COPIED, BINDINGS }; /* of 'places' */

typedef struct factors {
  uint32_t mul, add;
} factors;

/* Word i of the input is i. */
static void make_buffers(xb_buffer *buffers[BINDINGS], uint64_t uniform_bytes)
{
  uint32_t words[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i;
  buffers[FACTORS] = buffer_of(XB_MEM_DEVICE, uniform_bytes);
  for (int b = INPUT; b < BINDINGS; b++)
    buffers[b] = buffer_of(XB_MEM_DEVICE, sizeof words);
  write_buffer(buffers[INPUT], 0, words, sizeof words);
}

static void record(xb_commands *c, xb_kernel *kernel, xb_buffer *const buffers[BINDINGS], xb_binding uniform)
{
  uniform.buffer = buffers[FACTORS];
  dispatch(c, kernel, "places",
           (xb_binding[]){uniform, bound(buffers[INPUT], XB_READ), bound(buffers[OUTPUT], XB_WRITE),
                          bound(buffers[COPIED], XB_WRITE)},
           NULL, 1, 1, 1);
}

/* Two dispatches of one list with windows of one uniform buffer. */
CASE(sets_and_uniform_buffers)
{
  static const factors used[2] = {{3, 5}, {7, 11}};
  const uint64_t step = suite_info->uniform_align;
  xb_buffer *buffers[BINDINGS];
  uint32_t got[WORDS];
  make_buffers(buffers, step + sizeof(factors));
  for (uint32_t k = 0; k < 2; k++)
    write_buffer(buffers[FACTORS], k * step, &used[k], sizeof used[k]);
  xb_kernel *kernel = kernel_of("places");
  xb_buffer *first = buffer_of(XB_MEM_DEVICE, sizeof got);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t k = 0; k < 2; k++) {
    record(c, kernel, buffers,
           (xb_binding){.kind = XB_BINDING_UNIFORM, .offset = k * step, .size = sizeof(factors), .access = XB_READ});
    xb_cmd_barrier(c);
    if (!k)
      xb_cmd_copy(c, first, 0, buffers[OUTPUT], 0, sizeof got);
    xb_cmd_barrier(c);
  }
  run(c);
  read_buffer(first, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i * 3 + 5);
  read_buffer(buffers[OUTPUT], 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i * 7 + 11);
  read_buffer(buffers[COPIED], 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i);
}

/* The host writes a uniform buffer in pinned memory between two submissions. */
CASE(uniform_buffer_of_the_host)
{
  xb_buffer *buffers[BINDINGS];
  uint32_t got[WORDS];
  make_buffers(buffers, sizeof(factors));
  buffers[FACTORS] = buffer_of(XB_MEM_UPLOAD, sizeof(factors));
  factors *written = xb_buffer_host(buffers[FACTORS]);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  record(c, kernel_of("places"), buffers, (xb_binding){.kind = XB_BINDING_UNIFORM, .access = XB_READ});
  for (uint32_t round = 1; round < 4; round++) {
    *written = (factors){round, 100 * round};
    run(c);
    read_buffer(buffers[OUTPUT], 0, got, sizeof got);
    for (uint32_t i = 0; i < WORDS; i++)
      SAME_WORD(i, got[i], i * round + 100 * round);
  }
}

/* The list itself writes the uniform buffer: by a fill, a kernel, and beside another dispatch. */
CASE(uniform_buffer_of_the_list)
{
  const struct index_args args = {.count = 2, .grid_x = 1, .mul = 4, .add = 9};
  const xb_binding uniform = {.kind = XB_BINDING_UNIFORM, .access = XB_READ};
  xb_buffer *buffers[BINDINGS], *filled = buffer_of(XB_MEM_DEVICE, WORDS * 4), *other = buffer_of(XB_MEM_DEVICE, 256);
  uint32_t got[WORDS];
  make_buffers(buffers, sizeof(factors));
  xb_kernel *kernel = kernel_of("places"), *index = kernel_of("index");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, buffers[FACTORS], 0, sizeof(factors), 6);
  xb_cmd_barrier(c);
  record(c, kernel, buffers, uniform);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, filled, 0, buffers[OUTPUT], 0, sizeof got);
  dispatch(c, index, "index", (xb_binding[]){bound(buffers[FACTORS], XB_WRITE)}, &args, 1, 1, 1);
  xb_cmd_barrier(c);
  dispatch(c, index, "index", (xb_binding[]){bound(other, XB_WRITE)}, &args, 1, 1, 1);
  record(c, kernel, buffers, uniform);
  run(c);
  read_buffer(filled, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i * 6 + 6);
  read_buffer(buffers[OUTPUT], 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i * 9 + 13);
}

CASE(wrong_bindings)
{
  static const struct {
    xb_binding uniform;
    const char *text;
    bool known; /* needs a code that declares what it has */
  } rows[] = {
      {{.kind = XB_BINDING_UNIFORM, .access = XB_READ_WRITE}, "binding 0: a uniform buffer can only be read", false},
      {{.kind = XB_BINDING_UNIFORM, .access = XB_READ}, "per uniform buffer", false},
      {{.kind = XB_BINDING_UNIFORM, .access = XB_READ, .offset = 1, .size = 8}, "offset 1 is not a multiple", false},
      {{.kind = XB_BINDING_UNIFORM, .access = XB_READ, .size = 4},
       "binding 0: 4 bytes, the code's uniform buffer has 8",
       true},
      {{.kind = XB_BINDING_BUFFER, .access = XB_READ},
       "binding 0 is bound as a storage buffer, the code has a uniform buffer",
       true},
  };
  xb_buffer *buffers[BINDINGS];
  make_buffers(buffers, suite_info->max_uniform_bytes + 4);
  xb_kernel *kernel = kernel_of("places");
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (rows[i].known && !xb_kernel_get_info(kernel)->access_known)
      continue;
    xb_error err;
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    record(c, kernel, buffers, rows[i].uniform);
    REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, rows[i].text);
  }
  if (!xb_kernel_get_info(kernel)->access_known)
    return;
  assert_int_equal(xb_kernel_get_info(kernel)->uniform_bindings, 1 << FACTORS);
  assert_int_equal(xb_kernel_get_info(kernel)->uniform_bytes[FACTORS], sizeof(factors));
  assert_int_equal(xb_kernel_get_info(kernel)->read_only_bindings, 1 << FACTORS | 1 << INPUT);
  xb_error err;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_binding as_uniform = bound(buffers[INPUT], XB_READ);
  as_uniform.kind = XB_BINDING_UNIFORM;
  dispatch(c, kernel_of("shared"), "shared", (xb_binding[]){as_uniform, bound(buffers[OUTPUT], XB_WRITE)}, NULL, 1, 1,
           1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "as a uniform buffer, the code has a storage buffer");
}

CASE(wrong_locations)
{
  static const struct {
    xb_location list[BINDINGS];
    const char *text;
    bool vulkan;
  } rows[] = {
      {{{2, 7, 0}, {0, 3, 0}, {4, 0, 0}, {2, 1, 0}},
       "places: binding 2 is at set 4, binding 0: they must be below 4 and 4096",
       false},
      {{{2, 7, 0}, {0, 3, 0}, {3, 4096, 0}, {2, 1, 0}}, "binding 2 is at set 3, binding 4096", false},
      {{{2, 7, 0}, {0, 3, 0}, {3, 1000, 0}, {0, 3, 0}}, "bindings 1 and 3 are both at set 0, binding 3", false},
      {{{2, 7, 0}, {0, 3, 0}, {3, 999, 0}, {2, 1, 0}},
       "the code uses set 3, binding 1000, where the description has no",
       true},
      {{{1, 7, 0}, {0, 3, 0}, {3, 1000, 0}, {2, 1, 0}},
       "the code uses set 2, binding 7, where the description has no",
       true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    xb_kernel *kernel;
    xb_error err;
    xb_kernel_desc desc = desc_of("places");
    desc.locations = rows[i].list;
    if (rows[i].vulkan && strcmp(suite_info->backend, "vulkan") != 0)
      continue;
    REFUSED(xb_kernel_create(suite_device, &desc, &kernel, &err), &err, XB_INVALID, rows[i].text);
  }
}

/* A binding ends in the middle of a word; what is behind it stays. */
CASE(odd_sizes)
{
  static const uint32_t odd[] = {1, 2, 3};
  uint32_t got[2 * WORDS];
  xb_kernel *kernel = kernel_of("index");
  const struct index_args args = {.count = WORDS, .grid_x = 1, .mul = 3, .add = 2};
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof got);
  for (size_t k = 0; k < COUNT(odd); k++) {
    fill_buffer(buffer, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    dispatch(c, kernel, "index", &(xb_binding){.buffer = buffer, .size = WORDS * 4 + odd[k], .access = XB_WRITE}, &args,
             1, 1, 1);
    run(c);
    read_buffer(buffer, 0, got, sizeof got);
    for (uint32_t i = 0; i < COUNT(got); i++)
      SAME_WORD(i, got[i], i < WORDS ? i * 3 + 2 : GUARD);
  }
}

TEST_SOURCE(SUITE);
