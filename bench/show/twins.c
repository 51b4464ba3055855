#include "show/twins.h"

#include "base/fnv.h"
#include "blob.h"
#include "compile/compile.h"
#include "guide/guide.h"
#include "show/listing.h"

#include <stdio.h>
#include <string.h>

/* STEM is a kernel's, "reduce/7_many_elements". Returns false if no such file is embedded. */
static bool find_source(const xb_variant *v, const char *stem, const xb_language *l, char path[XB_PATH_BYTES])
{
  const xb_variant *k = v ? xb_variant_of_kernel(v) : NULL;
  if (v && v->source == LIBRARY)
    snprintf(path, XB_PATH_BYTES, "bench/benchmarks/%s/%s.%s", v->benchmark->name, v->name, l->extension);
  else if (k)
    snprintf(path, XB_PATH_BYTES, "%s/%s/%u_%s.%s", l->folder, k->benchmark->name, k->number, k->name, l->extension);
  else
    snprintf(path, XB_PATH_BYTES, "%s/%s.%s", l->folder, stem, l->extension);
  return xb_blob_find(path);
}

static void set_side(xb_twins *pair, int side, const xb_language *language)
{
  const xb_variant *v = pair->variant;
  const char *why = NULL;
  pair->shown[side] = language;
  if (find_source(v, pair->name, language, pair->path[side]))
    return;
  *pair->path[side] = 0;
  if (v && v->source == NO_KERNEL)
    why = "no kernel: the work is the API's own commands";
  else if (v)
    xb_variant_likeness(v, language->backend, &why);
  pair->reason = why ? why : "no source has this name";
}

static void set_sides(xb_twins *pair)
{
  for (int side = 0; side < XB_SIDES; side++)
    set_side(pair, side, &xb_languages[side]);
}

void xb_twins_of_variant(const xb_variant *v, xb_twins *pair)
{
  *pair = (xb_twins){.variant = v};
  snprintf(pair->name, sizeof pair->name, "%s/%u_%s", v->benchmark->name, v->number, v->name);
  snprintf(pair->title, sizeof pair->title, "%s", v->title);
  set_sides(pair);
}

bool xb_twins_keep(xb_twins *pair, const char *backend)
{
  const xb_language *l = xb_language_of(backend);
  const bool twin = l == pair->shown[0] || l == pair->shown[1];
  for (int side = 0; side < XB_SIDES; side++)
    pair->shown[side] = pair->shown[side] == l ? l : NULL;
  if (l && !twin) {
    pair->reason = NULL;
    set_side(pair, 0, l);
  }
  return l;
}

static void add_hash(uint64_t *hash, const xb_language *l, const char *path)
{
  for (const xb_source_hash_row *row = xb_source_hash_rows; row->path; row++)
    if (!strcmp(row->code, l->code) && !strcmp(row->path, path))
      *hash = xb_fnv1a(*hash, &row->hash, sizeof row->hash);
}

uint64_t xb_source_hash(const xb_variant *v, const char *backend)
{
  return xb_source_hash_in(v, xb_language_of(backend));
}

uint64_t xb_source_hash_in(const xb_variant *v, const xb_language *l)
{
  char path[XB_PATH_BYTES], stem[96];
  if (!l || !find_source(v, NULL, l, path))
    return 0;
  uint64_t hash = xb_fnv1a(XB_FNV_START, l->flags, strlen(l->flags));
  add_hash(&hash, l, path);
  for (const char *const *part = v->benchmark->parts; part && *part; part++) {
    snprintf(stem, sizeof stem, "%s/%s", v->benchmark->name, *part);
    if (find_source(NULL, stem, l, path))
      add_hash(&hash, l, path);
  }
  return hash;
}

/* ---- Pairs of files that are not variants ----------------------------------------------------------------------- */

/* True if `path` is FOLDER/STEM in the first language. */
static bool stem_in(const char *path, const char *folder, char stem[96])
{
  char start[XB_PATH_BYTES];
  const int n = snprintf(start, sizeof start, "%s/%s/", xb_languages->folder, folder);
  if (n < 0 || (size_t)n >= sizeof start || strncmp(path, start, (size_t)n) != 0)
    return false;
  const char *name = path + n, *dot = strrchr(name, '.');
  if (!dot || strcmp(dot + 1, xb_languages->extension) != 0)
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

const char *xb_language_compiler(const xb_language *language)
{
  const bool now = !strcmp(language->code, "fatbin") && xb_first_run_needed();
  return !now ? language->compiler : xb_nvrtc_name() ? xb_nvrtc_name() : "";
}

const xb_language *xb_language_of(const char *backend)
{
  const xb_language *l = xb_languages;
  while (l->backend && strcmp(l->backend, backend) != 0)
    l++;
  return l->backend ? l : NULL;
}

bool xb_twins_of_files(const char *folder, const char *name, xb_twins *pair)
{
  char stem[96];
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    if (!stem_in(b->name, folder, stem) || !stem_is(stem, name) || !xb_is_source(b->name))
      continue;
    *pair = (xb_twins){0};
    snprintf(pair->name, sizeof pair->name, "%.40s/%.54s", folder, stem);
    const xb_guide_case *of_guide = !strcmp(folder, "guide") ? xb_guide_case_find(stem) : NULL;
    snprintf(pair->title, sizeof pair->title, "%s", of_guide ? of_guide->title : "");
    set_sides(pair);
    return true;
  }
  return false;
}

size_t xb_twins_names(const char *folder, char (*names)[96], size_t capacity)
{
  size_t count = 0;
  for (const xb_blob *b = xb_blobs; count < capacity && b->name; b++)
    count += stem_in(b->name, folder, names[count]) && xb_is_source(b->name);
  return count;
}

/* ---- Files of the user ------------------------------------------------------------------------------------------ */

/* The language of a name's extension; the last side's for one that the build has no kernels in, such as GLSL. */
static const xb_language *language_of(const char *path)
{
  const char *dot = strrchr(path, '.');
  for (int side = 0; dot && side < XB_SIDES; side++)
    if (!strcmp(dot + 1, xb_languages[side].extension))
      return &xb_languages[side];
  return &xb_languages[XB_SIDES - 1];
}

bool xb_twins_of_paths(const char *first, const char *second, xb_twins *pair)
{
  *pair = (xb_twins){0};
  const bool swapped = second && language_of(first) > language_of(second);
  const char *const paths[XB_SIDES] = {swapped ? second : first, swapped ? first : second};
  int shown = 0;
  for (int side = 0; side < XB_SIDES && paths[side]; side++) {
    shown = snprintf(pair->path[side], XB_PATH_BYTES, "%s", paths[side]);
    if (shown >= XB_PATH_BYTES)
      return false;
    pair->shown[side] = language_of(paths[side]);
  }
  snprintf(pair->name, sizeof pair->name, "%.40s%s%.40s", paths[0], second ? ", " : "", second ? paths[1] : "");
  return true;
}
