/* failures [LIBRARY]: runs a scenario on a fake vkd3d, or vkd3d-proton; then again with each call failing in turn: out
 * of memory, and device removed. Damaged code is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "backend_d3d12/dx.h"
#include "blob.h"
#include "fake.h"
#include "patience.h"
#include "shaders/args.h"
#include "xb/backend.h"

enum { BYTES = 256, LARGE = 1 << 22, OUT_OF_MEMORY = (int)0x8007000e, REMOVED = (int)0x887a0005 };

extern const xb_backend xb_backend_d3d12;
const xb_backend *const xb_builtin_backends[] = {&xb_backend_d3d12, NULL};
static fake_control *fake;
static void (*free_left)(void), (*end)(void);

typedef struct play {
  xb_device *device;
  xb_buffer *up, *down, *a, *b, *large;
  xb_kernel *step;
  xb_commands *compute, *copy;
} play;

static xb_kernel_desc step_desc(const void *code, size_t bytes)
{
  return (xb_kernel_desc){.label = "step",
                          .code = code,
                          .code_bytes = bytes,
                          .entry = "main",
                          .group_size = {64, 1, 1},
                          .binding_count = 2,
                          .arg_bytes = sizeof(struct step_args)};
}

static xb_code make(play *p, xb_error *err)
{
  const struct {
    xb_mem mem;
    xb_buffer **buffer;
  } buffers[] = {{XB_MEM_UPLOAD, &p->up},
                 {XB_MEM_READBACK, &p->down},
                 {XB_MEM_DEVICE, &p->a},
                 {XB_MEM_DEVICE, &p->b},
                 {XB_MEM_DEVICE, &p->large}};
  xb_device_info info;
  uint32_t count;
  xb_code code = xb_enumerate(&xb_backend_d3d12, &info, 1, &count, err);
  if (!code)
    code = xb_device_open(&(xb_device_desc){.backend = &xb_backend_d3d12}, &p->device, err);
  for (size_t i = 0; i < 5 && !code; i++)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.mem = buffers[i].mem, .bytes = i < 4 ? BYTES : LARGE},
                            buffers[i].buffer, err);
  const xb_kernel_desc step = step_desc(xb_blobs[0].data, xb_blobs[0].bytes);
  if (!code)
    code = xb_kernel_create(p->device, &step, &p->step, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.timestamp_count = 2}, &p->compute, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.queue = XB_QUEUE_COPY}, &p->copy, err);
  return code;
}

static void record(play *p)
{
  const struct step_args args = {.count = 64};
  xb_cmd_fill(p->copy, p->a, 0, BYTES, 7);
  xb_cmd_barrier(p->copy);
  xb_cmd_copy(p->copy, p->a, BYTES / 2, p->a, 0, BYTES / 2);
  xb_cmd_copy(p->copy, p->large, LARGE / 2, p->large, 0, LARGE / 2);
  xb_cmd_timestamp(p->compute, 0);
  for (int i = 0; i < 2; i++) {
    xb_cmd_dispatch(p->compute, &(xb_dispatch){.kernel = p->step,
                                               .bindings = (xb_binding[]){{.buffer = p->a, .access = XB_READ},
                                                                          {.buffer = p->b, .access = XB_WRITE}},
                                               .binding_count = 2,
                                               .args = &args,
                                               .arg_bytes = sizeof args,
                                               .groups = {1, 1, 1}});
    xb_cmd_barrier(p->compute);
  }
  xb_cmd_copy(p->compute, p->down, 0, p->b, 0, BYTES);
  xb_cmd_timestamp(p->compute, 1);
}

static xb_code run(play *p, xb_error *err)
{
  double ns[2];
  xb_point copied, done;
  xb_code code = XB_OK;
  for (int round = 0; round < 2 && !code; round++) {
    code = xb_submit(p->device, &(xb_submission){.commands = p->copy}, &copied, err);
    if (!code)
      code = xb_submit(p->device, &(xb_submission){.commands = p->compute, .after = &copied, .after_count = 1}, &done,
                       err);
    if (!code)
      code = xb_wait(p->device, done, patience_ns(), err);
    if (!code)
      code = xb_commands_timestamps(p->compute, ns, 2, err);
  }
  return code;
}

static xb_code destroy(play *p)
{
  xb_commands_destroy(p->compute);
  xb_commands_destroy(p->copy);
  xb_kernel_destroy(p->step);
  xb_buffer *const buffers[] = {p->up, p->down, p->a, p->b, p->large};
  for (int i = 0; i < 5; i++)
    xb_buffer_destroy(buffers[i]);
  return xb_device_close(p->device, NULL);
}

static xb_code scenario(xb_error *err)
{
  play p = {0};
  xb_code code = make(&p, err);
  if (!code) {
    record(&p);
    code = run(&p, err);
  }
  const xb_code closed = destroy(&p);
  return code ? code : closed;
}

/* The call fails, the message names the error, and nothing is left. A device that was lost keeps its objects. */
static void each_call_fails(int with, xb_code expected)
{
  for (int64_t k = 1;; k++) {
    xb_error err = {0};
    *fake = (fake_control){.fail_call = k, .fail_with = with};
    const xb_code code = scenario(&err);
    if (!fake->failed) {
      assert_int_equal(code, XB_OK);
      assert_true(k > 20); /* the whole scenario ran */
      return;
    }
    const bool no_instance =
        !strcmp(fake->failed, "vkd3d_create_instance") || !strcmp(fake->failed, "D3D12CreateDevice");
    if (code != (no_instance ? XB_UNAVAILABLE : expected))
      fail_msg("%s: %s: '%s'", fake->failed, xb_code_name(code), err.message);
    if (!strstr(err.message, with == REMOVED ? "DXGI_ERROR_DEVICE_REMOVED" : "E_OUTOFMEMORY"))
      fail_msg("%s: '%s' does not name the error", fake->failed, err.message);
    if (code == XB_LOST && fake->alive && !strstr(err.message, "DXGI_ERROR_DEVICE_HUNG: a command "))
      fail_msg("%s: '%s' does not name the reason", fake->failed, err.message);
    if (fake->alive && code != XB_LOST)
      fail_msg("%s: %d objects are left", fake->failed, fake->alive);
    free_left();
  }
}

/* The code is on the heap, so that a sanitizer sees a read past its end. The fake runtime does not look at it. */
static void damaged_code(void **state)
{
  (void)state;
  play p = {0};
  xb_error err = {0};
  *fake = (fake_control){0};
  assert_int_equal(make(&p, &err), XB_OK);
  const xb_blob *right = &xb_blobs[0];
  srand(1);
  for (size_t round = 0; round < right->bytes + 5000; round++) {
    const size_t bytes = round < right->bytes ? round : right->bytes;
    unsigned char *code = malloc(bytes + !bytes);
    memcpy(code, right->data, bytes);
    for (int i = 0; i < 8 && round >= right->bytes; i++)
      code[32 + (size_t)rand() % (bytes - 32)] = (unsigned char)(i % 2 ? 255 : rand());
    xb_kernel_desc desc = step_desc(code, bytes);
    xb_kernel *kernel = NULL;
    const xb_code got = xb_kernel_create(p.device, &desc, &kernel, &err);
    if (bytes < right->bytes || got)
      assert_int_equal(got, XB_INVALID);
    xb_kernel_destroy(kernel);
    free(code);
  }
  destroy(&p);
  assert_int_equal(fake->alive, 0);
}

static xb_code take_handle(const xb_native *native, void *user, xb_error *err)
{
  (void)err;
  *(ID3D12Device **)user = native->device;
  return XB_OK;
}

/* Buffers of random sizes come and go. No two of them have the same place. */
static void places(void **state)
{
  (void)state;
  enum { MOST = 700, ROUNDS = 20000 };
  static xb_be_buffer held[MOST];
  static xb_be_device d;
  play p = {0};
  xb_error err = {0};
  *fake = (fake_control){0};
  assert_int_equal(make(&p, &err), XB_OK);
  assert_int_equal(xb_device_native(p.device, take_handle, &d.handle, &err), XB_OK);
  srand(1);
  for (int round = 0; round < ROUNDS; round++) {
    xb_be_buffer *b = &held[rand() % MOST];
    if (b->heap) {
      dx_leave_place(b->heap, b->place, b->bytes);
      b->heap = NULL;
      continue;
    }
    b->bytes = 1 + (uint64_t)rand() % DX_PLACED_BYTES;
    assert_int_equal(dx_take_place(&d, &(D3D12_HEAP_PROPERTIES){0}, XB_MEM_DEVICE, b->bytes, &b->heap, &b->place, &err),
                     XB_OK);
    const uint64_t behind = b->place + (b->bytes + DX_PLACE_BYTES - 1) / DX_PLACE_BYTES;
    assert_true(behind <= DX_PLACES);
    for (const xb_be_buffer *other = held; other < held + MOST; other++)
      assert_true(other == b || other->heap != b->heap || other->place >= behind ||
                  other->place * (uint64_t)DX_PLACE_BYTES + other->bytes <= b->place * (uint64_t)DX_PLACE_BYTES);
  }
  dx_heaps_free(&d);
  destroy(&p);
  assert_int_equal(fake->alive, 0);
}

static void unharmed(void **state)
{
  (void)state;
  xb_error err = {0};
  *fake = (fake_control){0};
  if (scenario(&err))
    fail_msg("%s", err.message);
  assert_int_equal(fake->alive, 0);
  assert_int_equal(fake->copies_inside, 0);
  assert_int_equal(fake->copies, 8); /* a fill, to the host, and inside: one part and two parts, each there and back */
}

static void out_of_memory(void **state)
{
  (void)state;
  each_call_fails(OUT_OF_MEMORY, XB_NOMEM);
}

static void device_removed(void **state)
{
  (void)state;
  each_call_fails(REMOVED, XB_LOST);
}

int main(int argc, char **argv)
{
  const char *const name = argc > 1 ? argv[1] : "libvkd3d.so.1";
  void *library = dlopen(name, RTLD_NOW);
  fake = library ? dlsym(library, "fake") : NULL;
  void *symbol = fake ? dlsym(library, "fake_free_left") : NULL;
  memcpy(&free_left, &symbol, sizeof symbol);
  symbol = fake ? dlsym(library, "fake_end") : NULL;
  memcpy(&end, &symbol, sizeof symbol);
  if (!fake) {
    fprintf(stderr, "this %s is not the fake one: run by ctest\n", name);
    return 1;
  }
  const struct CMUnitTest cases[] = {cmocka_unit_test(unharmed), cmocka_unit_test(out_of_memory),
                                     cmocka_unit_test(damaged_code), cmocka_unit_test(places),
                                     cmocka_unit_test(device_removed)};
  const int failed = cmocka_run_group_tests(cases, NULL, NULL);
  end();
  return failed;
}
