/* The kernels of a choice for an NVIDIA GPU that need not be there. */
#include "isa/isa.h"

#include "measure/occupancy.h"
#include "show/languages.h"

#include <string.h>

enum { WAVE = 32, KIB = 1024 };

enum { OLDEST = 75 }; /* of which nvcc makes machine code */

bool xb_isa_knows_capability(uint32_t capability)
{
  return capability >= OLDEST && xb_capability_of(capability);
}

/* The language whose code this reads; its compiler is empty if this build has no such code. */
static const xb_language *language(void)
{
  const xb_language *l = xb_languages;
  while (l->code && strcmp(l->code, "fatbin") != 0)
    l++;
  return l->code ? l : NULL;
}

bool xb_isa_reads_binaries_of(const char *api)
{
  return language() && !strcmp(language()->backend, api);
}

void xb_isa_capabilities(uint32_t list[XB_ISA_TARGETS])
{
  size_t count = 0;
  const xb_language *l = language();
  const xb_variant *v = xb_variant_find("copy", "2");
  const xb_case c = {.variant = v, .dtype = XB_FLOAT32, .block = 256, .device = &(xb_device_info){.code = "fatbin"}};
  xb_kernel_desc desc = {0};
  xb_error error;
  if (l && *l->compiler && v && !xb_find_embedded(&c, &(xb_plan_kernel){0}, &desc, &error))
    for (const xb_capability *k = xb_capabilities; k->name; k++)
      if (xb_isa_knows_capability(k->number) && xb_isa_has_cubin(desc.code, desc.code_bytes, k->number))
        list[count++] = k->number;
  list[count] = 0;
}

static xb_device_info describe(const xb_language *l, uint32_t capability)
{
  const xb_capability *k = xb_capability_of(capability);
  xb_device_info info = {.backend = l->backend,
                         .code = l->code,
                         .type = XB_DEVICE_DISCRETE,
                         .compute_capability = capability,
                         .max_binding_bytes = UINT32_MAX,
                         .max_uniform_bytes = 64 * KIB,
                         .max_buffer_bytes = UINT32_MAX,
                         .binding_align = 16,
                         .uniform_align = 16,
                         .max_groups = {INT32_MAX, 65535, 65535},
                         .max_group_threads = k->has.most_group,
                         .max_group_size = {1024, 1024, 64},
                         .shared_bytes = 48 * KIB,
                         .shared_optin_bytes = k->most_shared_bytes,
                         .max_arg_bytes = XB_MAX_ARG_BYTES,
                         .features = UINT32_MAX,
                         .subgroup_size = WAVE,
                         .subgroup_min = WAVE,
                         .subgroup_max = WAVE,
                         .memory_bytes = 8ull << 30,
                         .multiprocessors = 1,
                         .max_image_size = {32768, 32768},
                         .max_line = 32768,
                         .max_volume = 16384,
                         .max_texels = 1u << 27,
                         .texel_align = 16,
                         .threads_per_multiprocessor = k->has.threads,
                         .groups_per_multiprocessor = k->has.groups,
                         .registers_per_multiprocessor = k->has.registers,
                         .shared_per_multiprocessor = k->has.shared_bytes,
                         .shared_per_group = k->has.shared_besides};
  snprintf(info.name, sizeof info.name, "sm_%u", capability);
  return info;
}

typedef struct work {
  const xb_isa_target *target;
  const xb_language *language;
  bool text;
  json_t *rows;
} work;

void xb_isa_add_groups(const xb_isa_case *k, uint32_t capability)
{
  xb_multiprocessor m;
  const uint32_t registers = (uint32_t)json_integer_value(json_object_get(k->row, "registers"));
  const uint32_t shared = (uint32_t)json_integer_value(json_object_get(k->row, "shared_bytes"));
  if (!registers || !language() || !xb_isa_knows_capability(capability))
    return;
  const xb_device_info info = describe(language(), capability);
  if (xb_multiprocessor_of(&info, WAVE, &m))
    json_object_set_new(
        k->row, "groups",
        json_integer(xb_occupancy_of(&m, k->c->block, registers, shared + k->desc.dynamic_shared_bytes).groups));
}

static void read_case(xb_isa_case *k, void *user)
{
  work *w = user;
  size_t bytes;
  const char *why = k->why;
  xb_error error;
  const unsigned char *cubin =
      why ? NULL : xb_isa_cubin(k->desc.code, k->desc.code_bytes, w->target->capability, &bytes, &why);
  if (!cubin && !k->why && !xb_find_for_capability(k->c, w->target->capability, &k->desc, &error))
    cubin = xb_isa_cubin(k->desc.code, k->desc.code_bytes, w->target->capability, &bytes, &why);
  json_object_set_new(k->row, "for", json_string(w->target->name));
  json_object_set_new(k->row, "api", json_string(w->language->backend));
  json_object_set_new(k->row, "driver", json_string(xb_language_compiler(w->language)));
  json_object_set_new(k->row, "wave", json_integer(WAVE));
  if (cubin) {
    xb_isa_read_cubin(cubin, bytes, k->desc.entry, k->row);
    xb_isa_add_groups(k, w->target->capability);
    if (w->text)
      xb_isa_list_cubin(cubin, bytes, k->desc.entry, k->row);
  } else
    xb_isa_refuse(k->row, why, false);
  json_array_append_new(w->rows, k->row);
}

void xb_isa_read_binaries(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows)
{
  work w = {.target = target, .language = language(), .text = choice->text, .rows = rows};
  if (!w.language)
    return;
  const xb_device_info info = describe(w.language, target->capability);
  xb_isa_each(choice, &info, read_case, &w);
}
