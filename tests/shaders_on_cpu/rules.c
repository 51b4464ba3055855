/* HLSL's rules where SPIR-V and C leave something open. */
#include "shader_run.h"

#include <stdlib.h>

TEST(test_rules)
{
  enum { WORDS = 20 };
  const uint32_t ones = ~0u, far = 33;
  uint32_t words[WORDS] = {[16] = 0, [17] = 7, [18] = far, [19] = (uint32_t)-8};
  run_shader(
      &(shader_run){.name = "rules", .group = 1, .groups = 1, .buffers = {{{0, 0, 0}, words, sizeof words, false}}});
  for (int i = 0; i < 4; i++) /* a division by zero gives all bits */
    assert_int_equal(words[i], ones);
  assert_int_equal(words[4], 2); /* a shift takes as many bits of its count as the number needs */
  assert_int_equal(words[5], 0x40000000);
  assert_int_equal(words[6], (uint32_t)-4);
  assert_int_equal(words[7], (uint32_t)-16);
  assert_int_equal(words[8], 1); /* a choice calls and reads both sides */
  assert_int_equal(words[9], 1);
  assert_int_equal(words[10], 2);
  assert_int_equal(words[11], 7);
}

/* `lines.spvasm` has another buffer, which only a line's number names. */
TEST(test_lines_name_no_buffer)
{
  size_t bytes;
  xb_error err;
  void *code = read_shader("lines", &bytes);
  if (load_shader(code, bytes, "main", 1, 1, &err))
    fail_msg("%s", err.message);
  free(code);
}
