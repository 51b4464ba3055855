/* vulkan_matrices: which features follow from the shapes of cooperative matrices that a device lists. */
#include "backend_vulkan/vk.h"
#include "support.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef VkCooperativeMatrixPropertiesKHR shape;

static shape listed[8];
static uint32_t listed_count;

static VkResult list(VkPhysicalDevice physical, uint32_t *count, shape *out)
{
  (void)physical;
  if (out)
    memcpy(out, listed, *count * sizeof *out);
  else
    *count = listed_count;
  return VK_SUCCESS;
}

static shape shape_of(uint32_t m, uint32_t n, uint32_t k, VkComponentTypeKHR in, VkComponentTypeKHR out)
{
  return (shape){.MSize = m,
                 .NSize = n,
                 .KSize = k,
                 .AType = in,
                 .BType = in,
                 .CType = out,
                 .ResultType = out,
                 .scope = VK_SCOPE_SUBGROUP_KHR};
}

static uint32_t features(const shape *shapes, uint32_t count)
{
  static vk_instance instance;
  instance.vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR = list;
  memcpy(listed, shapes, count * sizeof *shapes);
  listed_count = count;
  return vk_matrices(&instance, VK_NULL_HANDLE);
}

TEST(each_shape_is_a_feature)
{
  const VkComponentTypeKHR half = VK_COMPONENT_TYPE_FLOAT16_KHR, single = VK_COMPONENT_TYPE_FLOAT32_KHR;
  const VkComponentTypeKHR byte = VK_COMPONENT_TYPE_SINT8_KHR, whole = VK_COMPONENT_TYPE_SINT32_KHR;
  const struct {
    shape shape;
    uint32_t feature;
  } all[] = {
      {shape_of(16, 16, 16, half, single), XB_FEATURE_MATRICES},
      {shape_of(16, 8, 16, half, single), XB_FEATURE_MATRICES_16_8_16},
      {shape_of(16, 8, 8, half, single), XB_FEATURE_MATRICES_16_8_8},
      {shape_of(16, 16, 16, VK_COMPONENT_TYPE_BFLOAT16_KHR, single), XB_FEATURE_BFLOAT16_MATRICES},
      {shape_of(16, 16, 32, byte, whole), XB_FEATURE_INT8_MATRICES},
      {shape_of(8, 16, 16, half, single), 0},
      {shape_of(16, 16, 16, half, half), 0},
      {shape_of(16, 16, 16, byte, whole), 0},
  };
  uint32_t together = 0;
  shape shapes[8];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    assert_int_equal(features(&all[i].shape, 1), all[i].feature);
    together |= all[i].feature;
    shapes[i] = all[i].shape;
  }
  assert_int_equal(features(shapes, 8), together);
  shapes[0].scope = (VkScopeKHR)2; /* of a group */
  assert_int_equal(features(shapes, 1), 0);
}

TEST(float8_has_two_formats)
{
  const VkComponentTypeKHR single = VK_COMPONENT_TYPE_FLOAT32_KHR;
  const shape both[] = {shape_of(16, 16, 32, VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, single),
                        shape_of(16, 16, 32, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, single)};
  assert_int_equal(features(both, 2), XB_FEATURE_FLOAT8_MATRICES);
  assert_int_equal(features(both, 1), 0);
  assert_int_equal(features(both + 1, 1), 0);
}

/* SPIRV-Cross does not know these types. Each is added to a kernel, behind its capability. */
TEST(types_of_matrices_and_tensors_are_read)
{
  static const struct {
    uint32_t capability, words[7];
  } types[] = {
      {6022, {7u << 16 | 4456, 0, 0, 0, 0, 0, 0}}, /* OpTypeCooperativeMatrixKHR */
      {5439, {4u << 16 | 5370, 0, 0, 0}},          /* OpTypeTensorLayoutNV */
      {5439, {6u << 16 | 5371, 0, 0, 0, 0, 0}},    /* OpTypeTensorViewNV of two dimensions */
      {4212, {4u << 16 | 22, 0, 8, 4214}},         /* OpTypeFloat of 8 bits: Float8E4M3EXT */
  };
  enum { HEADER_WORDS = 5, BOUND = 3, OP_CAPABILITY = 17, OP_TYPE_INT = 21, OP_FUNCTION = 54, ADDED = 2 };
  assert_int_equal(setenv("XB_ALLOW_NEWER_SPIRV", "1", 1), 0);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    xb_kernel_desc desc = step_desc();
    const uint32_t *code = desc.code;
    const size_t count = desc.code_bytes / 4, length = types[i].words[0] >> 16;
    uint32_t *words = malloc((count + ADDED + length) * sizeof *words), *type, some_type = 0;
    size_t at = HEADER_WORDS;
    assert_non_null(words);
    for (; (code[at] & 0xFFFF) != OP_FUNCTION; at += code[at] >> 16)
      if ((code[at] & 0xFFFF) == OP_TYPE_INT)
        some_type = code[at + 1];
    memcpy(words, code, HEADER_WORDS * sizeof *words);
    words[HEADER_WORDS] = 2u << 16 | OP_CAPABILITY;
    words[HEADER_WORDS + 1] = types[i].capability;
    memcpy(words + HEADER_WORDS + ADDED, code + HEADER_WORDS, (at - HEADER_WORDS) * sizeof *words);
    type = words + at + ADDED;
    memcpy(type, types[i].words, length * sizeof *words);
    type[1] = words[BOUND]++;
    type[2] = type[2] ? type[2] : some_type;
    memcpy(type + length, code + at, (count - at) * sizeof *words);
    desc.code = words;
    desc.code_bytes = (count + ADDED + length) * sizeof *words;
    vk_spirv spirv;
    vk_reflection found;
    xb_error error;
    expect_ok(vk_spirv_read(&desc, VK_API_VERSION_1_2, &spirv, &error), &error);
    expect_ok(vk_reflect(&desc, &spirv, &found, &error), &error);
    vk_spirv_free(&spirv);
    free(words);
  }
}
