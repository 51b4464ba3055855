/* vulkan_requirements: code that needs more than the device was opened with is refused by name, before the driver
 * gets it. The code is step.spv with a few more instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* From SPIR-V's specification. */
enum {
  HEADER_WORDS = 5,
  BOUND = 3, /* the header's word */
  OP_SOURCE = 3,
  OP_EXTENSION = 10,
  OP_EXECUTION_MODE = 16,
  OP_CAPABILITY = 17,
  OP_TYPE_INT = 21,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_SAMPLER = 26,
  OP_TYPE_POINTER = 32,
  OP_CONSTANT = 43,
  OP_SPEC_CONSTANT = 50,
  OP_SPEC_CONSTANT_COMPOSITE = 51,
  OP_SPEC_CONSTANT_OP = 52,
  OP_FUNCTION = 54,
  OP_VARIABLE = 59,
  OP_DECORATE = 71,
  OP_COPY_OBJECT = 83,
  OP_RETURN = 253,
  WORKGROUP = 4,
  SPEC_ID = 1,
  BINDING = 33,
  BUILT_IN = 11,
  WORKGROUP_SIZE = 25,
  INT64 = 11,
  FLOAT64 = 10,
  GROUP_NON_UNIFORM = 61, /* the first of eight capabilities, in the order of VkSubgroupFeatureFlagBits */
};

#define OP(words, op) ((uint32_t)(words) << 16 | (op))

typedef struct module {
  uint32_t words[4096];
  size_t count;
} module;

static module step(void)
{
  module c;
  const xb_kernel_desc desc = step_desc();
  c.count = desc.code_bytes / 4;
  assert_true(c.count <= COUNT(c.words));
  memcpy(c.words, desc.code, desc.code_bytes);
  return c;
}

static size_t find_from(const module *c, size_t at, uint32_t op)
{
  while (at < c->count && (c->words[at] & 0xFFFF) != op)
    at += c->words[at] >> 16;
  assert_true(at < c->count);
  return at;
}

static size_t find(const module *c, uint32_t op)
{
  return find_from(c, HEADER_WORDS, op);
}

static uint32_t find_uint(const module *c)
{
  size_t at = find(c, OP_TYPE_INT);
  while (c->words[at + 3]) /* signed */
    at = find_from(c, at + 4, OP_TYPE_INT);
  return c->words[at + 1];
}

static void insert(module *c, size_t at, const uint32_t *words, size_t count)
{
  assert_true(c->count + count <= COUNT(c->words));
  memmove(c->words + at + count, c->words + at, (c->count - at) * sizeof *c->words);
  memcpy(c->words + at, words, count * sizeof *words);
  c->count += count;
}

static module with_capability(uint32_t capability, const char *extension)
{
  module c = step();
  if (extension) {
    uint32_t words[16] = {0};
    const size_t count = 2 + strlen(extension) / 4;
    words[0] = OP(count, OP_EXTENSION);
    memcpy(words + 1, extension, strlen(extension));
    size_t at = HEADER_WORDS;
    while ((c.words[at] & 0xFFFF) == OP_CAPABILITY)
      at += 2;
    insert(&c, at, words, count);
  }
  insert(&c, HEADER_WORDS, (uint32_t[]){OP(2, OP_CAPABILITY), capability}, 2);
  return c;
}

static xb_code create(xb_device *device, const module *c, xb_error *err)
{
  xb_kernel_desc desc = step_desc();
  desc.code = c->words;
  desc.code_bytes = c->count * 4;
  xb_kernel *kernel;
  const xb_code got = xb_kernel_create(device, &desc, &kernel, err);
  xb_kernel_destroy(kernel);
  return got;
}

static void expect_refused(xb_device *device, const module *c, xb_code wanted, const char *text)
{
  xb_error err;
  const uint32_t calls = shim->calls("vkCreateDescriptorSetLayout"); /* the first one for a kernel */
  expect_error(create(device, c, &err), &err, wanted, text);
  assert_int_equal(shim->calls("vkCreateDescriptorSetLayout"), calls);
}

static void expect_accepted(xb_device *device, const module *c)
{
  xb_error err;
  expect_ok(create(device, c, &err), &err);
}

static int fresh(void **state)
{
  (void)state;
  shim->bury();
  shim->reset();
  return 0;
}

/* The same, with a type that needs it, so that the code uses it. */
static module with_type(uint32_t capability, const char *extension, const uint32_t *type, size_t count)
{
  module c = with_capability(capability, extension);
  uint32_t words[4];
  assert_true(count <= COUNT(words));
  memcpy(words, type, count * sizeof *type);
  words[1] = c.words[BOUND]++;
  insert(&c, find(&c, OP_FUNCTION), words, count);
  return c;
}

/* Nothing that a kernel is given here could be a ray query. */
TEST_WITH(test_a_capability_of_no_kernel, fresh, NULL)
{
  const uint32_t type[] = {OP(2, 4472), 0}; /* OpTypeRayQueryKHR */
  xb_device *device = open_device(false);
  const module c = with_type(4472, "SPV_KHR_ray_query", type, COUNT(type));
  expect_refused(device, &c, XB_UNSUPPORTED,
                 "step: the code needs capability RayQueryKHR, which is not supported here");
  close_device(device);
}

/* Code that uses a capability is accepted where the device has the feature, and refused by both names elsewhere. */
TEST_WITH(test_features, fresh, NULL)
{
  static const struct {
    uint32_t capability, feature;
    uint32_t type[4];
    size_t words;
    const char *text;
  } rows[] = {
      {FLOAT64, XB_FEATURE_FLOAT64, {OP(3, 22), 0, 64}, 3, "Float64, which this device lacks: shaderFloat64"},
      {INT64, XB_FEATURE_INT64, {OP(4, OP_TYPE_INT), 0, 64, 0}, 4, "Int64, which this device lacks: shaderInt64"},
      {22, XB_FEATURE_INT16, {OP(4, OP_TYPE_INT), 0, 16, 0}, 4, "Int16, which this device lacks: shaderInt16"},
      {39,
       XB_FEATURE_INT8,
       {OP(4, OP_TYPE_INT), 0, 8, 0},
       4,
       "Int8, which this device lacks: shaderInt8 (VK_KHR_shader_float16_int8, or Vulkan 1.2)"},
      {9,
       XB_FEATURE_FLOAT16,
       {OP(3, 22), 0, 16},
       3,
       "Float16, which this device lacks: shaderFloat16 (VK_KHR_shader_float16_int8, or Vulkan 1.2)"},
  };
  for (int lacking = 0; lacking < 2; lacking++) {
    shim->fake(&(xb_shim_fake){.no_features = lacking});
    xb_device *device = open_device(false);
    const uint32_t has = xb_device_get_info(device)->features;
    assert_int_equal(has & XB_FEATURE_SPECIALIZATION, XB_FEATURE_SPECIALIZATION);
    assert_true(!lacking || has == (has & ~(uint32_t)(XB_FEATURE_SPECIALIZATION - 1)));
    for (size_t i = 0; i < COUNT(rows); i++) {
      char text[160];
      const module c = with_type(rows[i].capability, NULL, rows[i].type, rows[i].words);
      snprintf(text, sizeof text, "step: the code needs capability %s", rows[i].text);
      if (has & rows[i].feature)
        expect_accepted(device, &c);
      else
        expect_refused(device, &c, XB_UNSUPPORTED, text);
    }
    close_device(device);
  }
}

/* What compilers declare and the code does not use is no reason to refuse it, and does not get to the driver: DXC 1.8
 * declares partitions for each reduction of a wave. */
TEST_WITH(test_capabilities_that_the_code_does_not_use, fresh, NULL)
{
  static const struct {
    uint32_t capability;
    const char *extension;
  } rows[] = {{FLOAT64, NULL},
              {25, NULL}, /* ImageGatherExtended */
              {42, NULL}, /* MinLod */
              {4433, NULL},
              {4434, NULL},
              {4435, NULL}, /* those of 16 bits in memory */
              {4448, "SPV_KHR_8bit_storage"},
              {6019, "SPV_KHR_integer_dot_product"},
              {6033, "SPV_EXT_shader_atomic_float_add"},
              {5055, "SPV_KHR_shader_clock"},
              {5347, "SPV_KHR_physical_storage_buffer"},
              {6026, "SPV_KHR_subgroup_rotate"},
              {5297, "SPV_NV_shader_subgroup_partitioned"},
              {5350, "SPV_NV_compute_shader_derivatives"}};
  shim->fake(&(xb_shim_fake){.no_features = true, .no_extension = ""});
  xb_device *device = open_device(false);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const module c = with_capability(rows[i].capability, rows[i].extension);
    expect_accepted(device, &c);
  }
  close_device(device);
}

TEST_WITH(test_capabilities_of_extensions, fresh, NULL)
{
  static const struct {
    uint32_t capability;
    const char *spirv, *extension;
  } rows[] = {{6026, "SPV_KHR_subgroup_rotate", "VK_KHR_shader_subgroup_rotate"},
              {5297, "SPV_NV_shader_subgroup_partitioned", "VK_NV_shader_subgroup_partitioned"},
              {5350, "SPV_NV_compute_shader_derivatives", "VK_NV_compute_shader_derivatives"},
              {5350, "SPV_NV_compute_shader_derivatives", "VK_KHR_compute_shader_derivatives"}};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int has = 0; has < 2; has++) {
      const char *const extension = rows[i].extension;
      const module c = with_capability(rows[i].capability, rows[i].spirv);
      shim->fake(&(xb_shim_fake){.no_extension = has ? NULL : "",
                                 .more_extension = has ? extension : NULL,
                                 .subgroup_operations = 0x1FF}); /* all, with the partitioned ones */
      xb_device *device = open_device(false);
      xb_error err;
      assert_int_equal(shim->enabled(extension), has);
      if (has) { /* it would get to the driver, which need not know it: Mesa 22 does not */
        shim->make_fail("vkCreateComputePipelines", 1 + shim->calls("vkCreateComputePipelines"), VK_ERROR_UNKNOWN,
                        true);
        expect_error(create(device, &c, &err), &err, XB_INTERNAL, "vkCreateComputePipelines");
      }
      close_device(device);
    }
}

/* step.spv, and in its function an instruction of subgroups. */
static module with_elect(void)
{
  module c = with_capability(GROUP_NON_UNIFORM, NULL);
  const uint32_t id = c.words[BOUND], integer = find_uint(&c);
  const uint32_t truth = c.words[find(&c, 20) + 1]; /* OpTypeBool */
  const uint32_t scope[] = {OP(4, OP_CONSTANT), integer, id, 3 /* Subgroup */};
  const uint32_t elect[] = {OP(4, 333), truth, id + 1, id};
  c.words[BOUND] += 2;
  insert(&c, find(&c, OP_RETURN), elect, COUNT(elect));
  insert(&c, find(&c, OP_FUNCTION), scope, COUNT(scope));
  return c;
}

TEST_WITH(test_subgroup_operations, fresh, NULL)
{
  const module c = with_elect();
  for (uint32_t has = 0; has < 2; has++) {
    shim->fake(&(xb_shim_fake){.subgroup_operations = has ? 0xFF : 0xFE});
    xb_device *device = open_device(false);
    if (has)
      expect_accepted(device, &c);
    else
      expect_refused(device, &c, XB_UNSUPPORTED,
                     "step: the code needs capability GroupNonUniform, which this device lacks: "
                     "subgroupSupportedOperations");
    close_device(device);
  }
}

/* Adds an array of `length` words in shared memory, and `used` an instruction with it. */
static module with_shared(uint32_t length, bool computed, bool used)
{
  module c = step();
  const uint32_t id = c.words[BOUND], integer = find_uint(&c);
  const uint32_t constant[] = {OP(4, OP_CONSTANT), integer, id, length};
  const uint32_t expression[] = {OP(6, OP_SPEC_CONSTANT_OP), integer, id + 1, 128 /* OpIAdd */, id, id};
  const uint32_t variable[] = {OP(4, OP_TYPE_ARRAY),   id + 2, integer,   computed ? id + 1 : id,
                               OP(4, OP_TYPE_POINTER), id + 3, WORKGROUP, id + 2,
                               OP(4, OP_VARIABLE),     id + 3, id + 4,    WORKGROUP};
  const uint32_t use[] = {OP(4, OP_COPY_OBJECT), id + 3, id + 5, id + 4};
  c.words[BOUND] += 6;
  if (used)
    insert(&c, find(&c, OP_RETURN), use, COUNT(use));
  const size_t at = find(&c, OP_FUNCTION);
  insert(&c, at, variable, COUNT(variable));
  if (computed)
    insert(&c, at, expression, COUNT(expression));
  insert(&c, at, constant, COUNT(constant));
  return c;
}

TEST_WITH(test_shared_memory, fresh, NULL)
{
  xb_device *device = open_device(false);
  const uint32_t most = xb_device_get_info(device)->shared_bytes / 4;
  char text[120];
  snprintf(text, sizeof text, "step: the code needs %u bytes of shared memory, this device allows %u", 4 * most + 4,
           4 * most);
  module c = with_shared(most + 1, false, true);
  expect_refused(device, &c, XB_UNSUPPORTED, text);
  c = with_shared(64 << 20, false, true);
  expect_refused(device, &c, XB_UNSUPPORTED, "step: the code needs 268435456 bytes of shared memory");
  c = with_shared(UINT32_MAX, false, true);
  expect_refused(device, &c, XB_UNSUPPORTED, "step: the code needs 17179869180 bytes of shared memory");
  c = with_shared(16, true, true);
  expect_accepted(device, &c);
  c = with_shared(most, false, true);
  expect_accepted(device, &c);
  close_device(device);
}

/* Only what the entry point uses counts: a module may have others. */
TEST_WITH(test_shared_memory_that_is_not_used, fresh, NULL)
{
  xb_device *device = open_device(false);
  const module c = with_shared(64 << 20, false, false);
  expect_accepted(device, &c);
  close_device(device);
}

/* Its group size is a specialization constant, which is 32. */
static module with_special_group_size(void)
{
  module c = step();
  const uint32_t id = c.words[BOUND], integer = find_uint(&c);
  size_t vector = find(&c, OP_TYPE_VECTOR);
  while (c.words[vector + 2] != integer || c.words[vector + 3] != 3)
    vector = find_from(&c, vector + 4, OP_TYPE_VECTOR);
  const uint32_t decorations[] = {OP(4, OP_DECORATE), id,     SPEC_ID,  5, /* id + 1 is 1, id + 2 the size */
                                  OP(4, OP_DECORATE), id + 2, BUILT_IN, WORKGROUP_SIZE};
  const uint32_t constants[] = {OP(4, OP_SPEC_CONSTANT),
                                integer,
                                id,
                                32,
                                OP(4, OP_CONSTANT),
                                integer,
                                id + 1,
                                1,
                                OP(6, OP_SPEC_CONSTANT_COMPOSITE),
                                c.words[vector + 1],
                                id + 2,
                                id,
                                id + 1,
                                id + 1};
  c.words[BOUND] += 3;
  insert(&c, find(&c, OP_FUNCTION), constants, COUNT(constants));
  insert(&c, find(&c, OP_DECORATE), decorations, COUNT(decorations));
  return c;
}

TEST_WITH(test_group_size_from_a_constant, fresh, NULL)
{
  xb_device *device = open_device(false);
  const module c = with_special_group_size();
  expect_refused(device, &c, XB_INVALID, "step: the code has groups of 32 x 1 x 1 threads, the description has 64");
  xb_kernel_desc desc = step_desc();
  xb_kernel *kernel;
  xb_error err;
  desc.code = c.words;
  desc.code_bytes = c.count * 4;
  desc.specializations = &(xb_specialization){.id = 5, .value = 64};
  desc.specialization_count = 1;
  expect_ok(xb_kernel_create(device, &desc, &kernel, &err), &err);
  xb_kernel_destroy(kernel);
  close_device(device);
}

/* The validator does not know this source language. That is no mistake of the code: it may be newer. */
TEST_WITH(test_newer_than_the_validator, fresh, NULL)
{
  xb_device *device = open_device(false);
  module c = step();
  const size_t mode = find(&c, OP_EXECUTION_MODE);
  insert(&c, mode + (c.words[mode] >> 16), (uint32_t[]){OP(3, OP_SOURCE), 200, 0}, 3);
  expect_refused(device, &c, XB_UNSUPPORTED,
                 "is too old for this code, or the code is damaged: Invalid source language");
  setenv("XB_ALLOW_NEWER_SPIRV", "1", 1);
  expect_accepted(device, &c);
  c.words[c.count - 1] ^= 1u << 16; /* the last instruction is longer than the module */
  expect_refused(device, &c, XB_INVALID, "not valid SPIR-V");
  unsetenv("XB_ALLOW_NEWER_SPIRV");
  close_device(device);
}

/* Where texels.spv has the binding of its sampler. */
static size_t sampler_binding(const module *c)
{
  const uint32_t type = c->words[find(c, OP_TYPE_SAMPLER) + 1];
  size_t pointer = find(c, OP_TYPE_POINTER), variable = find(c, OP_VARIABLE), at = find(c, OP_DECORATE);
  while (c->words[pointer + 3] != type)
    pointer = find_from(c, pointer + 4, OP_TYPE_POINTER);
  while (c->words[variable + 1] != c->words[pointer + 1])
    variable = find_from(c, variable + (c->words[variable] >> 16), OP_VARIABLE);
  while (c->words[at + 1] != c->words[variable + 2] || c->words[at + 2] != BINDING)
    at = find_from(c, at + (c->words[at] >> 16), OP_DECORATE);
  return at + 3;
}

/* A sampler has the binding of its image, or one of its own. */
TEST_WITH(test_samplers, fresh, NULL)
{
  static const struct {
    uint32_t binding;
    const char *text;
  } rows[] = {{0, ""},
              {4, ""},
              {1, "the code has two buffers at binding 1"},
              {3, "the code has two buffers at binding 3"},
              {9, "the code uses binding 9, the description has 5"}};
  xb_device *device = open_device(false);
  for (size_t i = 0; i < COUNT(rows); i++) {
    xb_kernel_desc desc = texels_desc();
    xb_kernel *kernel;
    xb_error err = {0};
    module c = {.count = desc.code_bytes / 4};
    assert_true(c.count <= COUNT(c.words));
    memcpy(c.words, desc.code, desc.code_bytes);
    c.words[sampler_binding(&c)] = rows[i].binding;
    desc.code = c.words;
    desc.binding_count = 5;
    desc.unused_bindings = i ? 0 : 1u << 4;
    expect_error(xb_kernel_create(device, &desc, &kernel, &err), &err, i > 1 ? XB_INVALID : XB_OK, rows[i].text);
    if (i < 2)
      assert_int_equal(xb_kernel_get_info(kernel)->sampler_bindings, i ? 1u << 4 : 0);
    xb_kernel_destroy(kernel);
  }
  close_device(device);
}

TEST_SOURCE(.begin = support_begin);
