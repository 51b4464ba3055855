/* Which commands need a barrier between them. */
#include "support.h"

static const char *const verbs[] = {"reads", "writes", "reads and writes", "updates atomically", "writes (disjointly)"};

static bool overlap_is_fine(int first, int second)
{
  return first == second && (first == XB_READ || first == XB_ATOMIC || first == XB_DISJOINT_WRITE);
}

static void use(const unit *u, int access, uint64_t offset, uint64_t size)
{
  const xb_binding b = {.buffer = u->a, .offset = offset, .size = size, .access = (xb_access)access};
  unit_dispatch(u->c, access == XB_READ ? u->reader : u->writer, &b, 1);
}

static void expect(unit *u, bool fine, const char *text, int line)
{
  xb_error err = {0};
  const xb_code code = xb_commands_finish(u->c, &err);
  if (!fine)
    unit_refused(code, &err, XB_INVALID, text, __FILE__, line);
  else if (code)
    fail_msg("line %d: %s", line, err.message);
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 0);
}
#define FINE(u) expect(u, true, "", __LINE__)
#define MISSING(u, text) expect(u, false, text, __LINE__)

UNIT(every_pair)
{
  unit *u = *state;
  for (int first = XB_READ; first <= XB_DISJOINT_WRITE; first++)
    for (int second = XB_READ; second <= XB_DISJOINT_WRITE; second++) {
      use(u, first, 0, 256);
      use(u, second, 0, 256);
      expect(u, overlap_is_fine(first, second), verbs[second], __LINE__);
      use(u, first, 0, 256);
      xb_cmd_barrier(u->c);
      use(u, second, 0, 256);
      FINE(u);
      use(u, first, 0, 256); /* adjacent ranges do not overlap, one common word does */
      use(u, second, 256, 256);
      FINE(u);
      use(u, first, 0, 260);
      use(u, second, 256, 256);
      expect(u, overlap_is_fine(first, second), "xb_cmd_barrier", __LINE__);
      use(u, first, 256, 256);
      use(u, second, 0, 260);
      expect(u, overlap_is_fine(first, second), "xb_cmd_barrier", __LINE__);
    }
}

UNIT(the_message_names_both)
{
  unit *u = *state;
  use(u, XB_WRITE, 0, 0);
  use(u, XB_READ, 0, 0);
  MISSING(u, "reader: reads 'buf', which 'writer' writes since the last barrier: put xb_cmd_barrier between them");
}

UNIT(within_one_dispatch)
{
  unit *u = *state;
  const uint32_t args[2] = {0};
  for (int first = XB_WRITE; first <= XB_DISJOINT_WRITE; first++)
    for (int second = XB_WRITE; second <= XB_DISJOINT_WRITE; second++)
      for (int apart = 0; apart < 2; apart++) {
        const xb_binding b[] = {
            {.buffer = u->a, .offset = 0, .size = 260, .access = (xb_access)first},
            {.buffer = u->a, .offset = apart ? 320 : 256, .size = 256, .access = (xb_access)second}};
        xb_cmd_dispatch(u->c, &(xb_dispatch){.kernel = u->two,
                                             .bindings = b,
                                             .binding_count = 2,
                                             .args = args,
                                             .arg_bytes = 8,
                                             .groups = {1, 1, 1}});
        expect(u, apart || overlap_is_fine(first, second), "two: binds bytes 256 to 512 of 'buf' twice", __LINE__);
      }
}

/* What a dispatch uses by its address. */
UNIT(buffers_by_address)
{
  unit *u = *state;
  xb_error err;
  xb_buffer *far;
  assert_int_equal(
      xb_buffer_create(u->device, &(xb_buffer_desc){.label = "far", .bytes = 256, .addressable = true}, &far, &err),
      XB_OK);
  const xb_binding writes = {.buffer = far, .access = XB_WRITE}, reads = {.buffer = far, .access = XB_READ};
  xb_cmd_use(u->c, &writes, 1);
  xb_cmd_barrier(u->c);
  xb_cmd_use(u->c, &reads, 1);
  xb_cmd_use(u->c, &reads, 1);
  FINE(u);
  xb_cmd_use(u->c, &writes, 1);
  xb_cmd_use(u->c, &reads, 1);
  MISSING(u, "xb_cmd_use: reads 'far', which 'xb_cmd_use' writes since the last barrier");
  xb_cmd_use(u->c, &(xb_binding){.buffer = u->a}, 1);
  MISSING(u, "xb_cmd_use: buffer 0: expected one that was created as addressable");
  for (uint32_t i = 0; i <= XB_MAX_BINDINGS; i++)
    xb_cmd_use(u->c, &reads, 1);
  MISSING(u, "xb_cmd_use: a dispatch uses at most 32 buffers by their addresses");
  xb_buffer_destroy(far);
}

UNIT(copies_and_fills)
{
  unit *u = *state;
  xb_cmd_fill(u->c, u->a, 0, 256, 0);
  xb_cmd_fill(u->c, u->a, 252, 8, 0);
  MISSING(u, "fill: writes 'buf', which 'fill' writes");
  xb_cmd_fill(u->c, u->a, 0, 256, 0);
  xb_cmd_fill(u->c, u->a, 256, 8, 0);
  xb_cmd_fill(u->c, u->b, 0, 256, 0);
  FINE(u);
  xb_cmd_fill(u->c, u->a, 0, 256, 0);
  xb_cmd_copy(u->c, u->b, 0, u->a, 128, 4);
  MISSING(u, "copy: reads 'buf', which 'fill' writes");
  xb_cmd_copy(u->c, u->b, 0, u->a, 0, 256);
  xb_cmd_fill(u->c, u->a, 128, 4, 0);
  MISSING(u, "fill: writes 'buf', which 'copy' reads");
  xb_cmd_copy(u->c, u->b, 0, u->a, 0, 256);
  xb_cmd_copy(u->c, u->b, 256, u->a, 0, 256); /* both read the same range */
  FINE(u);
  xb_cmd_copy(u->c, u->b, 0, u->a, 0, 256);
  use(u, XB_READ, 0, 256);
  FINE(u);
  xb_cmd_copy(u->c, u->b, 0, u->a, 0, 256);
  use(u, XB_DISJOINT_WRITE, 0, 256);
  MISSING(u, "writer: writes (disjointly) 'buf', which 'copy' reads");
  use(u, XB_ATOMIC, 0, 256);
  xb_cmd_copy(u->c, u->a, 0, u->b, 0, 4);
  MISSING(u, "copy: writes 'buf', which 'writer' updates atomically");
}

UNIT(a_copy_onto_itself)
{
  unit *u = *state;
  xb_cmd_copy(u->c, u->a, 0, u->a, 512, 512);
  FINE(u);
  xb_cmd_copy(u->c, u->a, 0, u->a, 508, 512);
  MISSING(u, "twice");
}

static xb_code do_nothing(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)user, (void)err;
  return XB_OK;
}

UNIT(native)
{
  unit *u = *state;
  const xb_binding reads = {.buffer = u->a, .access = XB_READ}, writes = {.buffer = u->a, .access = XB_WRITE};
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  xb_cmd_native(u->c, do_nothing, NULL, &reads, 1);
  MISSING(u, "xb_cmd_native: reads 'buf', which 'fill' writes");
  xb_cmd_native(u->c, do_nothing, NULL, &writes, 1);
  use(u, XB_READ, 512, 64);
  MISSING(u, "reader: reads 'buf', which 'xb_cmd_native' writes");
  xb_cmd_native(u->c, do_nothing, NULL, &reads, 1);
  xb_cmd_copy(u->c, u->b, 0, u->a, 0, 64);
  FINE(u);
}

/* A timestamp is a barrier on both sides. */
UNIT(timestamp_is_a_barrier)
{
  unit *u = *state;
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 1);
  use(u, XB_WRITE, 0, 0);
  xb_cmd_timestamp(u->c, 0);
  use(u, XB_READ, 0, 0);
  FINE(u);
}

/* More ranges than the initial capacity: the oldest is still found. A range inside a known one is not stored. */
UNIT(many_ranges)
{
  unit *u = *state;
  for (uint64_t i = 0; i < 64; i++)
    xb_cmd_fill(u->c, u->a, i * 8, 4, 0);
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  MISSING(u, "fill: writes");
  use(u, XB_READ, 0, 512);
  use(u, XB_READ, 64, 64);
  xb_cmd_fill(u->c, u->a, 508, 4, 0);
  MISSING(u, "'reader' reads");
  use(u, XB_READ, 64, 64); /* the second is larger on both sides */
  use(u, XB_READ, 64, 448);
  xb_cmd_fill(u->c, u->a, 508, 4, 0);
  MISSING(u, "'reader' reads");
  use(u, XB_READ, 64, 64);
  use(u, XB_READ, 0, 128);
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  MISSING(u, "'reader' reads");
  use(u, XB_ATOMIC, 0, 128);
  xb_cmd_barrier(u->c);
  use(u, XB_READ, 0, 128);
  use(u, XB_READ, 0, 128);
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  MISSING(u, "'reader' reads");
}
