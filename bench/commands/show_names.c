/* What a person calls a pair of sources. */
#include "commands/command_line.h"
#include "commands/options.h"
#include "commands/show_options.h"
#include "commands/values.h"

#include <stdio.h>
#include <string.h>

/* A folder of `count` pairs, which is no benchmark. */
static bool find_in_folder(const char *typed, const char *folder, char (*copies)[96], size_t count, xb_twins *pair)
{
  const char *names[64], *slash = strchr(typed, '/');
  char what[80];
  if (slash && xb_twins_of_files(folder, slash + 1, pair))
    return true;
  for (size_t i = 0; i < count; i++)
    names[i] = copies[i];
  snprintf(what, sizeof what, "pair of %s", folder);
  return xb_mistake_unknown(what, slash ? slash + 1 : "", names, count);
}

bool xb_show_find(const char *typed, xb_twins *pair)
{
  static char copies[64][96];
  const xb_benchmark *benchmark;
  const xb_variant *v;
  char folder[64];
  snprintf(folder, sizeof folder, "%.*s", (int)strcspn(typed, "/"), typed);
  const size_t count = xb_benchmark_find(folder) ? 0 : xb_twins_names(folder, copies, 64);
  if (count)
    return find_in_folder(typed, folder, copies, count, pair);
  if (!xb_find_named(typed, &benchmark, &v))
    return false;
  if (!v)
    return xb_mistake("show: '%s': name one variant of it, such as %s/1; 'xbench list' has them", typed, typed);
  xb_twins_of_variant(v, pair);
  return true;
}

/* The nearest row above with another kernel. */
static bool find_rung_before(const xb_twins *pair, xb_twins *before)
{
  const xb_variant *v = pair->variant ? xb_variant_of_kernel(pair->variant) : NULL, *row = v;
  if (!v)
    return xb_mistake("--diff: %s is no rung of a ladder: name what to hold it against", pair->name);
  do {
    if (row-- == v->benchmark->variants)
      return xb_mistake("--diff: %s is the first of its kernels: name what to hold it against", pair->name);
  } while (row->source != KERNEL);
  xb_twins_of_variant(row, before);
  return true;
}

static bool check_pair(const xb_twins *pair)
{
  return (*pair->path[0] && *pair->path[1]) || xb_mistake("--diff: %s is no pair of kernels: %s", pair->name,
                                                          pair->reason ? pair->reason : "a source is missing");
}

bool xb_show_find_before(const char *typed, const xb_twins *pair, xb_twins *before)
{
  char name[256];
  if (!check_pair(pair))
    return false;
  if (!typed)
    return find_rung_before(pair, before);
  const bool whole = strchr(typed, '/');
  snprintf(name, sizeof name, "%.*s%s", whole ? 0 : (int)strcspn(pair->name, "/") + 1, pair->name, typed);
  return xb_show_find(name, before) && check_pair(before);
}
