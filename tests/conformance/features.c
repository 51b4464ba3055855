/* What some devices lack: a kernel that asks for it is refused by name, elsewhere it works. */
#include "suite.h"

#include <string.h>

enum { THREADS = 64, FACTS = 8 };

static xb_code try_kernel(const xb_kernel_desc *desc, xb_error *err)
{
  xb_kernel *kernel;
  const xb_code code = xb_kernel_create(suite_device, desc, &kernel, err);
  if (!code)
    keep_kernel(kernel);
  return code;
}

CASE(by_name)
{
  xb_error err;
  for (uint32_t bit = XB_FEATURE_FLOAT64; bit <= XB_FEATURE_INT8_DOT; bit <<= 1) {
    xb_kernel_desc desc = desc_of("count");
    desc.features = bit;
    const xb_code code = try_kernel(&desc, &err);
    if (suite_info->features & bit)
      CHECK(code, &err);
    else
      REFUSED(code, &err, XB_UNSUPPORTED, xb_feature_name(bit));
  }
}

/* True if this build has the kernel, and the device its features. */
static bool can_run(const char *name)
{
  xb_kernel_desc desc;
  return test_kernel(suite_code(), name, &desc) && !(desc.features & ~suite_info->features);
}

/* Elements of 1 and 2 bytes: float16, int16, uint8. */
CASE(narrow_types)
{
  static const uint16_t HALVES[4] = {0x0000, 0x3c00, 0xc100, 0x7bff};   /* 0, 1, -2.5, 65504 */
  static const uint16_t EXPECTED[4] = {0x3c00, 0x4200, 0xc400, 0x7c00}; /* 2 x + 1: 1, 3, -4, infinity */
  struct {
    uint16_t halves[THREADS];
    int16_t shorts[THREADS];
    uint8_t bytes[THREADS];
  } in, out;
  if (!can_run("narrow"))
    skip();
  for (uint32_t i = 0; i < THREADS; i++) {
    in.halves[i] = HALVES[i % 4];
    in.shorts[i] = (int16_t)(i * 1021);
    in.bytes[i] = (uint8_t)(i * 3);
  }
  xb_buffer *halves = buffer_of(XB_MEM_DEVICE, sizeof in.halves), *shorts = buffer_of(XB_MEM_DEVICE, sizeof in.shorts);
  xb_buffer *bytes = buffer_of(XB_MEM_DEVICE, sizeof in.bytes), *output = buffer_of(XB_MEM_DEVICE, sizeof out);
  write_buffer(halves, 0, in.halves, sizeof in.halves);
  write_buffer(shorts, 0, in.shorts, sizeof in.shorts);
  write_buffer(bytes, 0, in.bytes, sizeof in.bytes);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(
      c, kernel_of("narrow"), "narrow",
      (xb_binding[]){bound(halves, XB_READ), bound(shorts, XB_READ), bound(bytes, XB_READ), bound(output, XB_WRITE)},
      NULL, 1, 1, 1);
  run(c);
  read_buffer(output, 0, &out, sizeof out);
  for (uint32_t i = 0; i < THREADS; i++) {
    SAME_WORD(i, out.halves[i], EXPECTED[i % 4]);
    SAME_WORD(i, (uint16_t)out.shorts[i], (uint16_t)(in.shorts[i] * 3));
    SAME_WORD(i, out.bytes[i], (uint8_t)(in.bytes[i] + 200));
  }
}

CASE(atomics)
{
  struct {
    uint64_t wide;
    float real, unused;
  } sums = {1, 0.25f, 7};
  if (!can_run("atomics"))
    skip();
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof sums);
  write_buffer(buffer, 0, &sums, sizeof sums);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("atomics"), "atomics", (xb_binding[]){bound(buffer, XB_ATOMIC)}, NULL, 10, 1, 1);
  run(c);
  read_buffer(buffer, 0, &sums, sizeof sums);
  assert_true(sums.wide == 1 + 640 * UINT64_C(0x180000001));
  assert_true(sums.real == 320.25f && sums.unused == 7);
}

CASE(dynamic_shared)
{
  xb_error err;
  xb_kernel *kernel;
  xb_kernel_desc desc = desc_of("count");
  desc.dynamic_shared_bytes = 64;
  if (!(suite_info->features & XB_FEATURE_DYNAMIC_SHARED)) {
    REFUSED(try_kernel(&desc, &err), &err, XB_UNSUPPORTED, "64 bytes of dynamic shared memory");
    return;
  }
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  xb_kernel_destroy(kernel);
}

static bool has_specialization(void)
{
  if (suite_info->features & XB_FEATURE_SPECIALIZATION)
    return true;
  xb_error err;
  xb_kernel_desc desc = desc_of("count");
  desc.specializations = &(xb_specialization){.id = 0};
  desc.specialization_count = 1;
  REFUSED(try_kernel(&desc, &err), &err, XB_UNSUPPORTED, "has no specialization constants: compile the code");
  return false;
}

/* Each thread writes the same facts, but for the last one. */
static void special(const xb_specialization *list, uint32_t count, const uint32_t facts[FACTS - 1], uint32_t length)
{
  uint32_t got[THREADS * FACTS];
  xb_kernel_desc desc = desc_of("special");
  xb_kernel *kernel;
  xb_error err;
  desc.specializations = list;
  desc.specialization_count = count;
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  keep_kernel(kernel);
  output_of(kernel, "special", NULL, 1, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i % FACTS < FACTS - 1 ? facts[i % FACTS] : i / FACTS % length * 10);
}

static uint32_t bits(float value)
{
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

CASE(specialization)
{
  if (!has_specialization())
    return;
  if (!can_run("special"))
    skip();
  special(NULL, 0, (uint32_t[]){16, bits(3), 0, (uint32_t)-4, 1, 0, 150}, 16);
  const xb_specialization all[] = {
      {.id = 9, .value = (uint64_t)-17}, /* the upper half does not count */
      {.id = 3, .value = 40},
      {.id = 4, .bytes = 8, .value = 0x3fb999999999999a} /* 0.1 */,
      {.id = 1, .bytes = 4, .value = bits(0.25f)},
      {.id = 7, .value = 1},
  };
  special(all, COUNT(all), (uint32_t[]){40, bits(0.5f), 1, (uint32_t)-17, 0, 1, 390}, 40);
  special(&all[4], 1, (uint32_t[]){16, bits(3), 1, (uint32_t)-4, 1, 0, 150}, 16);
}

CASE(wrong_specialization)
{
  if (!can_run("special"))
    skip();
  static const struct {
    xb_specialization given;
    xb_code code;
    const char *text;
  } rows[] = {
      {{.id = 2}, XB_INVALID, "special: the code has no specialization constant 2"},
      {{.id = 4}, XB_INVALID, "special: specialization constant 4 has 8 bytes in the code, 4 in the description"},
      {{.id = 1, .bytes = 8}, XB_INVALID, "constant 1 has 4 bytes in the code, 8 in the description"},
      {{.id = 7, .bytes = 1}, XB_INVALID, "constant 7 has 4 bytes in the code, 1 in the description"},
      {{.id = 3, .value = 0}, XB_INVALID, "special: the code is not valid SPIR-V"}, /* an array without elements */
      {{.id = 3, .value = 1 << 28}, XB_UNSUPPORTED, "special: the code needs 1073741824 bytes of shared memory"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    xb_error err;
    xb_kernel_desc desc = desc_of("special");
    desc.specializations = &rows[i].given;
    desc.specialization_count = 1;
    REFUSED(try_kernel(&desc, &err), &err, rows[i].code, rows[i].text);
  }
}

TEST_SOURCE(SUITE);
