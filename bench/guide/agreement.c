/* Compares the results of a case: each API's with the CPU's at once, and at the end those of the APIs. */
#include "guide/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the result with this name, and adds it if it is new. NULL if there is no room; this has been reported. */
static xb_guide_result *result_named(xb_guide *g, const char *what, size_t count)
{
  for (size_t i = 0; i < g->result_count; i++)
    if (!strcmp(g->results[i].what, what) && g->results[i].count == count)
      return &g->results[i];
  if (g->result_count == XB_GUIDE_MAX_KEPT) {
    xb_guide_assert(g, false, "%s: more results than a case can keep", what);
    return NULL;
  }
  g->results[g->result_count] = (xb_guide_result){.what = what, .count = count};
  return &g->results[g->result_count++];
}

static void keep(xb_guide *g, const char *what, xb_guide_agreement agreement, double bound, const uint32_t *got,
                 size_t count)
{
  xb_guide_result *result = result_named(g, what, count);
  if (!result)
    return;
  uint32_t *words = malloc(count * sizeof *words);
  if (!words) {
    g->code = xb_fail(&g->error, XB_NOMEM, g->of->name, "out of host memory for %zu words of a result", count);
    return;
  }
  memcpy(words, got, count * sizeof *words);
  free(result->words[g->api]);
  result->words[g->api] = words;
  result->agreement = agreement;
  result->bound = bound;
}

static size_t differences(const uint32_t *a, const uint32_t *b, size_t count, size_t *first)
{
  size_t different = 0;
  for (size_t i = count; i-- > 0;)
    if (a[i] != b[i]) {
      different++;
      *first = i;
    }
  return different;
}

bool xb_guide_same(xb_guide *g, const char *what, const uint32_t *got, const uint32_t *expected, size_t count)
{
  size_t first = 0;
  const size_t different = differences(got, expected, count, &first);
  keep(g, what, XB_AGREES_BIT_FOR_BIT, 0, got, count);
  if (!different)
    return xb_guide_assert(g, true, "%s: as on the CPU, bit for bit (%zu words)", what, count);
  return xb_guide_assert(g, false, "%s: %zu of %zu words differ from the CPU's, word %zu is 0x%08x, expected 0x%08x",
                         what, different, count, first, got[first], expected[first]);
}

bool xb_guide_near(xb_guide *g, const char *what, float got, double expected, double bound)
{
  const double error = fabs((double)got - expected);
  const uint32_t bits = xb_guide_bits(got);
  keep(g, what, XB_AGREES_WITHIN, 2 * bound, &bits, 1);
  return xb_guide_assert(g, error <= bound, "%s: %.9g, off by %.3g, allowed is %.3g", what, (double)got, error, bound);
}

void xb_guide_keep(xb_guide *g, const char *what, const uint32_t *got, size_t count)
{
  keep(g, what, XB_MAY_DIFFER, 0, got, count);
}

static void agree(xb_guide *g, const xb_guide_result *r, size_t a, size_t b)
{
  size_t first = 0;
  const size_t different = differences(r->words[a], r->words[b], r->count, &first);
  const uint32_t x = r->words[a][first], y = r->words[b][first];
  const bool may_differ = r->agreement == XB_MAY_DIFFER;
  const double apart = fabs((double)xb_guide_float(x) - (double)xb_guide_float(y));
  if (r->agreement == XB_AGREES_WITHIN)
    xb_guide_say(g, "port", apart <= r->bound ? XB_GUIDE_HOLDS : XB_GUIDE_FAILS,
                 "%s: %s and %s agree within a bound: %.3g apart, allowed is %.3g", r->what, g->apis[a], g->apis[b],
                 apart, r->bound);
  else if (!different)
    xb_guide_say(g, "port", may_differ ? XB_GUIDE_SEEN : XB_GUIDE_HOLDS, "%s: %s and %s agree bit for bit%s", r->what,
                 g->apis[a], g->apis[b], may_differ ? " here, which no specification guarantees" : "");
  else
    xb_guide_say(g, "port", may_differ ? XB_GUIDE_SEEN : XB_GUIDE_FAILS,
                 "%s: %s and %s do not agree: %zu of %zu words differ, word %zu is 0x%08x and 0x%08x", r->what,
                 g->apis[a], g->apis[b], different, r->count, first, x, y);
}

void xb_guide_agree(xb_guide *g)
{
  for (size_t i = 0; i < g->result_count; i++) {
    const xb_guide_result *r = &g->results[i];
    size_t base = 0;
    while (base < g->api_count && !r->words[base])
      base++;
    for (size_t other = base + 1; other < g->api_count; other++)
      if (r->words[other])
        agree(g, r, base, other);
  }
}

void xb_guide_end(xb_guide *g)
{
  for (size_t i = 0; i < g->result_count; i++)
    for (size_t api = 0; api < XB_GUIDE_MAX_APIS; api++)
      free(g->results[i].words[api]);
  g->result_count = 0;
}
