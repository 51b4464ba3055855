#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 64, GUARD = 0x6a6a6a6a };

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Indexes `count` items by x times y groups. The rest of the buffer must not change. */
static void index_exactly(uint32_t x, uint32_t y, uint32_t count)
{
  const uint32_t words = x * y * GROUP + 64;
  const struct index_args args = {.count = count, .grid_x = x, .mul = 2654435761u, .add = 17};
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, words * 4ull);
  fill_buffer(buffer, GUARD);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("index"), "index", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, x, y, 1);
  run(c);
  uint32_t *got = malloc(words * 4ull);
  read_buffer(buffer, 0, got, words * 4ull);
  uint32_t i = 0;
  while (i < words && got[i] == (i < count ? i * args.mul + args.add : GUARD))
    i++;
  const uint32_t wrong = i < words ? got[i] : 0;
  free(got);
  if (i < words)
    SAME_WORD(i, wrong, i < count ? i * args.mul + args.add : GUARD);
}

CASE(index_arithmetic)
{
  /* The most groups of a dimension, but not more than 2^17: some devices allow 2^31. */
  const uint32_t most = least(suite_info->max_groups[0], 1 << 17);
  const uint32_t xs[] = {1, 2, 3, 31, 64, most};
  for (size_t i = 0; i < COUNT(xs); i++) {
    index_exactly(xs[i], 1, xs[i] * GROUP);
    index_exactly(xs[i], 1, xs[i] * GROUP - 63);
    suite_end_case(NULL);
  }
}

CASE(folded_grids)
{
  const uint32_t most = least(suite_info->max_groups[0], 65535);
  index_exactly(7, 5, 7 * 5 * GROUP);
  index_exactly(7, 5, 6 * 5 * GROUP - 1);
  index_exactly(most, 2, most * GROUP + 1); /* one more group than x allows */
  index_exactly(1, least(suite_info->max_groups[1], 65535), GROUP);
}

CASE(three_dimensions)
{
  static const uint32_t groups[][3] = {{1, 1, 1}, {3, 5, 7}, {1, 9, 2}, {11, 1, 4}};
  xb_kernel *kernel = kernel_of("where");
  for (size_t k = 0; k < COUNT(groups); k++) {
    const uint32_t *n = groups[k];
    const uint32_t words = n[0] * n[1] * n[2] * 24;
    const struct where_args args = {.groups_x = n[0], .groups_y = n[1]};
    xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, words * 4);
    fill_buffer(buffer, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    dispatch(c, kernel, "where", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, n[0], n[1], n[2]);
    run(c);
    uint32_t got[105 * 24];
    read_buffer(buffer, 0, got, words * 4);
    for (uint32_t i = 0; i < words; i++) {
      const uint32_t g = i / 24, t = i % 24;
      SAME_WORD(i, got[i],
                g % n[0] | (g / n[0] % n[1]) << 6 | (g / n[0] / n[1]) << 12 | (t % 4) << 18 | (t / 4 % 2) << 22 |
                    (t / 8) << 26);
    }
  }
}

CASE(arguments_arrive)
{
  static const struct mixed_args sent[] = {
      {1, -2, 3.5f, 0xffffffff, -0.0f, INT32_MIN, 0x12345678, 1e-40f, 9},
      {0x80000000, INT32_MAX, -1e38f, 0, 1.1754944e-38f, -1, 7, 0.1f, 0},
  };
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 64);
  xb_kernel *kernel = kernel_of("mixed");
  for (size_t k = 0; k < COUNT(sent); k++) {
    struct mixed_args args = sent[k], got;
    fill_buffer(buffer, GUARD);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    dispatch(c, kernel, "mixed", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, 1, 1, 1);
    memset(&args, 0xee, sizeof args); /* the dispatch has copied them */
    run(c);
    read_buffer(buffer, 0, &got, sizeof got);
    assert_memory_equal(&got, &sent[k], sizeof got);
  }
}

/* Two dispatches of one list have their own arguments. */
CASE(arguments_of_each_dispatch)
{
  enum { DISPATCHES = 20 };
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, DISPATCHES * GROUP * 4);
  xb_kernel *kernel = kernel_of("index");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (uint32_t d = 0; d < DISPATCHES; d++) {
    const struct index_args args = {.first = d * GROUP, .count = GROUP, .grid_x = 1, .mul = d + 1, .add = d * 1000};
    dispatch(c, kernel, "index", (xb_binding[]){bound(buffer, XB_DISJOINT_WRITE)}, &args, 1, 1, 1);
  }
  run(c);
  uint32_t got[DISPATCHES * GROUP];
  read_buffer(buffer, 0, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i % GROUP * (i / GROUP + 1) + i / GROUP * 1000);
}

CASE(windows)
{
  enum { PART = 256 / 4 * 4 };
  const uint32_t align_words = (uint32_t)(suite_info->binding_align < 4 ? 1 : suite_info->binding_align / 4);
  const uint32_t words = PART * 8;
  const uint32_t firsts[] = {0, align_words, PART, words - PART};
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, words * 4);
  xb_kernel *kernel = kernel_of("index");
  for (size_t k = 0; k < COUNT(firsts); k++)
    for (uint32_t sized = 0; sized < 2; sized++) { /* a size, and 'to the end' */
      fill_buffer(buffer, GUARD);
      const struct index_args args = {.count = PART, .grid_x = PART / GROUP, .mul = 5, .add = 3};
      const xb_binding window = {
          .buffer = buffer, .offset = firsts[k] * 4, .size = sized ? PART * 4 : 0, .access = XB_WRITE};
      xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
      dispatch(c, kernel, "index", &window, &args, PART / GROUP, 1, 1);
      run(c);
      uint32_t got[PART * 8];
      read_buffer(buffer, 0, got, sizeof got);
      for (uint32_t i = 0; i < words; i++)
        SAME_WORD(i, got[i], i >= firsts[k] && i < firsts[k] + PART ? (i - firsts[k]) * 5 + 3 : GUARD);
    }
}

/* Dispatches of one kernel in one list that differ only in the offset, the size or the buffer. */
CASE(windows_in_one_list)
{
  enum { WORDS = 1024, PART = WORDS / 8 };
  static const struct {
    uint32_t buffer, part, parts;
  } windows_of[] = {{0, 0, 1}, {0, 2, 1}, {1, 2, 1}, {1, 5, 1}, {1, 5, 2}, {0, 5, 2}, {0, 7, 1}, {0, 2, 1}, {1, 0, 1}};
  xb_buffer *buffers[2] = {buffer_of(XB_MEM_DEVICE, WORDS * 4), buffer_of(XB_MEM_DEVICE, WORDS * 4)};
  uint32_t expected[2][WORDS], got[WORDS];
  for (uint32_t i = 0; i < 2 * WORDS; i++)
    expected[i / WORDS][i % WORDS] = GUARD;
  xb_kernel *kernel = kernel_of("index");
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  for (int b = 0; b < 2; b++)
    xb_cmd_fill(c, buffers[b], 0, WORDS * 4, GUARD);
  for (uint32_t k = 0; k < COUNT(windows_of); k++) {
    const uint32_t b = windows_of[k].buffer, first = windows_of[k].part * PART, count = windows_of[k].parts * PART;
    const struct index_args args = {.count = count, .grid_x = count / GROUP, .mul = 3, .add = k * 10000};
    const xb_binding window = {.buffer = buffers[b], .offset = first * 4, .size = count * 4, .access = XB_WRITE};
    xb_cmd_barrier(c);
    dispatch(c, kernel, "index", &window, &args, count / GROUP, 1, 1);
    for (uint32_t i = 0; i < count; i++)
      expected[b][first + i] = i * 3 + args.add;
  }
  run(c);
  for (int b = 0; b < 2; b++) {
    read_buffer(buffers[b], 0, got, sizeof got);
    for (uint32_t i = 0; i < WORDS; i++)
      SAME_WORD(i, got[i], expected[b][i]);
  }
}

/* A buffer larger than one binding: a binding of the whole is refused, a window reaches its end. */
CASE(beyond_one_binding)
{
  enum { WINDOW = 1 << 16 };
  const uint64_t bytes = (suite_info->max_binding_bytes & ~(uint64_t)0xffff) + 3 * WINDOW;
  xb_buffer *buffer;
  xb_error err;
  const xb_code code = xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = bytes}, &buffer, &err);
  if (code == XB_NOMEM) {
    print_message("no buffer is larger than one binding: %s\n", err.message);
    skip();
  }
  CHECK(code, &err);
  keep_buffer(buffer);
  xb_kernel *kernel = kernel_of("index");
  const struct index_args args = {.count = WINDOW / 4, .grid_x = 8, .mul = 7, .add = 1};
  const uint32_t x = 8, y = WINDOW / 4 / GROUP / 8;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel, "index", (xb_binding[]){bound(buffer, XB_WRITE)}, &args, x, y, 1);
  REFUSED(xb_commands_finish(c, &err), &err, XB_INVALID, "split the work into windows");

  c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, buffer, bytes - 2 * WINDOW, 2 * WINDOW, GUARD);
  xb_cmd_fill(c, buffer, 0, WINDOW, GUARD);
  xb_cmd_barrier(c);
  const xb_binding last = {.buffer = buffer, .offset = bytes - WINDOW, .access = XB_WRITE};
  dispatch(c, kernel, "index", &last, &args, x, y, 1);
  run(c);
  uint32_t *got = calloc(2, WINDOW);
  read_buffer(buffer, bytes - 2 * WINDOW, got, 2 * WINDOW);
  for (uint32_t i = 0; i < 2 * WINDOW / 4; i++)
    SAME_WORD(i, got[i], i < WINDOW / 4 ? GUARD : (i - WINDOW / 4) * 7 + 1);
  read_buffer(buffer, 0, got, WINDOW); /* an offset truncated to 32 bits would write here */
  for (uint32_t i = 0; i < WINDOW / 4; i++)
    SAME_WORD(i, got[i], GUARD);
  free(got);
}

CASE(unused_bindings)
{
  xb_buffer *out = buffer_of(XB_MEM_DEVICE, 256), *idle = buffer_of(XB_MEM_DEVICE, 256);
  xb_buffer *in = buffer_of(XB_MEM_DEVICE, 256);
  fill_buffer(in, 41);
  fill_buffer(idle, GUARD);
  fill_buffer(out, 0);
  const struct step_args args = {0};
  const xb_binding bindings[] = {bound(out, XB_WRITE), bound(idle, XB_READ), bound(in, XB_READ)};
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("unused"), "unused", bindings, &args, 1, 1, 1);
  run(c);
  uint32_t got[64];
  read_buffer(out, 0, got, sizeof got);
  for (uint32_t i = 0; i < 64; i++)
    SAME_WORD(i, got[i], 42);
  read_buffer(idle, 0, got, sizeof got);
  SAME_WORD(0, got[0], GUARD);
}

TEST_SOURCE(SUITE);
