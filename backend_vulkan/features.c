#include "features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vk_extensions vk_read_extensions(const vk_instance *instance, VkPhysicalDevice physical)
{
  vk_extensions e = {0};
  const PFN_vkEnumerateDeviceExtensionProperties enumerate = instance->vk.EnumerateDeviceExtensionProperties;
  const bool listed = !enumerate(physical, NULL, &e.count, NULL);
  const uint32_t room = listed ? e.count : 0;
  e.list = calloc(room + 1u, sizeof *e.list);
  if (!listed || !e.list || enumerate(physical, NULL, &e.count, e.list) < 0)
    e.count = 0; /* the device is then used as plain Vulkan 1.1 */
  e.count = vk_at_most(e.count, room);
  return e;
}

bool vk_has_extension(const vk_extensions *e, const char *name)
{
  for (uint32_t i = 0; i < e->count; i++)
    if (!strcmp(e->list[i].extensionName, name))
      return true;
  return false;
}

static const struct {
  uint32_t since; /* 0: no version */
  const char *extension;
} structs[] = {
#define ROW(member, type, enumerator, since, extension) {since ? VK_MAKE_API_VERSION(0, 1, since, 0) : 0, extension},
    EACH_STRUCT(ROW)
#undef ROW
};

static bool is_core(uint32_t i, uint32_t version)
{
  return structs[i].since && version >= structs[i].since;
}

uint64_t vk_known_structs(const vk_extensions *e, uint32_t version)
{
  uint64_t known = 0;
  for (uint32_t i = 0; i < VK_STRUCTS; i++)
    if (is_core(i, version) || vk_has_extension(e, structs[i].extension))
      known |= 1ull << i;
  if (vk_has_extension(e, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME))
    known |= 1ull << VK_STRUCT_derivatives;
  const uint64_t binary = 1ull << VK_STRUCT_binary | 1ull << VK_STRUCT_maintenance5;
  if (version < VK_API_VERSION_1_3 || (known & binary) != binary)
    known &= ~binary;
  if (version < VK_API_VERSION_1_2) /* the memory model is core */
    known &= ~(1ull << VK_STRUCT_matrices | 1ull << VK_STRUCT_matrices2);
  return known;
}

void vk_chain_features(vk_features *f, uint64_t known)
{
  memset(f, 0, sizeof *f);
  f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  void **next = &f->core.pNext;
#define CHAIN(member, type, enumerator, since, extension)                                                              \
  f->member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##enumerator;                                                    \
  if (known >> VK_STRUCT_##member & 1) {                                                                               \
    *next = &f->member;                                                                                                \
    next = &f->member.pNext;                                                                                           \
  }
  EACH_STRUCT(CHAIN)
#undef CHAIN
}

uint32_t vk_struct_extensions(uint64_t known, uint32_t version, const char *names[VK_STRUCTS])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < VK_STRUCTS; i++)
    if (known >> i & 1 && !is_core(i, version) && i != VK_STRUCT_derivatives) /* by either extension: traits.c */
      names[count++] = structs[i].extension;
  return count;
}

/* ---- Capabilities ----------------------------------------------------------------------------------------------- */

static const struct {
  uint32_t capability;
  const char *feature;
  int in; /* VK_STRUCT_... */
} rows[] = {
#define ROW(name, in, feature) {SpvCapability##name, #feature, VK_STRUCT_##in},
    EACH_CAPABILITY(ROW)
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

void vk_read_capabilities(const vk_features *f, uint64_t capabilities[2])
{
  uint32_t i = 0;
#define LOOK(name, in, feature)                                                                                        \
  capabilities[i / 64] |= (uint64_t)(f->in.feature != 0) << i % 64;                                                    \
  i++;
  EACH_CAPABILITY(LOOK)
#undef LOOK
}

void vk_enable_capabilities(vk_features *f, const vk_features *has)
{
#define ENABLE(name, in, feature) f->in.feature = has->in.feature;
  EACH_CAPABILITY(ENABLE)
#undef ENABLE
#define ENABLE(in, feature) f->in.feature = has->in.feature;
  EACH_UNNAMED_FEATURE(ENABLE)
#undef ENABLE
}

bool vk_traits_enable(const vk_traits *t, uint32_t capability)
{
  for (uint32_t i = 0; i < ROWS; i++)
    if (rows[i].capability == capability && t->capabilities[i / 64] >> i % 64 & 1)
      return true;
  return false;
}

const char *vk_capability_needs(uint32_t capability, char text[VK_NEED_BYTES])
{
  uint32_t i = 0;
  while (i < ROWS && rows[i].capability != capability)
    i++;
  if (i == ROWS)
    return NULL;
  const char *dot = strrchr(rows[i].feature, '.'), *feature = dot ? dot + 1 : rows[i].feature;
  if (rows[i].in < 0)
    snprintf(text, VK_NEED_BYTES, "%s", feature);
  else if (structs[rows[i].in].since)
    snprintf(text, VK_NEED_BYTES, "%s (%s, or Vulkan 1.%u)", feature, structs[rows[i].in].extension,
             VK_API_VERSION_MINOR(structs[rows[i].in].since));
  else
    snprintf(text, VK_NEED_BYTES, "%s (%s)", feature, structs[rows[i].in].extension);
  return text;
}
