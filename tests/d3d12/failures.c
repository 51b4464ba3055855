/* failures [LIBRARY]: runs a scenario on a fake vkd3d, or vkd3d-proton; then again with each call failing in turn: out
 * of memory, and device removed. Damaged code is refused. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>

#include "backend_d3d12/dx.h"
#include "blob.h"
#include "fake.h"
#include "scenario/scenario.h"
#include "test.h"

enum { LARGE = 1 << 22, OUT_OF_MEMORY = (int)0x8007000e, REMOVED = (int)0x887a0005 };

extern const xb_backend xb_backend_d3d12;
const xb_backend *const xb_builtin_backends[] = {&xb_backend_d3d12, NULL};
static fake_control *fake;
static void (*free_left)(void), (*end_fake)(void);

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

static xb_code make_step(xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_kernel_desc desc = step_desc(xb_blobs[0].data, xb_blobs[0].bytes);
  return xb_kernel_create(device, &desc, kernel, err);
}

static void scenario(scenario_outcome *outcome)
{
  const scenario_kernel kernels[] = {{.desc = step_desc(xb_blobs[0].data, xb_blobs[0].bytes),
                                      .bindings = {{.access = XB_READ}, {.access = XB_WRITE}},
                                      .args = {64, 1},
                                      .indirect = true},
                                     {.desc = {0}}};
  const scenario_backend backend = {.open = {.backend = &xb_backend_d3d12},
                                    .step = make_step,
                                    .kernels = kernels,
                                    .last_first = true,
                                    .side_bytes = LARGE,
                                    .may_refuse = SCENARIO_COMBINED,
                                    .computes_nothing = true,
                                    .again = true};
  scenario_run(&backend, outcome);
}

static xb_device *open_device(void)
{
  xb_device *device;
  xb_error err;
  *fake = (fake_control){0};
  if (xb_device_open(&(xb_device_desc){.backend = &xb_backend_d3d12}, &device, &err))
    fail_msg("%s", err.message);
  return device;
}

static void close_device(xb_device *device)
{
  assert_int_equal(xb_device_close(device, NULL), XB_OK);
  assert_int_equal(fake->alive, 0);
}

/* The call fails, the message names the error, and nothing is left. A device that was lost keeps its objects. */
static void each_call_fails(int with, xb_code expected)
{
  for (int64_t k = 1;; k++) {
    scenario_outcome o;
    *fake = (fake_control){.fail_call = k, .fail_with = with};
    scenario(&o);
    const xb_code code = o.code;
    if (!fake->failed) {
      assert_int_equal(code, XB_OK);
      assert_true(k > 20); /* the whole scenario ran */
      return;
    }
    const bool no_instance =
        !strcmp(fake->failed, "vkd3d_create_instance") || !strcmp(fake->failed, "D3D12CreateDevice");
    if (code != (no_instance ? XB_UNAVAILABLE : expected))
      fail_msg("%s: %s: '%s'", fake->failed, xb_code_name(code), o.error.message);
    if (!strstr(o.error.message, with == REMOVED ? "DXGI_ERROR_DEVICE_REMOVED" : "E_OUTOFMEMORY"))
      fail_msg("%s: '%s' does not name the error", fake->failed, o.error.message);
    if (code == XB_LOST && fake->alive && !strstr(o.error.message, "DXGI_ERROR_DEVICE_HUNG: a command "))
      fail_msg("%s: '%s' does not name the reason", fake->failed, o.error.message);
    if (fake->alive && code != XB_LOST)
      fail_msg("%s: %d objects are left", fake->failed, fake->alive);
    if (o.tried_again && o.again)
      fail_msg("%s: the work repeated gave %s", fake->failed, xb_code_name(o.again));
    free_left();
  }
}

/* The code is on the heap, so that a sanitizer sees a read past its end. The fake runtime does not look at it. */
TEST(damaged_code)
{
  xb_error err = {0};
  xb_device *device = open_device();
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
    const xb_code got = xb_kernel_create(device, &desc, &kernel, &err);
    if (bytes < right->bytes || got)
      assert_true(got == XB_INVALID || got == XB_UNSUPPORTED); /* damage can look like an array */
    xb_kernel_destroy(kernel);
    free(code);
  }
  close_device(device);
}

static xb_code take_handle(const xb_native *native, void *user, xb_error *err)
{
  (void)err;
  *(ID3D12Device **)user = native->device;
  return XB_OK;
}

/* Buffers of random sizes come and go. No two of them have the same place. */
TEST(places)
{
  enum { MOST = 700, ROUNDS = 20000 };
  static xb_be_buffer held[MOST];
  static xb_be_device d;
  xb_error err = {0};
  xb_device *device = open_device();
  assert_int_equal(xb_device_native(device, take_handle, &d.handle, &err), XB_OK);
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
  close_device(device);
}

TEST(unharmed)
{
  scenario_outcome o;
  *fake = (fake_control){0};
  scenario(&o);
  if (o.code)
    fail_msg("%s: %s", o.step, o.error.message);
  assert_int_equal(fake->alive, 0);
  assert_int_equal(fake->copies_inside, 0);
  assert_int_equal(fake->copies, 35); /* 24 fills, 5 copies, and inside: one part and two parts, each there and back */
}

TEST(out_of_memory)
{
  each_call_fails(OUT_OF_MEMORY, XB_NOMEM);
}

TEST(device_removed)
{
  each_call_fails(REMOVED, XB_LOST);
}

static int begin(void)
{
  const char *const name = test_argument_count ? test_arguments[0] : "libvkd3d.so.1";
  void *library = dlopen(name, RTLD_NOW);
  fake = library ? dlsym(library, "fake") : NULL;
  void *symbol = fake ? dlsym(library, "fake_free_left") : NULL;
  memcpy(&free_left, &symbol, sizeof symbol);
  symbol = fake ? dlsym(library, "fake_end") : NULL;
  memcpy(&end_fake, &symbol, sizeof symbol);
  if (fake)
    return 0;
  printf("FAILED: this %s is not the fake one: run by ctest\n", name);
  return 1;
}

static int end(void)
{
  end_fake();
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
