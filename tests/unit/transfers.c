/* Copies of pageable memory through pinned memory, on a backend that has none of its own; and imported memory. */
#include "support.h"

#include <string.h>

enum { PART = 4 << 20 };

static xb_code there_and_back(xb_device *device, uint64_t bytes, xb_error *err)
{
  static uint32_t in[3 * PART / 4 + 2], out[sizeof in / sizeof *in];
  xb_buffer *buffer = NULL;
  for (uint32_t i = sizeof in / sizeof *in; !in[0] && i-- > 0;)
    in[i] = ~i * 2654435761u;
  memset(out, 0, bytes);
  xb_code code = xb_buffer_create(device, &(xb_buffer_desc){.bytes = bytes}, &buffer, err);
  if (!code)
    code = xb_upload(buffer, 0, in, bytes, err);
  if (!code)
    code = xb_download(buffer, 0, out, bytes, err);
  if (!code && memcmp(in, out, bytes) != 0)
    fail_msg("%llu bytes: others came back", (unsigned long long)bytes);
  xb_buffer_destroy(buffer);
  return code;
}

UNIT(parts)
{
  const unit *u = *state;
  static const uint64_t sizes[] = {4, PART - 4, PART, PART + 4, 2 * PART, 2 * PART + 4, 3 * PART + 8};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    xb_error err;
    if (there_and_back(u->device, sizes[i], &err))
      fail_msg("%s", err.message);
  }
}

/* Whatever fails, the next copy works, and the device can be closed. */
UNIT_BARE(every_call_fails)
{
  static const xb_code codes[] = {XB_NOMEM, XB_LOST};
  for (size_t c = 0; c < COUNT(codes); c++)
    for (uint64_t k = 1, failed = true; failed; k++) {
      xb_error err = {0};
      xb_device *device = unit_open(0);
      host_fail_call(k, codes[c]);
      const xb_code got = there_and_back(device, 2 * PART + 4, &err);
      failed = host_failed();
      if (failed ? got != codes[c] : got != XB_OK)
        fail_msg("call %d, %s: %s '%s'", (int)k, host_failed_name(), xb_code_name(got), err.message);
      if (host_broken_promise())
        fail_msg("call %d, %s: %s", (int)k, host_failed_name(), host_broken_promise());
      if (failed && codes[c] != XB_LOST)
        assert_int_equal(there_and_back(device, 2 * PART + 4, &err), XB_OK);
      assert_true(failed || k > 20);
      host_fail_call(0, XB_OK);
      unit_close(device);
      unit_clean(__FILE__, __LINE__);
      host_reset();
    }
}

UNIT(in_flight)
{
  unit *u = *state;
  xb_error err;
  uint32_t word = 5;
  host_set_mode(HOST_WAITED);
  xb_cmd_fill(u->c, u->a, 0, 4, 7);
  const xb_point point = unit_submit(u->device, u->c);
  REFUSED(xb_upload(u->a, 4, &word, 1024, &err), &err, XB_INVALID, "inside the buffer"); /* it has 1024 bytes */
  REFUSED(xb_download(u->a, 1024, &word, 4, &err), &err, XB_INVALID, "inside the buffer");
  REFUSED(xb_upload(u->a, 512, &word, 4, &err), &err, XB_INVALID, "work in flight uses");
  REFUSED(xb_download(u->a, 512, &word, 4, &err), &err, XB_INVALID, "wait for it first");
  assert_int_equal(xb_upload(u->b, 0, &word, 4, &err), XB_OK); /* another buffer */
  unit_wait(u->device, point);
  assert_int_equal(xb_download(u->a, 0, &word, 4, &err), XB_OK);
  assert_int_equal(word, 7);
}

UNIT_BARE(a_device_that_imports_nothing)
{
  static _Alignas(4096) unsigned char page[4096];
  xb_error err;
  xb_buffer *buffer;
  xb_device *device = unit_open(1);
  const xb_buffer_desc desc = {.mem = XB_MEM_IMPORTED, .bytes = sizeof page, .host = page};
  REFUSED(xb_buffer_create(device, &desc, &buffer, &err), &err, XB_UNSUPPORTED,
          "'host device 1' cannot import host memory");
  unit_close(device);
}
