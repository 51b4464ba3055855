/* Which pass of spirv-opt makes a module wrong: those of -O or -Os, applied to the unoptimized module of a right way,
 * one more each time. */
#include "base/program.h"
#include "base/whole_file.h"
#include "commands/pair_suspects.h"
#include "os/temporary.h"
#include "os/written_file.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PASSES = 200 };

/* "--ccp", in the order of -O or -Os, as spirv-opt's help lists them: each in a line that begins with two tabs. */
static size_t list_passes(xb_ways *w, const char *tool, const char *level, const char *list[MOST_PASSES])
{
  const char *const argv[] = {tool, "--help", NULL};
  char *help;
  size_t count = 0;
  const char *section = xb_arena_text(&w->arena, "\n  %s\n", level),
             *p = xb_run_program(argv, &w->arena, &help, NULL) ? NULL : strstr(help, section);
  for (p = p ? strstr(p, "\n\t\t") : NULL; p && !strncmp(p, "\n\t\t", 3) && count < MOST_PASSES;
       p = strchr(p + 1, '\n'))
    list[count++] = xb_arena_text(&w->arena, "--%.*s", (int)strcspn(p + 3, "\n"), p + 3);
  return count;
}

/* The modules in a folder, 0.spv and so on, behind the first `count` passes. NULL: `why`. */
static const xb_pair_binary *optimize(xb_ways *w, uint32_t kernels, const char *folder, const char *tool,
                                      const char *const *passes, size_t count, xb_error *why)
{
  xb_pair_binary *codes = xb_arena_take(&w->arena, kernels, sizeof *codes);
  const char *to = xb_arena_text(&w->arena, "%s/out.spv", folder);
  for (uint32_t k = 0; codes && k < kernels; k++) {
    const char *from = xb_arena_text(&w->arena, "%s/%u.spv", folder, k);
    const char *argv[MOST_PASSES + 8] = {tool, "--skip-validation", "--preserve-bindings", from, "-o", to};
    char *said, *data;
    memcpy(argv + 6, passes, count * sizeof *passes);
    if (xb_run_program(argv, &w->arena, &said, why) || xb_read_whole_file(to, &w->arena, &data, &codes[k].bytes, why))
      return NULL;
    codes[k].data = data;
  }
  return codes;
}

/* The first pass, or why there is none. */
static const char *find_pass(xb_ways *w, const xb_way *right, const char *folder, bool for_size)
{
  const char *passes[MOST_PASSES], *tool = xb_find_program("spirv-opt", &w->arena), *level = for_size ? "-Os" : "-O";
  const size_t count = tool ? list_passes(w, tool, level, passes) : 0;
  const uint32_t kernels = w->c->pair.sides[right->side].kernel_count;
  xb_way way = *right;
  xb_error why = {0};
  char ignored[512];
  if (!count)
    return tool ? "spirv-opt --help lists none" : "install spirv-opt to find the pass";
  for (uint32_t k = 0; k < kernels; k++)
    if (!xb_write_whole_file(xb_arena_text(&w->arena, "%s/%u.spv", folder, k), right->codes[k].data,
                             right->codes[k].bytes))
      return "the unoptimized module cannot be written";
  for (size_t i = 1; i <= count; i++) {
    const xb_pair_binary *codes = optimize(w, kernels, folder, tool, passes, i, &why);
    if (!codes)
      return xb_arena_text(&w->arena, "spirv-opt fails at %s: %s", passes[i - 1], why.message);
    if (xb_ways_same_code(&way, codes, kernels))
      continue;
    way.codes = codes;
    if (xb_way_run(w, &way, NULL, ignored) != XB_SUSPECT_RIGHT)
      return passes[i - 1];
  }
  return xb_arena_text(&w->arena,
                       "the unoptimized module stays right through the %zu passes of spirv-opt %s: the compiler has "
                       "other passes, or another version of them",
                       count, level);
}

/* A right way that differs in optimization only: it has none. */
static const xb_way *find_unoptimized(const xb_ways *w, const xb_suspect *bad)
{
  for (size_t i = 0; i < w->m.count; i++) {
    const xb_suspect *s = &w->m.cells[i];
    bool alike = s->result == XB_SUSPECT_RIGHT && xb_is_guilty(bad) && !strcmp(s->side, bad->side) &&
                 w->list[i].codes && w->list[i].source.optimization == XB_OPTIMIZE_OFF;
    for (int l = 0; l < XB_LAYERS && alike; l++)
      alike = l == XB_LAYER_OPTIMIZATION || !strcmp(s->at[l], bad->at[l]);
    if (alike)
      return &w->list[i];
  }
  return NULL;
}

void xb_ways_find_passes(xb_ways *w)
{
  for (xb_suspect *bad = w->m.cells; bad < w->m.cells + w->m.count; bad++) {
    char folder[XB_TEMPORARY_BYTES];
    const xb_way *wrong = &w->list[bad - w->m.cells], *right = find_unoptimized(w, bad);
    for (const xb_suspect *s = w->m.cells; s < bad; s++) /* one of each compiler */
      if (*s->pass && !strcmp(s->side, bad->side) && !strcmp(s->at[XB_LAYER_COMPILER], bad->at[XB_LAYER_COMPILER]))
        right = NULL;
    if (!right || !xb_temporary_folder(folder))
      continue;
    bad->pass = find_pass(w, right, folder, wrong->source.optimization == XB_OPTIMIZE_SIZE);
    xb_temporary_remove(folder);
  }
}
