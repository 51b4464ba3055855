/* The table of the cases, and what they say: lines, and the results of each API, held against the CPU's at once and
 * against those of the other APIs at the end. */
#include "guide/guide.h"

#include "base/exit_codes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table -------------------------------------------------------------------------------------------------- */

#define XB_GUIDE(name, entries, title) void xb_guide_case_##name(xb_guide *g);
#include "guide/guide.def"
#undef XB_GUIDE

const xb_guide_case xb_guide_cases[] = {
#define XB_GUIDE(name, entries, title) {#name, #entries, title, xb_guide_case_##name},
#include "guide/guide.def"
#undef XB_GUIDE
};
const size_t xb_guide_case_count = sizeof xb_guide_cases / sizeof *xb_guide_cases;

const xb_guide_case *xb_guide_case_find(const char *name)
{
  for (size_t i = 0; i < xb_guide_case_count; i++)
    if (!strcmp(xb_guide_cases[i].name, name))
      return &xb_guide_cases[i];
  return NULL;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

uint32_t xb_guide_bits(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

float xb_guide_float(uint32_t bits)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Wellons' 32-bit hash. */
uint32_t xb_guide_random(uint32_t i)
{
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}

float xb_guide_random_float(uint32_t i, float low, float high)
{
  return low + (float)(xb_guide_random(i) >> 8) / 16777216.0f * (high - low);
}

double xb_guide_ulp(float got, double exact)
{
  int exponent;
  frexp(exact, &exponent); /* exact is in [2^(exponent - 1), 2^exponent) */
  const int last_place = exponent - 24 < -149 ? -149 : exponent - 24;
  return fabs((double)got - exact) / ldexp(1, last_place);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

bool xb_guide_say(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, ...)
{
  xb_guide_lines *said = &g->said;
  said->of_kind[kind]++; /* counted even if there is no room for the text, so that failures are never lost */
  if (said->count < XB_GUIDE_MAX_LINES) {
    xb_guide_line *line = &said->lines[said->count++];
    va_list args;
    *line = (xb_guide_line){.api = api, .kind = kind};
    va_start(args, format);
    vsnprintf(line->text, sizeof line->text, format, args);
    va_end(args);
  }
  return kind != XB_GUIDE_FAILS;
}

void xb_guide_print(const xb_guide *g)
{
  static const char *const words[] = {"seen", "holds", "FAILS"};
  printf("%s: %s\n", g->of->name, g->of->title);
  for (size_t i = 0; i < g->said.count; i++) {
    const xb_guide_line *line = &g->said.lines[i];
    printf("  %-7s %-6s %s\n", line->api, words[line->kind], line->text);
  }
  printf("\n");
  xb_flush_stdout(); /* show the lines now, because the next case may hang */
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

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
