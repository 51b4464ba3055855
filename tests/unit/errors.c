/* xb/error.h: the format of messages. */
#include "support.h"

#include <string.h>

TEST(text_and_where)
{
  xb_error err;
  memset(&err, 0xff, sizeof err);
  assert_int_equal(xb_fail(&err, XB_NOMEM, "xb_here", "%d bytes", 12), XB_NOMEM);
  assert_int_equal(err.code, XB_NOMEM);
  assert_int_equal(err.native, 0);
  assert_string_equal(err.where, "xb_here");
  assert_string_equal(err.native_name, "");
  assert_string_equal(err.message, "xb_here: 12 bytes");
}

TEST(native)
{
  xb_error err;
  assert_int_equal(xb_fail_native(&err, XB_LOST, "vkWait", -4, "VK_LOST", "after %d s", 2), XB_LOST);
  assert_int_equal(err.native, -4);
  assert_string_equal(err.native_name, "VK_LOST");
  assert_string_equal(err.message, "vkWait: VK_LOST: after 2 s");
  xb_fail_native(&err, XB_LOST, "vkWait", -4, "VK_LOST", "%s", "");
  assert_string_equal(err.message, "vkWait: VK_LOST");
}

TEST(a_long_text_is_cut)
{
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;
  xb_error err;
  xb_fail(&err, XB_INVALID, "w", "%s", text);
  assert_int_equal(strlen(err.message), sizeof err.message - 1);
  assert_memory_equal(err.message, "w: xxx", 6);
  xb_fail_native(&err, XB_INVALID, text, 1, text, "%s", text);
  assert_int_equal(strlen(err.where), sizeof err.where - 1);
  assert_int_equal(strlen(err.native_name), sizeof err.native_name - 1);
  assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

TEST(a_message_is_one_line)
{
  xb_error err;
  xb_fail_native(&err, XB_INTERNAL, "a\nb", 1, "c\nd", "e\r\nf\n");
  assert_null(strpbrk(err.message, "\r\n"));
  assert_string_equal(err.message, "a b: c d: e  f ");
}

/* A driver's text may have commands for a terminal: escape, one of C1 as a byte and as UTF-8, text that runs backwards.
 */
TEST(a_message_is_safe_to_print)
{
  xb_error err;
  xb_fail(&err, XB_INTERNAL, "w",
          "a\033[2J\x9b"
          "b\xc2\x9b"
          "c\xe2\x80\xae"
          "d\xe2\x81\xa6\x7f\xc3\xbc\xe2\x82");
  assert_string_equal(err.message, "w: a [2J b  c   d    \xc3\xbc  ");
}

TEST(nowhere_to_write)
{
  assert_int_equal(xb_fail(NULL, XB_TIMEOUT, "w", "text"), XB_TIMEOUT);
  assert_int_equal(xb_fail_native(NULL, XB_LOST, "w", 1, "n", "text"), XB_LOST);
}

TEST(code_names)
{
  static const char *const names[] = {"XB_OK",    "XB_INVALID", "XB_UNAVAILABLE", "XB_UNSUPPORTED",
                                      "XB_NOMEM", "XB_TIMEOUT", "XB_LOST",        "XB_INTERNAL"};
  for (size_t i = 0; i < COUNT(names); i++)
    assert_string_equal(xb_code_name((xb_code)i), names[i]);
  assert_non_null(xb_code_name((xb_code)99));
}
