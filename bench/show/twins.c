#include "show/twins.h"

#include "guide/guide.h"
#include "show/listing.h"

#include <stdio.h>
#include <string.h>

const char *xb_side_name(int side)
{
  return side == XB_CUDA_SIDE ? "cuda" : "vulkan";
}

void xb_twins_of_variant(const xb_variant *v, xb_twins *pair)
{
  const xb_variant *k = xb_variant_of_kernel(v);
  *pair = (xb_twins){.variant = v};
  snprintf(pair->name, sizeof pair->name, "%s/%u_%s", v->benchmark->name, v->number, v->name);
  snprintf(pair->title, sizeof pair->title, "%s", v->title);
  switch (v->source) {
  case KERNEL:
  case SAME_KERNEL:
    snprintf(pair->path[XB_CUDA_SIDE], XB_PATH_BYTES, "kernels/%s/%u_%s.cu", k->benchmark->name, k->number, k->name);
    snprintf(pair->path[XB_VULKAN_SIDE], XB_PATH_BYTES, "shaders/%s/%u_%s.hlsl", k->benchmark->name, k->number,
             k->name);
    break;
  case LIBRARY:
    snprintf(pair->path[XB_CUDA_SIDE], XB_PATH_BYTES, "bench/benchmarks/%s/%s.cu", v->benchmark->name, v->name);
    xb_variant_likeness(v, xb_side_name(XB_VULKAN_SIDE), &pair->reason);
    break;
  case NO_KERNEL: pair->reason = "no kernel: the work is the API's own commands"; break;
  }
}

/* ---- Pairs that are no rows ------------------------------------------------------------------------------------- */

/* Whether `path` is kernels/FOLDER/STEM.cu. */
static bool stem_in(const char *path, const char *folder, char stem[96])
{
  char start[XB_PATH_BYTES];
  const int n = snprintf(start, sizeof start, "kernels/%s/", folder);
  if (n < 0 || (size_t)n >= sizeof start || strncmp(path, start, (size_t)n) != 0)
    return false;
  const char *name = path + n, *dot = strrchr(name, '.');
  if (!dot || strcmp(dot, ".cu") != 0)
    return false;
  snprintf(stem, 96, "%.*s", (int)(dot - name), name);
  return true;
}

static bool stem_is(const char *stem, const char *name)
{
  const size_t digits = strspn(stem, "0123456789");
  const bool numbered = digits && stem[digits] == '_';
  return !strcmp(stem, name) || (numbered && !strcmp(stem + digits + 1, name)) ||
         (numbered && strlen(name) == digits && !strncmp(stem, name, digits));
}

bool xb_twins_of_files(const char *folder, const char *name, xb_twins *pair)
{
  char stem[96];
  const char *path;
  for (size_t i = 0; (path = xb_listing_path(i)); i++) {
    if (!stem_in(path, folder, stem) || !stem_is(stem, name))
      continue;
    *pair = (xb_twins){0};
    snprintf(pair->name, sizeof pair->name, "%.40s/%.54s", folder, stem);
    const xb_guide_case *of_guide = !strcmp(folder, "guide") ? xb_guide_case_find(stem) : NULL;
    snprintf(pair->title, sizeof pair->title, "%s", of_guide ? of_guide->title : "");
    snprintf(pair->path[XB_CUDA_SIDE], XB_PATH_BYTES, "%s", path);
    snprintf(pair->path[XB_VULKAN_SIDE], XB_PATH_BYTES, "shaders/%.40s/%s.hlsl", folder, stem);
    if (!xb_listing_exists(pair->path[XB_VULKAN_SIDE])) {
      pair->path[XB_VULKAN_SIDE][0] = 0;
      pair->reason = "there is no shader of this name";
    }
    return true;
  }
  return false;
}

size_t xb_twins_names(const char *folder, char (*names)[96], size_t capacity)
{
  const char *path;
  size_t count = 0;
  for (size_t i = 0; count < capacity && (path = xb_listing_path(i)); i++)
    count += stem_in(path, folder, names[count]);
  return count;
}
