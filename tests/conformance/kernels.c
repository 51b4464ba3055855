#include "kernels.h"

#include <stdio.h>
#include <string.h>

#include "blob.h"

static const xb_location places[] = {{2, 7, 0}, {0, 3, 0}, {3, 1000, 0}, {2, 1, 0}};
static const xb_location elements[] = {{0, 5, 1}, {1, 2, 0}, {1, 2, 1}, {1, 2, 2}, {0, 0, 0}, {0, 0, 1}, {0, 5, 0}};
static const xb_kernel_desc table[] = {
    {.label = "index", .group_size = {64, 1, 1}, .binding_count = 1, .arg_bytes = sizeof(struct index_args)},
    {.label = "where", .group_size = {4, 2, 3}, .binding_count = 1, .arg_bytes = sizeof(struct where_args)},
    {.label = "mixed", .group_size = {1, 1, 1}, .binding_count = 1, .arg_bytes = sizeof(struct mixed_args)},
    {.label = "step", .group_size = {64, 1, 1}, .binding_count = 2, .arg_bytes = sizeof(struct step_args)},
    {.label = "count", .group_size = {64, 1, 1}, .binding_count = 1, .arg_bytes = sizeof(struct count_args)},
    {.label = "shared", .group_size = {64, 1, 1}, .binding_count = 2},
    {.label = "last", .group_size = {64, 1, 1}, .binding_count = 2, .arg_bytes = sizeof(struct last_args)},
    {.label = "subgroup", .group_size = {64, 1, 1}, .binding_count = 1},
    {.label = "long", .group_size = {64, 1, 1}, .binding_count = 1, .arg_bytes = sizeof(struct long_args)},
    {.label = "places", .group_size = {64, 1, 1}, .binding_count = 4, .locations = places},
    {.label = "texels", .group_size = {64, 1, 1}, .binding_count = 4, .arg_bytes = sizeof(struct texels_args)},
    {.label = "arrays", .group_size = {64, 1, 1}, .binding_count = 7, .locations = elements},
    {.label = "bindless", .group_size = {64, 1, 1}, .binding_count = 7, .locations = elements},
    {.label = "typed", .group_size = {64, 1, 1}, .binding_count = 4, .arg_bytes = sizeof(struct count_args)},
    {.label = "constants", .group_size = {64, 1, 1}, .binding_count = 1},
    {.label = "inline_constants", .group_size = {64, 1, 1}, .binding_count = 1},
    {.label = "narrow",
     .group_size = {64, 1, 1},
     .binding_count = 4,
     .features = XB_FEATURE_FLOAT16 | XB_FEATURE_INT16 | XB_FEATURE_INT8},
    {.label = "atomics",
     .group_size = {64, 1, 1},
     .binding_count = 1,
     .features = XB_FEATURE_INT64 | XB_FEATURE_INT64_ATOMICS | XB_FEATURE_FLOAT32_ATOMIC_ADD},
    {.label = "special",
     .group_size = {64, 1, 1},
     .binding_count = 1,
     .features = XB_FEATURE_FLOAT64 | XB_FEATURE_SPECIALIZATION},
    {.label = "unused",
     .group_size = {64, 1, 1},
     .binding_count = 3,
     .unused_bindings = 1 << 1,
     .arg_bytes = sizeof(struct step_args),
     .args_unused = true},
};

/* Compiled code is embedded as BACKEND/NAME. */
const void *embedded_code(const char *backend, const char *name, size_t *bytes)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", backend, name);
  for (const xb_blob *blob = xb_blobs; blob->name; blob++)
    if (!strcmp(blob->name, path)) {
      *bytes = blob->bytes;
      return blob->data;
    }
  return NULL;
}

bool test_kernel(const char *backend, const char *name, xb_kernel_desc *desc)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].label, name) != 0)
      continue;
    *desc = table[i];
    const bool cuda = !strcmp(backend, "cuda") || !strcmp(backend, "cpu");
    desc->entry = cuda ? "test" : "main"; /* in C++ no kernel can be named main */
    desc->code = strcmp(backend, "host") == 0 ? host_kernel_code(desc, &desc->code_bytes)
                                              : embedded_code(backend, name, &desc->code_bytes);
    return desc->code;
  }
  return false;
}
