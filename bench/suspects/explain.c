/* The rules that lead from a matrix to a sentence. A set of layers explains a side if all cells are wrong whose levels,
 * in each of these layers, are among those that have a wrong cell, and no others. The smallest such set is the cause;
 * if there are several, they cannot be told apart. Where none fits, a layer whose levels are wrong throughout is set
 * aside, and the rest explained: two causes, or three. */
#include "suspects/suspects.h"

#include <stdint.h>
#include <string.h>

const char *const xb_suspect_floats[] = {"as compiled", "all NoContraction", "no NoContraction", "fused", "simplified"};
const char xb_suspect_cpu[] = "CPU emulation";

enum { MOST_LEVELS = 64, MOST_CELLS = 2048, SETS = 1 << XB_LAYERS, MOST_CAUSES = 3 };

typedef struct levels {
  const char *names[MOST_LEVELS];
  size_t count;
} levels;

typedef struct analysis {
  const char *side, *word;             /* "wrong", "crashed" */
  const xb_suspect *cells[MOST_CELLS]; /* those that ran */
  uint8_t at[MOST_CELLS][XB_LAYERS];
  bool active[MOST_CELLS];
  size_t count;
  levels levels[XB_LAYERS];
} analysis;

typedef struct cause {
  unsigned layers[SETS]; /* the smallest sets, each a bit a layer */
  size_t count;
  uint64_t wrong[XB_LAYERS]; /* levels that have wrong cells: bits */
} cause;

bool xb_is_possible(const xb_suspect *s)
{
  return !strcmp(s->at[XB_LAYER_FLOATS], xb_suspect_floats[XB_SUSPECT_POSSIBLE]) ||
         !strcmp(s->at[XB_LAYER_FLOATS], xb_suspect_floats[XB_SUSPECT_POSSIBLE + 1]);
}

static uint8_t level_of(levels *l, const char *name)
{
  size_t i = 0;
  while (i < l->count && strcmp(l->names[i], name) != 0)
    i++;
  if (i == l->count && i < MOST_LEVELS - 1)
    l->names[l->count++] = name;
  return (uint8_t)i;
}

/* True for a cell that is explained, in place of a right one. */
static bool is_guilty(const analysis *a, size_t i)
{
  return a->active[i] && xb_is_guilty(a->cells[i]);
}

static size_t count_cells(const analysis *a, bool guilty)
{
  size_t count = 0;
  for (size_t i = 0; i < a->count; i++)
    count += a->active[i] && is_guilty(a, i) == guilty;
  return count;
}

/* The levels of a layer that have guilty cells, or right ones. */
static uint64_t levels_with(const analysis *a, int l, bool guilty)
{
  uint64_t bits = 0;
  for (size_t i = 0; i < a->count; i++)
    bits |= a->active[i] && is_guilty(a, i) == guilty ? UINT64_C(1) << a->at[i][l] : 0;
  return bits;
}

static void find_wrong(const analysis *a, uint64_t wrong[XB_LAYERS])
{
  for (int l = 0; l < XB_LAYERS; l++)
    wrong[l] = levels_with(a, l, true);
}

static bool fits(const analysis *a, unsigned layers, const uint64_t wrong[XB_LAYERS])
{
  for (size_t i = 0; i < a->count; i++) {
    bool expected = true;
    for (int l = 0; l < XB_LAYERS; l++)
      expected &= !(layers >> l & 1) || wrong[l] >> a->at[i][l] & 1;
    if (a->active[i] && expected != is_guilty(a, i))
      return false;
  }
  return true;
}

static int size_of(unsigned layers)
{
  int size = 0;
  for (; layers; layers &= layers - 1)
    size++;
  return size;
}

/* Where all levels of a layer are wrong, or drivers that do not have it, the layer explains nothing. */
static unsigned useless_layers(const analysis *a, const uint64_t wrong[XB_LAYERS])
{
  unsigned useless = 0;
  for (int l = 0; l < XB_LAYERS; l++) {
    bool all = true, lacking = false;
    for (size_t i = 0; i < a->levels[l].count; i++) {
      all &= !*a->levels[l].names[i] || wrong[l] >> i & 1;
      lacking |= !*a->levels[l].names[i] && wrong[l] >> i & 1;
    }
    useless |= all || lacking ? 1U << l : 0;
  }
  return useless;
}

static bool find_cause(const analysis *a, cause *c)
{
  c->count = 0;
  find_wrong(a, c->wrong);
  const unsigned useless = useless_layers(a, c->wrong);
  for (int size = 0; size <= XB_LAYERS && !c->count; size++)
    for (unsigned layers = 0; layers < SETS; layers++)
      if (size_of(layers) == size && !(layers & useless) && fits(a, layers, c->wrong))
        c->layers[c->count++] = layers;
  return c->count;
}

/* One cause, or several: a layer whose levels that are wrong throughout are set aside, and what explains the rest.
 * Returns the fewest; 0: there are none. */
static int find_causes(const analysis *a, cause *found, int most)
{
  int count = find_cause(a, found);
  for (int l = 0; l < XB_LAYERS && most > 1 && count != 1; l++) {
    cause first = {.layers = {1U << l}, .count = 1}, others[MOST_CAUSES];
    analysis rest = *a;
    find_wrong(a, first.wrong);
    first.wrong[l] &= ~levels_with(a, l, false);
    for (size_t i = 0; i < rest.count; i++)
      rest.active[i] &= !(first.wrong[l] >> rest.at[i][l] & 1);
    const int more = first.wrong[l] && count_cells(&rest, true) ? find_causes(&rest, others, most - 1) : 0;
    const int fewer = count ? count - more - 1 : 1;
    if (!more || fewer < 0 || (!fewer && size_of(others[more - 1].layers[0]) >= size_of(found[count - 1].layers[0])))
      continue;
    found[0] = first;
    memcpy(found + 1, others, (size_t)more * sizeof *others);
    count = more + 1;
  }
  return count;
}

/* ---- What is said of a cause ------------------------------------------------------------------------------------ */

static const struct {
  const char *where; /* before the names of its levels */
  const char *all;   /* every level of it */
  const char *advice;
} of_layer[XB_LAYERS] = {
    {"with ", "compilers",
     "another compiler, or another version: --compiler NAME=PATH; script/fetch gets dxc and slang"},
    {"with optimization: ", "levels of optimization", "a compiler that has levels of optimization, such as glslc"},
    {"with arithmetic ", "forms of arithmetic", "a compiler of SPIR-V, whose NoContraction can be set"},
    {"on ", "drivers", "another driver: VK_DRIVER_FILES names one; lavapipe and the CPU emulation need no GPU"},
    {"in waves of ", "sizes of waves", "other sizes of waves: --backend cpu"},
    {"in the order ", "orders", "other orders: --check order"},
};

enum {
  COMPILER = 1 << XB_LAYER_COMPILER,
  OPTIMIZATION = 1 << XB_LAYER_OPTIMIZATION,
  FLOATS = 1 << XB_LAYER_FLOATS,
  DRIVER = 1 << XB_LAYER_DRIVER,
  WAVE = 1 << XB_LAYER_WAVE,
  ORDER = 1 << XB_LAYER_ORDER,
};

/* The first whose layers are all in the cause, with no others than the optional ones; `emulated`: the drivers that are
 * wrong have the emulation among them, which computes what the code says. */
static const struct {
  unsigned layers, optional;
  bool emulated;
  const char *text;
} verdicts[] = {
    {ORDER, SETS - 1, false,
     "a race, or a result that depends on the order or the lanes of threads: run --check "
     "races,memory,order"},
    {WAVE, SETS - 1, false,
     "the source depends on the size of waves: it has to read it (WaveGetLaneCount) or to demand it (WaveSize)"},
    {DRIVER | FLOATS, COMPILER | OPTIMIZATION, false,
     "the driver changes arithmetic, which the specification allows without NoContraction: mark the variables precise"},
    {FLOATS, COMPILER | OPTIMIZATION, false,
     "the result depends on whether multiplications and additions are fused: mark the variables precise, or write "
     "fma()"},
    {DRIVER | COMPILER, OPTIMIZATION, true,
     "the front end, or code whose meaning the language leaves open: the CPU emulation computes what the code says; "
     "drivers that are right may be so by chance"},
    {DRIVER | COMPILER, OPTIMIZATION, false,
     "this driver miscompiles the code of this compiler, or the specification leaves the meaning of that code open: "
     "compare the modules"},
    {OPTIMIZATION, COMPILER | DRIVER, false, "the optimizer, or code whose meaning the language leaves open"},
    {COMPILER, 0, false, "the front end, or code whose meaning the language leaves open"},
    {DRIVER, OPTIMIZATION, true,
     "the source itself: the CPU emulation computes what the code says; drivers that are right may be so by chance"},
    {DRIVER, OPTIMIZATION, false, "the driver, or code whose meaning the specification leaves open"},
    {0, 0, false, "the source itself"},
};

static const char *verdict_of(const analysis *a, const cause *c, unsigned layers)
{
  bool emulated = false;
  size_t i = 0;
  for (size_t k = 0; k < a->levels[XB_LAYER_DRIVER].count; k++)
    emulated |= c->wrong[XB_LAYER_DRIVER] >> k & 1 && !strcmp(a->levels[XB_LAYER_DRIVER].names[k], xb_suspect_cpu);
  while ((layers & verdicts[i].layers) != verdicts[i].layers || layers & ~(verdicts[i].layers | verdicts[i].optional) ||
         (verdicts[i].emulated && !emulated))
    i++;
  return verdicts[i].text;
}

/* "A, B and C", of the levels whose bits are set. */
static void say_levels(const levels *l, uint64_t bits, FILE *out)
{
  size_t left = 0;
  for (size_t i = 0; i < l->count; i++)
    left += bits >> i & 1;
  for (size_t i = 0; i < l->count; i++)
    if (bits >> i & 1)
      fprintf(out, "%s%s", l->names[i], --left > 1 ? ", " : left ? " and " : "");
}

/* Each pass that was found, or each reason why none was. */
static void say_passes(const analysis *a, bool found, FILE *out)
{
  for (size_t i = 0; i < a->count; i++) {
    const char *pass = a->cells[i]->pass;
    size_t first = 0;
    while (strcmp(a->cells[first]->pass, pass) != 0)
      first++;
    if (first == i && *pass && !strncmp(pass, "--", 2) == found)
      fprintf(out, found ? ", from the pass %s of spirv-opt on" : "  passes of the optimizer: %s\n", pass);
  }
}

static void say_where(const analysis *a, const cause *c, unsigned layers, FILE *out)
{
  const char *before = " only ";
  fprintf(out, "%s", a->word);
  if (!layers)
    fprintf(out, " in each of %zu ways", count_cells(a, true) + count_cells(a, false));
  for (int l = 0; l < XB_LAYERS; l++)
    if (layers >> l & 1) {
      fprintf(out, "%s%s", before, of_layer[l].where);
      say_levels(&a->levels[l], c->wrong[l], out);
      before = ", ";
      if (l == XB_LAYER_OPTIMIZATION)
        say_passes(a, true, out);
    }
}

/* "; with all 3 compilers, on all 2 drivers": of layers that make no difference. */
static void say_rest(const analysis *a, unsigned layers, FILE *out)
{
  const char *before = "; it makes no difference which of ";
  for (int l = 0; l < XB_LAYERS; l++)
    if (!(layers >> l & 1) && a->levels[l].count > 1) {
      fprintf(out, "%s%zu %s", before, a->levels[l].count, of_layer[l].all);
      before = ", ";
    }
}

static void say_cause(const analysis *a, const cause *c, FILE *out)
{
  const unsigned layers = c->layers[0];
  unsigned open = 0;
  say_where(a, c, layers, out);
  say_rest(a, layers, out);
  const bool one_compiler = a->levels[XB_LAYER_COMPILER].count < 2, one_driver = a->levels[XB_LAYER_DRIVER].count < 2;
  fprintf(out, ".\n  suspect: %s%s\n", verdict_of(a, c, layers),
          !layers && (one_compiler || one_driver) ? ", or a layer of which only one was tried" : "");
  for (size_t i = 1; i < c->count; i++) {
    fprintf(out, "  cannot be distinguished: ");
    say_where(a, c, c->layers[i], out);
    fprintf(out, " (%s)\n", verdict_of(a, c, c->layers[i]));
    open |= c->layers[i] ^ layers;
  }
  if (!(layers & ~(unsigned)(DRIVER | FLOATS)) && one_compiler)
    open |= COMPILER;
  if (!(layers & DRIVER) && one_driver)
    open |= DRIVER;
  for (int l = 0; l < XB_LAYERS; l++)
    if (open >> l & 1 && a->levels[l].count < 2)
      fprintf(out, "  only one of the %s was tried; to learn more, try: %s\n", of_layer[l].all, of_layer[l].advice);
    else if (open >> l & 1)
      fprintf(out, "  to distinguish them, try: %s\n", of_layer[l].advice);
}

/* Where no rule fits. */
static void say_unexplained(const analysis *a, FILE *out)
{
  const size_t wrong = count_cells(a, true);
  fprintf(out, "%s in %zu of %zu ways, and no layer alone explains which.\n", a->word, wrong,
          wrong + count_cells(a, false));
  for (int l = 0; l < XB_LAYERS; l++)
    for (size_t k = 0; k < a->levels[l].count && a->levels[l].count > 1; k++) {
      size_t counts[2] = {0};
      for (size_t i = 0; i < a->count; i++)
        counts[is_guilty(a, i)] += a->active[i] && a->at[i][l] == k;
      if (counts[1] && *a->levels[l].names[k])
        fprintf(out, "  %s%s: %s in %zu of %zu\n", of_layer[l].where, a->levels[l].names[k], a->word, counts[1],
                counts[0] + counts[1]);
    }
  fprintf(out, "  to find out: run it again (with a race, results change), and use --check races,memory\n");
}

/* What a driver may do that none here does. */
static void say_possible(analysis *a, bool guilty, FILE *out)
{
  for (size_t i = 0; i < a->count; i++)
    a->active[i] = xb_is_possible(a->cells[i]);
  const uint64_t wrong = levels_with(a, XB_LAYER_FLOATS, true);
  if (!wrong)
    return;
  fprintf(out, guilty ? "  also wrong with arithmetic " : "  it may become wrong elsewhere: it is, with arithmetic ");
  say_levels(&a->levels[XB_LAYER_FLOATS], wrong, out);
  fprintf(out, "%s\n",
          strstr(a->side, ".cu") ? ", as nvcc compiles without -fmad=false"
                                 : ", which Vulkan allows without NoContraction: mark the variables precise");
}

/* Why ways did not run, each reason once. */
static void say_failures(const xb_suspects *m, const char *side, FILE *out)
{
  for (const xb_suspect *s = m->cells; s < m->cells + m->count; s++) {
    size_t before = 0, all = 0;
    for (const xb_suspect *t = m->cells; t < m->cells + m->count; t++) {
      const bool same = t->result == XB_SUSPECT_FAILED && !strcmp(t->side, side) && !strcmp(t->why, s->why);
      before += same && t < s;
      all += same;
    }
    if (s->result == XB_SUSPECT_FAILED && !strcmp(s->side, side) && !before)
      fprintf(out, "  not run in %zu way%s: %s\n", all, all > 1 ? "s" : "", s->why);
  }
}

/* Explains the wrong cells of a side, or those that crashed, against the right ones. False: there are none. */
static bool explain(analysis *a, xb_suspect_result guilty, FILE *out)
{
  static const char *const places[MOST_CAUSES] = {
      "", "  second cause, if the first does not apply: ", "  third cause, if neither applies: "};
  cause causes[MOST_CAUSES];
  for (size_t i = 0; i < a->count; i++)
    a->active[i] =
        !xb_is_possible(a->cells[i]) && (a->cells[i]->result == guilty || a->cells[i]->result == XB_SUSPECT_RIGHT);
  a->word = guilty == XB_SUSPECT_WRONG ? "wrong" : "crashed";
  if (!count_cells(a, true))
    return false;
  const int count = find_causes(a, causes, MOST_CAUSES);
  if (count > 1)
    fprintf(out, "%s causes. First: ", count > 2 ? "three" : "two");
  for (int i = 0; i < count; i++) {
    fprintf(out, "%s", places[i]);
    say_cause(a, &causes[i], out);
  }
  if (!count)
    say_unexplained(a, out);
  return true;
}

static void explain_side(const xb_suspects *m, const char *side, FILE *out)
{
  analysis a = {.side = side};
  size_t right = 0;
  char facts[200] = "";
  for (const xb_suspect *s = m->cells; s < m->cells + m->count && a.count < MOST_CELLS; s++) {
    if (strcmp(s->side, side) != 0 || s->result == XB_SUSPECT_FAILED)
      continue;
    for (int l = 0; l < XB_LAYERS; l++)
      a.at[a.count][l] = level_of(&a.levels[l], s->at[l]);
    if (xb_is_guilty(s) && !xb_is_possible(s) && !strstr(facts, s->facts))
      snprintf(facts + strlen(facts), sizeof facts - strlen(facts), " %s", s->facts);
    right += s->result == XB_SUSPECT_RIGHT && !xb_is_possible(s);
    a.cells[a.count++] = s;
  }
  fprintf(out, "%s: ", side);
  const bool wrong = explain(&a, XB_SUSPECT_WRONG, out), crashed = explain(&a, XB_SUSPECT_CRASHED, out);
  if (!a.count)
    fprintf(out, "ran in no way\n");
  else if (!wrong && !crashed)
    fprintf(out, "right in each of %zu ways.\n", right);
  say_passes(&a, false, out);
  if (wrong || crashed)
    xb_suspect_say_facts(facts, side, out);
  if (wrong && !right && m->of_side)
    fprintf(out, "  'right' means equal to %s; --reference shows which of the two sources is wrong\n", m->reference);
  say_possible(&a, wrong, out);
  say_failures(m, side, out);
}

size_t xb_suspects_first(const xb_suspects *m, const xb_suspect *s)
{
  size_t first = 0;
  while (strcmp(m->cells[first].side, s->side) != 0)
    first++;
  return first;
}

void xb_suspects_explain(const xb_suspects *m, FILE *out)
{
  for (const xb_suspect *s = m->cells; s < m->cells + m->count; s++)
    if (&m->cells[xb_suspects_first(m, s)] == s)
      explain_side(m, s->side, out);
}

bool xb_suspects_nearest(const xb_suspects *m, const char *side, const xb_suspect **wrong, const xb_suspect **right)
{
  int least = XB_LAYERS + 1;
  for (const xb_suspect *w = m->cells; w < m->cells + m->count; w++)
    for (const xb_suspect *r = m->cells; r < m->cells + m->count; r++) {
      int differ = xb_is_possible(w) + xb_is_possible(r); /* those that no driver does come last */
      if (strcmp(w->side, side) != 0 || strcmp(r->side, side) != 0 || w->result != XB_SUSPECT_WRONG ||
          r->result != XB_SUSPECT_RIGHT)
        continue;
      for (int l = 0; l < XB_LAYERS; l++)
        differ += strcmp(w->at[l], r->at[l]) != 0;
      if (differ >= least)
        continue;
      least = differ;
      *wrong = w;
      *right = r;
    }
  return least <= XB_LAYERS;
}
