/* NULL handles: every public function does what the head of xb/gpu.h says. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static const char *called[64];
static size_t called_count;

static void note(const char *name)
{
  assert_true(called_count < COUNT(called));
  called[called_count++] = name;
}

static xb_code native(const xb_native *n, void *user, xb_error *err)
{
  (void)n, (void)user, (void)err;
  fail_msg("a native function was called without a device");
  return XB_OK;
}

#define INVALID(function, ...) (note(#function), REFUSED(function(__VA_ARGS__), &err, XB_INVALID, #function))
#define ZERO(function, ...) (note(#function), assert_true(!function(__VA_ARGS__)))
#define VOID(function, ...) (note(#function), function(__VA_ARGS__))

static void codes(void)
{
  xb_error err;
  INVALID(xb_enumerate, NULL, NULL, 0, NULL, &err);
  INVALID(xb_device_open, NULL, NULL, &err);
  INVALID(xb_device_native, NULL, native, NULL, &err);
  INVALID(xb_buffer_create, NULL, NULL, NULL, &err);
  INVALID(xb_buffer_export, NULL, NULL, &err);
  INVALID(xb_kernel_binary, NULL, NULL, NULL, &err);
  INVALID(xb_semaphore_create, NULL, NULL, &err);
  INVALID(xb_semaphore_export, NULL, NULL, &err);
  INVALID(xb_semaphore_import, NULL, 0, NULL, &err);
  INVALID(xb_upload, NULL, 0, NULL, 0, &err);
  INVALID(xb_device_persist, NULL, 0, NULL, &err);
  INVALID(xb_download, NULL, 0, NULL, 0, &err);
  INVALID(xb_image_create, NULL, NULL, NULL, &err);
  INVALID(xb_kernel_create, NULL, NULL, NULL, &err);
  INVALID(xb_commands_create, NULL, NULL, NULL, &err);
  INVALID(xb_commands_finish, NULL, &err);
  INVALID(xb_commands_timestamps, NULL, NULL, 0, &err);
  INVALID(xb_commands_times, NULL, NULL, 0, &err);
  INVALID(xb_device_calibrate, NULL, NULL, &err);
  INVALID(xb_submit, NULL, NULL, NULL, &err);
  INVALID(xb_wait, NULL, (xb_point){0}, 0, &err);
  INVALID(xb_poll, NULL, (xb_point){0}, NULL, &err);
  note("xb_device_status");
  assert_int_equal(xb_device_status(NULL), XB_INVALID);
  ZERO(xb_device_close, NULL, NULL); /* XB_OK */
}

static void the_rest(void)
{
  ZERO(xb_backend_find, NULL);
  ZERO(xb_device_get_info, NULL);
  ZERO(xb_device_free_bytes, NULL);
  ZERO(xb_buffer_host, NULL);
  ZERO(xb_buffer_bytes, NULL);
  ZERO(xb_buffer_native, NULL);
  ZERO(xb_buffer_address, NULL);
  ZERO(xb_kernel_get_info, NULL);
  note("xb_backend_name");
  assert_string_equal(xb_backend_name(NULL), "");
  VOID(xb_buffer_destroy, NULL);
  VOID(xb_image_destroy, NULL);
  VOID(xb_kernel_destroy, NULL);
  VOID(xb_commands_destroy, NULL);
  VOID(xb_semaphore_destroy, NULL);
  VOID(xb_cmd_dispatch, NULL, NULL);
  VOID(xb_cmd_use, NULL, NULL, 0);
  VOID(xb_cmd_dispatch_indirect, NULL, NULL, NULL, 0);
  VOID(xb_cmd_copy, NULL, NULL, 0, NULL, 0, 4);
  VOID(xb_cmd_copy_to_image, NULL, NULL, NULL, 0);
  VOID(xb_cmd_copy_from_image, NULL, NULL, 0, NULL);
  VOID(xb_cmd_fill, NULL, NULL, 0, 4, 0);
  VOID(xb_cmd_barrier, NULL);
  VOID(xb_cmd_timestamp, NULL, 0);
  VOID(xb_cmd_native, NULL, native, NULL, NULL, 0);
  VOID(xb_fail, NULL, XB_INVALID, "here", "text");
  VOID(xb_fail_native, NULL, XB_INVALID, "here", 1, "NAME", "text");
}

static bool is_called(const char *name)
{
  for (size_t i = 0; i < called_count; i++)
    if (!strcmp(called[i], name))
      return true;
  return false;
}

/* The map lists every public function: one on each line, with a semicolon. */
UNIT_BARE(every_public_function)
{
  note("xb_backend_at"), note("xb_code_name"), note("xb_feature_name"),
      note("xb_texel_bytes"); /* they take numbers only */
  codes();
  the_rest();
  FILE *map = fopen(XB_MAP, "r");
  assert_non_null(map);
  char line[256], name[64];
  size_t listed = 0;
  while (fgets(line, sizeof line, map)) {
    if (sscanf(line, " %63[a-z0-9_];", name) != 1 || strncmp(name, "xb_", 3) != 0)
      continue;
    listed++;
    if (!is_called(name))
      fail_msg("%s is public, and not called here with NULL", name);
  }
  fclose(map);
  assert_int_equal(listed, called_count);
}
