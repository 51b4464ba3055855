/* vulkan_starved: memory runs out inside the libraries that read SPIR-V, which are C++. Each allocation fails in turn,
 * alone or with all that follow it: the result is that of enough memory, or XB_NOMEM. No device is needed. */
#include "backend_vulkan/vk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "blob.h"

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static unsigned long calls, first, last; /* those from the first to the last fail; 0: none */

static bool fails(void)
{
  calls++;
  if (!first || calls < first || calls > last)
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t bytes)
{
  return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
  return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
  return fails() ? NULL : __libc_realloc(old, bytes);
}

static xb_code read_code(const xb_kernel_desc *desc, xb_error *err)
{
  static const vk_traits traits = {.shared_bytes = 32768,
                                   .subgroup_operations = 0xFF,
                                   .features = UINT32_MAX,
                                   .capabilities = {UINT64_MAX, UINT64_MAX}};
  vk_spirv spirv;
  vk_reflection found;
  xb_code code = vk_spirv_read(desc, VK_API_VERSION_1_1, &spirv, err);
  code = code ? code : vk_check_requirements(desc, &traits, &spirv, err);
  code = code ? code : vk_reflect(desc, &spirv, &found, err);
  vk_spirv_free(&spirv);
  return code;
}

/* Returns how many results are wrong. */
static int starve(const char *name, const xb_kernel_desc *desc, bool all)
{
  xb_error err = {0};
  int wrong = 0;
  first = 0;
  const xb_code good = read_code(desc, &err);
  unsigned long k = 1, harmed = 0;
  for (;; k++) {
    calls = 0;
    first = k;
    last = all ? (unsigned long)-1 : k;
    const xb_code code = read_code(desc, &err);
    const bool more = calls >= k;
    first = 0;
    if (!more)
      break;
    harmed += code == XB_NOMEM;
    if (code != good && code != XB_NOMEM)
      wrong += printf("%s, allocation %lu%s: %s, %s\n", name, k, all ? " and all behind it" : "", xb_code_name(code),
                      err.message) > 0;
  }
  printf("%s: %s with enough memory; %lu allocations, %lu of them end with XB_NOMEM, %d wrong\n", name,
         xb_code_name(good), k - 1, harmed, wrong);
  return wrong + (harmed < k / 2);
}

int main(void)
{
  static const char *const names[] = {"step", "texels"};
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    const xb_blob *blob = xb_blob_find(names[i % 2]);
    const xb_kernel_desc desc = {.label = names[i % 2],
                                 .code = blob->data,
                                 .code_bytes = blob->bytes,
                                 .entry = "main",
                                 .group_size = {64, 1, 1},
                                 .binding_count = i % 2 ? 4 : 2,
                                 .arg_bytes = i % 2 ? 8 : 12};
    wrong += starve(names[i % 2], &desc, i > 1);
  }
  return wrong > 0;
}
