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

static void by_name(void **state)
{
  (void)state;
  xb_error err;
  for (uint32_t bit = XB_FEATURE_FLOAT64; bit <= XB_FEATURE_INDIRECT; bit <<= 1) {
    xb_kernel_desc desc = desc_of("count");
    desc.features = bit;
    const xb_code code = try_kernel(&desc, &err);
    if (suite_info->features & bit)
      CHECK(code, &err);
    else
      REFUSED(code, &err, XB_UNSUPPORTED, xb_feature_name(bit));
  }
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
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof got);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel, "special", (xb_binding[]){bound(buffer, XB_WRITE)}, NULL, 1, 1, 1);
  run(c);
  read_buffer(buffer, 0, got, sizeof got);
  for (uint32_t i = 0; i < COUNT(got); i++)
    SAME_WORD(i, got[i], i % FACTS < FACTS - 1 ? facts[i % FACTS] : i / FACTS % length * 10);
}

static uint32_t bits(float value)
{
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

static void specialization(void **state)
{
  (void)state;
  if (!has_specialization())
    return;
  if (!(suite_info->features & XB_FEATURE_FLOAT64))
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

static void wrong_specialization(void **state)
{
  (void)state;
  if (!has_specialization())
    return;
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

int feature_cases(void)
{
  const struct CMUnitTest cases[] = {CASE(by_name), CASE(specialization), CASE(wrong_specialization)};
  return cmocka_run_group_tests_name("features", cases, suite_open, suite_close);
}
