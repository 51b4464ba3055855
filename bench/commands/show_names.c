/* What a person calls a pair of sources. */
#include "commands/options.h"
#include "commands/show_options.h"
#include "commands/values.h"
#include "exit_codes.h"

#include <stdio.h>
#include <string.h>

/* A folder of pairs that is no benchmark. -1: it is none. */
static int find_in_folder(const char *typed, xb_twins *pair, bool *found)
{
  static char copies[64][96];
  const char *names[64];
  char folder[64], what[80];
  const char *slash = strchr(typed, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - typed) : (int)strlen(typed), typed);
  if (xb_benchmark_find(folder))
    return -1;
  const size_t count = xb_twins_names(folder, copies, 64);
  *found = slash && xb_twins_of_files(folder, slash + 1, pair);
  if (*found || !count)
    return -1;
  for (size_t i = 0; i < count; i++)
    names[i] = copies[i];
  snprintf(what, sizeof what, "pair of %s", folder);
  return xb_complain_unknown(what, slash ? slash + 1 : "", names, count);
}

int xb_show_find(const char *typed, xb_twins *pair)
{
  const xb_benchmark *benchmark;
  const xb_variant *v;
  bool found = false;
  int code = find_in_folder(typed, pair, &found);
  if (code >= 0 || found)
    return code;
  code = xb_find_named(typed, &benchmark, &v);
  if (code >= 0)
    return code;
  if (!v)
    return xb_complain(XB_EXIT_USAGE, "show: '%s': name one variant of it, such as %s/1; 'xbench list' has them", typed,
                       typed);
  xb_twins_of_variant(v, pair);
  return -1;
}

/* The nearest row above with another kernel. */
static int find_rung_before(const xb_twins *pair, xb_twins *before)
{
  const xb_variant *v = pair->variant ? xb_variant_of_kernel(pair->variant) : NULL, *row = v;
  if (!v)
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no rung of a ladder: name what to hold it against", pair->name);
  do {
    if (row-- == v->benchmark->variants)
      return xb_complain(XB_EXIT_USAGE, "--diff: %s is the first of its kernels: name what to hold it against",
                         pair->name);
  } while (row->source != KERNEL);
  xb_twins_of_variant(row, before);
  return -1;
}

static bool is_pair(const xb_twins *pair)
{
  return *pair->path[0] && *pair->path[1];
}

int xb_show_find_before(const char *typed, const xb_twins *pair, xb_twins *before)
{
  char name[256];
  if (!is_pair(pair))
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no pair of kernels: %s", pair->name,
                       pair->reason ? pair->reason : "a source is missing");
  if (!typed)
    return find_rung_before(pair, before);
  const bool whole = strchr(typed, '/');
  snprintf(name, sizeof name, "%.*s%s", whole ? 0 : (int)strcspn(pair->name, "/") + 1, pair->name, typed);
  const int code = xb_show_find(name, before);
  if (code < 0 && !is_pair(before))
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no pair of kernels: %s", before->name,
                       before->reason ? before->reason : "a source is missing");
  return code;
}
